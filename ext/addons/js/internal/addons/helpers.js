// What Node-API needs of the language and of our builtins. In: values, numbers of the C interface.
// Out: values. Each function is called by its name from `rusk-node-api`.
'use strict';

const { makeFunction } = require('internal/addons/functions');
const { FastBuffer } = require('internal/buffer');
// It adds the methods of `Buffer` to that class.
require('buffer');
const types = require('internal/util/types');
const context = require('internal/async_context');
const { domainCalls } = require('internal/process/execution');

const { apply, construct } = Reflect;
const { hasOwn, defineProperty, getPrototypeOf, getOwnPropertyDescriptor } = Object;
const dateValueOf = Date.prototype.getTime;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const getter = (prototype, name) => getOwnPropertyDescriptor(prototype, name).get;
const typedArrayTag = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedArray = ['buffer', 'byteOffset', 'length'].map((name) => getter(TypedArrayPrototype, name));
const dataView = ['buffer', 'byteOffset', 'byteLength'].map((name) => getter(DataView.prototype, name));

// --- properties

/** `napi_property_attributes`. */
const WRITABLE = 1;
const ENUMERABLE = 2;
const CONFIGURABLE = 4;

/** Whether the object takes it. */
function defineValue(object, key, value, attributes) {
  return Reflect.defineProperty(object, key, {
    __proto__: null,
    value,
    writable: (attributes & WRITABLE) !== 0,
    enumerable: (attributes & ENUMERABLE) !== 0,
    configurable: (attributes & CONFIGURABLE) !== 0,
  });
}

function defineAccessor(object, key, get, set, attributes) {
  return Reflect.defineProperty(object, key, {
    __proto__: null,
    get,
    set,
    enumerable: (attributes & ENUMERABLE) !== 0,
    configurable: (attributes & CONFIGURABLE) !== 0,
  });
}

function propertyNames(object) {
  const names = [];
  for (const name in object) names.push(name);
  return names;
}

/** `napi_key_filter`, and the other two parameters. */
const KEY_WRITABLE = 1;
const KEY_ENUMERABLE = 2;
const KEY_CONFIGURABLE = 4;
const SKIP_STRINGS = 8;
const SKIP_SYMBOLS = 16;
const OWN_ONLY = 1;
const KEEP_NUMBERS = 0;

function allPropertyNames(object, mode, filter, conversion) {
  const names = [];
  const seen = new Set();
  for (let holder = object; holder !== null; holder = getPrototypeOf(holder)) {
    for (const key of Reflect.ownKeys(holder)) {
      if (seen.has(key)) continue;
      seen.add(key);
      if ((filter & (typeof key === 'symbol' ? SKIP_SYMBOLS : SKIP_STRINGS)) !== 0) continue;
      const property = getOwnPropertyDescriptor(holder, key);
      if (property === undefined) continue;
      // In V8 an accessor counts as writable.
      if ((filter & KEY_WRITABLE) !== 0 && property.writable === false) continue;
      if ((filter & KEY_ENUMERABLE) !== 0 && !property.enumerable) continue;
      if ((filter & KEY_CONFIGURABLE) !== 0 && !property.configurable) continue;
      names.push(conversion === KEEP_NUMBERS && isIndex(key) ? Number(key) : key);
    }
    if (mode === OWN_ONLY) break;
  }
  return names;
}

function isIndex(key) {
  return typeof key === 'string' && `${key >>> 0}` === key && key !== '4294967295';
}

function createWithProperties(prototype, names, values) {
  const object = Object.create(prototype);
  for (let index = 0; index < names.length; index++) {
    defineValue(object, names[index], values[index], WRITABLE | ENUMERABLE | CONFIGURABLE);
  }
  return object;
}

// --- functions

/** A host function has no `prototype`, and one of Node has. */
function addPrototype(made) {
  const prototype = {};
  defineProperty(prototype, 'constructor', { __proto__: null, value: made, writable: true, configurable: true });
  defineProperty(made, 'prototype', { __proto__: null, value: prototype, writable: true });
}

/** What a constructor of the language gets as `this`. */
function createInstance(newTarget) { return construct(Object, [], newTarget); }

