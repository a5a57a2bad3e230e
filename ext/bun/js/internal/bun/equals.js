// Deep equality: `Bun.deepEquals` and `Bun.deepMatch`, as in Bun's `expect`. In: two values. Out: a
// boolean. In loose mode undefined properties count as absent and classes are ignored; `deepMatch`
// tests whether the first value is a subset of the second.
'use strict';

const { kind } = require('internal/util/types');

const LOOSE = 0;
const STRICT = 1;
/** The first value may lack properties of the second. */
const MATCH = 2;

const BOXES = { number: Number, string: String, boolean: Boolean, symbol: Symbol, bigint: BigInt };

function deepEquals(a, b, isStrict = false) {
  if (arguments.length < 2) throw new TypeError('Expected 2 values to compare');
  return new Comparison(isStrict ? STRICT : LOOSE).equal(a, b);
}

function deepMatch(subset, superset) {
  for (const value of [subset, superset]) {
    if (typeof value !== 'object' || value === null) throw new TypeError('Expected 2 objects to match');
  }
  return new Comparison(MATCH).equal(subset, superset);
}

class Comparison {
  #mode;
  /** Enclosing pairs, to end on cycles. */
  #path = [];

  constructor(mode) { this.#mode = mode; }

  equal(a, b) {
    if (Object.is(a, b)) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (this.#path.some(([one, other]) => one === a && other === b)) return true;
    this.#path.push([a, b]);
    try {
      return this.#objects(a, b);
    } finally {
      this.#path.pop();
    }
  }

  #objects(a, b) {
    const slotKind = kindOf(a);
    if (slotKind !== kindOf(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    if (this.#mode === STRICT && !isSameClass(a, b)) return false;
    if (Array.isArray(a)) return this.#items(a, b);
    switch (slotKind) {
      case 'date': return Object.is(Number(a), Number(b)) && this.#keys(a, b);
      case 'regexp': return a.source === b.source && a.flags === b.flags;
      case 'number': case 'string': case 'boolean': case 'symbol': case 'bigint':
        return Object.is(unboxed(a, slotKind), unboxed(b, slotKind)) && this.#keys(a, b);
      case 'map': return this.#maps(a, b);
      case 'set': return this.#sets(a, b);
      case 'buffer': return isSameBytes(new Uint8Array(a), new Uint8Array(b));
      case 'dataview': return isSameBytes(bytesOf(a), bytesOf(b));
      case 'typedarray': return this.#views(a, b);
      case 'error': return a.name === b.name && a.message === b.message && this.equal(a.cause, b.cause) && this.#keys(a, b);
      default: return this.#others(a, b);
    }
  }

  #items(a, b) {
    if (a.length !== b.length && this.#mode !== LOOSE) return false;
    for (let index = 0; index < Math.max(a.length, b.length); index++) {
      if (this.#mode === STRICT && Object.hasOwn(a, index) !== Object.hasOwn(b, index)) return false;
      if (!this.equal(a[index], b[index])) return false;
    }
    return true;
  }

  #maps(a, b) {
    if (a.size !== b.size) return false;
    for (const [key, value] of a) {
      const has = b.has(key) ? this.equal(value, b.get(key)) :
        isObject(key) && [...b].some(([other, its]) => isObject(other) && this.equal(key, other) && this.equal(value, its));
      if (!has) return false;
    }
    return true;
  }

  #sets(a, b) {
    if (a.size !== b.size) return false;
    for (const value of a) {
      if (!b.has(value) && !(isObject(value) && [...b].some((other) => isObject(other) && this.equal(value, other)))) return false;
    }
    return true;
  }

  #views(a, b) {
    if (tagOf.call(a) !== tagOf.call(b) || a.length !== b.length) return false;
    // In loose mode, 0 and -0 are equal.
    return this.#mode === STRICT ? a.every((item, index) => Object.is(item, b[index])) :
      a.every((item, index) => item === b[index] || Object.is(item, b[index]));
  }

  #others(a, b) {
    const { URL, Headers, URLSearchParams } = globalThis;
    if (a instanceof URL || b instanceof URL) return a instanceof URL && b instanceof URL && a.href === b.href;
    for (const type of [Headers, URLSearchParams]) {
      if (typeof type === 'function' && a instanceof type && b instanceof type) return this.equal([...a], [...b]);
    }
    return this.#keys(a, b);
  }

  #keys(a, b) {
    const mode = this.#mode;
    const keys = keysOf(a);
    if (mode === STRICT && keys.length !== keysOf(b).length) return false;
    for (const key of keys) {
      if (mode === STRICT && !isEnumerable.call(b, key)) return false;
      if (!this.equal(a[key], b[key])) return false;
    }
    return mode !== LOOSE || keysOf(b).every((key) => b[key] === undefined || isEnumerable.call(a, key));
  }
}

const isEnumerable = Object.prototype.propertyIsEnumerable;
/** A promise is compared by its keys. */
function kindOf(value) {
  const slots = kind(value);
  return slots === 'promise' ? 'other' : slots;
}

const isObject = (value) => typeof value === 'object' && value !== null;
const keysOf = (value) => Reflect.ownKeys(value).filter((key) => isEnumerable.call(value, key));
const unboxed = (value, type) => BOXES[type].prototype.valueOf.call(value);
const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function isSameBytes(a, b) {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Subclasses of Array and views are ignored; no prototype equals `Object.prototype`. */
function isSameClass(a, b) {
  if (Array.isArray(a) || ArrayBuffer.isView(a)) return true;
  const [left, right] = [a, b].map((value) => Object.getPrototypeOf(value) ?? Object.prototype);
  return left === right;
}

module.exports = { deepEquals, deepMatch };
