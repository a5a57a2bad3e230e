// What a test and a hook have in common: a function that is called within limits of time and by a
// signal. In: the function, a timeout, a signal, where it stands. Out: a promise of its end;
// `error`, once it failed. Absent: the order of tests (test.js).
'use strict';

const { validateAbortSignal, validateNumber } = require('internal/validators');
const { isPromise } = require('internal/util/types');
const { failure, kinds } = require('internal/test_runner/failure');
const { kResistStopPropagation } = require('internal/events/symbols');
const { setTimeout, clearTimeout } = internalBinding('queues');

const TIMEOUT_MAX = 2 ** 31 - 1;

/**
 * Which unit a callback belongs to: tests begun within it are its own, and so are errors that
 * nobody caught.
 */
let storage;
function current() {
  const { AsyncLocalStorage } = require('async_hooks');
  return storage ??= new AsyncLocalStorage({ name: 'test' });
}

function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function');
}

class Unit {
  constructor({ fn, timeout, signal, place }) {
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);
    validateAbortSignal(signal, 'options.signal');
    this.fn = fn;
    this.timeout = timeout ?? Infinity;
    this.place = place;
    this.outerSignal = signal;
    this.onAbort = () => this.abortBy(this.outerSignal.reason);
    this.error = null;
    this.passed = false;
    this.cancelled = false;
    this.renew();
  }

  /** A controller that has not been used, and the outer signal heard. */
  renew() {
    this.controller = new AbortController();
    if (this.outerSignal === undefined || this.outerSignal.aborted) return;
    this.outerSignal.addEventListener('abort', this.onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }

  get signal() { return this.controller.signal; }

  abortBy(reason) {
    const { AbortError } = require('internal/errors');
    const error = reason ?? new AbortError('The test was aborted');
    if (typeof error === 'object' && !('failureType' in error)) error.failureType = kinds.aborted;
    this.cancel(error);
  }

  cancel(error) {
    if (this.error !== null) return;
    this.fail(error ?? failure('test did not finish before its parent and was cancelled', kinds.cancelledByParent));
    this.cancelled = true;
    this.controller.abort();
  }

  fail(error) {
    if (this.error !== null) return;
    this.passed = false;
    this.error = error;
  }

  /**
   * What ends it from outside: `promise` fails when the time is over, and comes to an end with the
   * signal.
   */
  limit() {
    let timer;
    let give;
    const { promise, resolve, reject } = Promise.withResolvers();
    const { signal } = this;
    if (signal.aborted) {
      resolve();
    } else {
      give = () => resolve();
      signal.addEventListener('abort', give, { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    if (this.timeout !== Infinity) {
      timer = setTimeout(() => reject(failure(`test timed out after ${this.timeout}ms`, kinds.timeout)), this.timeout);
      timer.unref();
    }
    promise.catch(() => {});
    return {
      promise,
      end() {
        if (timer !== undefined) clearTimeout(timer);
        if (give !== undefined) signal.removeEventListener('abort', give);
      },
    };
  }

  /**
   * Calls the function as `self`, with `self` and, where it takes one more, a callback; waits for
   * it and no longer than `limit`.
   */
  async call(self, limit) {
    if (this.fn.length !== 2) {
      const given = current().run(this, () => Reflect.apply(this.fn, self, [self]));
      if (isThenable(given)) await Promise.race([given, limit]);
      return;
    }
    const { promise, callback } = callbackPromise();
    const given = current().run(this, () => Reflect.apply(this.fn, self, [self, callback]));
    if (isPromise(given)) {
      this.fail(failure('passed a callback but also returned a Promise', kinds.callbackAndPromise));
      await Promise.race([given, limit]);
    } else {
      await Promise.race([promise, limit]);
    }
  }
}

/** A callback that may be called once; who calls it twice is told so once. */
function callbackPromise() {
  let calls = 0;
  const { promise, resolve, reject } = Promise.withResolvers();
  function callback(error) {
    calls++;
    if (calls === 2) throw failure('callback invoked multiple times', kinds.callbackTwice);
    if (calls > 2) return;
    if (error) reject(error);
    else resolve();
  }
  return { promise, callback };
}

module.exports = { TIMEOUT_MAX, Unit, current };
