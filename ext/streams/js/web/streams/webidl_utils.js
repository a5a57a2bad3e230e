// Utilities of the web streams: promises, queues, WebIDL conversions, errors. In: values of
// programs. Out: promises made with the built-in functions, even if a program replaced them; queues
// with sizes; converted strategies and dictionaries; errors with Node's codes.
'use strict';

const { bind } = require('internal/async_context');

const { apply } = Reflect;
const { then: PromisePrototypeThen } = Promise.prototype;
const PromiseResolve = Promise.resolve.bind(Promise);
const PromiseReject = Promise.reject.bind(Promise);

// --- promises

const nop = () => {};
const resolvedPromise = Promise.resolve();
/** Reactions run in the context of their registration, as those of programs do. */
const promiseThen = (promise, onFulfilled, onRejected) => apply(PromisePrototypeThen, promise, [bind(onFulfilled), bind(onRejected)]);
const promiseResolvedWith = (value) => (value === undefined ? Promise.resolve() : PromiseResolve(value));
/**
 * A new promise, which the standard makes of the result of `start`: it follows another promise one
 * microtask later than that promise itself.
 */
const newPromiseResolvedWith = (value) => new Promise((resolve) => resolve(value));
const promiseRejectedWith = (reason) => PromiseReject(reason);

/** Sets the promise's [[PromiseIsHandled]]: its rejection is not reported. */
function setPromiseIsHandled(promise) {
  promiseThen(promise, undefined, nop);
  return promise;
}

function createDeferredPromise() {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = { promise: undefined, resolve, reject };
  });
  settle.promise = promise;
  return settle;
}

/**
 * A promise of an attribute, made when the attribute is read, which most programs do not. Its
 * rejection is not reported.
 */
class LazyPromise {
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
        this.#promise = this.state === 'fulfilled' ? Promise.resolve() : setPromiseIsHandled(promiseRejectedWith(this.value));
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
        setPromiseIsHandled(this.#promise);
        this.#reject(reason);
      }
    }
  }
}

/** The promise of a stream's end, for Node's `finished`, made at its first use. */
function closedPromiseOf(slots) {
  if (slots.isClosedPromise === undefined) {
    slots.isClosedPromise = new LazyPromise();
    if (slots.state === 'closed') {
      slots.isClosedPromise.resolve();
    } else if (slots.state === 'errored') {
      slots.isClosedPromise.reject(slots.storedError);
    }
  }
  return slots.isClosedPromise;
}

// --- queues

/** The consumed front of a queue is removed when it has so many items. */
const QUEUE_COMPACT_MIN = 1024;

/** Returns the new index of the first item. */
function compactQueue(items, first) {
  if (first === items.length) {
    items.length = 0;
    return 0;
  }
  if (first >= QUEUE_COMPACT_MIN) {
    items.splice(0, first);
    return 0;
  }
  return first;
}

/** First-in first-out queue. `shift` does not move the other items. */
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
    this.#first = compactQueue(items, this.#first + 1);
    return item;
  }

  replaceLast(item) {
    this.#items[this.#items.length - 1] = item;
  }

  /** Returns all remaining items and empties the queue. */
  drain() {
    const remaining = this.#items.slice(this.#first);
    this.#items = [];
    this.#first = 0;
    return remaining;
  }
}

/** The standard's queue-with-sizes. A chunk and its size are adjacent in one array. */
class QueueWithSizes {
  #items = [];
  #first = 0;
  totalSize = 0;

  get length() {
    return (this.#items.length - this.#first) / 2;
  }

  push(value, size) {
    if (typeof size !== 'number' || !(size >= 0) || size === Infinity) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'size' is invalid. Received ${String(size)}`);
    }
    this.#items.push(value, size);
    this.totalSize += size;
  }

  peek() {
    return this.#items[this.#first];
  }

  shift() {
    const items = this.#items;
    const first = this.#first;
    const value = items[first];
    this.totalSize -= items[first + 1];
    if (this.totalSize < 0) {
      this.totalSize = 0;
    }
    items[first] = undefined;
    this.#first = compactQueue(items, first + 2);
    return value;
  }

  clear() {
    this.#items = [];
    this.#first = 0;
    this.totalSize = 0;
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
/** The error that Node's classes with private members throw. */
const noPrivateMember = () => new TypeError('Cannot read private member from an object whose class did not declare it');
const illegalConstructor = () => typeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');

function wrongType(name, expected, value) {
  const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
  return new ERR_INVALID_ARG_TYPE(name, expected, value);
}

// --- dictionaries

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Returns undefined for a missing dictionary. */
function convertDictionary(value, name) {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (!isObject(value)) {
    throw wrongType(name, 'Object', value);
  }
  return value;
}

function convertCallback(object, name) {
  const fn = object[name];
  if (fn === undefined) {
    return undefined;
  }
  if (typeof fn !== 'function') {
    throw wrongType(name, 'Function', fn);
  }
  return fn;
}

const sizeOne = () => 1;

/** Returns { highWaterMark, size }, undefined where missing. */
function convertQueuingStrategy(value) {
  const strategy = convertDictionary(value, 'strategy');
  if (strategy === undefined) {
    return { highWaterMark: undefined, size: undefined };
  }
  const { highWaterMark: highWaterMarkInit } = strategy;
  const highWaterMark = highWaterMarkInit === undefined ? undefined : +highWaterMarkInit;
  const size = convertCallback(strategy, 'size');
  return { highWaterMark, size };
}

function extractHighWaterMark({ highWaterMark }, defaultHighWaterMark) {
  if (highWaterMark === undefined) {
    return defaultHighWaterMark;
  }
  if (!(highWaterMark >= 0)) {
    throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'strategy.highWaterMark' is invalid. Received ${highWaterMark}`);
  }
  return highWaterMark;
}

const extractSizeAlgorithm = ({ size }) => size ?? sizeOne;

/**
 * Gives members WebIDL's attributes: enumerable, with Symbol.toStringTag. `getInspectedMembers`:
 * what Node's `util.inspect` shows.
 */
function finishClass(Class, getInspectedMembers) {
  const { prototype } = Class;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== 'constructor') {
      Object.defineProperty(prototype, name, { enumerable: true });
    }
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  if (getInspectedMembers) {
    Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(depth, options, inspect) {
        if (!(this instanceof Class)) {
          throw invalidThis(Class.name);
        }
        return depth < 0 ? this : `${Class.name} ${(inspect ?? require('internal/util/inspect').inspect)(getInspectedMembers(this), {
          ...options, depth: options.depth === null ? null : options.depth - 1,
        })}`;
      },
      configurable: true,
      writable: true,
    });
  }
}

module.exports = {
  apply, nop, resolvedPromise, promiseThen, promiseResolvedWith, newPromiseResolvedWith,
  promiseRejectedWith, setPromiseIsHandled, createDeferredPromise, LazyPromise, closedPromiseOf,
  Fifo, QueueWithSizes, typeError, rangeError, invalidState, invalidThis, noPrivateMember,
  illegalConstructor, wrongType, isObject, convertDictionary, convertCallback,
  convertQueuingStrategy, extractHighWaterMark, extractSizeAlgorithm, finishClass,
};
