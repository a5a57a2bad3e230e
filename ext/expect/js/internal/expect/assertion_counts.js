// `expect.assertions`, `expect.hasAssertions`: what a test asked for, and the errors of a test that
// called fewer or more matchers. In: numbers. Out: errors. Absent: counting (state.js).
'use strict';

const { state } = require('internal/expect/state');

const count = (number) => `${number} assertion${number === 1 ? '' : 's'}`;

function assertionCount(expected, received) {
  return new Error(`expect.assertions(${expected})\n\nExpected: ${count(expected)}\nReceived: ${count(received)}\n`);
}

function noAssertions() {
  return new Error('expect.hasAssertions()\n\nExpected: at least one assertion\nReceived: 0 assertions\n');
}

/** The test that the call counts for. */
function testOf(method) {
  const { test } = state;
  if (test !== undefined) return test;
  throw new Error(`${method} is not supported in the describe phase, between tests, or after test execution has completed`);
}

/** `expect.assertions(number)`. */
function assertions(number) {
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) {
    throw new TypeError(`Expected value must be a non-negative integer: ${require('internal/expect/failure').show(number)}`);
  }
  testOf('expect.assertions()').expectedAssertions = number;
}

/** `expect.hasAssertions()`. */
function hasAssertions() {
  testOf('expect.hasAssertions()').requiresAssertions = true;
}

module.exports = { assertionCount, assertions, hasAssertions, noAssertions };
