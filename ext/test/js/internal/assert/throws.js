// `assert.throws`, `rejects` and their opposites. In: a function or promise; the expected error: a
// class, a regular expression, a validation function, an object of properties. Out: nothing, or an
// AssertionError is thrown.
'use strict';

const {
  codes: { ERR_AMBIGUOUS_ARGUMENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_RETURN_VALUE },
} = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const types = require('internal/util/types');
const { isError } = require('internal/util');
const { validateFunction } = require('internal/validators');
const AssertionError = require('internal/assert/assertion_error');

const NO_EXCEPTION = Symbol('NO_EXCEPTION_SENTINEL');

function isDeepStrictEqual(a, b) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b);
}

/**
 * The compared properties of an error: the expected ones. A value that matches an expected regular
 * expression is replaced by it.
 */
class Comparison {
  constructor(object, keys, actual) {
    for (const key of keys) {
      if (!(key in object)) continue;
      this[key] = actual !== undefined && typeof actual[key] === 'string' && types.isRegExp(object[key]) && object[key].test(actual[key]) ?
        actual[key] : object[key];
    }
  }
}

function compareKey(check, key, keys) {
  const { actual, expected } = check;
  if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
  if (check.message) throw failure(check, { message: check.message });
  const first = new Comparison(actual, keys);
  const second = new Comparison(expected, keys, actual);
  const error = new AssertionError({ actual: first, expected: second, operator: 'deepStrictEqual', stackStartFn: check.fn, diff: check.diff });
  error.actual = actual;
  error.expected = expected;
  error.operator = check.fn.name;
  throw error;
}

function failure({ actual, expected, fn, diff }, { message, generated = false, operator = fn.name }) {
  if (isError(message)) throw message;
  const error = new AssertionError({ actual, expected, message, operator, stackStartFn: fn, diff });
  error.generatedMessage = generated;
  return error;
}

/** Whether the error matches; `check` has actual, expected, message, fn, diff. */
function checkThrown(check) {
  const { actual, expected } = check;
  if (typeof expected !== 'function') {
    if (types.isRegExp(expected)) {
      const text = String(actual);
      if (expected.test(text)) return;
      if (check.message) throw failure(check, { message: check.message });
      throw failure(check, {
        message: `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`, generated: true,
      });
    }
    checkProperties(check);
    return;
  }
  checkByFunction(check);
}

function checkProperties(check) {
  const { actual, expected, fn, message, diff } = check;
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn, diff });
    error.operator = fn.name;
    throw error;
  }
  const keys = Object.keys(expected);
  // These are compared, although they are not enumerable on errors.
  if (expected instanceof Error) keys.push('name', 'message');
  else if (keys.length === 0) throw new ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  for (const key of keys) {
    if (typeof actual[key] === 'string' && types.isRegExp(expected[key]) && expected[key].test(actual[key])) continue;
    compareKey(check, key, keys);
  }
}

function checkByFunction(check) {
  const { actual, expected, message } = check;
  if (expected.prototype !== undefined && actual instanceof expected) return;
  if (Object.prototype.isPrototypeOf.call(Error, expected) || expected === Error) {
    if (message) throw failure(check, { message });
    let text = `The error is expected to be an instance of "${expected.name}". Received `;
    if (isError(actual)) {
      const name = actual.constructor?.name || actual.name;
      text += name === expected.name ? 'an error with identical name but a different prototype.' : `"${name}"`;
    } else {
      text += `"${inspect(actual, { depth: -1 })}"`;
    }
    if (isError(actual)) text += `\n\nError message:\n\n${actual.message}`;
    throw failure(check, { message: text, generated: true });
  }
  const answer = Reflect.apply(expected, {}, [actual]);
  if (answer === true) return;
  if (message) throw failure(check, { message });
  const name = expected.name ? `"${expected.name}" ` : '';
  let text = `The ${name}validation function is expected to return "true". Received ${inspect(answer)}`;
  if (isError(actual)) text += `\n\nCaught error:\n\n${actual}`;
  throw failure(check, { message: text, generated: true });
}

function getActual(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return NO_EXCEPTION;
}

function isPromiseLike(value) {
  // An object with `then` and `catch`.
  return types.isPromise(value) || (value !== null && typeof value === 'object' && typeof value.then === 'function' && typeof value.catch === 'function');
}

async function getActualOfPromise(promiseFn) {
  let promise;
  if (typeof promiseFn === 'function') {
    promise = promiseFn();
    if (!isPromiseLike(promise)) throw new ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
  } else if (isPromiseLike(promiseFn)) {
    promise = promiseFn;
  } else {
    throw new ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return NO_EXCEPTION;
}

/** The call site of an asynchronous assertion. */
function captureCallSite() {
  const holder = {};
  Error.captureStackTrace(holder, captureCallSite);
  return holder;
}

/**
 * Runs an asynchronous assertion; its error gets the frames of the call, which are no longer on the
 * stack.
 */
function within(callSite, assertion) {
  try {
    assertion();
  } catch (error) {
    if (error instanceof AssertionError) appendCallSite(error, callSite);
    throw error;
  }
}

function appendCallSite(error, callSite) {
  const { stack } = error;
  if (typeof stack !== 'string' || typeof callSite.stack !== 'string') return;
  // An asynchronous function has two frames.
  const [own, ...frames] = callSite.stack.split('\n').filter((line) => line.startsWith('    at '));
  const rest = frames.filter((line) => !line.includes('(node:assert:'));
  error.stack = [stack.replace(/(?:\n {4}at .*)+$/, ''), `    at async ${own.slice(7)}`, ...rest].join('\n');
}

function expectError(fn, diff, actual, expected, message, count) {
  if (typeof expected === 'string') {
    if (count === 4) throw new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], expected);
    if (typeof actual === 'object' && actual !== null) {
      if (actual.message === expected) {
        throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The error message "${actual.message}" is identical to the message.`);
      }
    } else if (actual === expected) {
      throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The error "${actual}" is identical to the message.`);
    }
    message = expected;
    expected = undefined;
  } else if (expected != null && typeof expected !== 'object' && typeof expected !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], expected);
  }
  if (actual === NO_EXCEPTION) {
    const name = expected?.name ? ` (${expected.name})` : '';
    const what = fn.name === 'rejects' ? 'rejection' : 'exception';
    throw failure({ actual: undefined, expected, fn, diff }, { message: `Missing expected ${what}${name}${message ? `: ${message}` : '.'}` });
  }
  if (expected) checkThrown({ actual, expected, message, fn, diff });
}

function expectNoError(fn, diff, actual, expected, message) {
  if (actual === NO_EXCEPTION) return;
  if (typeof expected === 'string') {
    message = expected;
    expected = undefined;
  }
  if (!expected || hasMatchingError(actual, expected)) {
    const what = fn.name === 'doesNotReject' ? 'rejection' : 'exception';
    const text = `Got unwanted ${what}${message ? `: ${message}` : '.'}\nActual message: "${actual?.message}"`;
    throw failure({ actual, expected, fn, diff }, { message: text });
  }
  throw actual;
}

function hasMatchingError(actual, expected) {
  if (typeof expected !== 'function') {
    if (types.isRegExp(expected)) return expected.test(String(actual));
    throw new ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

module.exports = { captureCallSite, expectError, expectNoError, getActual, getActualOfPromise, within };
