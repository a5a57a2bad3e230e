// `expect`. In: a value. Out: its matchers (expectation.js); asymmetric matchers, `extend` and
// `assertions` as properties.
'use strict';

const { Expectation } = require('internal/expect/expectation');
const { state } = require('internal/expect/state');

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

const counts = () => require('internal/expect/assertion_counts');

/** Asymmetric matchers, as functions that load them when they are called. */
function asymmetric(isNot) {
  const make = () => require('internal/expect/asymmetric').makeStatic(isNot);
  return {
    any: (type) => make().any(type),
    anything: () => make().anything(),
    arrayContaining: (list) => make().arrayContaining(list),
    arrayOf: (sample) => make().arrayOf(sample),
    closeTo: (number, digits) => make().closeTo(number, digits),
    objectContaining: (sample) => make().objectContaining(sample),
    stringContaining: (text) => make().stringContaining(text),
    stringMatching: (pattern) => make().stringMatching(pattern),
    toBeOneOf: (list) => make().toBeOneOf(list),
    toSatisfy: (predicate) => make().toSatisfy(predicate),
  };
}

/** A property whose value is made when it is first read. */
function lazy(target, key, make) {
  const define = (value) => Object.defineProperty(target, key, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
  Object.defineProperty(target, key, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      define(value);
      return value;
    },
    set: define,
  });
}

function addSettled(target) {
  const settled = (state) => require('internal/expect/asymmetric_promises').settledMatchers(state, target);
  lazy(target, 'resolvesTo', () => settled('resolved'));
  lazy(target, 'rejectsTo', () => settled('rejected'));
}

Object.assign(expect, asymmetric(false), {
  addSnapshotSerializer: (serializer) => require('internal/expect/snapshot/dialects').addSerializer(serializer),
  addEqualityTesters: (list) => require('internal/expect/equals').addEqualityTesters(list),
  assertions: (number) => counts().assertions(number),
  extend: (matchers) => require('internal/expect/extend').extend(expect, matchers),
  getState: () => require('internal/expect/extend').matcherState(),
  hasAssertions: () => counts().hasAssertions(),
  poll,
  setState(changes) { if (state.test !== undefined) state.test.assertions = changes?.assertionCalls ?? state.test.assertions; },
  soft,
  unreachable,
});
lazy(expect, 'not', () => {
  const not = asymmetric(true);
  addSettled(not);
  return not;
});
addSettled(expect);

module.exports = { expect, lazy };
