// Values as `RemoteObject` of the DevTools Protocol. In: any value. Out: its type, its description,
// and the value itself or an id, under which the session holds the object. Absent: previews.
'use strict';

const types = require('internal/util/types');
const { serverError } = require('internal/inspector/protocol_error');

/** Subtypes and the check for each; the first that holds is taken. */
const SUBTYPES = [
  ['proxy', types.isProxy], ['array', Array.isArray], ['regexp', types.isRegExp], ['date', types.isDate], ['map', types.isMap], ['set', types.isSet],
  ['weakmap', types.isWeakMap], ['weakset', types.isWeakSet], ['iterator', (value) => types.isMapIterator(value) || types.isSetIterator(value)],
  ['generator', types.isGeneratorObject], ['error', types.isNativeError], ['promise', types.isPromise], ['typedarray', types.isTypedArray],
  ['arraybuffer', types.isAnyArrayBuffer], ['dataview', types.isDataView],
];

const SIZED = { __proto__: null, array: 'length', map: 'size', set: 'size', typedarray: 'length', arraybuffer: 'byteLength', dataview: 'byteLength' };

let sessions = 0;

class RemoteObjects {
  #session = ++sessions;
  #objects = new Map();
  #groups = new Map();
  #next = 1;

  /** The object of an id. */
  find(id) {
    const entry = this.#objects.get(id);
    if (entry === undefined) throw serverError(/^\d+\.1\.\d+$/.test(id) ? 'Could not find object with given id' : 'Invalid remote object id');
    return entry.value;
  }

  groupOf(id) { return this.#objects.get(id)?.group; }

  release(id) { this.#objects.delete(id); }

  releaseGroup(name) {
    for (const id of this.#groups.get(name) ?? []) this.#objects.delete(id);
    this.#groups.delete(name);
  }

  clear() {
    this.#objects.clear();
    this.#groups.clear();
  }

  #hold(value, group) {
    const id = `${this.#session}.1.${this.#next++}`;
    this.#objects.set(id, { value, group });
    if (group !== undefined) {
      if (!this.#groups.has(group)) this.#groups.set(group, []);
      this.#groups.get(group).push(id);
    }
    return id;
  }

  wrap(value, group) {
    const primitive = primitiveObject(value);
    if (primitive !== undefined) return primitive;
    if (typeof value === 'symbol') return { type: 'symbol', description: String(value), objectId: this.#hold(value, group) };
    const type = typeof value === 'function' ? 'function' : 'object';
    const subtype = type === 'object' ? SUBTYPES.find(([, is]) => is(value))?.[0] : undefined;
    const target = subtype === 'proxy' ? undefined : value;
    const className = type === 'function' ? 'Function' : target === undefined ? 'Object' : classNameOf(target);
    return {
      type,
      ...(subtype === undefined ? {} : { subtype }),
      className,
      description: describe(value, type, subtype, className),
      objectId: this.#hold(value, group),
    };
  }

  /** The value as JSON, without an id. */
  static byValue(value) {
    const primitive = primitiveObject(value);
    if (primitive !== undefined) return primitive;
    if (typeof value === 'symbol') throw serverError('Object couldn\'t be returned by value');
    let copy;
    try {
      copy = JSON.parse(JSON.stringify(value) ?? '{}');
    } catch {
      throw serverError('Object reference chain is too long');
    }
    return { type: typeof value === 'function' ? 'function' : 'object', value: copy };
  }
}

/** undefined: the value is an object, a function or a symbol. */
function primitiveObject(value) {
  switch (typeof value) {
    case 'undefined': return { type: 'undefined' };
    case 'string': case 'boolean': return { type: typeof value, value };
    case 'bigint': return { type: 'bigint', unserializableValue: `${value}n`, description: `${value}n` };
    case 'number': {
      const description = Object.is(value, -0) ? '-0' : String(value);
      return Number.isFinite(value) && description !== '-0' ? { type: 'number', value, description } :
        { type: 'number', unserializableValue: description, description };
    }
    default: return value === null ? { type: 'object', subtype: 'null', value: null } : undefined;
  }
}

/** The name of the first constructor in the prototype chain, without calling getters. */
function classNameOf(value) {
  if (value === globalThis) return 'global';
  for (let object = value; object !== null && !types.isProxy(object); object = Object.getPrototypeOf(object)) {
    const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (typeof constructor === 'function' && constructor.name !== '') return constructor.name;
  }
  return 'Object';
}

function describe(value, type, subtype, className) {
  if (type === 'function') return Function.prototype.toString.call(value);
  switch (subtype) {
    case 'proxy': return `Proxy(${className})`;
    case 'regexp': return RegExp.prototype.toString.call(value);
    case 'date': return Date.prototype.toString.call(value);
    case 'error': {
      const stack = Object.getOwnPropertyDescriptor(value, 'stack');
      return typeof stack?.value === 'string' ? stack.value : String(value.stack);
    }
    default: return subtype in SIZED ? `${className}(${value[SIZED[subtype]]})` : className;
  }
}

module.exports = { RemoteObjects };
