// `expect.extend`: matchers of the program. In: functions that return `{ pass, message }`. Out:
// matchers of `expect(value)`, and asymmetric matchers of `expect`.
'use strict';

const { defineMatcher, loadMatcher } = require('internal/expect/expectation');
const { equals, isObject, matchesSubset, strictEquals } = require('internal/expect/equals');
const equality = require('internal/expect/equals');
const { errorOf, show, showExpected, showReceived, signature } = require('internal/expect/failure');
const { state } = require('internal/expect/state');
const { AsymmetricMatcher } = require('internal/expect/asymmetric');

/** `this.utils` of a matcher. */
const utils = {
  __proto__: null,
  EXPECTED_COLOR: (text) => require('internal/expect/colors').green(text),
  RECEIVED_COLOR: (text) => require('internal/expect/colors').red(text),
  DIM_COLOR: (text) => require('internal/expect/colors').dim(text),
  BOLD_WEIGHT: (text) => require('internal/expect/colors').bold(text),
  INVERTED_COLOR: (text) => require('internal/expect/colors').inverse(text),
  diff: (expected, received) => diffOf(expected, received),
  printDiffOrStringify: (expected, received) => require('internal/expect/failure').comparison(expected, received),
  printExpected: showExpected,
  printReceived: showReceived,
  stringify: show,
  matcherHint,
  iterableEquality: (a, b) => (isObject(a) && isObject(b) && typeof a[Symbol.iterator] === 'function' && typeof b[Symbol.iterator] === 'function' ? equals(a, b) : undefined),
  subsetEquality: (value, subset) => (isObject(subset) ? matchesSubset(value, subset) : undefined),
  printWithType: (name, value, print) => `${name} has type:  ${value === null ? 'null' : typeof value}\n${name} has value: ${print(value)}`,
  ensureNoExpected(expected, name) {
    if (expected !== undefined) throw new Error(`${name}\n\nthis matcher must not have an expected argument`);
  },
};

/** Lines that differ, or null. */
function diffOf(expected, received) {
  if (Object.is(expected, received)) return null;
  const { pretty } = require('internal/expect/pretty');
  return require('internal/expect/diff').lineDifference(pretty(expected), pretty(received));
}

/** `expect(received).not.toBe(expected)`, as jest's `matcherHint` builds it. */
function matcherHint(name, received = 'received', expected = 'expected', options = {}) {
  const { comment = '', isDirectExpectCall = false, isNot = false, promise = '', secondArgument = '' } = options;
  const { dim, green, red } = require('internal/expect/colors');
  const paintExpected = options.expectedColor ?? green;
  const paintReceived = options.receivedColor ?? red;
  const paintSecond = options.secondArgumentColor ?? green;
  let hint = dim('expect');
  if (!isDirectExpectCall && received !== '') hint += dim('(') + paintReceived(`${received}`) + dim(')');
  if (promise !== '') hint += dim('.') + promise;
  if (isNot) hint += `${dim('.')}not`;
  // A name may have its dot.
  hint += name.includes('.') ? dim(name) : dim('.') + name;
  if (expected === '') hint += dim('()');
  else hint += dim('(') + paintExpected(`${expected}`) + (secondArgument === '' ? '' : dim(', ') + paintSecond(secondArgument)) + dim(')');
  return comment === '' ? hint : hint + dim(` // ${comment}`);
}

/** `this` of a matcher. */
function contextOf({ isNot, promise }) {
  return {
    __proto__: null,
    isNot,
    promise,
    utils,
    customTesters: equality.testers,
    equals: (a, b, testers, isStrict) => (isStrict ? strictEquals(a, b, testers) : equals(a, b, testers)),
    dontThrow() {},
    ...matcherState(),
  };
}

