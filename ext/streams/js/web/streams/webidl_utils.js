// What all streams of the web platform need. In: values of programs. Out: promises made with the
// language's own functions, whatever a program put in their place; queues with sizes; strategies
// and dictionaries read as WebIDL wants; errors with Node's codes.
'use strict';

const { bind } = require('internal/async_context');

const { apply } = Reflect;
const { then: ownThen } = Promise.prototype;
const ownResolve = Promise.resolve.bind(Promise);
const ownReject = Promise.reject.bind(Promise);

// --- promises

const nothing = () => {};
const resolved = Promise.resolve();
const then = (promise, onFulfilled, onRejected) => apply(ownThen, promise, [onFulfilled, onRejected]);
const resolvedWith = (value) => (value === undefined ? Promise.resolve() : ownResolve(value));
/**
 * A new promise, as the standard makes them of what a `start` gives: another's is followed later.
 */
const newlyResolved = (value) => new Promise((resolve) => resolve(value));
const rejectedWith = (reason) => ownReject(reason);

/** Says that a rejection of it is nobody's. */
function handled(promise) {
  then(promise, undefined, nothing);
  return promise;
}

function deferred() {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = { promise: undefined, resolve, reject };
  });
  settle.promise = promise;
  return settle;
}

/**
 * A promise of an attribute: made when somebody asks for it, which most programs do not. Its
 * rejection is nobody's.
 */
class Later {
  #promise;
  #resolve;
  #reject;
  state = 'pending';
  value;

  get promise() {
    if (this.#promise === undefined) {
      if (this.state === 'pending') {
        this.#promise = new Promise((resolve, reject) => {
          this.#resolve = resolve;
          this.#reject = reject;
        });
      } else {
        this.#promise = this.state === 'fulfilled' ? Promise.resolve() : handled(rejectedWith(this.value));
      }
    }
    return this.#promise;
  }

  resolve() {
    if (this.state === 'pending') {
      this.state = 'fulfilled';
      this.#resolve?.();
    }
  }

  reject(reason) {
    if (this.state === 'pending') {
      this.state = 'rejected';
      this.value = reason;
      if (this.#promise !== undefined) {
        handled(this.#promise);
        this.#reject(reason);
      }
    }
  }
}

/** The promise of a stream's end, for Node's `finished`: made when that asks. */
function endOf(slots) {
  if (slots.ended === undefined) {
    slots.ended = new Later();
    if (slots.state === 'closed') {
      slots.ended.resolve();
    } else if (slots.state === 'errored') {
      slots.ended.reject(slots.storedError);
    }
  }
  return slots.ended;
}

// --- queues

/** Items that are gone are cut off when there are so many. */
const QUEUE_CUT = 1024;

/** Where the queue begins now. */
function cutFront(items, first) {
  if (first === items.length) {
    items.length = 0;
    return 0;
  }
  if (first >= QUEUE_CUT) {
    items.splice(0, first);
    return 0;
  }
  return first;
}

/** First in, first out; taken from the front without moving the rest. */
class Fifo {
  #items = [];
  #first = 0;

  get length() {
    return this.#items.length - this.#first;
  }

  push(item) {
    this.#items.push(item);
  }

  peek() {
    return this.#items[this.#first];
  }

  last() {
    return this.#items[this.#items.length - 1];
  }

  shift() {
    const items = this.#items;
    const item = items[this.#first];
    items[this.#first] = undefined;
    this.#first = cutFront(items, this.#first + 1);
    return item;
  }

  replaceLast(item) {
    this.#items[this.#items.length - 1] = item;
  }

  /** All that is left, and none afterwards. */
  drain() {
    const rest = this.#items.slice(this.#first);
    this.#items = [];
    this.#first = 0;
    return rest;
  }
}

/** Chunks with sizes, and their sum; a chunk and its size stand side by side in one array. */
class SizedQueue {
  #items = [];
  #first = 0;
  total = 0;

  get length() {
    return (this.#items.length - this.#first) / 2;
  }

  push(value, size) {
    if (typeof size !== 'number' || !(size >= 0) || size === Infinity) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'size' is invalid. Received ${String(size)}`);
    }
    this.#items.push(value, size);
    this.total += size;
  }

  peek() {
    return this.#items[this.#first];
  }

  shift() {
    const items = this.#items;
    const first = this.#first;
    const value = items[first];
    this.total -= items[first + 1];
    if (this.total < 0) {
      this.total = 0;
    }
    items[first] = undefined;
    this.#first = cutFront(items, first + 2);
    return value;
  }

  clear() {
    this.#items = [];
    this.#first = 0;
    this.total = 0;
  }
}

// --- errors

function withCode(error, code) {
  error.code = code;
  return error;
}

const typeError = (code, message) => withCode(new TypeError(message), code);
const rangeError = (code, message) => withCode(new RangeError(message), code);
const invalidState = (what) => typeError('ERR_INVALID_STATE', `Invalid state: ${what}`);
const invalidThis = (name) => typeError('ERR_INVALID_THIS', `Value of "this" must be of type ${name}`);
/** What classes with private members throw in Node, as it looks there. */
const noPrivateMember = () => new TypeError('Cannot read private member from an object whose class did not declare it');
const illegalConstructor = () => typeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');

function wrongType(name, expected, value) {
  const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
  return new ERR_INVALID_ARG_TYPE(name, expected, value);
}

// --- dictionaries

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** undefined where it is left out. */
function dictionary(value, name) {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (!isObject(value)) {
    throw wrongType(name, 'Object', value);
  }
  return value;
}

function callbackOf(object, name) {
  const fn = object[name];
  if (fn === undefined) {
    return undefined;
  }
  if (typeof fn !== 'function') {
    throw wrongType(name, 'Function', fn);
  }
  return bind(fn);
}

const one = () => 1;

/** { highWaterMark, size }, both undefined where left out. */
function strategyOf(given) {
  const strategy = dictionary(given, 'strategy');
  if (strategy === undefined) {
    return { highWaterMark: undefined, size: undefined };
  }
  const { highWaterMark: mark } = strategy;
  const highWaterMark = mark === undefined ? undefined : +mark;
  const size = callbackOf(strategy, 'size');
  return { highWaterMark, size };
}

function markOf({ highWaterMark }, otherwise) {
  if (highWaterMark === undefined) {
    return otherwise;
  }
  if (!(highWaterMark >= 0)) {
    throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'strategy.highWaterMark' is invalid. Received ${highWaterMark}`);
  }
  return highWaterMark;
}

const sizeOf = ({ size }) => size ?? one;

/**
 * Members as WebIDL has them: enumerable, with the name for `Object.prototype.toString`; `inspect`
 * for Node's `util.inspect`.
 */
function finishClass(Class, show) {
  const { prototype } = Class;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== 'constructor') {
      Object.defineProperty(prototype, name, { enumerable: true });
    }
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  if (show) {
    Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(depth, options, inspect) {
        if (!(this instanceof Class)) {
          throw invalidThis(Class.name);
        }
        return depth < 0 ? this : `${Class.name} ${(inspect ?? require('internal/util/inspect').inspect)(show(this), {
          ...options, depth: options.depth === null ? null : options.depth - 1,
        })}`;
      },
      configurable: true,
      writable: true,
    });
  }
}

module.exports = {
  apply, nothing, resolved, then, resolvedWith, newlyResolved, rejectedWith, handled, deferred, Later, endOf, Fifo, SizedQueue,
  typeError, rangeError, invalidState, invalidThis, noPrivateMember, illegalConstructor, wrongType,
  isObject, dictionary, callbackOf, strategyOf, markOf, sizeOf, finishClass,
};
