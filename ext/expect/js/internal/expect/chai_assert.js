// `assert` of vitest: Chai's assertions as functions, `assert.lengthOf(value, 2, message)`. In:
// values, and a message in place of ours. Out: nothing, or an error. Each is the assertion of
// `expect` that its words name (matchers/chai.js). Absent: `containsSubset`, plugins.
'use strict';

const { expect } = require('internal/expect/expect');
const { discountAssertions } = require('internal/expect/state');
const failures = () => require('internal/expect/failure');
const show = (value) => failures().show(value);

function assert(value, message) { follow('to.be.ok', value, undefined, message); }

/**
 * Applies an assertion in words; the last one is called if there are arguments. What it counts is
 * not a call of `expect`. @returns {any} the value that what follows would be about
 */
function follow(words, value, args, message) {
  const path = words.split('.');
  const last = path.pop();
  let expectation = expect(value, message);
  for (const word of path) expectation = expectation[word];
  try {
    const end = args === undefined ? expectation[last] : expectation[last](...args);
    return end?.received;
  } finally {
    discountAssertions(1);
  }
}

// --- words without arguments

const STATES = {
  __proto__: null,
  isOk: 'ok', isTrue: 'true', isFalse: 'false', isNull: 'null', isNaN: 'NaN', isUndefined: 'undefined', exists: 'exist', isCallable: 'callable', isFunction: 'callable',
  isNumeric: 'numeric', isIterable: 'iterable', isFinite: 'finite', isExtensible: 'extensible', isSealed: 'sealed', isFrozen: 'frozen', isEmpty: 'empty',
};

/** `isNotOk` of `isOk`, `notExists` of `exists`. */
const negated = (name) => (name.startsWith('is') ? `isNot${name.slice(2)}` : `not${name[0].toUpperCase()}${name.slice(1)}`);

function define(name, method) { Object.defineProperty(assert, name, { __proto__: null, value: method, configurable: true, enumerable: true, writable: true }); }

for (const name of Object.keys(STATES)) {
  define(name, (value, message) => { follow(`to.be.${STATES[name]}`, value, undefined, message); });
  define(negated(name), (value, message) => { follow(`to.not.be.${STATES[name]}`, value, undefined, message); });
}
define('isDefined', assert.isNotUndefined);
delete assert.isNotUndefined;

// --- words with one argument

const KINDS = ['Object', 'Array', 'String', 'Number', 'Boolean'];
for (const kind of KINDS) {
  define(`is${kind}`, (value, message) => { follow('to.be.a', value, [kind.toLowerCase()], message); });
  define(`isNot${kind}`, (value, message) => { follow('to.not.be.a', value, [kind.toLowerCase()], message); });
}

/** Each has a name that begins with `not`, too, but for those in `ALONE`. */
const WITH_ARGUMENT = {
  __proto__: null,
  strictEqual: 'equal', deepEqual: 'deep.equal', isAbove: 'be.above', isAtLeast: 'be.at.least', isBelow: 'be.below', isAtMost: 'be.at.most',
  typeOf: 'be.a', instanceOf: 'be.instanceOf', match: 'match', lengthOf: 'have.lengthOf', oneOf: 'be.oneOf',
  include: 'include', deepInclude: 'deep.include', nestedInclude: 'nested.include', deepNestedInclude: 'deep.nested.include', ownInclude: 'own.include', deepOwnInclude: 'deep.own.include',
  property: 'have.property', ownProperty: 'have.own.property', nestedProperty: 'have.nested.property',
  sameMembers: 'have.same.members', sameDeepMembers: 'have.same.deep.members', sameOrderedMembers: 'have.same.ordered.members', sameDeepOrderedMembers: 'have.same.deep.ordered.members',
  includeMembers: 'include.members', includeDeepMembers: 'include.deep.members', includeOrderedMembers: 'include.ordered.members', includeDeepOrderedMembers: 'include.deep.ordered.members',
  hasAnyKeys: 'have.any.keys', hasAllKeys: 'have.all.keys', containsAllKeys: 'contain.all.keys', hasAnyDeepKeys: 'have.any.deep.keys', hasAllDeepKeys: 'have.all.deep.keys', containsAllDeepKeys: 'contain.all.deep.keys',
};
const ALONE = /^(?:isA|isB|contains|oneOf|lengthOf)/;

/** `doesNotHaveAnyKeys` of `hasAnyKeys`, `notInclude` of `include`. */
const negatedWith = (name) => (name.startsWith('has') ? `doesNotHave${name.slice(3)}` : negated(name));

for (const name of Object.keys(WITH_ARGUMENT)) {
  define(name, (value, expected, message) => { follow(`to.${WITH_ARGUMENT[name]}`, value, [expected], message); });
  if (!ALONE.test(name)) define(negatedWith(name), (value, expected, message) => { follow(`to.not.${WITH_ARGUMENT[name]}`, value, [expected], message); });
}
define('deepStrictEqual', assert.deepEqual);

