// `node:assert`. In: values. Out: nothing, or an AssertionError is thrown. Strict mode and the
// class `Assert` use the same functions. Absent: the source of the failing call where the stack has
// no position for it.
'use strict';

const { codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const types = require('internal/util/types');
const { isError } = require('internal/util');
const AssertionError = require('internal/assert/assertion_error');
const { assertOk } = require('internal/assert/ok');
const throwing = require('internal/assert/throws');

const kOptions = Symbol('options');

function comparisons() {
  return require('internal/util/comparisons');
}

function fail(fields) {
  let { message } = fields;
  if (Array.isArray(message)) message = message[0];
  if (isError(message)) throw message;
  if (typeof message === 'function') message = message(fields.actual, fields.expected);
  throw new AssertionError({ ...fields, message });
}

function diffOf(holder) {
  return holder?.[kOptions]?.diff ?? 'simple';
}

function checkCount(count) {
  if (count < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
}

// The functions are methods of the class `Assert`, and properties of `assert`. Those of an instance
// get its options from `this`.
const methods = {
  fail(message) {
    if (isError(message)) throw message;
    const isOwn = message !== undefined;
    const error = new AssertionError({ message: isOwn ? message : 'Failed', operator: 'fail', stackStartFn: methods.fail, diff: diffOf(this) });
    error.generatedMessage = !isOwn;
    throw error;
  },

  equal(actual, expected, message) {
    checkCount(arguments.length);
    // eslint-disable-next-line eqeqeq
    if (actual == expected || (Number.isNaN(actual) && Number.isNaN(expected))) return;
    fail({ actual, expected, message, operator: '==', stackStartFn: methods.equal, diff: diffOf(this) });
  },
  notEqual(actual, expected, message) {
    checkCount(arguments.length);
    // eslint-disable-next-line eqeqeq
    if (actual == expected || (Number.isNaN(actual) && Number.isNaN(expected))) {
      fail({ actual, expected, message, operator: '!=', stackStartFn: methods.notEqual, diff: diffOf(this) });
    }
  },

  deepEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (comparisons().isDeepEqual(actual, expected)) return;
    fail({ actual, expected, message, operator: 'deepEqual', stackStartFn: methods.deepEqual, diff: diffOf(this) });
  },
  notDeepEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (!comparisons().isDeepEqual(actual, expected)) return;
    fail({ actual, expected, message, operator: 'notDeepEqual', stackStartFn: methods.notDeepEqual, diff: diffOf(this) });
  },

  deepStrictEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (comparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
    fail({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: methods.deepStrictEqual, diff: diffOf(this) });
  },
  notDeepStrictEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (!comparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
    fail({ actual, expected, message, operator: 'notDeepStrictEqual', stackStartFn: methods.notDeepStrictEqual, diff: diffOf(this) });
  },

  strictEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (Object.is(actual, expected)) return;
    fail({ actual, expected, message, operator: 'strictEqual', stackStartFn: methods.strictEqual, diff: diffOf(this) });
  },
  notStrictEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (!Object.is(actual, expected)) return;
    fail({ actual, expected, message, operator: 'notStrictEqual', stackStartFn: methods.notStrictEqual, diff: diffOf(this) });
  },

  partialDeepStrictEqual(actual, expected, message) {
    checkCount(arguments.length);
    if (comparisons().isPartialStrictEqual(actual, expected)) return;
    fail({ actual, expected, message, operator: 'partialDeepStrictEqual', stackStartFn: methods.partialDeepStrictEqual, diff: diffOf(this) });
  },

  match(string, regexp, message) {
    checkMatch(string, regexp, message, methods.match, diffOf(this));
  },
  doesNotMatch(string, regexp, message) {
    checkMatch(string, regexp, message, methods.doesNotMatch, diffOf(this));
  },

  throws(fn, ...args) {
    throwing.expectError(methods.throws, diffOf(this), throwing.getActual(fn), args[0], args[1], args.length + 2);
  },
  async rejects(promise, ...args) {
    const callSite = throwing.captureCallSite();
    const actual = await throwing.getActualOfPromise(promise);
    throwing.within(callSite, () => throwing.expectError(methods.rejects, diffOf(this), actual, args[0], args[1], args.length + 2));
  },
  doesNotThrow(fn, ...args) {
    throwing.expectNoError(methods.doesNotThrow, diffOf(this), throwing.getActual(fn), ...args);
  },
  async doesNotReject(fn, ...args) {
    const callSite = throwing.captureCallSite();
    const actual = await throwing.getActualOfPromise(fn);
    throwing.within(callSite, () => throwing.expectNoError(methods.doesNotReject, diffOf(this), actual, ...args));
  },

  ifError(error) {
    if (error === null || error === undefined) return;
    let message = 'ifError got unwanted exception: ';
    if (typeof error === 'object' && typeof error.message === 'string') {
      message += error.message.length === 0 && error.constructor ? error.constructor.name : error.message;
    } else {
      message += inspect(error);
    }
    const failure = new AssertionError({
      actual: error, expected: null, operator: 'ifError', message, stackStartFn: methods.ifError, diff: diffOf(this),
    });
    failure.generatedMessage = false;
    joinStacks(failure, error, message);
    throw failure;
  },
};

