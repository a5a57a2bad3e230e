// Chai's assertions in BDD style, as vitest has them: `expect(a).to.be.a('string')`,
// `.not.to.include(b)`, `.to.be.true`. In: a received value, and the flags that words before the
// assertion have set. Out: the expectation, for the next word, or an error. Loaded when a program
// first uses one of the words. Absent: `assert` (chai_assert.js), `should`, plugins.
'use strict';

const { Expectation, MatcherCall, runMatcher } = require('internal/expect/expectation');
const { equals, isAsymmetric, isObject, keysOf } = require('internal/expect/equals');
const failures = () => require('internal/expect/failure');
const show = (value) => failures().show(value);

/** Flags of an expectation, which is made for one chain. */
const flagsOf = (expectation) => expectation.flags ??= {};

// --- definitions

function getter(name, get) {
  Object.defineProperty(Expectation.prototype, name, { __proto__: null, configurable: true, enumerable: false, get });
}

/** A promise after `resolves` or `rejects`; else the expectation goes on. */
function assert(expectation, name, caller, check, args) {
  const flags = { ...expectation.flags };
  const result = runMatcher(expectation, new MatcherCall(expectation, name, caller), (call, received) => check({ call, received, flags, expectation }, ...args), []);
  return typeof result?.then === 'function' ? result : expectation;
}

/** `expect(a).to.be.NAME`. */
function defineProperty(names, check) {
  for (const name of names) {
    getter(name, function property() { return assert(this, name, property, check, []); });
  }
}

/** `expect(a).to.NAME(b)`. */
function defineMethod(names, check) {
  for (const name of names) {
    const { [name]: method } = { [name](...args) { return assert(this, name, method, check, args); } };
    Object.defineProperty(Expectation.prototype, name, { __proto__: null, configurable: true, writable: true, enumerable: false, value: method });
  }
}

/** A word that is called, or followed by others: `include(a)`, `include.keys(a)`. */
function defineChainable(names, flag, check) {
  for (const name of names) {
    getter(name, function word() {
      const expectation = this;
      flagsOf(expectation)[flag] = true;
      const method = (...args) => assert(expectation, name, method, check, args);
      return new Proxy(method, { __proto__: null, get: (_, key) => Reflect.get(expectation, key, expectation), set: (_, key, value) => Reflect.set(expectation, key, value, expectation) });
    });
  }
}

/**
 * Throws unless the assertion holds, or with `not` if it does. `text`: what was expected, in words.
 */
function expectThat({ call }, holds, { text, parameters }, details) {
  if (!call.fails(holds)) return;
  const { failure, showReceived } = failures();
  throw failure(call, parameters, `Expected: ${call.isNot ? 'not ' : ''}${text}\nReceived: ${showReceived(details.received)}`, details);
}

/** An assertion about the received value itself; one without argument has no `expected`. */
function expectOf(context, holds, text, ...expected) {
  expectThat(context, holds, { text, parameters: expected.length > 0 ? 'expected' : '' }, { received: context.received, expected: expected[0] });
}

function refuse({ call }, message) { throw failures().misuse(call, `${call.name}: ${message}`); }

// --- words without meaning, and flags

for (const name of ['to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of', 'same', 'but', 'does', 'still', 'also']) {
  getter(name, function word() { return this; });
}

for (const flag of ['deep', 'nested', 'own', 'ordered']) {
  getter(flag, function word() {
    flagsOf(this)[flag] = true;
    return this;
  });
}

getter('any', function any() {
  Object.assign(flagsOf(this), { any: true, all: false });
  return this;
});

getter('all', function all() {
  Object.assign(flagsOf(this), { all: true, any: false });
  return this;
});

getter('itself', function itself() {
  flagsOf(this).itself = true;
  return this;
});

// --- kinds