/** A constructor of objects that `hasBrand` knows, whatever becomes of their prototypes. */
function createBrand() {
  return class extends Object {
    constructor() { super(); }
    #brand() {}
    static has(object) { return #brand in object; }
  };
}

function createBranded(Brand, newTarget) { return construct(Brand, [], newTarget); }

function hasBrand(Brand, value) {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && Brand.has(value);
}

// --- values

const ERRORS = [Error, TypeError, RangeError, SyntaxError];

function createError(number, message, code) {
  const error = new ERRORS[number](message);
  // An addon has no frames, and neither has this.
  Error.captureStackTrace(error, createError);
  if (code !== undefined) error.code = code;
  return error;
}

function dateValue(value) {
  return types.isDate(value) ? apply(dateValueOf, value, []) : undefined;
}

const WORD_BITS = 64n;
const WORD_MASK = (1n << WORD_BITS) - 1n;

function bigintFromWords(isNegative, buffer) {
  const words = new BigUint64Array(buffer);
  let text = '';
  for (const word of words) text = word.toString(16).padStart(16, '0') + text;
  const value = BigInt(`0x${text || '0'}`);
  return isNegative ? -value : value;
}

function bigintToWords(value) {
  const isNegative = value < 0n;
  const words = [];
  for (let rest = isNegative ? -value : value; rest !== 0n; rest >>= WORD_BITS) words.push(rest & WORD_MASK);
  return [isNegative, new BigUint64Array(words)];
}

function instanceOf(object, constructor) {
  if (typeof constructor !== 'function') {
    throw createError(1, 'Constructor must be a function', 'ERR_NAPI_CONS_FUNCTION');
  }
  return object instanceof constructor;
}

// --- buffers

const { isArrayBuffer, isSharedArrayBuffer, isDate, isPromise, isNativeError } = types;

function isError(value) { return isNativeError(value); }

function bytesOfBuffer(buffer) {
  if (!isArrayBuffer(buffer) && !isSharedArrayBuffer(buffer)) return undefined;
  return isDetached(buffer) ? new Uint8Array() : new Uint8Array(buffer);
}

function isDetached(buffer) { return isArrayBuffer(buffer) && buffer.detached; }

/** Returns whether the buffer is detached now: the memory of a WebAssembly instance stays. */
function detach(buffer) {
  if (buffer.detached) return true;
  try {
    buffer.transfer();
  } catch {
    return false;
  }
  return buffer.detached;
}

/** By `napi_typedarray_type`. */
const TYPED_ARRAYS = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, BigInt64Array, BigUint64Array, globalThis.Float16Array,
];
const TYPED_ARRAY_NUMBERS = new Map(TYPED_ARRAYS.map((type, number) => [type?.name, number]));

function rangeError(message, code) { return createError(2, message, code); }

function createTypedArray(number, length, buffer, offset) {
  const Type = TYPED_ARRAYS[number];
  const size = Type.BYTES_PER_ELEMENT;
  if (offset % size !== 0) {
    throw rangeError(`start offset of ${Type.name} should be a multiple of ${size}`, 'ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT');
  }
  if (length * size + offset > buffer.byteLength) {
    throw rangeError('Invalid typed array length', 'ERR_NAPI_INVALID_TYPEDARRAY_LENGTH');
  }
  return isDetached(buffer) ? viewDetached(Type) : new Type(buffer, offset, length);
}

/** In V8 a detached buffer can be viewed as an empty one; here the view is of another one. */
function viewDetached(Type, ...range) {
  const buffer = new ArrayBuffer(0);
  const view = new Type(buffer, ...range);
  buffer.transfer();
  return view;
}

function createDataView(length, buffer, offset) {
  if (offset + length > buffer.byteLength) {
    throw rangeError('byte_offset + byte_length should be less than or equal to the size in bytes of the array passed in', 'ERR_NAPI_INVALID_DATAVIEW_ARGS');
  }
  return isDetached(buffer) ? viewDetached(DataView) : new DataView(buffer, offset, length);
}

/** Number of the type (-1: a DataView), length, buffer, offset; undefined: it is no view. */
function viewInfo(view) {
  if (!ArrayBuffer.isView(view)) return undefined;
  const name = apply(typedArrayTag, view, []);
  if (name === undefined) {
    const buffer = apply(dataView[0], view, []);
    // Of a detached buffer the other two throw.
    const [offset, length] = isDetached(buffer) ? [0, 0] : [apply(dataView[1], view, []), apply(dataView[2], view, [])];
    return [-1, length, buffer, offset];
  }
  const [buffer, offset, length] = typedArray.map((get) => apply(get, view, []));
  return [TYPED_ARRAY_NUMBERS.get(name), length, buffer, offset];
}

