// What `expect(value)` returns: an object with all matchers, `not`, `resolves` and `rejects`. In: a
// received value. Out: matchers that return, throw or, after `resolves` and `rejects`, return a
// promise. Absent: the matchers (matchers/*.js).
'use strict';

const { state, countAssertion } = require('internal/expect/state');

class Expectation {
  /** @param label a message of the program in place of `expect(received)...` */
  constructor(received, label, isSoft) {
    this.received = received;
    this.label = label;
    this.isSoft = isSoft;
    this.isNot = false;
    /** `resolves`, `rejects`; '' if the value itself is examined. */
    this.promise = '';
    /** Of words before one of Chai's assertions (matchers/chai.js). */
    this.flags = undefined;
  }

  get not() { return this.#with({ isNot: !this.isNot }); }

  get resolves() { return this.#with({ promise: 'resolves' }); }

  get rejects() { return this.#with({ promise: 'rejects' }); }

  #with(changes) {
    const other = new Expectation(this.received, this.label, this.isSoft);
    other.isNot = this.isNot;
    other.promise = this.promise;
    other.flags = this.flags;
    return Object.assign(other, changes);
  }
}

// The state is not the program's business.
Object.defineProperty(Expectation.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Expect' });

/** Matchers by file; a file is loaded when one of its matchers is first used. */
const FILES = {
  __proto__: null,
  equality: ['toBe', 'toEqual', 'toStrictEqual', 'toMatchObject', 'toBeOneOf', 'toBeCloseTo'],
  kinds: [
    'toBeTruthy', 'toBeFalsy', 'toBeDefined', 'toBeUndefined', 'toBeNull', 'toBeNil', 'toBeNullable', 'toBeNaN', 'toBeEven', 'toBeOdd', 'toBeArray',
    'toBeBoolean', 'toBeTrue', 'toBeFalse', 'toBeNumber', 'toBeInteger', 'toBeFinite', 'toBePositive', 'toBeNegative', 'toBeSymbol', 'toBeFunction',
    'toBeString', 'toBeDate', 'toBeValidDate', 'toBeObject', 'toBeTypeOf', 'toBeInstanceOf', 'toBeGreaterThan', 'toBeGreaterThanOrEqual',
    'toBeLessThan', 'toBeLessThanOrEqual', 'toBeWithin', 'toSatisfy', 'pass', 'fail',
  ],
  strings: ['toMatch', 'toInclude', 'toStartWith', 'toEndWith', 'toIncludeRepeated', 'toEqualIgnoringWhitespace'],
  collections: [
    'toContain', 'toContainEqual', 'toContainKey', 'toContainKeys', 'toContainAnyKeys', 'toContainAllKeys', 'toContainValue', 'toContainValues',
    'toContainAnyValues', 'toContainAllValues', 'toHaveLength', 'toBeArrayOfSize', 'toBeEmpty', 'toBeEmptyObject', 'toHaveProperty',
  ],
  throws: ['toThrow', 'toThrowError'],
  calls: [
    'toHaveBeenCalled', 'toBeCalled', 'toHaveBeenCalledOnce', 'toBeCalledOnce', 'toHaveBeenCalledTimes', 'toBeCalledTimes', 'toHaveBeenCalledWith',
    'toBeCalledWith', 'toHaveBeenCalledExactlyOnceWith', 'toHaveBeenLastCalledWith', 'lastCalledWith', 'toHaveBeenNthCalledWith', 'nthCalledWith',
    'toHaveBeenCalledBefore', 'toHaveBeenCalledAfter',
  ],
  results: [
    'toHaveReturned', 'toReturn', 'toHaveReturnedTimes', 'toReturnTimes', 'toHaveReturnedWith', 'toReturnWith', 'toHaveLastReturnedWith',
    'lastReturnedWith', 'toHaveNthReturnedWith', 'nthReturnedWith', 'toHaveResolved', 'toHaveResolvedTimes', 'toHaveResolvedWith',
    'toHaveLastResolvedWith', 'toHaveNthResolvedWith',
  ],
  chai: [
    'to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at', 'of', 'same', 'but', 'does', 'still', 'also',
    'deep', 'nested', 'own', 'ordered', 'any', 'all', 'itself', 'a', 'an', 'instanceof', 'instanceOf', 'ok', 'true', 'false', 'null', 'undefined', 'NaN', 'exist', 'exists',
    'finite', 'callable', 'numeric', 'iterable', 'extensible', 'sealed', 'frozen', 'arguments', 'Arguments', 'empty', 'equal', 'equals', 'eq', 'eql', 'eqls', 'oneOf',
    'above', 'gt', 'greaterThan', 'least', 'gte', 'greaterThanOrEqual', 'below', 'lt', 'lessThan', 'most', 'lte', 'lessThanOrEqual', 'within', 'closeTo', 'approximately',
    'length', 'lengthOf', 'include', 'includes', 'contain', 'contains', 'string', 'match', 'matches', 'members', 'keys', 'key', 'property', 'ownProperty', 'haveOwnProperty',
    'ownPropertyDescriptor', 'haveOwnPropertyDescriptor', 'respondTo', 'respondsTo', 'throw', 'throws', 'Throw', 'satisfy', 'satisfies',
    'change', 'changes', 'increase', 'increases', 'decrease', 'decreases', 'by',
  ],
  snapshots: ['toMatchSnapshot', 'toMatchInlineSnapshot', 'toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot', 'toMatchFileSnapshot'],
};

/** Loads the file of a matcher, if it is one. @returns {boolean} whether it is */
function loadMatcher(name) {
  const file = Object.keys(FILES).find((each) => FILES[each].includes(name));
  if (file !== undefined) require(`internal/expect/matchers/${file}`);
  return file !== undefined;
}

// Matchers that are not loaded yet are found behind the prototype.
Object.setPrototypeOf(Expectation.prototype, new Proxy(Object.create(Object.prototype), {
  __proto__: null,
  get: (target, name, receiver) => Reflect.get(loadMatcher(name) ? Expectation.prototype : target, name, receiver),
  has: (target, name) => loadMatcher(name) || name in target,
}));

/** One call of a matcher: what messages need. */
class MatcherCall {
  constructor(expectation, name, caller) {
    this.name = name;
    this.isNot = expectation.isNot;
    this.label = expectation.label;
    this.promise = expectation.promise;
    this.caller = caller;
    /** `resolves` or `rejects` in the signature: only if the promise itself is wrong. */
    this.modifier = undefined;
    /** An error made where the matcher was called, if it goes on after a promise. */
    this.trace = undefined;
  }

  /** Whether the matcher has to fail: `pass` is what it found without `not`. */
  fails(pass) { return Boolean(pass) === this.isNot; }
}

/**
 * Adds a matcher. `check(call, received, args)` throws what `failure` or `misuse` makes.
 * @param {(call: MatcherCall, received: any, args: any[]) => any} check
 * @param {(received: any, expected: any) => any} [holds] of a matcher with one argument at most,
 *   that has no effect: what it finds without `not`. Most calls do not fail, and need no more then.
 */
function defineMatcher(name, check, holds) {
  const { [name]: method } = holds === undefined ? {
    [name](...args) { return runMatcher(this, new MatcherCall(this, name, method), check, args); },
  } : {
    [name](expected) {
      if (this.promise === '' && !this.isSoft && Boolean(holds(this.received, expected)) !== this.isNot) {
        countAssertion();
        return undefined;
      }
      return runMatcher(this, new MatcherCall(this, name, method), check, [expected]);
    },
  };
  Object.defineProperty(Expectation.prototype, name, { __proto__: null, configurable: true, writable: true, enumerable: false, value: method });
}

/** Runs the check of a matcher on a received value, or on what a promise settles to. */
function runMatcher(expectation, call, check, args) {
  countAssertion();
  if (expectation.promise !== '') return settled(expectation, call, check, args);
  if (!expectation.isSoft) return check(call, expectation.received, args);
  return softly(() => check(call, expectation.received, args));
}

/** `expect.soft`: the test goes on, and fails at its end. */
function softly(check) {
  const fail = (error) => {
    if (state.test === undefined) throw error;
    state.test.softFailures.push(error);
  };
  try {
    const result = check();
    return typeof result?.then === 'function' ? result.then(undefined, fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** Runs a matcher on what a promise settles to. */
function settled(expectation, call, check, args) {
  call.trace = new Error();
  Error.captureStackTrace(call.trace, call.caller);
  const run = () => {
    const actual = promiseOf(call, expectation.received);
    const checked = async () => check(call, await settle(call, actual), args);
    // A promise of the program's global object.
    return Promise.resolve(checked());
  };
  return expectation.isSoft ? softly(run) : run();
}

/** The promise that a matcher waits for; without one it throws at once. */
function promiseOf(call, received) {
  const actual = call.promise === 'rejects' && typeof received === 'function' ? received() : received;
  if (typeof actual?.then !== 'function') throw wrongPromise(call, `Expected promise\nReceived: ${require('internal/expect/failure').show(actual)}`);
  return actual;
}

function wrongPromise(call, body) {
  return require('internal/expect/failure').failure({ ...call, modifier: call.promise }, PARAMETERS[call.name] ?? 'expected', body);
}

async function settle(call, actual) {
  const { promise } = call;
  const { show } = require('internal/expect/failure');
  const wrong = (body) => wrongPromise(call, body);
  let value;
  try {
    value = await actual;
  } catch (reason) {
    if (promise === 'rejects') return reason;
    throw wrong(`Expected promise that resolves\nReceived promise that rejected: ${showReason(reason)}`);
  }
  if (promise === 'resolves') return value;
  throw wrong(`Expected promise that rejects\nReceived promise that resolved: ${show(value)}`);
}

/** Parameters in the signature of a matcher whose promise is wrong. */
const PARAMETERS = {
  __proto__: null, toBeDefined: '', toBeFalsy: '', toBeNull: '', toBeTruthy: '', toBeUndefined: '', toBeNaN: '',
};

/** An error without its stack: the frames of the message would be taken for those of the test. */
function showReason(reason) {
  const isError = require('internal/util/types').kind(reason) === 'error';
  return isError ? require('internal/expect/pretty').errorText(reason) : require('internal/expect/failure').show(reason);
}

module.exports = { Expectation, MatcherCall, defineMatcher, loadMatcher, runMatcher };
