// Matchers of mock functions: calls. In: a mock. Out: an error that lists the calls. Absent:
// results (matchers/results.js).
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const { equals } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const comparison = (...args) => failures().comparison(...args);
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const { withMatched } = require('internal/expect/replace_matched');
const { requireCount } = require('internal/expect/matchers/arguments');

/** Calls that a message lists. */
const LISTED_MAX = 10;

/** The record of a mock of ours, of vitest or of sinon. */
function recordOf(call, received) {
  const record = typeof received === 'function' || typeof received === 'object' ? received?.mock : undefined;
  if (record === null || typeof record !== 'object' || !Array.isArray(record.calls)) {
    throw misuse(call, `Expected value must be a mock function: ${show(received)}`);
  }
  return record;
}

/** Arguments of the calls; a spy of jasmine has these only. */
function callsOf(call, received) {
  const isOfJasmine = typeof received?.calls?.all === 'function' && typeof received.calls.count === 'function';
  return isOfJasmine ? received.calls.all().map(({ args }) => args) : recordOf(call, received).calls;
}

const isSameList = (actual, expected) => actual.length === expected.length && expected.every((value, index) => equals(actual[index], value));

/** Defines a matcher under its name and its older names. */
function defineAs(names, check) {
  const [first, ...others] = names;
  defineMatcher(first, check);
  for (const name of others) {
    defineMatcher(name, (call, received, args) => {
      call.name = first;
      return check(call, received, args);
    });
  }
}

defineAs(['toHaveBeenCalled', 'toBeCalled'], (call, received) => {
  const { length } = callsOf(call, received);
  if (!call.fails(length > 0)) return;
  throw failure(call, '', `Expected number of calls: ${showExpected(call.isNot ? 0 : 1).replace('1', '>= 1')}\nReceived number of calls: ${showReceived(length)}`);
});

function failCount(call, expected, received) {
  return failure(call, 'expected', `Expected number of calls: ${call.isNot ? 'not ' : ''}${showExpected(expected)}\nReceived number of calls: ${showReceived(received)}`);
}

defineAs(['toHaveBeenCalledOnce', 'toBeCalledOnce'], (call, received) => {
  const { length } = callsOf(call, received);
  if (call.fails(length === 1)) throw failCount(call, 1, length);
});

defineAs(['toHaveBeenCalledTimes', 'toBeCalledTimes'], (call, received, [count]) => {
  requireCount(call, count, `${call.name}() requires 1 non-negative integer argument`);
  const { length } = callsOf(call, received);
  if (call.fails(length === count)) throw failCount(call, count, length);
});

// --- arguments

const argumentDiff = (expected, actual) => comparison(withMatched(expected, actual), [...actual]);

/** The failure of `...CalledWith` without `not`. */
function failCalledWith(call, parameters, expected, calls) {
  if (calls.length === 0) return failure(call, parameters, `Expected: ${showExpected(expected)}\nBut it was not called.`);
  if (calls.length === 1) return failure(call, parameters, argumentDiff(expected, calls[0]), { expected, received: calls[0] });
  const listed = calls.slice(0, LISTED_MAX).map((actual, index) => `\n${String(index + 1).padStart(15)}: ${showReceived([...actual])}`).join('');
  const more = calls.length > LISTED_MAX ? `\n              \u2026 ${calls.length - LISTED_MAX} more calls` : '';
  return failure(call, parameters, `    Expected: ${showExpected(expected)}\n    Received:${listed}${more}\n\n    Number of calls: ${calls.length}`);
}

defineAs(['toHaveBeenCalledWith', 'toBeCalledWith'], (call, received, expected) => {
  const calls = callsOf(call, received);
  if (!call.fails(calls.some((actual) => isSameList(actual, expected)))) return;
  if (!call.isNot) throw failCalledWith(call, '...expected', expected, calls);
  throw failure(call, '...expected', `Expected mock function not to have been called with: ${showExpected(expected)}\nBut it was.`);
});

defineMatcher('toHaveBeenCalledExactlyOnceWith', (call, received, expected) => {
  const calls = callsOf(call, received);
  if (!call.fails(calls.length === 1 && isSameList(calls[0], expected))) return;
  if (!call.isNot) throw failCalledWith(call, '...expected', expected, calls);
  throw failure(call, '...expected', `Expected mock function not to have been called exactly once with: ${showExpected(expected)}\nBut it was.`);
});

defineAs(['toHaveBeenLastCalledWith', 'lastCalledWith'], (call, received, expected) => {
  const calls = callsOf(call, received);
  const last = calls.at(-1);
  if (!call.fails(last !== undefined && isSameList(last, expected))) return;
  if (!call.isNot) throw failCalledWith(call, '...expected', expected, last === undefined ? [] : [last]);
  throw failure(call, '...expected', `Expected last call not to be with: ${showExpected(expected)}\nBut it was.`);
});

defineAs(['toHaveBeenNthCalledWith', 'nthCalledWith'], (call, received, [n, ...expected]) => {
  const calls = callsOf(call, received);
  if (!Number.isInteger(n) || n < 1) throw misuse(call, `${call.name}() first argument must be a positive integer`);
  const actual = calls[n - 1];
  if (!call.fails(actual !== undefined && isSameList(actual, expected))) return;
  throw failure(call, 'n, ...expected', nthBody(call, n, expected, actual, calls.length));
});

function nthBody({ isNot }, n, expected, actual, count) {
  if (isNot) return `Expected call #${n} not to be with: ${showExpected(expected)}\nBut it was.`;
  if (actual === undefined) return `The mock function was called ${count} time${count === 1 ? '' : 's'}, but call ${n} was requested.`;
  return `Call #${n}:\n${argumentDiff(expected, actual)}`;
}

// --- order

function defineBefore(name, isBefore, text) {
  defineMatcher(name, (call, received, [other, failsIfNotCalled = true]) => {
    const own = recordOf(call, received).invocationCallOrder;
    const others = recordOf(call, other).invocationCallOrder;
    const pass = own.length === 0 || others.length === 0 ? !failsIfNotCalled && isBefore(own.length, others.length, true) : isBefore(own, others, false);
    if (!call.fails(pass)) return;
    throw failure(call, 'expected', `Expected mock function ${call.isNot ? 'not ' : ''}to have been called ${text} the other.\n\nCalls: ${showReceived(own)}\nCalls of the other: ${showExpected(others)}`);
  });
}

defineBefore('toHaveBeenCalledBefore', (own, others, areCounts) => (areCounts ? own > 0 : own[0] < others[0]), 'before');
defineBefore('toHaveBeenCalledAfter', (own, others, areCounts) => (areCounts ? own > 0 : own.at(-1) > others[0]), 'after');

module.exports = { defineAs, recordOf };
