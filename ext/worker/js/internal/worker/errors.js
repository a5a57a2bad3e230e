// Errors that leave their thread. In: what was thrown. Out: a value that can be cloned, and of it
// an error of the same class with the same properties; what cannot be cloned is told as
// `util.inspect` shows it.
'use strict';

const { kInspected, v8Stack } = require('internal/stack/engine_errors');

const CLASSES = { Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const ERROR = 'error';
const VALUE = 'value';
const SHOWN = 'shown';
/** Causes of causes. */
const DEPTH_MAX = 8;

/** What refuses to say so, as a proxy may, is none. */
function isError(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
  } catch {
    return false;
  }
}

/** The name of the nearest class that every thread has. */
function classOf(error) {
  for (let own = error; own !== null; own = Object.getPrototypeOf(own)) {
    const name = Object.hasOwn(own, 'constructor') ? own.constructor?.name : undefined;
    if (typeof name === 'string' && Object.hasOwn(CLASSES, name)) return name;
  }
  return undefined;
}

/**
 * The engine's words for a stack without end, and V8's, which those who started a worker look for.
 */
const TOO_DEEP = 'Maximum call stack size exceeded.';
const inWordsOfV8 = (text) => (typeof text === 'string' ? text.replace(TOO_DEEP, TOO_DEEP.slice(0, -1)) : text);

function read(object, name) {
  try {
    if (name === 'message' && object instanceof RangeError && object.message === TOO_DEEP) return inWordsOfV8(object.message);
    return name === 'stack' ? inWordsOfV8(v8Stack(object)) : object[name];
  } catch {
    return undefined;
  }
}

function propertiesOf(error, depth) {
  const found = [];
  for (const name of new Set([...Object.getOwnPropertyNames(error), 'message', 'name', 'stack'])) {
    const value = read(error, name);
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) continue;
    const own = Object.getOwnPropertyDescriptor(error, name);
    if (own === undefined && name === 'message' && value === '') continue;
    found.push([name, write(value, depth + 1), own?.enumerable ?? false]);
  }
  return found;
}

function write(value, depth = 0) {
  if (isError(value) && depth < DEPTH_MAX) {
    const name = classOf(value);
    if (name !== undefined) return { kind: ERROR, name, properties: propertiesOf(value, depth) };
  }
  if (Array.isArray(value) && depth > 0 && depth < DEPTH_MAX && value.some(isError)) {
    return { kind: 'list', elements: value.map((element) => write(element, depth + 1)) };
  }
  if (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol') return { kind: VALUE, value };
  try {
    return { kind: VALUE, value: structuredClone(value) };
  } catch {
    return { kind: SHOWN, text: show(value, depth) };
  }
}

/** Throws where that is all there is to tell. */
function show(value, depth) {
  try {
    return require('internal/util/inspect').inspect(value);
  } catch (error) {
    if (depth === 0) throw error;
    return typeof value;
  }
}

function make({ kind, name, properties, elements, value, text }) {
  if (kind === VALUE) return value;
  if (kind === 'list') return elements.map(make);
  if (kind === SHOWN) return Object.defineProperty({ [Symbol.for('nodejs.util.inspect.custom')]: () => text }, kInspected, { __proto__: null, value: text });
  const Class = CLASSES[name];
  const error = Class === AggregateError ? new Class([]) : new Class();
  Object.defineProperty(error, 'stack', { __proto__: null, value: undefined, writable: true, configurable: true });
  for (const [key, written, enumerable] of properties) {
    const own = make(written);
    // What its class says anyway.
    if (key === 'name' && error.name === own) continue;
    Object.defineProperty(error, key, { __proto__: null, value: own, enumerable, writable: true, configurable: true });
  }
  return error;
}

module.exports = { make, write };
