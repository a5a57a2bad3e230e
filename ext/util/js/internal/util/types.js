// What kind of object a value is, whatever its prototype and properties say. In: any value. Out:
// the tests of `util.types`, and what the engine keeps inside: a proxy's target, a promise's state,
// what is left of an iterator. The engine's own mark of each object tells (ext/util/src/lib.rs);
// where that is not to be read, methods that refuse foreign objects do, and what is inside stays
// unknown. Absent: what a weak collection holds.
'use strict';

const { kindOf, kinds, proxyParts, promiseParts, iteratedOf, isSameShape, isSameStep } = internalBinding('types');

/** By the number that `kindOf` returns; without the native half only the names matter. */
const KINDS = [...kinds ?? ['other', 'unsure'], 'namespace'];
const UNSURE = KINDS.indexOf('unsure');

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const tagOfTypedArray = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;
const sharedLength = typeof SharedArrayBuffer === 'undefined' ? undefined :
  Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;
const { apply } = Reflect;
const toText = Function.prototype.toString;

function getter(type, name) {
  return Object.getOwnPropertyDescriptor(type.prototype, name).get;
}

/** Calls that throw over an object of any other kind, and change nothing. */
const PROBES = [
  ['map', getter(Map, 'size')],
  ['set', getter(Set, 'size')],
  ['date', Date.prototype.getTime],
  ['buffer', getter(ArrayBuffer, 'byteLength')],
  ['weakmap', WeakMap.prototype.has, {}],
  ['weakset', WeakSet.prototype.has, {}],
  ['number', Number.prototype.valueOf],
  ['string', String.prototype.valueOf],
  ['boolean', Boolean.prototype.valueOf],
  ['symbol', Symbol.prototype.valueOf],
  ['bigint', BigInt.prototype.valueOf],
  ['weakref', WeakRef.prototype.deref],
];

/** The kind by what the object's methods accept. */
function probe(value) {
  if (Error.isError?.(value)) return 'error';
  if (ArrayBuffer.isView(value)) return apply(tagOfTypedArray, value, []) === undefined ? 'dataview' : 'typedarray';
  for (const [kind, method, argument] of PROBES) {
    try {
      apply(method, value, [argument]);
      return kind;
    } catch {
      // Of another kind.
    }
  }
  if (sharedLength !== undefined && isSharedArrayBuffer(value)) return 'buffer';
  const text = apply(Object.prototype.toString, value, []);
  switch (text) {
    case '[object RegExp]': return 'regexp';
    case '[object Arguments]': return 'arguments';
    case '[object Promise]': return value instanceof Promise ? 'promise' : 'other';
    case '[object Map Iterator]': return 'mapiterator';
    case '[object Set Iterator]': return 'setiterator';
    case '[object Generator]': case '[object AsyncGenerator]': return 'generator';
    case '[object Module]': return Object.getPrototypeOf(value) === null ? 'namespace' : 'other';
  }
  return 'other';
}

/** One of the words above; 'function' is 'other', and so is what is no object. */
function kind(value) {
  if (typeof value !== 'object' || value === null) return 'other';
  if (kindOf === undefined) return probe(value);
  const number = kindOf(value);
  return number === UNSURE ? probe(value) : wordOf(number, value);
}

/** Namespaces of modules are proxies of ours. */
function wordOf(number, value) {
  const word = KINDS[number];
  return word === 'proxy' && require('internal/esm/namespace').isNamespace(value) ? 'namespace' : word;
}

/** The same of functions as well, which are 'proxy' or 'other'. */
function kindOfAny(value) {
  const number = kindOf === undefined ? UNSURE : kindOf(value);
  if (number !== UNSURE) return wordOf(number, value);
  return typeof value === 'function' ? 'other' : probe(value);
}

function isProxy(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return proxyDetails(value) !== undefined;
}

/**
 * [target, handler] of a proxy, both null when it was revoked; undefined of other values. What
 * namespaces of modules are made of is nobody's business.
 */
function proxyDetails(value) {
  const parts = proxyParts === undefined ? undefined : proxyParts(value);
  return parts === undefined || require('internal/esm/namespace').isNamespace(value) ? undefined : parts;
}

/**
 * [state, value] of a promise: 0 pending, 1 fulfilled, 2 rejected; undefined where the engine does
 * not tell.
 */
function promiseDetails(promise) {
  return promiseParts === undefined ? undefined : promiseParts(promise);
}

/**
 * What an iterator of a Map or Set would still give, without moving it: { entries, isKeyValue }.
 */
function previewEntries(iterator) {
  const iterated = iteratedOf?.(iterator);
  if (iterated === undefined) return { entries: [], isKeyValue: false };
  const [collection, way] = iterated;
  const isMap = kind(collection) === 'map';
  const methods = isMap ? Map.prototype : Set.prototype;
  const isKeyValue = way === 2;
  const fresh = apply(isKeyValue ? methods.entries : way === 0 ? methods.keys : methods.values, collection, []);
  // A fresh iterator is moved until it stands where the given one does.
  while (!isSameStep(fresh, iterator)) if (fresh.next().done) break;
  const rest = [...fresh];
  return { entries: isKeyValue ? rest.flat() : rest, isKeyValue };
}

