// Matchers that compare whole values: `toBe`, `toEqual`, `toStrictEqual`, `toMatchObject`,
// `toBeOneOf`, `toBeCloseTo`. In: received and expected values. Out: a difference as an error.
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const comparisons = () => require('internal/expect/equals');
const isObject = (value) => typeof value === 'object' && value !== null;
const equals = (a, b) => comparisons().equals(a, b);
const strictEquals = (a, b) => comparisons().strictEquals(a, b);
const matchesSubset = (value, subset) => comparisons().matchesSubset(value, subset);
const failures = () => require('internal/expect/failure');
const comparison = (...args) => failures().comparison(...args);
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const withMatched = (expected, received) => require('internal/expect/replace_matched').withMatched(expected, received);
const subsetOf = (received, expected) => require('internal/expect/replace_matched').subsetOf(received, expected);
const green = (text) => require('internal/expect/colors').green(text);

defineMatcher('toBe', (call, received, [expected]) => {
  if (Object.is(received, expected) !== call.isNot) return;
  throw failure(call, 'expected', identityBody(call, received, expected), { expected, received });
}, Object.is);

function identityBody({ isNot }, received, expected) {
  if (isNot) return `Expected: not ${showExpected(expected)}`;
  if (isObject(received) && strictEquals(received, expected)) {
    return `Expected: ${showExpected(expected)}\nReceived: serializes to the same string\n\nThey are equal, but not the same object: toEqual compares their contents.`;
  }
  return comparison(expected, received);
}

function defineComparison(name, isEqual) {
  defineMatcher(name, (call, received, [expected]) => {
    if (isEqual(received, expected) !== call.isNot) return;
    throw failure(call, 'expected', comparisonBody(call, received, expected), { expected, received });
  });
}

function comparisonBody({ isNot }, received, expected) {
  if (isNot) return `Expected: not ${green(require('internal/expect/pretty').pretty(expected))}`;
  return comparison(withMatched(expected, received), received);
}

defineComparison('toEqual', equals);
defineComparison('toStrictEqual', strictEquals);

defineMatcher('toMatchObject', (call, received, [expected]) => {
  if (!isObject(received)) throw failure(call, 'expected', 'Matcher error: received value must be a non-null object');
  if (!isObject(expected)) throw failure(call, '', 'Matcher error: expected value must be a non-null object');
  if (matchesSubset(received, expected) !== call.isNot) return;
  if (call.isNot) throw failure(call, 'expected', comparisonBody(call, received, expected), { expected, received });
  const shown = subsetOf(received, expected);
  throw failure(call, 'expected', comparison(withMatched(expected, received), shown), { expected, received });
});

defineMatcher('toBeOneOf', (call, received, [list]) => {
  if (typeof list?.[Symbol.iterator] !== 'function') {
    throw misuse(call, 'Received value must be an array type, or both received and expected values must be strings.');
  }
  const items = [...list];
  if (!call.fails(items.some((item) => equals(received, item)))) return;
  const not = call.isNot ? 'not ' : '';
  throw failure(call, 'expected', `Expected to ${not}be one of: ${showExpected(list)}\nReceived: ${showReceived(received)}`);
});

defineMatcher('toBeCloseTo', (call, received, [expected, precision = 2]) => {
  if (typeof expected !== 'number') throw misuse(call, "Expected expected to be a number for 'toBeCloseTo'.");
  if (typeof precision !== 'number') throw misuse(call, "Expected precision to be a number for 'toBeCloseTo'.");
  if (typeof received !== 'number') throw misuse(call, "Expected received to be a number for 'expect'.");
  const difference = received === expected ? 0 : Math.abs(received - expected);
  const limit = 10 ** -precision / 2;
  if (!call.fails(difference < limit)) return;
  throw failure(call, 'expected, precision', [
    `Expected: ${showExpected(expected)}`, `Received: ${showReceived(received)}`, '',
    `Expected precision: ${precision}`, `Expected difference: < ${green(show(limit))}`, `Received difference: ${showReceived(difference)}`,
  ].join('\n'));
});
