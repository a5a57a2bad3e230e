// The steps of `for await` and `yield*`. In: what they go over. Out: the same, in which each step
// comes back to the context in which it was asked for. What is not asynchronous is gone over as the
// language says, which the engine does not do: it never settles a step whose value is rejected
// where the iterator has no `return`.
'use strict';

const context = require('internal/async_context');

const { apply } = Reflect;
const { asyncIterator, iterator: syncIterator } = Symbol;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isNothing = (value) => value === undefined || value === null;

function called(method, self, args) {
  if (typeof method !== 'function') throw new TypeError(`${String(method)} is not a function`);
  return apply(method, self, args);
}

/** An asynchronous iterator, each step of which is held. */
class HeldSteps {
  #iterator;
  #next;

  constructor(iterator) {
    this.#iterator = iterator;
    this.#next = iterator.next;
  }

  next(...args) { return context.hold(called(this.#next, this.#iterator, args)); }

  // Looked for when they are needed, and not there where they are not.

  get return() { return this.#held('return'); }

  get throw() { return this.#held('throw'); }

  #held(name) {
    const method = this.#iterator[name];
    return isNothing(method) ? undefined : (...args) => context.hold(called(method, this.#iterator, args));
  }
}

/** An iterator whose values are waited for. */
class AwaitedSteps {
  #iterator;
  #next;

  constructor(iterator) {
    this.#iterator = iterator;
    this.#next = iterator.next;
  }

  next(...args) { return this.#step(() => this.#wait(called(this.#next, this.#iterator, args), true)); }

  return(...args) {
    return this.#step(() => {
      const method = this.#iterator.return;
      if (isNothing(method)) return { value: args[0], done: true };
      return this.#wait(called(method, this.#iterator, args), false);
    });
  }

  throw(...args) {
    return this.#step(() => {
      const method = this.#iterator.throw;
      if (!isNothing(method)) return this.#wait(called(method, this.#iterator, args), true);
      const close = this.#iterator.return;
      const closed = isNothing(close) ? {} : called(close, this.#iterator, []);
      if (!isObject(closed)) throw new TypeError(`${String(closed)} is not an object`);
      throw new TypeError("The iterator does not provide a 'throw' method.");
    });
  }

  #step(run) {
    let promise;
    try {
      promise = run();
    } catch (error) {
      promise = Promise.reject(error);
    }
    return context.isWanted() ? context.hold(promise) : context.resolved(promise);
  }

  /** The result, when its value is there. `closes`: where it is rejected, no more is asked for. */
  #wait(result, closes) {
    if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`);
    const done = Boolean(result.done);
    const { value } = result;
    const before = context.get();
    const fail = (error) => {
      context.run(before, () => this.#close(), undefined, []);
      throw error;
    };
    const mayClose = closes && !done;
    let promise;
    try {
      promise = context.resolved(context.isActive() ? context.inContext(value) : value);
    } catch (error) {
      if (mayClose) fail(error);
      throw error;
    }
    return apply(context.then, promise, [(settled) => ({ value: settled, done }), mayClose ? fail : undefined]);
  }

  /** What goes wrong here does not matter: something else has. */
  #close() {
    try {
      this.#iterator.return?.();
    } catch { /* As above. */ }
  }
}

module.exports = function each(iterable) {
  // The engine says what is wrong with it.
  if (isNothing(iterable)) return iterable;
  const asynchronous = iterable[asyncIterator];
  if (isNothing(asynchronous)) {
    const synchronous = iterable[syncIterator];
    if (typeof synchronous !== 'function') return iterable;
    return {
      [asyncIterator]() {
        const iterator = apply(synchronous, iterable, []);
        return isObject(iterator) ? new AwaitedSteps(iterator) : iterator;
      },
    };
  }
  if (typeof asynchronous !== 'function') return { [asyncIterator]: asynchronous };
  return {
    [asyncIterator]() {
      const iterator = apply(asynchronous, iterable, []);
      return context.isWanted() && isObject(iterator) ? new HeldSteps(iterator) : iterator;
    },
  };
};