/**
 * Arrays and typed arrays without a name of their own, one of each way that the engine keeps items.
 */
let bareLists;

function makeBareLists() {
  const grown = (item) => {
    const list = [];
    list.push(item);
    return list;
  };
  const sparse = [];
  sparse[1e7] = 0;
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/.test(name));
  return [
    [0], [0.5], ['a'], grown(0), grown(0.5), grown('a'), new Array(3), sparse,
    ...names.map((name) => new globalThis[name](1)), require('buffer').Buffer.alloc(1),
  ];
}

/**
 * True: the list surely has no property but its items, and an array its length. False says nothing.
 */
function hasItemsAlone(list) {
  if (isSameShape === undefined) return false;
  bareLists ??= makeBareLists();
  for (let i = 0; i < bareLists.length; i++) if (isSameShape(bareLists[i], list)) return true;
  return false;
}

function sourceOf(value) {
  try {
    return apply(toText, value, []);
  } catch {
    return '';
  }
}

function isAsyncFunction(value) {
  return typeof value === 'function' && !isProxy(value) && isAsyncSource(sourceOf(value), value);
}

function isAsyncSource(source, fn) {
  if (!/^async\b/.test(source)) return false;
  // A method of that name looks as an arrow function does, up to its end.
  return !/^async\s*\(/.test(source) || Object.getPrototypeOf(fn) !== Function.prototype;
}

function isGeneratorFunction(value) {
  return typeof value === 'function' && !isProxy(value) && isGeneratorSource(sourceOf(value));
}

function isGeneratorSource(source) {
  return /^(?:async\b\s*)?(?:function\b\s*)?\*/.test(source);
}

function isTypedArray(value) {
  return apply(tagOfTypedArray, value, []) !== undefined;
}

function isSharedArrayBuffer(value) {
  if (sharedLength === undefined || typeof value !== 'object' || value === null) return false;
  if (kindOf !== undefined && kindOf(value) !== KINDS.indexOf('buffer')) return false;
  try {
    apply(sharedLength, value, []);
    return true;
  } catch {
    return false;
  }
}

const isAnyArrayBuffer = (value) => kind(value) === 'buffer';
const isBoxed = ['number', 'string', 'boolean', 'symbol', 'bigint'];

module.exports = {
  isExternal: () => false,
  isDate: (value) => kind(value) === 'date',
  isArgumentsObject: (value) => kind(value) === 'arguments',
  isBigIntObject: (value) => kind(value) === 'bigint',
  isBooleanObject: (value) => kind(value) === 'boolean',
  isNumberObject: (value) => kind(value) === 'number',
  isStringObject: (value) => kind(value) === 'string',
  isSymbolObject: (value) => kind(value) === 'symbol',
  isBoxedPrimitive: (value) => isBoxed.includes(kind(value)),
  isNativeError: (value) => kind(value) === 'error',
  isRegExp: (value) => kind(value) === 'regexp',
  isAsyncFunction,
  isGeneratorFunction,
  isGeneratorObject: (value) => kind(value) === 'generator',
  isPromise: (value) => kind(value) === 'promise',
  isMap: (value) => kind(value) === 'map',
  isSet: (value) => kind(value) === 'set',
  isMapIterator: (value) => kind(value) === 'mapiterator',
  isSetIterator: (value) => kind(value) === 'setiterator',
  isWeakMap: (value) => kind(value) === 'weakmap',
  isWeakSet: (value) => kind(value) === 'weakset',
  isArrayBuffer: (value) => isAnyArrayBuffer(value) && !isSharedArrayBuffer(value),
  isDataView: (value) => ArrayBuffer.isView(value) && !isTypedArray(value),
  isSharedArrayBuffer,
  isProxy,
  isModuleNamespaceObject: (value) => kind(value) === 'namespace',
  isAnyArrayBuffer,
  isCryptoKey: (value) => typeof globalThis.CryptoKey === 'function' && value instanceof globalThis.CryptoKey,
  isKeyObject: () => false,
  isArrayBufferView: ArrayBuffer.isView,
  isTypedArray,
};

for (const name of ['Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array',
  'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']) {
  module.exports[`is${name}`] = (value) => apply(tagOfTypedArray, value, []) === name;
}

Object.defineProperties(module.exports, {
  kind: { __proto__: null, value: kind },
  kindOfAny: { __proto__: null, value: kindOfAny },
  hasItemsAlone: { __proto__: null, value: hasItemsAlone },
  isAsyncSource: { __proto__: null, value: isAsyncSource },
  isGeneratorSource: { __proto__: null, value: isGeneratorSource },
  proxyDetails: { __proto__: null, value: proxyDetails },
  promiseDetails: { __proto__: null, value: promiseDetails },
  previewEntries: { __proto__: null, value: previewEntries, configurable: true },
});
