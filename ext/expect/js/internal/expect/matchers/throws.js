// `toThrow` and what it shares with its snapshots. In: a function, or the reason of a rejected
// promise. Out: an error that shows what was thrown. Absent: the snapshots (snapshot/).
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const { isAsymmetric, isObject } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const { green, red } = require('internal/expect/colors');
const { isPromise, promiseDetails } = require('internal/util/types');

// The states of `promiseDetails`.
const PENDING = 0;
const REJECTED = 2;

/**
 * @returns {{ value: any } | { returned: any }} what the function threw, or returned; after
 *   `rejects` the received value is what was thrown
 */
function thrownBy(call, received) {
  if (call.promise === 'rejects') return { value: received };
  if (typeof received !== 'function') {
    if (call.promise === 'resolves') return { returned: received };
    throw misuse(call, `Expected value must be a function\nReceived: ${show(received)}`);
  }
  let returned;
  try {
    returned = received();
  } catch (error) {
    return { value: error };
  }
  return isPromise(returned) ? outcomeOf(call, returned) : { returned };
}

/** What an async function has thrown before it waited; later it is an unhandled rejection. */
function outcomeOf(call, promise) {
  const [state, value] = promiseDetails(promise) ?? [PENDING];
  if (state === PENDING && !call.isNot) throw misuse(call, 'The function returned a promise that is not settled yet.\nWrite `await expect(...).rejects.toThrow()` to wait for it.');
  if (state !== REJECTED) return { returned: promise };
  promise.then(undefined, () => {});
  return { value };
}

const isError = (value) => Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;

/** The text that messages and patterns are compared with. */
const messageOf = (value) => (isObject(value) && 'message' in value ? `${value.message}` : typeof value === 'symbol' ? value.toString() : `${value}`);

/** How `expected` is compared: what it is called, its text, and the test. */
function expectationOf(call, expected) {
  if (typeof expected === 'string') return { kind: 'substring', text: show(expected), test: (value) => messageOf(value).includes(expected) };
  if (expected instanceof RegExp) return { kind: 'pattern', text: `${expected}`, test: (value) => new RegExp(expected).test(messageOf(value)) };
  if (isAsymmetric(expected)) return { kind: 'value', text: show(expected), test: (value) => Boolean(expected.asymmetricMatch(value)) };
  if (typeof expected === 'function') return { kind: 'constructor', text: expected.name || '(anonymous)', test: (value) => value instanceof expected };
  if (isError(expected) || isObject(expected) && 'message' in expected) return ofError(expected);
  throw misuse(call, `Expected value must be string or Error: ${show(expected)}`);
}

/** An error as expectation: its message, and its cause if it has one. */
function ofError(expected) {
  const { equals } = require('internal/expect/equals');
  const hasCause = isError(expected) && Object.hasOwn(expected, 'cause');
  const test = (value) => messageOf(value) === `${expected.message}` && (!hasCause || equals(value?.cause, expected.cause));
  return { kind: 'message', text: show(`${expected.message}`), test };
}

function checkThrow(call, received, args) {
  const [expected] = args;
  const thrown = thrownBy(call, received);
  if (expected === undefined) return checkAny(call, thrown);
  const expectation = expectationOf(call, expected);
  const pass = 'value' in thrown && expectation.test(thrown.value);
  if (!call.fails(pass)) return;
  throw failure(call, 'expected', body(call, expectation, thrown, expected), { expected, received: thrown.value });
}

function checkAny(call, thrown) {
  if (!call.fails('value' in thrown)) return;
  if (!call.isNot) throw failure(call, '', `Received function did not throw\nReceived value: ${showReceived(thrown.returned)}`);
  const { value } = thrown;
  if (!isError(value)) throw failure(call, '', `Thrown value: ${showReceived(value)}`);
  throw failure(call, '', `Error name: ${red(show(`${value.name}`))}\nError message: ${red(show(`${value.message}`))}${origin(value)}`);
}

/** Where an error that should not have been thrown comes from. */
function origin(error) {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/\((?:node|internal):/.test(line)).slice(0, 5);
  return frames.length === 0 ? '' : `\n\n${frames.join('\n')}`;
}

function body({ isNot }, { kind, text }, thrown, expected) {
  const head = `Expected ${kind}: ${isNot ? 'not ' : ''}${kind === 'value' ? showExpected(expected) : green(text)}`;
  if (!('value' in thrown)) return `${head}\n\nReceived function did not throw\nReceived value: ${showReceived(thrown.returned)}`;
  const { value } = thrown;
  if (kind === 'value') return `${head}\nReceived value: ${red(require('internal/expect/pretty').pretty(value))}`;
  if (isNot && kind === 'message') return head;
  const message = `Received message: ${red(show(messageOf(value)))}`;
  if (kind === 'message' && messageOf(value) === `${expected.message}`) {
    return `${head}\n${message}\n\nTheir causes differ:\n${require('internal/expect/failure').comparison(expected.cause, value?.cause)}`;
  }
  if (kind !== 'constructor' || isNot) return `${head}\n${message}`;
  if (!isObject(value)) return `${head}\nReceived value: ${showReceived(value)}`;
  return `${head}\nReceived constructor: ${red(value.constructor?.name ?? 'Object')}\n\n${message}`;
}

defineMatcher('toThrow', checkThrow);
defineMatcher('toThrowError', (call, received, args) => checkThrow({ ...call, __proto__: Object.getPrototypeOf(call), name: 'toThrow' }, received, args));

module.exports = { isError, messageOf, thrownBy };
