// Values that structured clone refuses, and their names in errors. In: values. Out: whether an
// object has internal state of the engine; V8's name of a value. Messages and `v8.serialize` have
// the same rules.
'use strict';

const { getPrototypeOf } = Object;
const { apply } = Reflect;
const maxLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'maxByteLength').get;

/** Prototypes of objects that look ordinary, but have internal state. */
const ENGINE_PROTOTYPES = new Set([
  getPrototypeOf([].values()), getPrototypeOf(''.matchAll(/a/g)), getPrototypeOf(''[Symbol.iterator]()), FinalizationRegistry.prototype,
  ...['DisposableStack', 'AsyncDisposableStack'].map((name) => globalThis[name]?.prototype).filter(Boolean),
  ...['Module', 'Instance', 'Memory', 'Table', 'Global'].map((name) => globalThis.WebAssembly?.[name]?.prototype).filter(Boolean),
  ...Object.getOwnPropertyNames(Intl).map((name) => Intl[name]?.prototype).filter(Boolean),
]);

/**
 * Whether a view is length-tracking: the buffer is resized for a moment to see. If it cannot grow,
 * a view up to its end is taken as one.
 */
function isLengthTracking(view) {
  const { buffer, byteOffset, byteLength } = view;
  const length = buffer.byteLength;
  const longer = length + (view.BYTES_PER_ELEMENT ?? 1);
  if (longer > apply(maxLength, buffer, [])) return byteOffset + byteLength === length;
  buffer.resize(longer);
  const isTracking = view.byteLength !== byteLength;
  buffer.resize(length);
  return isTracking;
}

const isEngineObject = (value) => ENGINE_PROTOTYPES.has(getPrototypeOf(value));

/** `process.env` is a Proxy here and not in Node: it is cloned as an ordinary object. */
const isProcessEnv = (value) => value === require('internal/process/env').env;

/** The name of a value in an error, as V8's Object::NoSideEffectsToString. */
function noSideEffectsToString(value) {
  if (typeof value === 'symbol') return Symbol.prototype.toString.call(value);
  if (typeof value === 'function') return Function.prototype.toString.call(value);
  if (require('internal/util/types').isProxy(value)) return Array.isArray(value) ? '[object Array]' : '#<Object>';
  if (dataProperty(value, 'toString') === Object.prototype.toString) {
    const name = dataProperty(value, 'constructor')?.name;
    if (typeof name === 'string' && name !== '') return `#<${name}>`;
  }
  return Object.prototype.toString.call(value);
}

/** A data property of the object or its prototypes. */
function dataProperty(object, key) {
  for (; object !== null; object = Object.getPrototypeOf(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) return descriptor.value;
  }
  return undefined;
}

module.exports = { isEngineObject, isLengthTracking, isProcessEnv, noSideEffectsToString };
