// Deep equality of `expect`: `toEqual`, `toStrictEqual`, `toMatchObject`, `this.equals`. In: two
// values, a mode, custom testers. Out: a boolean. As jest's `equals` with `iterableEquality`; where
// bun accepts more (lists whose end is undefined, Buffer and Uint8Array), so does this. Absent:
// messages.
'use strict';

const { kind } = require('internal/util/types');

/** Undefined properties count as absent, classes are ignored. */
const LOOSE = 0;
/** `toStrictEqual`. */
const STRICT = 1;
/** The second value is a subset of the first. */
const SUBSET = 2;

const kAsymmetric = Symbol.for('jest.asymmetricMatcher');

/** Kinds that are compared by their keys, as in Bun. */
const PLAIN = ['namespace', 'promise', 'proxy'];

/** Functions of `expect.addEqualityTesters`. */
let testers = [];

const isObject = (value) => typeof value === 'object' && value !== null;

function isAsymmetric(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && value.$$typeof === kAsymmetric;
}

const { hasOwn, is, getOwnPropertySymbols, getPrototypeOf, keys: stringKeys } = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const tagOf = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const BOXES = { number: Number, string: String, boolean: Boolean, symbol: Symbol, bigint: BigInt };
const unboxed = (value, type) => BOXES[type].prototype.valueOf.call(value);
const bytesOf = (value) => (ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value));

const symbolsOf = (value) => getOwnPropertySymbols(value).filter((symbol) => isEnumerable.call(value, symbol));

/** Own enumerable keys, symbols included. */
function keysOf(value) {
  const keys = stringKeys(value);
  const symbols = getOwnPropertySymbols(value);
  if (symbols.length > 0) for (const symbol of symbols) if (isEnumerable.call(value, symbol)) keys.push(symbol);
  return keys;
}

class Comparison {
  #mode;
  #testers;
  // The enclosing pairs, to end on cycles.
  #left = [];
  #right = [];

  constructor(mode, ownTesters) {
    this.#mode = mode;
    this.#testers = ownTesters;
  }

  equal(a, b) {
    const isSpecial = this.#special(a, b);
    if (isSpecial !== undefined) return isSpecial;
    if (is(a, b)) return true;
    if (!isObject(a) || !isObject(b)) return this.#mode === SUBSET && this.#functions(a, b);
    for (let index = this.#left.length - 1; index >= 0; index--) {
      if (this.#left[index] === a) return this.#right[index] === b;
      if (this.#right[index] === b) return false;
    }
    this.#left.push(a);
    this.#right.push(b);
    try {
      return this.#objects(a, b);
    } finally {
      this.#left.pop();
      this.#right.pop();
    }
  }

  /** As in Bun: for `toMatchObject`, a function is an object with its own keys. */
  #functions(a, b) {
    const hasKeys = (value) => isObject(value) || typeof value === 'function';
    return hasKeys(a) && hasKeys(b) && this.#keys(a, b);
  }

  /** What asymmetric matchers and custom testers say; undefined: nothing. */
  #special(a, b) {
    const isLeft = isAsymmetric(a);
    const isRight = isAsymmetric(b);
    if (isLeft !== isRight) return Boolean(isLeft ? a.asymmetricMatch(b) : b.asymmetricMatch(a));
    for (const tester of this.#testers) {
      const result = tester.call({ equals: this.#nested }, a, b, this.#testers);
      if (result !== undefined) return Boolean(result);
    }
    return undefined;
  }

  /** `this.equals` within a tester. */
  #nested = (a, b, ownTesters, isStrict) => new Comparison(isStrict ? STRICT : LOOSE, ownTesters ?? []).equal(a, b);

  #objects(a, b) {
    const isList = Array.isArray(a);
    if (isList !== Array.isArray(b)) return false;
    if (this.#mode === STRICT && !isSameClass(a, b)) return false;
    if (isList) return this.#lists(a, b);
    let slots = kind(a);
    let otherSlots = kind(b);
    if (PLAIN.includes(slots)) slots = 'other';
    if (PLAIN.includes(otherSlots)) otherSlots = 'other';
    // A plain object can be a subset of an object of any kind: of an error, for example.
    if (this.#mode === SUBSET && otherSlots === 'other' && slots !== 'other') return this.#keys(a, b);
    return slots === otherSlots && this.#sameKind(a, b, slots);
  }

  #sameKind(a, b, slots) {
    switch (slots) {
      case 'date': return is(Number(a), Number(b));
      case 'regexp': return a.source === b.source && a.flags === b.flags;
      case 'number': case 'string': case 'boolean': case 'symbol': case 'bigint':
        return is(unboxed(a, slots), unboxed(b, slots));
      case 'map': return a.size === b.size && this.#maps(a, b);
      case 'set': return a.size === b.size && this.#sets(a, b);
      case 'buffer': case 'dataview': return isSameBytes(bytesOf(a), bytesOf(b));
      case 'typedarray': return this.#views(a, b);
      case 'error': return this.#errors(a, b);
      default: return this.#others(a, b);
    }
  }

  #lists(a, b) {
    const mode = this.#mode;
    if (a.length !== b.length && mode !== LOOSE) return false;
    const length = Math.max(a.length, b.length);
    for (let index = 0; index < length; index++) {
      if (mode === STRICT && hasOwn(a, index) !== hasOwn(b, index)) return false;
      if (!this.equal(a[index], b[index])) return false;
    }
    // As jest and bun: symbols count, other names do not.
    const symbols = symbolsOf(a);
    return symbols.length === symbolsOf(b).length && symbols.every((symbol) => isEnumerable.call(b, symbol) && this.equal(a[symbol], b[symbol]));
  }

  #maps(a, b) {
    const others = [];
    for (const [key, value] of a) {
      if (!b.has(key)) others.push([key, value]);
      else if (!this.equal(value, b.get(key))) return false;
    }
    return this.#pairUp(others, [...b].filter(([key]) => !a.has(key)));
  }

