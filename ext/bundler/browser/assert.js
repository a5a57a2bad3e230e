// `node:assert` in browsers. In: values. Out: nothing, or an AssertionError. Absent: differences of
// values line by line.
'use strict';

const { inspect, isDeepEqual } = require('util');

class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`);
    this.name = 'AssertionError';
    Object.assign(this, { code: 'ERR_ASSERTION', generatedMessage: message === undefined, actual, expected, operator });
  }
}

function check(isTrue, message, details) {
  if (isTrue) return;
  if (message instanceof Error) throw message;
  throw new AssertionError({ message, ...details });
}

function assert(value, message) {
  check(value, message ?? 'The expression evaluated to a falsy value', { actual: value, expected: true, operator: '==' });
}

/** A function that compares two values, under the name that messages have. */
function comparison(operator, isTrue) {
  return (actual, expected, message) => check(isTrue(actual, expected), message, { actual, expected, operator });
}

function isExpected(error, expected) {
  if (expected === undefined || typeof expected === 'string') return true;
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return true;
    return !Error.isPrototypeOf(expected) && expected.call({}, error) === true;
  }
  return Object.keys(expected).every((key) => {
    const value = expected[key];
    return value instanceof RegExp && typeof error?.[key] === 'string' ? value.test(error[key]) : isDeepEqual(error?.[key], value, true);
  });
}

function checkError({ isThrown, error, expected, message, operator }) {
  const text = typeof expected === 'string' ? expected : message;
  check(isThrown, text ?? 'Missing expected exception.', { actual: undefined, expected, operator });
  if (!isExpected(error, expected)) throw error;
}

function outcome(run) {
  try {
    run();
    return { isThrown: false };
  } catch (error) {
    return { isThrown: true, error };
  }
}

async function outcomeOf(promise) {
  try {
    await (typeof promise === 'function' ? promise() : promise);
    return { isThrown: false };
  } catch (error) {
    return { isThrown: true, error };
  }
}

Object.assign(assert, {
  AssertionError,
  ok: assert,
  equal: comparison('==', (one, other) => one == other || (Number.isNaN(one) && Number.isNaN(other))),
  notEqual: comparison('!=', (one, other) => one != other),
  strictEqual: comparison('strictEqual', Object.is),
  notStrictEqual: comparison('notStrictEqual', (one, other) => !Object.is(one, other)),
  deepEqual: comparison('deepEqual', (one, other) => isDeepEqual(one, other, false)),
  notDeepEqual: comparison('notDeepEqual', (one, other) => !isDeepEqual(one, other, false)),
  deepStrictEqual: comparison('deepStrictEqual', (one, other) => isDeepEqual(one, other, true)),
  notDeepStrictEqual: comparison('notDeepStrictEqual', (one, other) => !isDeepEqual(one, other, true)),
  match: comparison('match', (text, pattern) => pattern.test(text)),
  doesNotMatch: comparison('doesNotMatch', (text, pattern) => !pattern.test(text)),
  fail(message = 'Failed') { throw message instanceof Error ? message : new AssertionError({ message, operator: 'fail' }); },
  ifError(value) { if (value != null) throw value instanceof Error ? value : new AssertionError({ message: `ifError got unwanted exception: ${inspect(value)}`, actual: value, expected: null, operator: 'ifError' }); },
  throws(run, expected, message) { checkError({ ...outcome(run), expected, message, operator: 'throws' }); },
  async rejects(promise, expected, message) { checkError({ ...await outcomeOf(promise), expected, message, operator: 'rejects' }); },
  doesNotThrow(run) { run(); },
  async doesNotReject(promise) { await (typeof promise === 'function' ? promise() : promise); },
});
assert.strict = Object.assign((value, message) => assert(value, message), assert, {
  equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
module.exports = assert;
