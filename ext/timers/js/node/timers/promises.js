// `node:timers/promises`. In: a delay, a value, { signal, ref }. Out: promises, for intervals an
// async iterator, which a signal ends with an AbortError. Absent: how timers work (js/queues.js).
'use strict';

const { AbortError, codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/validators');

const timers = internalBinding('queues');

function check(delay, { signal, ref }) {
  if (delay !== undefined) {
    validateNumber(delay, 'delay');
  }
  validateAbortSignal(signal, 'options.signal');
  if (ref !== undefined) {
    validateBoolean(ref, 'options.ref');
  }
}

const aborted = (signal) => new AbortError(undefined, { cause: signal.reason });

/** A promise of what `begin` begins with its `resolve`, and `end` ends when the signal aborts. */
function wait(delay, options, begin, end) {
  try {
    validateObject(options, 'options');
    check(delay, options);
  } catch (error) {
    return Promise.reject(error);
  }
  const { signal, ref = true } = options;
  if (signal?.aborted) {
    return Promise.reject(aborted(signal));
  }
  let abort;
  const promise = new Promise((resolve, reject) => {
    const timer = begin(resolve);
    if (!ref) {
      timer.unref();
    }
    if (signal) {
      abort = () => {
        if (!timer._destroyed) {
          end(timer);
          reject(aborted(signal));
        }
      };
      signal.addEventListener('abort', abort, { once: true });
    }
  });
  return abort === undefined ? promise : promise.finally(() => signal.removeEventListener('abort', abort));
}

function setTimeout(delay, value, options = {}) {
  return wait(delay, options, (resolve) => timers.setTimeout(resolve, delay, value), timers.clearTimeout);
}

function setImmediate(value, options = {}) {
  return wait(undefined, options, (resolve) => timers.setImmediate(resolve, value), timers.clearImmediate);
}

async function* setInterval(delay, value, options = {}) {
  validateObject(options, 'options');
  check(delay, options);
  const { signal, ref = true } = options;
  if (signal?.aborted) {
    throw aborted(signal);
  }
  let wake;
  let due = 0;
  const interval = timers.setInterval(() => {
    due++;
    wake?.();
    wake = undefined;
  }, delay);
  if (!ref) {
    interval.unref();
  }
  const abort = () => {
    timers.clearInterval(interval);
    wake?.(Promise.reject(aborted(signal)));
    wake = undefined;
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    while (!signal?.aborted) {
      if (due === 0) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      for (; due > 0; due--) {
        yield value;
      }
    }
    throw aborted(signal);
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', abort);
  }
}

const isScheduler = Symbol('kScheduler');

class Scheduler {
  constructor() {
    throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    if (!this[isScheduler]) {
      throw new ERR_INVALID_THIS('Scheduler');
    }
    return setImmediate();
  }

  wait(delay, options) {
    if (!this[isScheduler]) {
      throw new ERR_INVALID_THIS('Scheduler');
    }
    return setTimeout(delay, undefined, options);
  }
}

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: Object.create(Scheduler.prototype, { [isScheduler]: { value: true, enumerable: true, writable: true, configurable: true } }),
};