/** As the package type-detect: `array`, `null`, `regexp`, `promise`. */
function kindOf(value) {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

const isKind = (context, type) => {
  if (typeof type !== 'string') refuse(context, `the type must be a string: ${show(type)}`);
  const wanted = type.toLowerCase();
  const holds = wanted === 'function' ? typeof context.received === 'function' : kindOf(context.received) === wanted;
  expectOf(context, holds, `${/^[aeiou]/.test(wanted) ? 'an' : 'a'} ${wanted}`, type);
};
defineChainable(['a', 'an'], 'kind', isKind);

const isInstance = (context, constructor) => {
  const isPossible = isObject(constructor) || typeof constructor === 'function';
  if (!isPossible || (typeof constructor !== 'function' && typeof constructor[Symbol.hasInstance] !== 'function')) refuse(context, `the constructor must be a function: ${show(constructor)}`);
  expectOf(context, context.received instanceof constructor, `an instance of ${constructor.name || 'an unnamed constructor'}`, constructor);
};
defineMethod(['instanceof', 'instanceOf'], isInstance);

const isArguments = (context) => expectOf(context, kindOf(context.received) === 'arguments', 'arguments');
const PREDICATES = {
  __proto__: null,
  ok: [(value) => Boolean(value), 'a truthy value'],
  true: [(value) => value === true, 'true'],
  false: [(value) => value === false, 'false'],
  null: [(value) => value === null, 'null'],
  undefined: [(value) => value === undefined, 'undefined'],
  NaN: [(value) => Number.isNaN(value), 'NaN'],
  exist: [(value) => value !== null && value !== undefined, 'neither null nor undefined'],
  exists: [(value) => value !== null && value !== undefined, 'neither null nor undefined'],
  finite: [(value) => Number.isFinite(value), 'a finite number'],
  callable: [(value) => typeof value === 'function', 'a function'],
  numeric: [(value) => typeof value === 'number' || typeof value === 'bigint', 'a number or a bigint'],
  iterable: [(value) => value !== null && value !== undefined && typeof value[Symbol.iterator] === 'function', 'iterable'],
  extensible: [(value) => Object.isExtensible(value), 'extensible'],
  sealed: [(value) => Object.isSealed(value), 'sealed'],
  frozen: [(value) => Object.isFrozen(value), 'frozen'],
};
for (const name of Object.keys(PREDICATES)) {
  const [predicate, text] = PREDICATES[name];
  defineProperty([name], (context) => expectOf(context, predicate(context.received), text));
}
defineProperty(['arguments', 'Arguments'], isArguments);

defineProperty(['empty'], (context) => {
  const { received } = context;
  const kind = kindOf(received);
  if (kind === 'weakmap' || kind === 'weakset') refuse(context, 'the size of a weak collection is not known');
  if (typeof received !== 'string' && !isObject(received)) refuse(context, `the value must be a string, a collection or an object: ${show(received)}`);
  const count = kind === 'map' || kind === 'set' ? received.size : typeof received === 'string' || Array.isArray(received) ? received.length : Object.keys(received).length;
  expectOf(context, count === 0, 'empty');
});

// --- equality

/** Chai tells an undefined property from an absent one; classes are ignored. */
const isEqual = (a, b) => equals(a, b) && hasSameKeys(a, b, new Set());

function hasSameKeys(a, b, seen) {
  if (!isObject(a) || !isObject(b) || isAsymmetric(b) || seen.has(a)) return true;
  seen.add(a);
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => hasSameKeys(a[key], b[key], seen));
}

const isSame = (flags) => (flags.deep ? isEqual : (a, b) => a === b || Object.is(a, b));

function compare(context, expected, isDeep) {
  const holds = isDeep ? isEqual(context.received, expected) : context.received === expected;
  if (!context.call.fails(holds)) return;
  const { comparison, failure, showExpected } = failures();
  const body = context.call.isNot ? `Expected: not ${showExpected(expected)}` : comparison(expected, context.received);
  throw failure(context.call, 'expected', body, { expected, received: context.received });
}

