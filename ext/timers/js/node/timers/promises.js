// `node:timers/promises`: promises of timers. In: a delay, a value, { signal, ref }. Out: promises;
// for intervals an async iterator. A signal ends both with an AbortError. Absent: the timers
// themselves (crates/runtime/js/timers.js).
'use strict';

const { AbortError, codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/validators');

const timers = require('internal/promise_timers');

function validateOptions(delay, { signal, ref }) {
  if (delay !== undefined) {
    validateNumber(delay, 'delay');
  }
  validateAbortSignal(signal, 'options.signal');
  if (ref !== undefined) {
    validateBoolean(ref, 'options.ref');
  }
}

const createAbortError = (signal) => new AbortError(undefined, { cause: signal.reason });

/**
 * Makes a promise of the timer that `startTimer` starts with `resolve`; `clearTimer` clears it when
 * the signal aborts.
 */
function createTimerPromise(delay, options, startTimer, clearTimer) {
  try {
    validateObject(options, 'options');
    validateOptions(delay, options);
  } catch (error) {
    return Promise.reject(error);
  }
  const { signal, ref = true } = options;
  if (signal?.aborted) {
    return Promise.reject(createAbortError(signal));
  }
  let cancelListener;
  const promise = new Promise((resolve, reject) => {
    const timer = startTimer(resolve);
    if (!ref) {
      timer.unref();
    }
    if (signal) {
      cancelListener = () => {
        if (!timer._destroyed) {
          clearTimer(timer);
          reject(createAbortError(signal));
        }
      };
      signal.addEventListener('abort', cancelListener, { once: true });
    }
  });
  return cancelListener === undefined ? promise : promise.finally(() => signal.removeEventListener('abort', cancelListener));
}

function setTimeout(delay, value, options = {}) {
  return createTimerPromise(delay, options, (resolve) => timers.setTimeout(resolve, delay, value), timers.clearTimeout);
}

function setImmediate(value, options = {}) {
  return createTimerPromise(undefined, options, (resolve) => timers.setImmediate(resolve, value), timers.clearImmediate);
}

async function* setInterval(delay, value, options = {}) {
  validateObject(options, 'options');
  validateOptions(delay, options);
  const { signal, ref = true } = options;
  if (signal?.aborted) {
    throw createAbortError(signal);
  }
  let callback;
  let notYielded = 0;
  const interval = timers.setInterval(() => {
    notYielded++;
    callback?.();
    callback = undefined;
  }, delay);
  if (!ref) {
    interval.unref();
  }
  const cancelListener = () => {
    timers.clearInterval(interval);
    callback?.(Promise.reject(createAbortError(signal)));
    callback = undefined;
  };
  signal?.addEventListener('abort', cancelListener, { once: true });
  try {
    while (!signal?.aborted) {
      if (notYielded === 0) {
        await new Promise((resolve) => {
          callback = resolve;
        });
      }
      for (; notYielded > 0; notYielded--) {
        yield value;
      }
    }
    throw createAbortError(signal);
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', cancelListener);
  }
}

const kScheduler = Symbol('kScheduler');

class Scheduler {
  constructor() {
    throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    if (!this[kScheduler]) {
      throw new ERR_INVALID_THIS('Scheduler');
    }
    return setImmediate();
  }

  wait(delay, options) {
    if (!this[kScheduler]) {
      throw new ERR_INVALID_THIS('Scheduler');
    }
    return setTimeout(delay, undefined, options);
  }
}

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: Object.create(Scheduler.prototype, { [kScheduler]: { value: true, enumerable: true, writable: true, configurable: true } }),
};
