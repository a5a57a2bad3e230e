// Matchers of lists, objects and other collections: `toContain*`, `toHaveLength`, `toHaveProperty`,
// `toBeEmpty`. In: a received collection. Out: an error that shows it.
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const { equals, isObject } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const comparison = (...args) => failures().comparison(...args);
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const { requireArguments, requireArray, requireCount, requireNumber } = require('internal/expect/matchers/arguments');

const isObjectLike = (value) => isObject(value) || typeof value === 'function';
const NOT_ITERABLE = 'Received value must be an array type, or both received and expected values must be strings.';

/** Fails with what was expected and the whole received value. */
function lacks(call, text, expected, received) {
  return failure(call, 'expected', `Expected to ${call.isNot ? 'not ' : ''}${text}: ${showExpected(expected)}\nReceived: ${showReceived(received)}`, { expected, received });
}

/** Those of an iterable, or of an array-like object, for which bun fails and jest does not. */
function itemsOf(call, received) {
  if (typeof received?.[Symbol.iterator] === 'function') return received;
  if (isObject(received) && typeof received.length === 'number') return Array.from(received);
  throw misuse(call, NOT_ITERABLE);
}

function defineContains(name, isSame) {
  defineMatcher(name, (call, received, [expected]) => {
    if (typeof received === 'string') {
      if (typeof expected !== 'string') throw misuse(call, NOT_ITERABLE);
      if (call.fails(received.includes(expected))) throw lacks(call, 'contain', expected, received);
      return;
    }
    let has = false;
    for (const item of itemsOf(call, received)) if (isSame(item, expected)) { has = true; break; }
    if (call.fails(has)) throw lacks(call, 'contain', expected, received);
  });
}

// As `Array.prototype.includes`.
defineContains('toContain', (item, expected) => item === expected || Object.is(item, expected));
defineContains('toContainEqual', (item, expected) => equals(item, expected));

// --- keys

function requireObject(call, received) {
  if (!isObjectLike(received)) throw misuse(call, `Expected value must be an object\nReceived: ${show(received)}`);
}

const hasKey = (received, key) => Object.hasOwn(received, key) || key in received;

defineMatcher('toContainKey', (call, received, args) => {
  requireArguments(call, args, 1);
  requireObject(call, received);
  const [key] = args;
  if (call.fails(hasKey(received, key))) throw lacks(call, 'contain', key, received);
});

function defineKeys(name, text, test) {
  defineMatcher(name, (call, received, [keys]) => {
    requireArray(call, keys);
    const pass = isObjectLike(received) && test(received, keys);
    if (call.fails(pass)) throw lacks(call, text, keys, name === 'toContainAllKeys' && isObjectLike(received) ? Object.keys(received) : received);
  });
}

defineKeys('toContainKeys', 'contain', (received, keys) => keys.every((key) => hasKey(received, key)));
defineKeys('toContainAnyKeys', 'contain', (received, keys) => keys.some((key) => hasKey(received, key)));
defineKeys('toContainAllKeys', 'contain all keys', (received, keys) => {
  const own = Object.keys(received);
  return own.length === keys.length && keys.every((key) => own.includes(`${String(key)}`));
});

// --- values

function defineValues(name, text, test) {
  defineMatcher(name, (call, received, [values]) => {
    requireArray(call, values);
    const own = isObjectLike(received) ? Object.values(received) : [];
    const has = (value) => own.some((item) => equals(item, value));
    if (call.fails(isObjectLike(received) && test(values, has, own))) throw lacks(call, text, values, received);
  });
}

defineMatcher('toContainValue', (call, received, [value]) => {
  const has = isObjectLike(received) && Object.values(received).some((item) => equals(item, value));
  if (call.fails(has)) throw lacks(call, 'contain', value, received);
});
defineValues('toContainValues', 'contain', (values, has) => values.every(has));
defineValues('toContainAnyValues', 'contain any of the following values', (values, has) => values.some(has));
defineValues('toContainAllValues', 'contain all values', (values, has, own) => own.length === values.length && values.every(has));

// --- size