/** Appends the stack of the error to ours, which has none of its frames. */
function joinStacks(failure, error, message) {
  const original = error.stack;
  if (typeof original !== 'string') return;
  const from = original.indexOf('\n    at');
  if (from === -1) return;
  const frames = original.slice(from + 1).split('\n');
  let own = String(failure.stack).split('\n');
  for (const frame of frames) {
    const at = own.indexOf(frame);
    if (at === -1) continue;
    own = own.slice(0, at);
    break;
  }
  failure.stack = `${own.join('\n')}${message.includes('\n    at') ? '' : ''}\n${frames.join('\n')}`;
}

function checkMatch(string, regexp, message, fn, diff) {
  if (!types.isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  const isWanted = fn === methods.match;
  if (typeof string === 'string' && (RegExp.prototype.exec.call(regexp, string) !== null) === isWanted) return;
  if (isError(message)) throw message;
  if (typeof message === 'function') message = message(string, regexp);
  const isOwn = message !== undefined && message !== null;
  let text = message;
  if (!isOwn && typeof string !== 'string') {
    text = `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
  } else if (!isOwn) {
    text = `${isWanted ? 'The input did not match the regular expression ' : 'The input was expected to not match the regular expression '}${
      inspect(regexp)}. Input:\n\n${inspect(string)}\n`;
  }
  const error = new AssertionError({ actual: string, expected: regexp, message: text, operator: fn.name, stackStartFn: fn, diff });
  error.generatedMessage = !isOwn;
  throw error;
}

function ok(...args) {
  assertOk(ok, args);
}

function assert(...args) {
  assertOk(assert, args);
}

/** Adds the functions to an object; in strict mode loose names are strict functions. */
function fill(target, isStrict) {
  target.AssertionError = AssertionError;
  target.ok = ok;
  for (const [name, method] of Object.entries(methods)) target[name] = method;
  if (isStrict) {
    target.equal = methods.strictEqual;
    target.notEqual = methods.notStrictEqual;
    target.deepEqual = methods.deepStrictEqual;
    target.notDeepEqual = methods.notDeepStrictEqual;
  }
  return target;
}

function strict(...args) {
  assertOk(strict, args);
}

/** Assertions with options. */
function Assert(options) {
  if (!new.target) throw new ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  const { validateBoolean, validateObject, validateOneOf } = require('internal/validators');
  if (options !== undefined) validateObject(options, 'options');
  options = { strict: true, skipPrototype: false, ...options };
  if (options.diff !== undefined) validateOneOf(options.diff, 'options.diff', ['simple', 'full']);
  validateBoolean(options.strict, 'options.strict');
  validateBoolean(options.skipPrototype, 'options.skipPrototype');
  Object.defineProperty(this, kOptions, { __proto__: null, value: options, enumerable: false });
  this.AssertionError = AssertionError;
  if (options.strict) {
    this.equal = methods.strictEqual;
    this.deepEqual = methods.deepStrictEqual;
    this.notEqual = methods.notStrictEqual;
    this.notDeepEqual = methods.notDeepStrictEqual;
  }
}
for (const [name, method] of Object.entries(methods)) Assert.prototype[name] = method;
Assert.prototype.ok = ok;

module.exports = fill(assert, false);
assert.strict = fill(strict, true);
assert.Assert = Assert;
strict.Assert = Assert;
strict.strict = strict;
