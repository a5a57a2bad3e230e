// Errors as plain values, so that events with errors pass between processes. In: an error, or any
// other thrown value. Out: a value that V8's format has; and back. Functions and symbols become
// their text.
'use strict';

const { inspectWithNoCustomRetry } = require('internal/test_runner/failure');

/** Nested errors below this are shown as text. */
const DEPTH_MAX = 8;

function toValue(error, depth = 0) {
  const isError = Error.isError ?? require('internal/errors/is_error');
  if (!isError(error) || depth > DEPTH_MAX) return { plain: toCloneable(error) };
  const members = [];
  for (const key of Reflect.ownKeys(error)) {
    if (typeof key !== 'string') continue;
    const { value, get, enumerable } = Object.getOwnPropertyDescriptor(error, key);
    // The engine's `stack` may be an accessor.
    const member = get === undefined ? value : key === 'stack' ? error.stack : undefined;
    if (member !== undefined || get === undefined) members.push([key, toValue(member, depth + 1), enumerable]);
  }
  return { class: error.constructor?.name ?? 'Error', name: `${error.name}`, members };
}

function toCloneable(value) {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? inspectWithNoCustomRetry(value) : value;
  try {
    require('v8').serialize(value);
    return value;
  } catch {
    return inspectWithNoCustomRetry(value);
  }
}

const CLASSES = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

function fromValue(value) {
  if (value === null || typeof value !== 'object' || !Array.isArray(value.members)) return value?.plain;
  const error = new (CLASSES[value.class] ?? Error)();
  delete error.stack;
  for (const [key, member, enumerable] of value.members) {
    Object.defineProperty(error, key, { __proto__: null, value: fromValue(member), enumerable, writable: true, configurable: true });
  }
  if (error.name !== value.name) Object.defineProperty(error, 'name', { __proto__: null, value: value.name, writable: true, configurable: true });
  return error;
}

/** The event, its error as a value. */
function packEvent({ type, data }) {
  const error = data?.details?.error;
  if (error === undefined) return { type, data };
  return { type, data: { ...data, details: { ...data.details, error: toValue(error) } } };
}

function unpackEvent({ type, data }) {
  const error = data?.details?.error;
  if (error !== undefined) data.details.error = fromValue(error);
  return { type, data };
}

module.exports = { packEvent, unpackEvent };
