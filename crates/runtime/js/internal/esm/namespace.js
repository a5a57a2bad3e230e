// Module namespace objects (`import * as`), exotic objects of ECMA-262. In: a linked record. Out: a
// proxy with sorted names, without a prototype, immutable, with live bindings. Absent: the bindings
// themselves.
'use strict';

const { defineProperty, preventExtensions } = Object;
const records = new WeakMap();

/** The last operation that a namespace refused, for the message of its error: message, key. */
let lastRefusal = { message: undefined, key: undefined };

/** Refuses an operation. Only strict code throws, which the trap does not know. */
function refuse(message, key) {
  lastRefusal = { message, key };
  return false;
}

function refuseWrite(target, key) {
  return refuse(Reflect.has(target, key) ? `Cannot assign to read only property '${String(key)}' of object '[object Module]'` : `Cannot add property ${String(key)}, object is not extensible`, key);
}

const READ_ONLY = {
  set: refuseWrite,
  setPrototypeOf: (target, prototype) => prototype === null || refuse('[object Module] is not extensible'),
  isExtensible: () => false,
  preventExtensions: () => true,
  deleteProperty: (target, key) => !Reflect.has(target, key) || refuse(`Cannot delete property '${String(key)}' of [object Module]`, key),
};

/** V8's message where `name`, the property of the engine's message, is what was refused last. */
function refusalMessage(name) {
  const { message, key } = lastRefusal;
  return message !== undefined && name === (typeof key === 'symbol' ? key.description : String(key)) ? message : undefined;
}

function read(record, resolutions, key) {
  const [owner, name] = resolutions.get(key);
  if (name === undefined) return of(owner);
  if (owner.bindings === undefined) {
    require('internal/esm/evaluate').instantiate(owner);
    if (owner.bindings === undefined) throw new ReferenceError(`Cannot access '${key}' before initialization`);
  }
  return owner.bindings[name];
}

function of(record) {
  if (record.namespace !== undefined) return record.namespace;
  const resolutions = new Map();
  for (const name of record.exportedNames()) {
    const resolution = record.resolveExport(name);
    if (resolution !== null && resolution !== 'ambiguous') resolutions.set(name, resolution);
  }
  const target = { __proto__: null };
  for (const name of [...resolutions.keys()].sort()) {
    defineProperty(target, name, { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: false });
  }
  defineProperty(target, Symbol.toStringTag, { __proto__: null, value: 'Module' });
  preventExtensions(target);
  record.namespace = new Proxy(target, {
    __proto__: null,
    ...READ_ONLY,
    get(_, key) { return resolutions.has(key) ? read(record, resolutions, key) : key in target ? target[key] : record.readMissing?.(key); },
    getOwnPropertyDescriptor(_, key) {
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      if (own !== undefined && resolutions.has(key)) own.value = read(record, resolutions, key);
      return own;
    },
    defineProperty(_, key, descriptor) {
      return isSameProperty(key, descriptor) || refuse(`Cannot redefine property: ${String(key)}`, key);
    },
  });
  function isSameProperty(key, descriptor) {
    const own = Reflect.getOwnPropertyDescriptor(target, key);
    if (own === undefined || descriptor.configurable || 'get' in descriptor || 'set' in descriptor) return false;
    if ('enumerable' in descriptor && descriptor.enumerable !== own.enumerable) return false;
    if ('writable' in descriptor && descriptor.writable !== own.writable) return false;
    const value = resolutions.has(key) ? read(record, resolutions, key) : own.value;
    return !('value' in descriptor) || Object.is(descriptor.value, value);
  }
  records.set(record.namespace, record);
  return record.namespace;
}

module.exports = { of, isNamespace: (value) => records.has(value), recordOf: (value) => records.get(value), refusalMessage };