/** What `expect.getState()` tells of the test. */
function matcherState() {
  const { test, path } = state;
  return Object.assign(new Object(), {
    assertionCalls: test?.assertions ?? 0,
    currentTestName: test?.fullName,
    expectedAssertionsNumber: test?.expectedAssertions ?? null,
    isExpectingAssertions: test?.requiresAssertions ?? false,
    numPassingAsserts: test === undefined ? 0 : test.assertions - test.failures,
    suppressedErrors: test?.softFailures ?? [],
    testPath: path,
  });
}

function checkResult(name, result) {
  if (isObject(result) && 'pass' in result) {
    const { message } = result;
    if (message === undefined || typeof message === 'string' || typeof message === 'function') return;
  }
  throw new TypeError([
    `Unexpected return from matcher function \`${name}\`.`,
    'Matcher functions should return an object in the following format:',
    '  {message?: string | function, pass: boolean}',
    `'${show(result)}' was returned`,
  ].join('\n'));
}

/** Throws if the matcher did not pass. */
function conclude(call, parameters, result) {
  checkResult(call.name, result);
  if (!call.fails(result.pass)) return;
  const { message } = result;
  let text = typeof message === 'function' ? message() : message;
  text ??= `${signature(call, parameters)}\n\nNo message was specified for this matcher.\n`;
  throw errorOf(call, call.label === undefined ? `${text}` : `${call.label}\n\n${text}`, { expected: result.expected, received: result.actual });
}

/** Names of the parameters after the first, for the signature. */
function parametersOf(matcher) {
  const list = /^[^(]*\(([^)]*)\)/.exec(Function.prototype.toString.call(matcher))?.[1] ?? '';
  return list.split(',').slice(1).map((name) => name.trim()).filter(Boolean).join(', ');
}

function defineOne(expect, name, matcher) {
  // One of ours under that name is not loaded over it later.
  loadMatcher(name);
  defineMatcher(name, (call, received, args) => {
    const result = matcher.call(contextOf(call), received, ...args);
    if (typeof result?.then !== 'function') return conclude(call, parametersOf(matcher), result);
    call.trace ??= traceOf(call);
    return result.then((settled) => conclude(call, parametersOf(matcher), settled));
  });
  expect[name] = (...sample) => new Custom(name, matcher, sample, false);
  expect.not[name] = (...sample) => new Custom(name, matcher, sample, true);
}

function traceOf({ caller }) {
  const trace = new Error();
  Error.captureStackTrace(trace, caller);
  return trace;
}

/** A matcher of the program as an asymmetric one. */
class Custom extends AsymmetricMatcher {
  #name;
  #matcher;

  constructor(name, matcher, sample, isNot) {
    super(sample, isNot);
    this.#name = name;
    this.#matcher = matcher;
  }

  asymmetricMatch(other) {
    const result = this.#matcher.call(contextOf({ isNot: this.inverse, promise: '' }), other, ...this.sample);
    if (typeof result?.then === 'function') throw new TypeError(`The matcher \`${this.#name}\` is asynchronous; it cannot be part of an expected value`);
    checkResult(this.#name, result);
    return Boolean(result.pass) !== this.inverse;
  }

  toString() { return `${this.inverse ? 'not.' : ''}${this.#name}`; }

  toAsymmetricMatcher() {
    const { pretty } = require('internal/expect/pretty');
    return `${this}<${this.sample.map((value) => pretty(value)).join(', ')}>`;
  }
}

function extend(expect, matchers) {
  if (!isObject(matchers) && typeof matchers !== 'function') throw new TypeError('expect.extend(matchers)\n\nExpected an object containing matchers\n');
  for (const name of namesOf(matchers)) {
    const matcher = matchers[name];
    if (typeof matcher !== 'function') {
      throw new TypeError(`expect.extend: \`${name}\` is not a valid matcher. Must be a function, is "${typeof matcher}"`);
    }
    defineOne(expect, name, matcher);
  }
}

/** Own names, and those of classes that a program extends with. */
function namesOf(matchers) {
  const names = new Set(Object.keys(matchers));
  for (let at = Object.getPrototypeOf(matchers); at !== null && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
  }
  return names;
}

module.exports = { extend, matcherState, utils };
