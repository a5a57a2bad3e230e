// Matchers of strings: `toMatch`, `toInclude`, `toStartWith`, `toEqualIgnoringWhitespace`. In: a
// received string. Out: an error that shows both.
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const failures = () => require('internal/expect/failure');
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const { requireNumber, requireString } = require('internal/expect/matchers/arguments');

defineMatcher('toMatch', (call, received, [expected]) => {
  const isPattern = expected instanceof RegExp || Object.prototype.toString.call(expected) === '[object RegExp]';
  const { isAsymmetric } = require('internal/expect/equals');
  if (typeof expected !== 'string' && !isPattern && !isAsymmetric(expected)) {
    throw misuse(call, `Expected value must be a string or regular expression: ${show(expected)}`);
  }
  if (typeof received !== 'string') throw misuse(call, `Received value must be a string: ${show(received)}`);
  if (!call.fails(matches(received, expected, isPattern))) return;
  throw failure(call, 'expected', `Expected substring or pattern: ${call.isNot ? 'not ' : ''}${showExpected(expected)}\nReceived: ${showReceived(received)}`, { expected, received });
});

/** The pattern's `lastIndex` is neither read nor changed. */
function matches(received, expected, isPattern) {
  if (isPattern) return new RegExp(expected).test(received);
  return typeof expected === 'string' ? received.includes(expected) : expected.asymmetricMatch(received);
}

function definePart(name, verb, test) {
  defineMatcher(name, (call, received, [expected]) => {
    requireString(call, expected);
    if (!call.fails(typeof received === 'string' && test(received, expected))) return;
    throw failure(call, 'expected', `Expected to ${call.isNot ? 'not ' : ''}${verb}: ${showExpected(expected)}\nReceived: ${showReceived(received)}`);
  });
}

definePart('toInclude', 'include', (received, expected) => received.includes(expected));
definePart('toStartWith', 'start with', (received, expected) => received.startsWith(expected));
definePart('toEndWith', 'end with', (received, expected) => received.endsWith(expected));

defineMatcher('toIncludeRepeated', (call, received, [expected, times]) => {
  requireString(call, expected);
  requireNumber(call, times, 'second');
  if (expected === '') throw misuse(call, 'toIncludeRepeated() requires the first argument to be a non-empty string');
  if (!Number.isInteger(times) || times < 0) throw misuse(call, 'toIncludeRepeated() requires the second argument to be a non-negative integer');
  const count = typeof received === 'string' ? received.split(expected).length - 1 : -1;
  if (!call.fails(count === times)) return;
  const not = call.isNot ? 'not ' : '';
  throw failure(call, 'expected', `Expected ${not}to include: ${showExpected(expected)} ${times} ${times === 1 ? 'time' : 'times'}\nReceived: ${showReceived(received)}`);
});

const withoutSpaces = (text) => text.replace(/\s+/g, '');

defineMatcher('toEqualIgnoringWhitespace', (call, received, [expected]) => {
  requireString(call, expected, 'toEqualIgnoringWhitespace() requires argument to be a string');
  if (!call.fails(typeof received === 'string' && withoutSpaces(received) === withoutSpaces(expected))) return;
  throw failure(call, 'expected', `Expected: ${call.isNot ? 'not ' : ''}${showExpected(expected)}\nReceived: ${showReceived(received)}`);
});