  #sets(a, b) {
    return this.#pairUp([...a].filter((value) => !b.has(value)), [...b].filter((value) => !a.has(value)));
  }

  /** Whether each has an equal partner of its own; the order does not matter. */
  #pairUp(left, right) {
    for (const value of left) {
      const index = right.findIndex((other) => this.equal(value, other));
      if (index === -1) return false;
      right.splice(index, 1);
    }
    return true;
  }

  #views(a, b) {
    if (tagOf.call(a) !== tagOf.call(b) || a.length !== b.length) return false;
    const isStrict = this.#mode === STRICT;
    for (let index = 0; index < a.length; index++) {
      if (!is(a[index], b[index]) && (isStrict || a[index] !== b[index])) return false;
    }
    return true;
  }

  #errors(a, b) {
    if (a.name !== b.name || a.message !== b.message) return false;
    if (this.#mode === SUBSET) return !hasOwn(b, 'cause') || this.equal(a.cause, b.cause);
    return this.equal(a.cause, b.cause) && this.equal(a.errors, b.errors) && this.#keys(a, b);
  }

  #others(a, b) {
    // No value is a URL before the class is loaded.
    const URL = require.isLoaded('web/url') ? require('web/url').URL : undefined;
    if (URL !== undefined && (a instanceof URL || b instanceof URL)) {
      return a instanceof URL && b instanceof URL && a.href === b.href;
    }
    if (isNode(a) && isNode(b)) return a.isEqualNode(b);
    if (typeof a[Symbol.iterator] === 'function' && typeof b[Symbol.iterator] === 'function' && !this.#sequences(a, b)) return false;
    return this.#keys(a, b);
  }

  /** Iterables that are neither lists nor collections of the language: as sequences. */
  #sequences(a, b) {
    if (a.constructor !== b.constructor) return false;
    const others = b[Symbol.iterator]();
    for (const value of a) {
      const next = others.next();
      if (next.done || !this.equal(value, next.value)) return false;
    }
    return Boolean(others.next().done);
  }

  #keys(a, b) {
    const mode = this.#mode;
    if (mode === SUBSET) return keysOf(b).every((key) => key in a && this.equal(a[key], b[key]));
    const keys = keysOf(a);
    const others = keysOf(b);
    if (mode === STRICT && keys.length !== others.length) return false;
    for (const key of keys) {
      const has = hasOwn(b, key);
      if (!has && (mode === STRICT || a[key] !== undefined && !isAsymmetric(a[key]))) return false;
      if (!this.equal(a[key], b[key])) return false;
    }
    if (mode === STRICT) return true;
    for (const key of others) {
      if (!hasOwn(a, key) && b[key] !== undefined && !(isAsymmetric(b[key]) && this.equal(a[key], b[key]))) return false;
    }
    return true;
  }
}

/** A node of a document. */
function isNode(value) {
  return typeof value.nodeType === 'number' && typeof value.nodeName === 'string' && typeof value.isEqualNode === 'function';
}

function isSameBytes(a, b) {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Lists and views are compared by their elements; no prototype equals `Object.prototype`. */
function isSameClass(a, b) {
  if (Array.isArray(a) || ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return true;
  const left = getPrototypeOf(a) ?? Object.prototype;
  const right = getPrototypeOf(b) ?? Object.prototype;
  return left === right || a.constructor === b.constructor && kind(a) !== 'other';
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');

function compare(mode, a, b, ownTesters) {
  if (isPrimitive(a) && isPrimitive(b) && ownTesters.length === 0) return is(a, b);
  return new Comparison(mode, ownTesters).equal(a, b);
}

function equals(a, b, ownTesters = testers) { return compare(LOOSE, a, b, ownTesters); }

function strictEquals(a, b, ownTesters = testers) { return compare(STRICT, a, b, ownTesters); }

/** Whether `subset` is a subset of `value`. */
function matchesSubset(value, subset, ownTesters = testers) { return new Comparison(SUBSET, ownTesters).equal(value, subset); }

/** `expect.addEqualityTesters(list)`. */
function addEqualityTesters(list) {
  if (!Array.isArray(list)) throw new TypeError(`expect.customEqualityTesters: Must be set to an array of Testers. Was given ${list === null ? 'null' : typeof list}`);
  testers = [...testers, ...list];
}

function resetEqualityTesters() { testers = []; }

module.exports = {
  addEqualityTesters, equals, isAsymmetric, isObject, kAsymmetric, keysOf, matchesSubset, resetEqualityTesters, strictEquals,
  get testers() { return testers; },
};