function createBuffer(buffer, offset, length) {
  if (offset + length > buffer.byteLength) {
    throw rangeError('The byte offset + length is out of range', 'ERR_OUT_OF_RANGE');
  }
  return isDetached(buffer) ? viewDetached(FastBuffer, 0, 0) : new FastBuffer(buffer, offset, length);
}

function allocateBuffer(size) { return new FastBuffer(size); }

/** Throws what Node does for a size above its limit. */
function refuseSize() {
  throw createError(0, 'Cannot create a Buffer larger than 0x1fffffffffffff bytes', 'ERR_BUFFER_TOO_LARGE');
}

/** From now on its bytes stay where they are. */
function fixBytes(view) { void view.buffer; }

/** Memory of an addon stays where it is. */
function markUntransferable(buffer) { require('worker_threads').markAsUntransferable(buffer); }

// --- calls

function callOn(callee, receiver, ...args) { return apply(callee, receiver, args); }

/** A function that calls another one without a receiver. */
function plainCaller(callee) { return () => callee(); }

/** Calls in the domain of the receiver, if the program uses domains. */
function callInDomain(callee, receiver, ...args) {
  return domainCalls.call === undefined ? apply(callee, receiver, args) : domainCalls.call(receiver, callee, args);
}

/** undefined: the symbol is registered, so it is never collected. */
function weakSymbol(symbol) { return Symbol.keyFor(symbol) === undefined ? new WeakRef(symbol) : undefined; }

const POLICY = '--force-node-api-uncaught-exceptions-policy';

function uncaughtPolicy(error) {
  if (require('internal/options').getOptionValue(POLICY)) throw error;
  require('process').emitWarning(`Uncaught N-API callback exception detected, please run node with option ${POLICY}=true to handle those exceptions properly.`, 'DeprecationWarning', 'DEP0168');
}

// --- async contexts

const emitter = require('internal/async_hooks_emit');

/** Before async_hooks is loaded there are no hooks. */
function asyncInit(resource, name) {
  return emitter.embedder === undefined ? { context: context.get() } : emitter.embedder.init(`${name}`, resource);
}

function asyncDestroy(made) {
  if (made.id !== undefined) emitter.embedder.destroy(made);
}

/** Returns what `asyncLeave` needs. */
function asyncEnter(made) {
  if (made.id !== undefined) return { made, previous: emitter.embedder.enter(made) };
  const previous = context.get();
  context.set(made.context);
  return { made, previous };
}

function asyncLeave({ made, previous }) {
  if (made.id === undefined) context.set(previous);
  else emitter.embedder.leave(made, previous);
}

/** As in Node, a handler runs within the call. Without one the process ends after the turn. */
function uncaught(error) {
  const process = require('process');
  const { callFatalException, hasCaptureCallback } = require('internal/process/execution');
  if (hasCaptureCallback() || process.listenerCount('uncaughtException') > 0) callFatalException(error, false);
  else process.nextTick(() => { throw error; });
}

module.exports = {
  makeFunction, addPrototype, createInstance, createBrand, createBranded, hasBrand, defineValue, defineAccessor, createError, propertyNames, allPropertyNames, hasOwn,
  toObject: Object, toText: (value) => `${value}`, setPrototype: Object.setPrototypeOf,
  createArray: (length) => new Array(length), freeze: Object.freeze, seal: Object.seal,
  createDate: (time) => new Date(time), dateValue, symbolFor: (key) => Symbol.for(key), bigintFromWords, bigintToWords,
  isArrayBuffer, isSharedArrayBuffer, createSharedArrayBuffer: (size) => new SharedArrayBuffer(size),
  bytesOfBuffer, isDetached, detach, createTypedArray, viewInfo, createDataView, createBuffer, allocateBuffer, refuseSize,
  bufferClass: FastBuffer, byteArrayClass: Uint8Array, fixBytes, isPromise, isError,
  createWithProperties, asyncInit, asyncDestroy, asyncEnter, asyncLeave, uncaught, instanceOf, callOn, plainCaller, callInDomain,
  weakSymbol, deref: (weak) => weak.deref(), markUntransferable, uncaughtPolicy,
};