defineMethod(['equal', 'equals', 'eq'], (context, expected) => compare(context, expected, context.flags.deep));
defineMethod(['eql', 'eqls'], (context, expected) => compare(context, expected, true));
defineMethod(['oneOf'], (context, list) => {
  if (!Array.isArray(list)) refuse(context, `the argument must be an array: ${show(list)}`);
  const { received, flags } = context;
  const has = (value) => list.some((each) => isSame(flags)(value, each));
  const holds = !flags.contain ? has(received) : typeof received === 'string' ? list.some((each) => received.includes(each)) : Array.from(received).some(has);
  expectOf(context, holds, `one of ${show(list)}`, list);
});

// --- numbers and sizes

const isMeasure = (value) => typeof value === 'number' || typeof value === 'bigint' || kindOf(value) === 'date';

/** The received number, or after `length` that of its elements. */
function measure(context, ...limits) {
  const { received, flags } = context;
  const kind = kindOf(received);
  const value = !flags.length ? received : kind === 'map' || kind === 'set' ? received.size : received?.length;
  for (const each of [value, ...limits]) if (!isMeasure(each)) refuse(context, `the values must be numbers or dates: ${show(each)}`);
  return value;
}

function defineOrder(names, sign, holds) {
  defineMethod(names, (context, limit) => {
    const value = measure(context, limit);
    expectThat(context, holds(value, limit), { text: `${sign} ${show(limit)}`, parameters: 'expected' }, { received: value, expected: limit });
  });
}

defineOrder(['above', 'gt', 'greaterThan'], '>', (value, limit) => value > limit);
defineOrder(['least', 'gte', 'greaterThanOrEqual'], '>=', (value, limit) => value >= limit);
defineOrder(['below', 'lt', 'lessThan'], '<', (value, limit) => value < limit);
defineOrder(['most', 'lte', 'lessThanOrEqual'], '<=', (value, limit) => value <= limit);
defineMethod(['within'], (context, start, end) => {
  const value = measure(context, start, end);
  expectThat(context, value >= start && value <= end, { text: `from ${show(start)} to ${show(end)}`, parameters: 'start, end' }, { received: value });
});
defineMethod(['closeTo', 'approximately'], (context, expected, delta) => {
  const value = context.received;
  for (const each of [value, expected, delta]) if (typeof each !== 'number' && typeof each !== 'bigint') refuse(context, `the values must be numbers: ${show(each)}`);
  const distance = value > expected ? value - expected : expected - value;
  expectOf(context, distance <= delta, `${show(expected)} +/- ${show(delta)}`, expected);
});

const hasLength = (context, expected) => {
  const kind = kindOf(context.received);
  const isSized = kind === 'map' || kind === 'set';
  if (!isSized && (context.received === null || context.received === undefined || !('length' in Object(context.received)))) refuse(context, `the value has no length: ${show(context.received)}`);
  const length = isSized ? context.received.size : context.received.length;
  expectOf(context, length === expected, `a length of ${show(expected)}, not ${show(length)}`, expected);
};
defineChainable(['length', 'lengthOf'], 'length', hasLength);

// --- contents

function hasElement({ received, flags, call }, expected) {
  if (typeof received === 'string') return received.includes(expected);
  const kind = kindOf(received);
  if (kind === 'weakset') return received.has(expected);
  if (kind === 'map' || kind === 'set' || Array.isArray(received) || ArrayBuffer.isView(received)) {
    return Array.from(kind === 'map' ? received.values() : received).some((each) => isSame(flags)(each, expected));
  }
  if (!isObject(expected) && typeof expected !== 'function') {
    throw failures().misuse(call, `${call.name}: the value must be a string, a collection or an object: ${show(received)}`);
  }
  const keys = Object.keys(expected);
  // As in Chai nothing includes nothing, also with `not`.
  if (keys.length === 0) return !call.isNot;
  return keys.every((key) => {
    const found = find(received, key, flags);
    return found !== undefined && isSame(flags)(found.value, expected[key]);
  });
}

