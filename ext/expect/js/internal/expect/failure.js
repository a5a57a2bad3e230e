// Failure messages of matchers: `expect(received).not.toBe(expected)` and what differs. In: the
// call, values. Out: an error whose stack begins at the caller of the matcher. Absent: line diffs
// (diff.js), how values become text (pretty.js, Bun.inspect).
'use strict';

const { bold, dim, green, red } = require('internal/expect/colors');
const { countFailure } = require('internal/expect/state');

/** Longer printed values are cut. */
const VALUE_CHARS_MAX = 20_000;

/** A value within a sentence, as `Bun.inspect` prints it. */
function show(value) {
  let text;
  try {
    const { isAsymmetric } = require('internal/expect/equals');
    text = isAsymmetric(value) ? require('internal/expect/pretty').pretty(value) : require('internal/bun/inspect').inspect(value);
  } catch (error) {
    text = `[value that cannot be printed: ${error?.name ?? typeof error}]`;
  }
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}\u2026 ${text.length - VALUE_CHARS_MAX} more characters` : text;
}

const showExpected = (value) => green(show(value));
const showReceived = (value) => red(show(value));

/** `expect(received).not.toBe(expected)`. */
function signature({ name, isNot, modifier }, parameters) {
  const not = isNot ? `${dim('.')}not` : '';
  const promise = modifier === undefined ? '' : `${dim('.')}${modifier}`;
  return `${dim('expect(')}${red('received')}${dim(')')}${promise}${not}${dim('.')}${name}${dim('(')}${green(parameters)}${dim(')')}`;
}

/** The error of a failed matcher. `details`: `{ expected, received }`, for reporters. */
function failure(call, parameters, body, details) {
  const head = call.label === undefined ? signature(call, parameters) : bold(call.label);
  return errorOf(call, `${head}\n\n${body}\n`, details);
}

function errorOf(call, message, details) {
  countFailure();
  const error = new Error(message);
  atCaller(call, error);
  const { name, isNot } = call;
  Object.defineProperty(error, 'matcherResult', {
    __proto__: null, configurable: true, enumerable: false, writable: true,
    value: { name, isNot, message, pass: isNot, actual: details?.received, expected: details?.expected },
  });
  return error;
}

/** Makes the stack begin at the caller of the matcher; after a promise, where it was called. */
function atCaller({ caller, trace }, error) {
  if (trace !== undefined) {
    const frames = trace.stack.slice(trace.stack.indexOf('\n') + 1);
    error.stack = `${error.name}: ${error.message}\n${frames}`;
  } else if (caller !== undefined) {
    Error.captureStackTrace(error, caller);
  }
}

/** A wrong argument or a received value that the matcher cannot examine. */
function misuse(call, message) {
  const error = new Error(message);
  atCaller(call, error);
  return error;
}

/** The body of a failed comparison of whole values. */
function comparison(expected, received) {
  const { pretty } = require('internal/expect/pretty');
  const { difference } = require('internal/expect/diff');
  const texts = [pretty(expected), pretty(received)];
  // What errors have besides their messages is printed only if they differ in it.
  return difference(...(texts[0] === texts[1] ? [pretty(expected, { showsErrors: true }), pretty(received, { showsErrors: true })] : texts));
}

module.exports = { comparison, errorOf, failure, misuse, show, showExpected, showReceived, signature };
