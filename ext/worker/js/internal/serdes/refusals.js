// What cannot be copied, and how V8 calls it. In: values. Out: whether an object is one of the
// engine's own that hold what no copy has; the name of a value in an error. The rules are those of
// bytes that are kept and of messages alike.
'use strict';

const { getPrototypeOf } = Object;
const { apply } = Reflect;
const maxLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'maxByteLength').get;

/** Objects that look plain to the engine's marks, but hold what no copy has. */
const FOREIGN = new Set([
  getPrototypeOf([].values()), getPrototypeOf(''.matchAll(/a/g)), getPrototypeOf(''[Symbol.iterator]()), FinalizationRegistry.prototype,
  ...['DisposableStack', 'AsyncDisposableStack'].map((name) => globalThis[name]?.prototype).filter(Boolean),
  ...['Module', 'Instance', 'Memory', 'Table', 'Global'].map((name) => globalThis.WebAssembly?.[name]?.prototype).filter(Boolean),
  ...Object.getOwnPropertyNames(Intl).map((name) => Intl[name]?.prototype).filter(Boolean),
]);

/**
 * Whether the view's length follows its buffer's, which shows when that grows for a moment. One
 * that cannot grow any more may as well.
 */
function followsBuffer(view) {
  const { buffer, byteOffset, byteLength } = view;
  const length = buffer.byteLength;
  const longer = length + (view.BYTES_PER_ELEMENT ?? 1);
  if (longer > apply(maxLength, buffer, [])) return byteOffset + byteLength === length;
  buffer.resize(longer);
  const follows = view.byteLength !== byteLength;
  buffer.resize(length);
  return follows;
}

const isForeign = (value) => FOREIGN.has(getPrototypeOf(value));

/** `process.env` is a proxy here and none elsewhere: it is copied by its members. */
const isEnvironment = (value) => value === require('internal/process/env').env;

/** What V8 calls a value that cannot be cloned. */
function nameOf(value) {
  if (typeof value === 'symbol') return Symbol.prototype.toString.call(value);
  if (typeof value === 'function') return Function.prototype.toString.call(value);
  if (require('internal/util/types').isProxy(value)) return Array.isArray(value) ? '[object Array]' : '#<Object>';
  if (dataProperty(value, 'toString') === Object.prototype.toString) {
    const name = dataProperty(value, 'constructor')?.name;
    if (typeof name === 'string' && name !== '') return `#<${name}>`;
  }
  return Object.prototype.toString.call(value);
}

/** A property of the object or its prototypes, unless it is a getter. */
function dataProperty(object, key) {
  for (; object !== null; object = Object.getPrototypeOf(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) return descriptor.value;
  }
  return undefined;
}

module.exports = { followsBuffer, isEnvironment, isForeign, nameOf };
