// Matchers of snapshots: `toMatchSnapshot`, `toMatchInlineSnapshot`, and those of thrown errors.
// In: values, property matchers, hints. Out: an error that shows the difference. Absent: files
// (snapshot/store.js), serialization (snapshot/dialects.js).
'use strict';

const { state } = require('internal/expect/state');
const { defineMatcher } = require('internal/expect/expectation');
const { isAsymmetric, isObject, matchesSubset } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const showReceived = (...args) => failures().showReceived(...args);
const signature = (...args) => failures().signature(...args);
const { thrownBy } = require('internal/expect/matchers/throws');

/** A call that cannot be answered, with the matcher's name. */
function wrongUse(call, parameters, what) {
  return misuse(call, `${signature(call, parameters)}\n\nMatcher error: ${what}\n`);
}

/** The snapshots of the file that runs. */
function storeOf(call) {
  if (call.isNot) throw wrongUse(call, '', 'Snapshot matchers cannot be used with not');
  if (state.test === undefined || state.path === undefined) throw wrongUse(call, '', 'Snapshot matchers cannot be used outside of a test');
  return require('internal/expect/state').openSnapshots();
}

const isText = (value) => typeof value === 'string' || value === undefined;

/** Property matchers and a text, both optional. */
function parseArguments(call, args, textName) {
  const [first] = args;
  if (args.length <= 1 && isText(first)) return { properties: undefined, text: first };
  if (!isObject(first)) throw wrongUse(call, `properties, ${textName}`, 'Expected first argument to be a string or object');
  if (!isText(args[1])) throw wrongUse(call, `properties, ${textName}`, 'Expected second argument to be a string');
  return { properties: first, text: args[1] };
}

/** The received value with the property matchers in place of what they matched. */
function withProperties(call, received, properties, textName) {
  if (properties === undefined) return received;
  if (!isObject(received)) throw wrongUse(call, `properties, ${textName}`, 'received values must be an object when the matcher has properties');
  if (!matchesSubset(received, properties)) {
    throw failure(call, 'propertyMatchers', `Expected propertyMatchers to match properties from received object\n\nReceived: ${showReceived(received)}`);
  }
  return merged(received, properties);
}

function merged(received, properties) {
  if (isAsymmetric(properties) || !isObject(properties) || !isObject(received)) return properties;
  const copy = Array.isArray(received) ? [...received] : Object.create(Object.getPrototypeOf(received), Object.getOwnPropertyDescriptors(received));
  for (const key of Object.keys(properties)) {
    const value = isObject(properties[key]) ? merged(received[key], properties[key]) : received[key];
    Object.defineProperty(copy, key, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
  }
  return copy;
}

/** The error of a snapshot that differs or is refused. */
function mismatch(call, { expected, received, isRefused }, name) {
  if (isRefused) {
    const of = name === undefined ? '' : `\nSnapshot name: "${name}"`;
    return misuse(call, `Snapshot creation is disabled in CI environments unless --update-snapshots is used\nTo override, set the environment variable CI=false.\n${of}\nReceived: ${received}`);
  }
  const { difference } = require('internal/expect/diff');
  return failure(call, 'expected', difference(expected, received), { expected, received });
}

function matchFile(call, hint, formsIn) {
  const store = storeOf(call);
  const name = store.nextName(state.test, hint);
  const difference = store.match(name, formsIn(store.form));
  if (difference !== undefined) throw mismatch(call, difference, name);
}

function matchInline(call, text, formsIn) {
  const store = storeOf(call);
  const { dedent } = require('internal/expect/snapshot/inline');
  const { stack } = misuse(call, '');
  const expected = text === undefined ? undefined : dedent(text);
  const difference = store.matchInline(state.test, expected, formsIn(store.form), (changes, received) => changes.add(stack, call.name, received));
  if (difference !== undefined) throw mismatch(call, difference, undefined);
}

/** vitest's: a file that has nothing but the value's text. */
function matchWholeFile(call, received, path, hint) {
  const store = storeOf(call);
  store.nextName(state.test, hint);
  const texts = typeof received === 'string' ? [received] : forms(received)('vitest');
  const difference = store.matchWholeFile(path, texts);
  if (difference !== undefined) throw mismatch(call, difference, undefined);
}

const forms = (value) => (dialect) => require('internal/expect/snapshot/dialects').forms(value, dialect);
const formsOfThrown = (value) => (dialect) => require('internal/expect/snapshot/dialects').formsOfThrown(value, dialect);

defineMatcher('toMatchSnapshot', (call, received, args) => {
  const { properties, text } = parseArguments(call, args, 'hint');
  storeOf(call);
  matchFile(call, text, forms(withProperties(call, received, properties, 'hint')));
});

defineMatcher('toMatchInlineSnapshot', (call, received, args) => {
  const { properties, text } = parseArguments(call, args, 'snapshot');
  storeOf(call);
  matchInline(call, text, forms(withProperties(call, received, properties, 'snapshot')));
});

/** Asynchronous in vitest: the promise is that of the file's global object. */
defineMatcher('toMatchFileSnapshot', (call, received, [path, hint]) => {
  const match = () => {
    if (typeof path !== 'string') throw wrongUse(call, 'path, hint', 'Expected first argument to be a path');
    if (!isText(hint)) throw wrongUse(call, 'path, hint', 'Expected second argument to be a string');
    matchWholeFile(call, received, path, hint);
  };
  return new Promise((resolve) => { resolve(match()); });
});

function thrown(call, received) {
  storeOf(call);
  const result = thrownBy(call, received);
  if ('value' in result) return result.value;
  throw wrongUse(call, '', 'Received function did not throw');
}

defineMatcher('toThrowErrorMatchingSnapshot', (call, received, [hint]) => {
  if (!isText(hint)) throw wrongUse(call, 'hint', 'Expected first argument to be a string');
  matchFile(call, hint, formsOfThrown(thrown(call, received)));
});

defineMatcher('toThrowErrorMatchingInlineSnapshot', (call, received, [text]) => {
  if (!isText(text)) throw wrongUse(call, 'snapshot', 'Expected first argument to be a string');
  matchInline(call, text, formsOfThrown(thrown(call, received)));
});
