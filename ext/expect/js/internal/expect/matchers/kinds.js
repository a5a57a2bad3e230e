// Matchers about the kind of a value: truthiness, types, numbers, dates. In: a received value. Out:
// an error that shows it.
'use strict';

const { defineMatcher } = require('internal/expect/expectation');
const failures = () => require('internal/expect/failure');
const failure = (...args) => failures().failure(...args);
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);
const showExpected = (...args) => failures().showExpected(...args);
const showReceived = (...args) => failures().showReceived(...args);
const isDate = (value) => require('internal/util/types').isDate(value);
const requireNumber = (call, value, which) => require('internal/expect/matchers/arguments').requireNumber(call, value, which);

function definePredicate(name, predicate) {
  defineMatcher(name, (call, received) => {
    if (!call.fails(predicate(received))) return;
    throw failure(call, '', `Received: ${showReceived(received)}`);
  }, predicate);
}

const isInteger = (value, remainder) => {
  if (typeof value === 'bigint') return (value < 0n ? -value : value) % 2n === BigInt(remainder);
  return Number.isInteger(value) && Math.abs(value % 2) === remainder;
};

definePredicate('toBeTruthy', (value) => value);
definePredicate('toBeFalsy', (value) => !value);
definePredicate('toBeDefined', (value) => value !== undefined);
definePredicate('toBeUndefined', (value) => value === undefined);
definePredicate('toBeNull', (value) => value === null);
definePredicate('toBeNil', (value) => value === null || value === undefined);
definePredicate('toBeNullable', (value) => value === null || value === undefined);
definePredicate('toBeNaN', (value) => Number.isNaN(value));
definePredicate('toBeEven', (value) => isInteger(value, 0));
definePredicate('toBeOdd', (value) => isInteger(value, 1));
definePredicate('toBeArray', Array.isArray);
definePredicate('toBeBoolean', (value) => typeof value === 'boolean');
definePredicate('toBeTrue', (value) => value === true);
definePredicate('toBeFalse', (value) => value === false);
definePredicate('toBeNumber', (value) => typeof value === 'number');
definePredicate('toBeInteger', Number.isInteger);
definePredicate('toBeFinite', Number.isFinite);
definePredicate('toBePositive', (value) => Number.isFinite(value) && Math.round(value) > 0);
definePredicate('toBeNegative', (value) => Number.isFinite(value) && Math.round(value) < 0);
definePredicate('toBeSymbol', (value) => typeof value === 'symbol');
definePredicate('toBeFunction', (value) => typeof value === 'function');
definePredicate('toBeString', (value) => typeof value === 'string' || value instanceof String);
definePredicate('toBeDate', isDate);
definePredicate('toBeValidDate', (value) => isDate(value) && !Number.isNaN(Number(value)));

defineMatcher('toBeObject', (call, received) => {
  if (!call.fails(received !== null && (typeof received === 'object' || typeof received === 'function'))) return;
  throw failure(call, '', `Expected value ${call.isNot ? 'not ' : ''}to be an object\n\nReceived: ${showReceived(received)}`);
});

const TYPES = ['function', 'object', 'bigint', 'boolean', 'number', 'string', 'symbol', 'undefined'];

defineMatcher('toBeTypeOf', (call, received, [type]) => {
  if (!TYPES.includes(type)) {
    throw misuse(call, `toBeTypeOf() requires a valid type string argument (${TYPES.map((name) => `'${name}'`).join(', ')})`);
  }
  if (!call.fails(typeof received === type)) return;
  const not = call.isNot ? 'not ' : '';
  throw failure(call, '', `Expected type: ${not}${showExpected(type)}\nReceived type: ${showReceived(typeof received)}\nReceived value: ${showReceived(received)}`);
});

defineMatcher('toBeInstanceOf', (call, received, [type]) => {
  if (typeof type !== 'function') throw misuse(call, `Expected value must be a function: ${show(type)}`);
  if (!call.fails(received instanceof type)) return;
  const not = call.isNot ? 'not ' : '';
  throw failure(call, 'expected', `Expected constructor: ${not}${showExpected(type)}\nReceived value: ${showReceived(received)}`);
});

// --- order

const isNumeric = (value) => typeof value === 'number' || typeof value === 'bigint';

function defineOrder(name, sign, compare) {
  defineMatcher(name, (call, received, [expected]) => {
    if (!isNumeric(received) || !isNumeric(expected)) throw misuse(call, 'Expected and actual values must be numbers or bigints');
    if (!call.fails(compare(received, expected))) return;
    throw failure(call, 'expected', `Expected: ${call.isNot ? 'not ' : ''}${sign} ${showExpected(expected)}\nReceived: ${showReceived(received)}`);
  });
}

defineOrder('toBeGreaterThan', '>', (received, expected) => received > expected);
defineOrder('toBeGreaterThanOrEqual', '>=', (received, expected) => received >= expected);
defineOrder('toBeLessThan', '<', (received, expected) => received < expected);
defineOrder('toBeLessThanOrEqual', '<=', (received, expected) => received <= expected);

defineMatcher('toBeWithin', (call, received, [start, end]) => {
  requireNumber(call, start);
  requireNumber(call, end, 'second');
  if (!call.fails(typeof received === 'number' && received >= start && received < end)) return;
  const not = call.isNot ? 'not ' : '';
  throw failure(call, 'start, end', `Expected: ${not}between ${showExpected(start)} (inclusive) and ${showExpected(end)} (exclusive)\nReceived: ${showReceived(received)}`);
});

// --- the program decides

defineMatcher('toSatisfy', (call, received, [predicate]) => {
  if (typeof predicate !== 'function') throw misuse(call, 'toSatisfy() argument must be a function');
  if (!call.fails(predicate(received))) return;
  if (call.isNot) throw failure(call, 'expected', `Expected: not ${showExpected(predicate)}`);
  throw failure(call, 'expected', `Expected: ${showExpected(predicate)}\nReceived: ${showReceived(received)}`);
});

function defineVerdict(name, passes, text) {
  defineMatcher(name, (call, received, [message = text]) => {
    if (typeof message !== 'string') throw misuse(call, `Expected message to be a string for '${name}'.`);
    if (!call.fails(passes)) return;
    throw failure({ ...call, isNot: true }, '', message);
  });
}

defineVerdict('pass', true, 'passes by .pass() assertion');
defineVerdict('fail', false, 'fails by .fail() assertion');
