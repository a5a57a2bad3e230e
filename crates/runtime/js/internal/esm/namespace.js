// Namespace objects, `import * as`: exotic objects of the language. In: a linked record. Out: a
// proxy with sorted names, without a prototype, that cannot be changed and shows bindings as they
// are now. Absent: bindings.
'use strict';

const { defineProperty, preventExtensions } = Object;
const records = new WeakMap();

const READ_ONLY = {
  set: () => false,
  setPrototypeOf: (target, prototype) => prototype === null,
  isExtensible: () => false,
  preventExtensions: () => true,
  deleteProperty: (target, key) => !Reflect.has(target, key),
};

function read(record, places, key) {
  const [owner, name] = places.get(key);
  if (name === undefined) return of(owner);
  if (owner.bindings === undefined) {
    require('internal/esm/evaluate').instantiate(owner);
    if (owner.bindings === undefined) throw new ReferenceError(`Cannot access '${key}' before initialization`);
  }
  return owner.bindings[name];
}

function of(record) {
  if (record.namespace !== undefined) return record.namespace;
  const places = new Map();
  for (const name of record.exportedNames()) {
    const found = record.resolveExport(name);
    if (found !== null && found !== 'ambiguous') places.set(name, found);
  }
  const target = { __proto__: null };
  for (const name of [...places.keys()].sort()) {
    defineProperty(target, name, { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: false });
  }
  defineProperty(target, Symbol.toStringTag, { __proto__: null, value: 'Module' });
  preventExtensions(target);
  record.namespace = new Proxy(target, {
    __proto__: null,
    ...READ_ONLY,
    get(_, key) { return places.has(key) ? read(record, places, key) : target[key]; },
    getOwnPropertyDescriptor(_, key) {
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      if (own !== undefined && places.has(key)) own.value = read(record, places, key);
      return own;
    },
    defineProperty(_, key, wanted) {
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      if (own === undefined || wanted.configurable || 'get' in wanted || 'set' in wanted) return false;
      if ('enumerable' in wanted && wanted.enumerable !== own.enumerable) return false;
      if ('writable' in wanted && wanted.writable !== own.writable) return false;
      const value = places.has(key) ? read(record, places, key) : own.value;
      return !('value' in wanted) || Object.is(wanted.value, value);
    },
  });
  records.set(record.namespace, record);
  return record.namespace;
}

module.exports = { of, isNamespace: (value) => records.has(value) };
