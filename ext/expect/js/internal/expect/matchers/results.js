// Matchers of mock functions: results. In: a mock. Out: an error that lists the results. Absent:
// calls (matchers/calls.js).
'use strict';

const { equals } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const comparison = (...args) => failures().comparison(...args);
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const { withMatched } = require('internal/expect/replace_matched');
const { requireCount } = require('internal/expect/matchers/arguments');
const { defineAs, recordOf } = require('internal/expect/matchers/calls');

const LISTED_MAX = 10;
const RETURNED = { type: 'return', noun: 'returns', done: 'returned', results: (record) => record.results ?? [] };
const RESOLVED = { type: 'fulfilled', noun: 'resolved promises', done: 'resolved', results: (record) => record.settledResults ?? [] };

const isSuccess = (result, { type }) => result.type === type;
const succeeded = (record, form) => form.results(record).filter((result) => isSuccess(result, form));

function countBody(call, sign, count, record, form) {
  return [
    `Expected number of successful ${form.noun}: ${sign} ${showExpected(count)}`,
    `Received number of successful ${form.noun}: ${showReceived(succeeded(record, form).length)}`,
    `Received number of calls: ${record.calls.length}`,
  ].join('\n');
}

function defineResults(names, form) {
  defineAs(names.any, (call, received) => {
    const record = recordOf(call, received);
    if (!call.fails(succeeded(record, form).length > 0)) return;
    throw failure(call, 'expected', countBody(call, call.isNot ? '<' : '>=', 1, record, form));
  });
  defineAs(names.times, (call, received, [count]) => {
    requireCount(call, count, `${call.name}() requires 1 non-negative integer argument`);
    const record = recordOf(call, received);
    if (!call.fails(succeeded(record, form).length === count)) return;
    throw failure(call, 'expected', countBody(call, call.isNot ? '!=' : '==', count, record, form));
  });
  defineAs(names.with, (call, received, [expected]) => {
    const record = recordOf(call, received);
    if (!call.fails(succeeded(record, form).some(({ value }) => equals(value, expected)))) return;
    throw failure(call, 'expected', withBody(call, expected, record, form));
  });
  defineAs(names.last, (call, received, [expected]) => {
    const record = recordOf(call, received);
    const last = form.results(record).at(-1);
    if (!call.fails(last !== undefined && isSuccess(last, form) && equals(last.value, expected))) return;
    if (call.isNot) throw failure(call, 'expected', `Expected mock function not to have last ${form.done}: ${showExpected(expected)}\nBut it did.`);
    throw failure(call, 'expected', last === undefined ? 'The mock function was not called.' : resultBody('The last call', last, expected, form));
  });
  defineAs(names.nth, (call, received, [n, expected]) => {
    const record = recordOf(call, received);
    if (!Number.isInteger(n) || n < 1) throw misuse(call, `${call.name}() n must be greater than 0`);
    const result = form.results(record)[n - 1];
    if (!call.fails(result !== undefined && isSuccess(result, form) && equals(result.value, expected))) return;
    throw failure(call, 'n, expected', nthBody(call, n, result, expected, form, record));
  });
}

function nthBody(call, n, result, expected, form, { calls }) {
  if (call.isNot) return `Expected mock function not to have ${form.done} on call ${n}: ${showExpected(expected)}\nBut it did.`;
  if (result === undefined) return `The mock function was called ${calls.length} time${calls.length === 1 ? '' : 's'}, but call ${n} was requested.`;
  return isSuccess(result, form) ? `Call ${n}:\n${resultBody('', result, expected, form)}` : resultBody(`Call ${n}`, result, expected, form);
}

/** One result beside the expected one. */
function resultBody(subject, result, expected, form) {
  if (isSuccess(result, form)) return comparison(withMatched(expected, result.value), result.value);
  if (result.type === 'incomplete') return `${subject} has not ended.`;
  return `${subject} ${result.type === 'rejected' ? 'rejected' : 'threw an error'}: ${briefly(result.value)}`;
}

const briefly = (value) => showReceived(value).split('\n')[0];

function withBody(call, expected, record, form) {
  if (call.isNot) return `Expected mock function not to have ${form.done}: ${showExpected(expected)}`;
  const results = form.results(record);
  if (results.length === 1 && isSuccess(results[0], form)) return comparison(withMatched(expected, results[0].value), results[0].value);
  const listed = results.slice(0, LISTED_MAX).map((result, index) => `\n${String(index + 1).padStart(15)}: ${listedText(result, form)}`).join('');
  const more = results.length > LISTED_MAX ? `\n              \u2026 ${results.length - LISTED_MAX} more` : '';
  return `    Expected: ${showExpected(expected)}\n    Received:${listed}${more}\n\n    Number of ${form.noun}: ${succeeded(record, form).length}\n    Number of calls: ${record.calls.length}`;
}

function listedText(result, form) {
  if (isSuccess(result, form)) return showReceived(result.value);
  return result.type === 'incomplete' ? 'function call has not ended' : `function call threw an error: ${briefly(result.value)}`;
}

defineResults({
  any: ['toHaveReturned', 'toReturn'],
  times: ['toHaveReturnedTimes', 'toReturnTimes'],
  with: ['toHaveReturnedWith', 'toReturnWith'],
  last: ['toHaveLastReturnedWith', 'lastReturnedWith'],
  nth: ['toHaveNthReturnedWith', 'nthReturnedWith'],
}, RETURNED);

defineResults({
  any: ['toHaveResolved'],
  times: ['toHaveResolvedTimes'],
  with: ['toHaveResolvedWith'],
  last: ['toHaveLastResolvedWith'],
  nth: ['toHaveNthResolvedWith'],
}, RESOLVED);