defineChainable(['include', 'includes', 'contain', 'contains'], 'contain', (context, expected) => {
  expectOf(context, hasElement(context, expected), `to include ${show(expected)}`, expected);
});
defineMethod(['string'], (context, part) => {
  if (typeof context.received !== 'string') refuse(context, `the value must be a string: ${show(context.received)}`);
  expectOf(context, context.received.includes(part), `to contain ${show(part)}`, part);
});
defineMethod(['match', 'matches'], (context, pattern) => expectOf(context, pattern.exec(context.received) !== null, `to match ${pattern}`, pattern));

/** Whether each of `wanted` is in `list`, each element counted once. */
function hasMembers(list, wanted, { deep, ordered, contain }) {
  if (!contain && list.length !== wanted.length) return false;
  const same = isSame({ deep });
  if (ordered) return wanted.every((each, index) => index < list.length && same(list[index], each));
  if (contain) return wanted.every((each) => list.some((other) => same(other, each)));
  const rest = [...list];
  return wanted.every((each) => {
    const index = rest.findIndex((other) => same(other, each));
    if (index === -1) return false;
    rest.splice(index, 1);
    return true;
  });
}

defineMethod(['members'], (context, wanted) => {
  for (const list of [context.received, wanted]) if (list === null || list === undefined || typeof list[Symbol.iterator] !== 'function') refuse(context, `both values must be iterable: ${show(list)}`);
  const holds = hasMembers(Array.from(context.received), Array.from(wanted), context.flags);
  expectOf(context, holds, `the members ${show(wanted)}`, wanted);
});

defineMethod(['keys', 'key'], (context, ...args) => {
  const { received, flags } = context;
  const kind = kindOf(received);
  const isCollection = kind === 'map' || kind === 'set';
  const wanted = args.length === 1 && Array.isArray(args[0]) ? args[0] : args.length === 1 && isObject(args[0]) && !isCollection ? Object.keys(args[0]) : args;
  if (wanted.length === 0) refuse(context, 'keys are required');
  const keys = isCollection ? Array.from(received.keys()) : [...Object.keys(received), ...Object.getOwnPropertySymbols(received).filter((key) => Object.prototype.propertyIsEnumerable.call(received, key))];
  const expected = isCollection ? wanted : wanted.map((key) => (typeof key === 'symbol' ? key : String(key)));
  const has = (key) => keys.some((other) => isSame(flags)(other, key));
  const holds = flags.any ? expected.some(has) : expected.every(has) && (flags.contain || keys.length === expected.length);
  expectOf(context, holds, `${flags.any ? 'any of ' : ''}the keys ${show(expected)}`, expected);
});

// --- properties