// --- words with two arguments

const WITH_TWO = {
  __proto__: null,
  propertyVal: 'have.property', deepPropertyVal: 'have.deep.property', ownPropertyVal: 'have.own.property', deepOwnPropertyVal: 'have.deep.own.property',
  nestedPropertyVal: 'have.nested.property', deepNestedPropertyVal: 'have.deep.nested.property',
};
for (const name of Object.keys(WITH_TWO)) {
  define(name, (value, key, expected, message) => { follow(`to.${WITH_TWO[name]}`, value, [key, expected], message); });
  define(negated(name), (value, key, expected, message) => { follow(`to.not.${WITH_TWO[name]}`, value, [key, expected], message); });
}
define('closeTo', (value, expected, delta, message) => { follow('to.be.closeTo', value, [expected, delta], message); });
define('approximately', assert.closeTo);

// --- equality of `==`, and operators

const OPERATORS = {
  __proto__: null,
  '==': (a, b) => a == b, '===': (a, b) => a === b, '!=': (a, b) => a != b, '!==': (a, b) => a !== b,
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
};

define('operator', (left, operator, right, message) => {
  const holds = OPERATORS[operator];
  if (holds === undefined) throw new TypeError(`assert.operator: unknown operator ${show(operator)}`);
  follow('to.be.true', holds(left, right), undefined, message ?? `Expected: ${show(left)} ${operator} ${show(right)}`);
});
define('equal', (actual, expected, message) => { if (!OPERATORS['=='](actual, expected)) follow('to.equal', actual, [expected], message); });
define('notEqual', (actual, expected, message) => { assert.operator(actual, '!=', expected, message); });

// --- functions

/** A type, or an error, comes before a text or a pattern of the message. */
const expectedThrow = (type, text) => (type === undefined || type === null ? [text] : text === undefined ? [type] : [type, text]).filter((value) => value !== undefined);

/** Returns what was thrown. */
function throws(fn, type, text, message) {
  const isText = typeof type === 'string' || type instanceof RegExp;
  const [expected, shown] = isText ? [[type], text] : [expectedThrow(type, text), message];
  return follow('to.throw', fn, expected, shown);
}
define('throws', throws);
define('doesNotThrow', (fn, type, text, message) => {
  const isText = typeof type === 'string' || type instanceof RegExp;
  const expected = isText ? [type] : expectedThrow(type, text);
  follow('to.not.throw', fn, expected, isText ? text : message);
});

/** `(fn, object, key, ...rest)` and `(fn, getter, ...rest)`. */
function subjectOf(call) {
  const [fn, object, ...others] = call;
  return typeof object === 'function' ? { fn, subject: [object], rest: others } : { fn, subject: [object, others[0]], rest: others.slice(1) };
}

/** `changesBy` and the like: by how much. */
function changeBy(words, negation, call) {
  const { fn, subject, rest: [delta, message] } = subjectOf(call);
  let count = 1;
  try {
    const changed = expect(fn, message).to[words](...subject);
    count++;
    (negation ? changed.but.not : changed).by(delta);
  } finally {
    discountAssertions(count);
  }
}

for (const [verb, base] of [['changes', 'change'], ['increases', 'increase'], ['decreases', 'decrease']]) {
  const notName = `doesNot${base[0].toUpperCase()}${base.slice(1)}`;
  const simple = (words) => (...call) => {
    const { fn, subject, rest: [message] } = subjectOf(call);
    follow(words, fn, subject, message);
  };
  define(verb, simple(`to.${base}`));
  define(notName, simple(`to.not.${base}`));
  define(`${verb}By`, (...call) => { changeBy(base, false, call); });
  define(`${verb}ButNotBy`, (...call) => { changeBy(base, true, call); });
}

// --- errors

/** `fail()`, `fail(message)`, `fail(actual, expected, message)`. */
define('fail', function fail(actual, expected, message) {
  const error = new Error((arguments.length < 2 ? actual : message) ?? 'assert.fail()');
  error.name = 'AssertionError';
  if (arguments.length > 1) Object.assign(error, { actual, expected });
  Error.captureStackTrace(error, fail);
  throw error;
});
define('ifError', (value) => { if (value) throw value; });

for (const [alias, name] of [
  ['ok', 'isOk'], ['notOk', 'isNotOk'], ['throw', 'throws'], ['Throw', 'throws'], ['extensible', 'isExtensible'], ['notExtensible', 'isNotExtensible'],
  ['sealed', 'isSealed'], ['notSealed', 'isNotSealed'], ['frozen', 'isFrozen'], ['notFrozen', 'isNotFrozen'], ['empty', 'isEmpty'], ['notEmpty', 'isNotEmpty'],
]) define(alias, assert[name]);

module.exports = { assert };
