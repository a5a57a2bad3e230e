// `util.types`: the kind of an object, independent of its prototype and properties. In: any value.
// Out: type checks, and internal slots: a proxy's target, a promise's state, the rest of an
// iterator. The engine's type of the cell decides (ext/util/src/lib.rs). Where that cannot be read,
// methods that throw for foreign objects decide, and internal slots are unknown. Absent: entries of
// weak collections.
'use strict';

const externals = require('internal/util/externals');

const { kindOf, kinds, getProxyDetails, getPromiseDetails, getIteratorDetails, hasSameStructure, isSameIteratorPosition } = internalBinding('types');

/** Names by the number that `kindOf` returns. */
const KINDS = [...kinds ?? ['other', 'unsure'], 'namespace'];
const UNSURE = KINDS.indexOf('unsure');

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const tagOfTypedArray = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;
const sharedLength = typeof SharedArrayBuffer === 'undefined' ? undefined :
  Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;
const { apply } = Reflect;
const functionToString = Function.prototype.toString;

function getter(type, name) {
  return Object.getOwnPropertyDescriptor(type.prototype, name).get;
}

/** Methods without side effects that throw for objects of other kinds. */
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

/** The kind by the methods that accept the object. */
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
  const tag = apply(Object.prototype.toString, value, []);
  switch (tag) {
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

/** One of KINDS; 'other' for functions and primitives. */
function kind(value) {
  if (typeof value !== 'object' || value === null) return 'other';
  if (kindOf === undefined) return probe(value);
  const number = kindOf(value);
  return number === UNSURE ? probe(value) : kindName(number, value);
}

/** Module namespaces are implemented as proxies. */
function kindName(number, value) {
  const name = KINDS[number];
  return name === 'proxy' && require('internal/esm/namespace').isNamespace(value) ? 'namespace' : name;
}

/** The same for functions, too, which are 'proxy' or 'other'. */
function kindOfAny(value) {
  const number = kindOf === undefined ? UNSURE : kindOf(value);
  if (number !== UNSURE) return kindName(number, value);
  return typeof value === 'function' ? 'other' : probe(value);
}

function isProxy(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return proxyDetails(value) !== undefined;
}

/**
 * [target, handler] of a proxy, both null if it was revoked; undefined for other values, and for
 * module namespaces.
 */
function proxyDetails(value) {
  const details = getProxyDetails === undefined ? undefined : getProxyDetails(value);
  return details === undefined || require('internal/esm/namespace').isNamespace(value) ? undefined : details;
}

/**
 * [state, value] of a promise: 0 pending, 1 fulfilled, 2 rejected; undefined where it cannot
 * be read.
 */
function promiseDetails(promise) {
  return getPromiseDetails === undefined ? undefined : getPromiseDetails(promise);
}

/**
 * The remaining entries of a Map or Set iterator, without advancing it: { entries, isKeyValue }.
 */
function previewEntries(iterator) {
  const details = getIteratorDetails?.(iterator);
  if (details === undefined) return { entries: [], isKeyValue: false };
  const [collection, iterationKind] = details;
  const isMap = kind(collection) === 'map';
  const methods = isMap ? Map.prototype : Set.prototype;
  const isKeyValue = iterationKind === 2;
  const fresh = apply(isKeyValue ? methods.entries : iterationKind === 0 ? methods.keys : methods.values, collection, []);
  // A fresh iterator is advanced to the position of this one.
  while (!isSameIteratorPosition(fresh, iterator)) if (fresh.next().done) break;
  const rest = [...fresh];
  return { entries: isKeyValue ? rest.flat() : rest, isKeyValue };
}

/**
 * Arrays and typed arrays without named properties, one for each of the engine's storage forms.
 */
let sampleLists;

function makeSampleLists() {
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
 * True: the list has no properties except its items and `length`. False: it may have others.
 */
function hasItemsAlone(list) {
  if (hasSameStructure === undefined) return false;
  sampleLists ??= makeSampleLists();
  for (let i = 0; i < sampleLists.length; i++) if (hasSameStructure(sampleLists[i], list)) return true;
  return false;
}

function sourceOf(value) {
  try {
    return apply(functionToString, value, []);
  } catch {
    return '';
  }
}

function isAsyncFunction(value) {
  return typeof value === 'function' && !isProxy(value) && isAsyncSource(sourceOf(value), value);
}

function isAsyncSource(source, fn) {
  if (!/^async\b/.test(source)) return false;
  // A method that is named `async` begins like an async arrow function.
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
  isExternal: (value) => externals.addressOf(value) !== undefined,
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
  isCryptoKey: (value) => typeof value === 'object' && value !== null && require('internal/crypto/crypto_key').isCryptoKey(value),
  isKeyObject: (value) => typeof value === 'object' && value !== null && require('internal/crypto/keys').isKeyObject(value),
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
