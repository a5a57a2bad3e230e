// Runnable: the base class of tests and hooks, a function with a timeout and an abort signal. In:
// the function, timeout, signal, location. Out: a promise of its end; `error`, once it failed.
// Absent: the order of tests (test.js).
'use strict';

const { validateAbortSignal, validateNumber } = require('internal/validators');
const { isPromise } = require('internal/util/types');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { kResistStopPropagation } = require('internal/events/symbols');
const { setTimeout, clearTimeout } = internalBinding('queues');

const TIMEOUT_MAX = 2 ** 31 - 1;

/** The test or hook of an asynchronous context: the parent of new tests, the owner of errors. */
let storage;
function current() {
  const { AsyncLocalStorage } = require('async_hooks');
  return storage ??= new AsyncLocalStorage({ name: 'test' });
}

function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function');
}

class Runnable {
  constructor({ fn, timeout, signal, location }) {
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);
    validateAbortSignal(signal, 'options.signal');
    this.fn = fn;
    this.timeout = timeout ?? Infinity;
    this.location = location;
    this.outerSignal = signal;
    this.onAbort = () => this.abort(this.outerSignal.reason);
    this.error = null;
    this.passed = false;
    this.cancelled = false;
    this.resetController();
  }

  /** Makes a new controller, which follows the outer signal. */
  resetController() {
    this.controller = new AbortController();
    if (this.outerSignal === undefined || this.outerSignal.aborted) return;
    this.outerSignal.addEventListener('abort', this.onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }

  get signal() { return this.controller.signal; }

  abort(reason) {
    const { AbortError } = require('internal/errors');
    const error = reason ?? new AbortError('The test was aborted');
    if (typeof error === 'object' && !('failureType' in error)) error.failureType = failureTypes.aborted;
    this.cancel(error);
  }

  cancel(error) {
    if (this.error !== null) return;
    this.fail(error ?? createTestFailure('test did not finish before its parent and was cancelled', failureTypes.cancelledByParent));
    this.cancelled = true;
    this.controller.abort();
  }

  fail(error) {
    if (this.error !== null) return;
    this.passed = false;
    this.error = error;
  }

  /** `promise` rejects on timeout, and resolves on abort. */
  createStopPromise() {
    let timer;
    let onAbort;
    const { promise, resolve, reject } = Promise.withResolvers();
    const { signal } = this;
    if (signal.aborted) {
      resolve();
    } else {
      onAbort = ()  => resolve();
      signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    if (this.timeout !== Infinity) {
      timer = setTimeout(() => reject(createTestFailure(`test timed out after ${this.timeout}ms`, failureTypes.timeout)), this.timeout);
      timer.unref();
    }
    promise.catch(() => {});
    return {
      promise,
      dispose() {
        if (timer !== undefined) clearTimeout(timer);
        if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
      },
    };
  }

  /**
   * Calls the function with the context as `this` and first argument and, if it has two parameters,
   * a callback. Waits for its end or for `stopPromise`.
   */
  async call(context, stopPromise) {
    if (this.fn.length !== 2) {
      const result = current().run(this, () => Reflect.apply(this.fn, context, [context]));
      if (isThenable(result)) await Promise.race([result, stopPromise]);
      return;
    }
    const { promise, callback } = callbackPromise();
    const result = current().run(this, () => Reflect.apply(this.fn, context, [context, callback]));
    if (isPromise(result)) {
      this.fail(createTestFailure('passed a callback but also returned a Promise', failureTypes.callbackAndPromise));
      await Promise.race([result, stopPromise]);
    } else {
      await Promise.race([promise, stopPromise]);
    }
  }
}

/** A callback that may be called once; the second call throws, later ones are ignored. */
function callbackPromise() {
  let calls = 0;
  const { promise, resolve, reject } = Promise.withResolvers();
  function callback(error) {
    calls++;
    if (calls === 2) throw createTestFailure('callback invoked multiple times', failureTypes.callbackTwice);
    if (calls > 2) return;
    if (error) reject(error);
    else resolve();
  }
  return { promise, callback };
}

module.exports = { TIMEOUT_MAX, Runnable, current };
