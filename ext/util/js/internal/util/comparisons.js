// Deep equality: `util.isDeepStrictEqual` and `assert.deepEqual`. In: two values, and a mode: loose
// (`==` for primitives, prototypes ignored), strict, strict without prototypes, or partial (the
// actual value may have more). Out: a boolean, as in Node. Cycles are equal if they close at the
// same depth.
'use strict';

const types = require('internal/util/types');
const { isIndex, namedKeysOf } = require('internal/util/inspect/names');

const LOOSE = 0;
const STRICT = 1;
const PARTIAL = 2;
const STRICT_WITHOUT_PROTOTYPES = 3;

const { hasOwn, getOwnPropertySymbols, getPrototypeOf, keys: keysOf, prototype: ObjectPrototype } = Object;
/** No keys. */
const NONE = Object.freeze([]);
const isEnumerable = (object, key) => Object.prototype.propertyIsEnumerable.call(object, key);
const tagOf = (value) => Object.prototype.toString.call(value);

function isDeepEqual(a, b) {
  return equal(a, b, LOOSE, undefined);
}

function isDeepStrictEqual(a, b, skipPrototype) {
  return equal(a, b, skipPrototype ? STRICT_WITHOUT_PROTOTYPES : STRICT, undefined);
}

function isPartialStrictEqual(a, b) {
  return equal(a, b, PARTIAL, undefined);
}

/** `path`: the enclosing objects that are being compared, to detect cycles. */
function equal(a, b, mode, path) {
  if (a === b) return a !== 0 || mode === LOOSE || Object.is(a, b);
  if (mode !== LOOSE) {
    if (typeof a === 'number') return Number.isNaN(a) && Number.isNaN(b);
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    return equalObjects(a, b, mode, path);
  }
  if (a === null || typeof a !== 'object') {
    // eslint-disable-next-line eqeqeq
    return (b === null || typeof b !== 'object') && (a == b || (Number.isNaN(a) && Number.isNaN(b)));
  }
  if (b === null || typeof b !== 'object') return false;
  return equalObjects(a, b, mode, path);
}

/** Compares keys of `node:crypto`, which have no visible properties; true for other values. */
function areSameKeys(a, b) {
  if (tagOf(a) !== '[object KeyObject]') return true;
  const { KeyObject } = require('internal/crypto/keys');
  return !(a instanceof KeyObject) || (b instanceof KeyObject && a.equals(b));
}

function equalObjects(a, b, mode, path) {
  if (mode === STRICT && !hasSamePrototype(a, b)) return false;
  if (tagOf(a) !== tagOf(b)) return false;
  if (Array.isArray(a)) return equalArrays(a, b, mode, path);
  const kind = kindOf(a);
  const other = kindOf(b);
  if (kind === 'other' && other === 'other') return equalOthers(a, b, mode, path);
  if (kind !== other) return isError(a, kind) && isError(b, other) ? equalErrors(a, b, mode, path) : false;
  return equalKinds(a, b, kind, mode, path);
}

function equalArrays(a, b, mode, path) {
  if (!Array.isArray(b) || !countMatches(a.length, b.length, mode)) return false;
  if (types.hasItemsAlone(a) && types.hasItemsAlone(b)) return equalMembers(a, b, mode, path, NONE, equalItems);
  const symbolsToo = mode !== LOOSE;
  const own = namedKeysOf(a, false).filter((key) => symbolsToo || typeof key !== 'symbol');
  const wanted = namedKeysOf(b, false).filter((key) => symbolsToo || typeof key !== 'symbol');
  if (!countMatches(own.length, wanted.length, mode)) return false;
  return equalKeys(a, b, mode, path, equalItems, wanted.filter((key) => typeof key !== 'symbol'));
}

/** Proxies and module namespaces are compared by their properties. */
function kindOf(value) {
  const kind = types.kind(value);
  return kind === 'proxy' || kind === 'namespace' ? 'other' : kind;
}

/** Whether the counts are equal; in partial mode whether the first is not smaller. */
function countMatches(count, wanted, mode) {
  return mode === PARTIAL ? count >= wanted : count === wanted;
}

const PLAIN_CONSTRUCTORS = new Set([Object, Array, Map, Set, Date, RegExp]);

function hasSamePrototype(a, b) {
  if (PLAIN_CONSTRUCTORS.has(a.constructor) || (a.constructor !== undefined && !hasOwn(a, 'constructor'))) return a.constructor === b.constructor;
  return getPrototypeOf(a) === getPrototypeOf(b);
}

function isError(value, kind) {
  return kind === 'error' || value instanceof Error;
}

