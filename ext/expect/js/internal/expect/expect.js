// `expect`. In: a value. Out: its matchers (expectation.js); asymmetric matchers, `extend` and
// `assertions` as properties.
'use strict';

const { Expectation } = require('internal/expect/expectation');
const { makeStatic } = require('internal/expect/asymmetric');
const { assertions, hasAssertions } = require('internal/expect/assertion_counts');
const { state } = require('internal/expect/state');

for (const name of ['equality', 'kinds', 'strings', 'collections', 'throws', 'calls', 'results', 'snapshots']) {
  require(`internal/expect/matchers/${name}`);
}

function expect(value, label) {
  return new Expectation(value, labelOf(label), false);
}

function labelOf(label) {
  return label === undefined || label === '' ? undefined : `${label}`;
}

/** The test goes on after a failure, and fails at its end. */
function soft(value, label) {
  return new Expectation(value, labelOf(label), true);
}

/** `expect.unreachable(message)`. */
function unreachable(message = 'reached unreachable code') {
  if (message instanceof Error) throw message;
  const error = new Error(`${message}`);
  error.name = 'UnreachableError';
  Error.captureStackTrace(error, unreachable);
  throw error;
}

/** `expect.poll(function)`: repeats a matcher until it passes, as in vitest. */
function poll(read, options) {
  return require('internal/expect/poll').poll(expect, read, options);
}

Object.assign(expect, makeStatic(false), {
  addSnapshotSerializer: (serializer) => require('internal/expect/snapshot/dialects').addSerializer(serializer),
  addEqualityTesters: (list) => require('internal/expect/equals').addEqualityTesters(list),
  assertions,
  extend: (matchers) => require('internal/expect/extend').extend(expect, matchers),
  getState: () => require('internal/expect/extend').matcherState(),
  hasAssertions,
  not: makeStatic(true),
  poll,
  rejectsTo: undefined,
  resolvesTo: undefined,
  setState(changes) { if (state.test !== undefined) state.test.assertions = changes?.assertionCalls ?? state.test.assertions; },
  soft,
  unreachable,
});
const { settledMatchers } = require('internal/expect/asymmetric_promises');
expect.resolvesTo = settledMatchers('resolved', expect);
expect.rejectsTo = settledMatchers('rejected', expect);
expect.not.resolvesTo = settledMatchers('resolved', expect.not);
expect.not.rejectsTo = settledMatchers('rejected', expect.not);

module.exports = { expect };