/** `a.b[0]` as keys; a backslash makes a dot or a bracket part of a name. */
function parsePath(path) {
  const parts = String(path).replace(/([^\\])\[/g, '$1.[').match(/(\\\.|[^.]+?)+/g) ?? [];
  return parts.map((part) => {
    const index = /^\[(\d+)\]$/.exec(part);
    return index !== null ? Number(index[1]) : part.replace(/\\([.[\]])/g, '$1');
  });
}

/** `{ value }` of a property, or undefined. */
function find(object, key, flags) {
  const keys = flags.nested ? parsePath(key) : [key];
  let value = object;
  for (const each of keys) {
    if (value === null || value === undefined) return undefined;
    if (!(flags.own ? Object.hasOwn(value, each) : each in Object(value))) return undefined;
    value = value[each];
  }
  return { value };
}

function checkProperty(context, flags, name, hasValue, expected) {
  const { received, expectation, call } = context;
  if (received === null || received === undefined) refuse(context, `the value must be an object: ${show(received)}`);
  if (typeof name !== 'string' && typeof name !== 'number' && typeof name !== 'symbol') refuse(context, `the name must be a string, a number or a symbol: ${show(name)}`);
  const found = find(received, name, flags);
  const holds = found !== undefined && (!hasValue || isSame(flags)(found.value, expected));
  expectOf(context, holds, `to have the property ${show(name)}${hasValue ? ` of the value ${show(expected)}` : ''}`, expected);
  // What follows is about the property.
  if (!call.isNot && found !== undefined && call.promise === '') expectation.received = found.value;
}

defineMethod(['property'], (context, name, ...rest) => checkProperty(context, context.flags, name, rest.length > 0, rest[0]));
defineMethod(['ownProperty', 'haveOwnProperty'], (context, name, ...rest) => checkProperty(context, { ...context.flags, own: true }, name, rest.length > 0, rest[0]));
defineMethod(['ownPropertyDescriptor', 'haveOwnPropertyDescriptor'], (context, name, ...rest) => {
  const { received, expectation, call } = context;
  const found = Object.getOwnPropertyDescriptor(Object(received), name);
  expectOf(context, found !== undefined && (rest.length === 0 || isEqual(found, rest[0])), `to have a descriptor of ${show(name)}`, rest[0]);
  if (!call.isNot && call.promise === '') expectation.received = found;
});
defineMethod(['respondTo', 'respondsTo'], (context, name) => {
  const { received, flags } = context;
  const object = typeof received === 'function' && !flags.itself ? received.prototype : received;
  expectOf(context, typeof object?.[name] === 'function', `to have the method ${show(name)}`, name);
});

// --- functions

/** `Throw`: as `toThrow`; `throw(Type, message)` checks both. What follows is about the error. */
const throws = (context, ...args) => {
  const { thrownBy, messageOf } = require('internal/expect/matchers/throws');
  const thrown = thrownBy(context.call, context.received);
  const [type, message] = typeof args[0] === 'function' ? args : [undefined, ...args];
  const isOf = type === undefined || thrown.value instanceof type;
  const matches = (text) => (text instanceof RegExp ? new RegExp(text).test(messageOf(thrown.value)) : typeof text === 'string' ? messageOf(thrown.value).includes(text) : thrown.value === text);
  const holds = 'value' in thrown && isOf && (message === undefined || matches(message));
  const wanted = [type?.name, message === undefined ? undefined : message instanceof RegExp ? `${message}` : show(message)].filter((part) => part !== undefined);
  expectThat(context, holds, { text: `to throw ${wanted.length === 0 ? 'an error' : wanted.join(' ')}`, parameters: args.length > 0 ? 'expected' : '' }, { received: 'value' in thrown ? thrown.value : thrown.returned });
  if (!context.call.isNot && context.call.promise === '') context.expectation.received = thrown.value;
};
defineMethod(['throw', 'throws', 'Throw'], throws);

defineMethod(['satisfy', 'satisfies'], (context, predicate) => expectOf(context, Boolean(predicate(context.received)), `to satisfy ${show(predicate)}`));

function defineChange(names, text, holds) {
  defineMethod(names, (context, subject, name) => {
    if (typeof context.received !== 'function') refuse(context, `the value must be a function: ${show(context.received)}`);
    const read = name === undefined ? subject : () => subject[name];
    const before = read();
    context.received();
    const after = read();
    expectThat(context, holds(before, after), { text: `to ${text} ${name === undefined ? 'the value' : show(name)}`, parameters: 'subject' }, { received: `${show(before)} before, ${show(after)} after` });
    flagsOf(context.expectation).change = { value: Math.abs(after - before) };
  });
}

defineChange(['change', 'changes'], 'change', (before, after) => !Object.is(before, after));
defineChange(['increase', 'increases'], 'increase', (before, after) => after > before);
defineChange(['decrease', 'decreases'], 'decrease', (before, after) => after < before);
defineMethod(['by'], (context, delta) => {
  const { change } = context.flags;
  if (change === undefined) refuse(context, 'it follows `change`, `increase` or `decrease`');
  expectThat(context, change.value === Math.abs(delta), { text: `by ${show(delta)}`, parameters: 'delta' }, { received: change.value });
});
