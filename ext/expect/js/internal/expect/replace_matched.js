// Values prepared for a diff: parts that asymmetric matchers accept, and properties that no caller
// expected, are no differences. In: expected and received values. Out: copies; originals are left.
'use strict';

const { equals, isAsymmetric, isObject, keysOf } = require('internal/expect/equals');

function isPlain(value) {
  if (!isObject(value) || isAsymmetric(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * The expected value, with the received part in place of each asymmetric matcher that accepts it.
 */
function withMatched(expected, received, visited = new Map()) {
  if (isAsymmetric(expected)) return matches(expected, received) ? received : expected;
  if (expected instanceof Map && received instanceof Map) {
    return new Map([...expected].map(([key, value]) => [key, received.has(key) ? withMatched(value, received.get(key), visited) : value]));
  }
  if (!isPlain(expected) || !isObject(received)) return expected;
  const known = visited.get(expected);
  if (known !== undefined) return known;
  const copy = Array.isArray(expected) ? [] : Object.create(Object.getPrototypeOf(expected));
  visited.set(expected, copy);
  for (const key of keysOf(expected)) {
    const value = key in received ? withMatched(expected[key], received[key], visited) : expected[key];
    Object.defineProperty(copy, key, { __proto__: null, value, enumerable: true, configurable: true, writable: true });
  }
  if (Array.isArray(expected)) copy.length = expected.length;
  return copy;
}

function matches(matcher, value) {
  try {
    return equals(value, matcher);
  } catch {
    return false;
  }
}

/** The received value without the properties that the expected subset does not have. */
function subsetOf(received, expected, visited = new Map()) {
  if (!isPlain(expected) || !isObject(received) || isAsymmetric(expected)) return received;
  if (Array.isArray(expected)) {
    if (!Array.isArray(received)) return received;
    return received.map((item, index) => (index < expected.length ? subsetOf(item, expected[index], visited) : item));
  }
  if (Array.isArray(received)) return received;
  if (visited.has(received)) return visited.get(received);
  const copy = {};
  visited.set(received, copy);
  for (const key of keysOf(expected)) {
    if (!(key in received)) continue;
    Object.defineProperty(copy, key, { __proto__: null, value: subsetOf(received[key], expected[key], visited), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

module.exports = { subsetOf, withMatched };
