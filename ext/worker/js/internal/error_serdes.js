// Serialization of thrown values between threads, as Node's lib/internal/error_serdes.js. In: a
// thrown value. Out: a cloneable value, and an error of the same class and properties created from
// it. A value that cannot be cloned is sent as a string of `util.inspect`.
'use strict';

const { kInspected, v8Stack } = require('internal/stack/engine_errors');

const CLASSES = { Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const SERIALIZED_ERROR = 'error';
const SERIALIZED_VALUE = 'value';
const INSPECTED_VALUE = 'shown';
/** Limit of nested errors. */
const DEPTH_MAX = 8;

/** A value that throws, as a Proxy may, is not an error. */
function isError(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
  } catch {
    return false;
  }
}

/** The name of the nearest builtin class. */
function builtinClassName(error) {
  for (let object = error; object !== null; object = Object.getPrototypeOf(object)) {
    const name = Object.hasOwn(object, 'constructor') ? object.constructor?.name : undefined;
    if (typeof name === 'string' && Object.hasOwn(CLASSES, name)) return name;
  }
  return undefined;
}

/**
 * The engine's message for a stack overflow; V8's, which programs compare with, has no full stop.
 */
const STACK_OVERFLOW_MESSAGE = 'Maximum call stack size exceeded.';
const toV8Message = (text) => (typeof text === 'string' ? text.replace(STACK_OVERFLOW_MESSAGE, STACK_OVERFLOW_MESSAGE.slice(0, -1)) : text);

function readProperty(object, name) {
  try {
    if (name === 'message' && object instanceof RangeError && object.message === STACK_OVERFLOW_MESSAGE) return toV8Message(object.message);
    return name === 'stack' ? toV8Message(v8Stack(object)) : object[name];
  } catch {
    return undefined;
  }
}

function serializeProperties(error, depth) {
  const properties = [];
  for (const name of new Set([...Object.getOwnPropertyNames(error), 'message', 'name', 'stack'])) {
    const value = readProperty(error, name);
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) continue;
    const descriptor = Object.getOwnPropertyDescriptor(error, name);
    if (descriptor === undefined && name === 'message' && value === '') continue;
    properties.push([name, serializeError(value, depth + 1), descriptor?.enumerable ?? false]);
  }
  return properties;
}

function serializeError(value, depth = 0) {
  if (isError(value) && depth < DEPTH_MAX) {
    const name = builtinClassName(value);
    if (name !== undefined) return { kind: SERIALIZED_ERROR, name, properties: serializeProperties(value, depth) };
  }
  if (Array.isArray(value) && depth > 0 && depth < DEPTH_MAX && value.some(isError)) {
    return { kind: 'list', elements: value.map((element) => serializeError(element, depth + 1)) };
  }
  if (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol') return { kind: SERIALIZED_VALUE, value };
  try {
    return { kind: SERIALIZED_VALUE, value: structuredClone(value) };
  } catch {
    return { kind: INSPECTED_VALUE, text: inspectValue(value, depth) };
  }
}

/** Inspects a value; an error of that is thrown only for the outermost value. */
function inspectValue(value, depth) {
  try {
    return require('internal/util/inspect').inspect(value);
  } catch (error) {
    if (depth === 0) throw error;
    return typeof value;
  }
}

function deserializeError({ kind, name, properties, elements, value, text }) {
  if (kind === SERIALIZED_VALUE) return value;
  if (kind === 'list') return elements.map(deserializeError);
  if (kind === INSPECTED_VALUE) return Object.defineProperty({ [Symbol.for('nodejs.util.inspect.custom')]: () => text }, kInspected, { __proto__: null, value: text });
  const Class = CLASSES[name];
  const error = Class === AggregateError ? new Class([]) : new Class();
  Object.defineProperty(error, 'stack', { __proto__: null, value: undefined, writable: true, configurable: true });
  for (const [key, serialized, enumerable] of properties) {
    const property = deserializeError(serialized);
    // The same as inherited.
    if (key === 'name' && error.name === property) continue;
    Object.defineProperty(error, key, { __proto__: null, value: property, enumerable, writable: true, configurable: true });
  }
  return error;
}

module.exports = { deserializeError, serializeError };