function equalOthers(a, b, mode, path) {
  if (Array.isArray(b)) return false;
  if (getPrototypeOf(a) === ObjectPrototype && getPrototypeOf(b) === ObjectPrototype) return equalKeys(a, b, mode, path);
  if (!areSameKeys(a, b)) return false;
  if (a instanceof Error || b instanceof Error) return a instanceof Error && b instanceof Error && equalErrors(a, b, mode, path);
  const { URL } = globalThis;
  if (typeof URL === 'function' && a instanceof URL && b instanceof URL && a.href !== b.href) return false;
  return equalKeys(a, b, mode, path);
}

function equalKinds(a, b, kind, mode, path) {
  switch (kind) {
    case 'date':
      return Object.is(Date.prototype.getTime.call(a), Date.prototype.getTime.call(b)) && equalKeys(a, b, mode, path);
    case 'regexp':
      return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex && equalKeys(a, b, mode, path);
    case 'typedarray':
    case 'dataview': return equalViews(a, b, mode, path);
    case 'set': return countMatches(a.size, b.size, mode) && equalKeys(a, b, mode, path, equalSets);
    case 'map': return countMatches(a.size, b.size, mode) && equalKeys(a, b, mode, path, equalMaps);
    case 'buffer': return equalBytes(new Uint8Array(a), new Uint8Array(b), mode) && equalKeys(a, b, mode, path);
    case 'number': case 'string': case 'boolean': case 'symbol': case 'bigint':
      return Object.is(valueOf(a, kind), valueOf(b, kind)) && equalKeys(a, b, mode, path);
    case 'error': return equalErrors(a, b, mode, path);
    // The content of these cannot be read, so no two are equal.
    case 'weakmap': case 'weakset': case 'promise': case 'weakref': return false;
    default: return equalKeys(a, b, mode, path);
  }
}

const BOXES = { number: Number, string: String, boolean: Boolean, symbol: Symbol, bigint: BigInt };

function valueOf(value, kind) {
  return BOXES[kind].prototype.valueOf.call(value);
}

function equalErrors(a, b, mode, path) {
  for (const key of ['message', 'name', 'cause', 'errors']) {
    if (isEnumerable(b, key)) continue;
    if (mode === PARTIAL && key !== 'name' && !hasOwn(b, key)) continue;
    if ((key === 'cause' || key === 'errors') && hasOwn(a, key) !== hasOwn(b, key)) return false;
    if (!equal(a[key], b[key], mode, path)) return false;
  }
  return equalKeys(a, b, mode, path);
}

function equalViews(a, b, mode, path) {
  const isView = types.isDataView(a);
  if (isView !== types.isDataView(b) || (!isView && typedTag(a) !== typedTag(b))) return false;
  if (mode === LOOSE && (types.isFloat32Array(a) || types.isFloat64Array(a) || types.isFloat16Array(a))) {
    if (a.length !== b.length || !a.every((item, i) => item === b[i] || (Number.isNaN(item) && Number.isNaN(b[i])))) return false;
  } else if (!isView && mode === PARTIAL) {
    if (!isPartOf(a, b)) return false;
  } else if (!equalBytes(bytesOf(a), bytesOf(b), mode)) {
    return false;
  }
  const names = (view) => namedKeysOf(view, false).filter((key) => typeof key !== 'symbol');
  const wanted = isView ? undefined : names(b);
  if (wanted !== undefined && !countMatches(names(a).length, wanted.length, mode)) return false;
  return equalKeys(a, b, mode, path, undefined, wanted);
}

function typedTag(value) {
  return getterOfTag.call(value);
}
const getterOfTag = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function equalBytes(a, b, mode) {
  if (mode === PARTIAL) return isPartOf(a, b);
  return a.length === b.length && require('buffer').Buffer.compare(a, b) === 0;
}

/** Whether the items of `b` are a subsequence of those of `a`. */
function isPartOf(a, b) {
  let at = 0;
  for (let i = 0; i < b.length; i++) {
    while (at < a.length && !Object.is(a[at], b[i])) at++;
    if (at++ >= a.length) return false;
  }
  return true;
}

/** Compares own enumerable properties; then, by `equalContents`, the content of collections. */
function equalKeys(a, b, mode, path, equalContents = undefined, wanted = undefined) {
  const keys = wanted ?? keysOf(b);
  const own = wanted !== undefined || mode === PARTIAL ? undefined : keysOf(a);
  if (own !== undefined && own.length !== keys.length) return false;
  for (let i = 0; i < keys.length; i++) {
    // Fast path: keys in the same order.
    if ((own === undefined || own[i] !== keys[i]) && !isEnumerable(a, keys[i])) return false;
  }
  if (mode === LOOSE) return equalMembers(a, b, mode, path, keys, equalContents);
  const symbols = symbolsOf(a, b, mode);
  return symbols !== undefined && equalMembers(a, b, mode, path, symbols.length === 0 ? keys : [...keys, ...symbols], equalContents);
}