defineMatcher('toHaveLength', (call, received, [length]) => {
  requireCount(call, length);
  const value = received?.length ?? received?.size;
  if (value === undefined || !isObjectLike(received) && typeof received !== 'string') {
    throw misuse(call, `Received value does not have a length property: ${show(received)}`);
  }
  if (typeof value !== 'number') throw misuse(call, `Received value has non-number length property: ${show(value)}`);
  if (!call.fails(value === length)) return;
  if (call.isNot) throw failure(call, 'expected', `Expected length: not ${showExpected(length)}`);
  throw failure(call, 'expected', `Expected length: ${showExpected(length)}\nReceived length: ${showReceived(value)}\nReceived value: ${showReceived(received)}`);
});

defineMatcher('toBeArrayOfSize', (call, received, [size]) => {
  requireNumber(call, size);
  if (call.fails(Array.isArray(received) && received.length === size)) throw failure(call, '', `Received: ${showReceived(received)}`);
});

/** The number of elements, members or bytes; undefined: the value has none. */
function sizeOf(value) {
  if (typeof value === 'string') return value.length;
  if (!isObjectLike(value)) return undefined;
  for (const name of ['size', 'byteLength', 'length']) if (typeof value[name] === 'number') return value[name];
  if (typeof value[Symbol.iterator] === 'function') {
    const { done } = value[Symbol.iterator]().next();
    return done ? 0 : 1;
  }
  return Object.keys(value).length;
}

defineMatcher('toBeEmpty', (call, received) => {
  const size = sizeOf(received);
  if (size === undefined && !call.isNot) {
    throw failure(call, '', `Expected value to be a string, object, or iterable\n\nReceived: ${showReceived(received)}`);
  }
  if (!call.fails(size === 0)) return;
  throw failure(call, '', `Expected value ${call.isNot ? 'not ' : ''}to be empty\n\nReceived: ${showReceived(received)}`);
});

defineMatcher('toBeEmptyObject', (call, received) => {
  const isEmpty = isObject(received) && !Array.isArray(received) && Object.keys(received).length === 0;
  if (call.fails(isEmpty)) throw failure(call, '', `Received: ${showReceived(received)}`);
});

// --- properties

/** `a.b[0]["c"]` as a list of keys. */
function parsePath(path) {
  const keys = [];
  const pattern = /[^.[\]]+|\[(?:(-?\d+(?:\.\d+)?)|(["'])((?:(?!\2)[^\\]|\\.)*?)\2)\]|(?=(?:\.|\[\])(?:\.|\[\]|$))/g;
  for (const [whole, number, quote, text] of path.matchAll(pattern)) {
    keys.push(quote !== undefined ? text.replace(/\\(\\)?/g, '$1') : number ?? whole);
  }
  if (path.startsWith('.')) keys.unshift('');
  return keys;
}

/** What a path leads to; undefined: there is no such property. */
function find(received, keys) {
  let value = received;
  for (const key of keys) {
    if (value === null || value === undefined || !(key in Object(value))) return undefined;
    value = value[key];
  }
  return { value };
}

function findProperty(received, path) {
  if (Array.isArray(path)) return find(received, path);
  return (path === '' ? undefined : find(received, parsePath(path))) ?? find(received, [path]);
}

defineMatcher('toHaveProperty', (call, received, args) => {
  requireArguments(call, args, 1);
  const [path, expected] = args;
  if (typeof path !== 'string' && !Array.isArray(path)) {
    if (typeof path !== 'number' && typeof path !== 'symbol') throw misuse(call, 'Expected path must be a string or an array');
  }
  const found = findProperty(received, typeof path === 'number' || typeof path === 'symbol' ? [path] : path);
  const hasValue = args.length > 1;
  const pass = found !== undefined && (!hasValue || equals(found.value, expected));
  if (!call.fails(pass)) return;
  throw failure(call, hasValue ? 'path, value' : 'path', propertyBody(call, found, path, hasValue, expected));
});

function propertyBody({ isNot }, found, path, hasValue, expected) {
  const shown = showExpected(path);
  if (isNot) {
    return hasValue ? `Expected path: ${shown}\n\nExpected value: not ${showExpected(expected)}`
      : `Expected path: not ${shown}\n\nReceived value: ${showReceived(found.value)}`;
  }
  if (found !== undefined) return `Expected path: ${shown}\n\n${comparison(expected, found.value)}`;
  return `Expected path: ${shown}\n${hasValue ? `\nExpected value: ${showExpected(expected)}\n` : ''}\nUnable to find property`;
}
