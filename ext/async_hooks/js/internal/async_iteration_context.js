// Async context of `for await` and `yield*`. In: the iterated value. Out: the same, such that each
// step resumes in the context in which it was requested. A synchronous iterable is iterated as
// ECMAScript specifies (%AsyncFromSyncIterator%), which the engine does not do: it never settles a
// step whose value is rejected when the iterator has no `return`.
'use strict';

const asyncContext = require('internal/async_context');

const { apply } = Reflect;
const { asyncIterator, iterator: syncIterator } = Symbol;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isNullish = (value) => value === undefined || value === null;

function callMethod(method, self, args) {
  if (typeof method !== 'function') throw new TypeError(`${String(method)} is not a function`);
  return apply(method, self, args);
}

/** An async iterator whose steps restore the context. */
class ContextAsyncIterator {
  #iterator;
  #next;

  constructor(iterator) {
    this.#iterator = iterator;
    this.#next = iterator.next;
  }

  next(...args) { return asyncContext.resolveWithContext(callMethod(this.#next, this.#iterator, args)); }

  // Looked up at each use; absent if the iterator has no such method.

  get return() { return this.#getMethod('return'); }

  get throw() { return this.#getMethod('throw'); }

  #getMethod(name) {
    const method = this.#iterator[name];
    return isNullish(method) ? undefined : (...args) => asyncContext.resolveWithContext(callMethod(method, this.#iterator, args));
  }
}

/** The %AsyncFromSyncIterator% of ECMAScript 27.1.6. */
class AsyncFromSyncIterator {
  #iterator;
  #next;

  constructor(iterator) {
    this.#iterator = iterator;
    this.#next = iterator.next;
  }

  next(...args) { return this.#settleWithContext(() => this.#continuation(callMethod(this.#next, this.#iterator, args), true)); }

  return(...args) {
    return this.#settleWithContext(() => {
      const method = this.#iterator.return;
      if (isNullish(method)) return { value: args[0], done: true };
      return this.#continuation(callMethod(method, this.#iterator, args), false);
    });
  }

  throw(...args) {
    return this.#settleWithContext(() => {
      const method = this.#iterator.throw;
      if (!isNullish(method)) return this.#continuation(callMethod(method, this.#iterator, args), true);
      const closeIterator = this.#iterator.return;
      const closed = isNullish(closeIterator) ? {} : callMethod(closeIterator, this.#iterator, []);
      if (!isObject(closed)) throw new TypeError(`${String(closed)} is not an object`);
      throw new TypeError("The iterator does not provide a 'throw' method.");
    });
  }

  #settleWithContext(run) {
    let promise;
    try {
      promise = run();
    } catch (error) {
      promise = Promise.reject(error);
    }
    return asyncContext.isTracking() ? asyncContext.resolveWithContext(promise) : asyncContext.promiseResolve(promise);
  }

  /**
   * AsyncFromSyncIteratorContinuation. `closeOnRejection`: a rejected value closes the iterator.
   */
  #continuation(result, closeOnRejection) {
    if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`);
    const done = Boolean(result.done);
    const { value } = result;
    const previous = asyncContext.get();
    const closeAndThrow = (error) => {
      asyncContext.run(previous, () => this.#closeIterator(), undefined, []);
      throw error;
    };
    const shouldClose = closeOnRejection && !done;
    let promise;
    try {
      promise = asyncContext.promiseResolve(asyncContext.isActive() ? asyncContext.bindThenable(value) : value);
    } catch (error) {
      if (shouldClose) closeAndThrow(error);
      throw error;
    }
    return apply(asyncContext.promiseThen, promise, [(settled) => ({ value: settled, done }), shouldClose ? closeAndThrow : undefined]);
  }

  /** Errors are ignored: the first error is reported. */
  #closeIterator() {
    try {
      this.#iterator.return?.();
    } catch { /* See above. */ }
  }
}

module.exports = function getAsyncIterable(iterable) {
  if (isNullish(iterable)) throw new TypeError(`Cannot read properties of ${iterable} (reading 'Symbol(Symbol.asyncIterator)')`);
  const asyncMethod = iterable[asyncIterator];
  if (isNullish(asyncMethod)) {
    const syncMethod = iterable[syncIterator];
    if (typeof syncMethod !== 'function') return iterable;
    return {
      [asyncIterator]() {
        const iterator = apply(syncMethod, iterable, []);
        return isObject(iterator) ? new AsyncFromSyncIterator(iterator) : iterator;
      },
    };
  }
  if (typeof asyncMethod !== 'function') return { [asyncIterator]: asyncMethod };
  return {
    [asyncIterator]() {
      const iterator = apply(asyncMethod, iterable, []);
      return asyncContext.isTracking() && isObject(iterator) ? new ContextAsyncIterator(iterator) : iterator;
    },
  };
};