/** Compares the values of these keys, and the contents. */
function equalMembers(a, b, mode, path, keys, equalContents) {
  if (keys.length === 0 && (equalContents === undefined || (b.size ?? b.length) === 0)) return true;
  if (path !== undefined) {
    const known = path.left.indexOf(a);
    const other = path.right.indexOf(b);
    if (known !== -1 || other !== -1) return known === other;
  }
  // Only objects that contain objects can be part of a cycle.
  let steps;
  let isEqual = true;
  for (let i = 0; isEqual && i < keys.length; i++) {
    const value = a[keys[i]];
    if (steps === undefined && isObject(value)) steps = enter(path, a, b);
    isEqual = equal(value, b[keys[i]], mode, steps);
  }
  if (isEqual && equalContents !== undefined) isEqual = equalContents(a, b, mode, steps ??= enter(path, a, b));
  if (steps !== undefined) leave(steps);
  return isEqual;
}

/**
 * Adds a pair to the path. Paths are short; the stack limits them.
 */
function enter(path, a, b) {
  const steps = path ?? { left: [], right: [] };
  steps.left.push(a);
  steps.right.push(b);
  return steps;
}

function leave(steps) {
  steps.left.pop();
  steps.right.pop();
}

/** The enumerable symbols of `b`; undefined if those of `a` differ. */
function symbolsOf(a, b, mode) {
  const wanted = getOwnPropertySymbols(b);
  const own = mode === PARTIAL ? NONE : getOwnPropertySymbols(a);
  if (wanted.length === 0 && own.length === 0) return NONE;
  const symbols = [];
  for (const key of wanted) {
    if (isEnumerable(b, key)) {
      if (!isEnumerable(a, key)) return undefined;
      symbols.push(key);
    } else if (mode !== PARTIAL && isEnumerable(a, key)) {
      return undefined;
    }
  }
  return mode === PARTIAL || own.filter((key) => isEnumerable(a, key)).length === symbols.length ? symbols : undefined;
}

function equalItems(a, b, mode, path) {
  if (mode === PARTIAL) return hasItems(a, b, path);
  for (let i = 0; i < a.length; i++) {
    const isThere = b[i] !== undefined || hasOwn(b, i);
    if (isThere !== (a[i] !== undefined || hasOwn(a, i))) return false;
    // Keys are used, because thousands of holes may follow.
    if (!isThere) return equalSparse(a, b, mode, path);
    if (!equal(a[i], b[i], mode, path)) return false;
  }
  return true;
}

function equalSparse(a, b, mode, path) {
  const keys = Object.keys(b).filter(isIndex);
  return keys.length === Object.keys(a).filter(isIndex).length && keys.every((key) => hasOwn(a, key) && equal(a[key], b[key], mode, path));
}

/** As above for sparse arrays; holes are not items. */
function hasItems(a, b, path) {
  const own = itemsOf(a);
  const wanted = itemsOf(b);
  let at = 0;
  for (let i = 0; i < wanted.length; i++) {
    while (at <= own.length - wanted.length + i && !equal(own[at], wanted[i], PARTIAL, path)) at++;
    if (at > own.length - wanted.length + i) return false;
    at++;
  }
  return true;
}

function itemsOf(list) {
  return Object.keys(list).filter(isIndex).map((key) => list[key]);
}

const isObject = (value) => typeof value === 'object' && value !== null;

function equalSets(a, b, mode, path) {
  const missing = [];
  for (const value of b) {
    if (a.has(value)) continue;
    if (!isObject(value) && mode !== LOOSE) return false;
    missing.push(value);
  }
  if (missing.length === 0) return true;
  const rest = [...a].filter((value) => (mode === LOOSE || isObject(value)) && !b.has(value));
  return missing.every((value) => {
    const at = rest.findIndex((other) => isObject(other) === isObject(value) && equal(other, value, mode, path));
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  });
}

function equalMaps(a, b, mode, path) {
  const missing = [];
  const used = new Set();
  for (const [key, value] of b) {
    if (a.has(key) && equal(a.get(key), value, mode, path)) {
      used.add(key);
      continue;
    }
    if (!isObject(key) && mode !== LOOSE) return false;
    missing.push([key, value]);
  }
  if (missing.length === 0) return true;
  const rest = [...a].filter(([key]) => !used.has(key) && (mode === LOOSE || isObject(key)));
  return missing.every(([key, value]) => {
    const at = rest.findIndex(([otherKey, otherValue]) =>
      isObject(otherKey) === isObject(key) && equal(otherKey, key, mode, path) && equal(otherValue, value, mode, path));
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  });
}

module.exports = { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual };
