// The clock behind mocked timers. In: timers, and the time it is moved to. Out: their callbacks,
// called in the order they are due.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { bind } = require('internal/async_context');

const TIMEOUT_MAX = 2 ** 31 - 1;

/** As the timer's own class has it. */
class MockTimeout {
  #clock;
  #isKept = true;

  constructor(clock, { callback, delay, args, isRepeated = false, isImmediate = false }) {
    this.#clock = clock;
    this.callback = bind(callback);
    this.args = args;
    this.isImmediate = isImmediate;
    this.delay = delay >= 1 && delay <= TIMEOUT_MAX ? delay : isImmediate ? 0 : 1;
    this.interval = isRepeated ? this.delay : undefined;
    this.runAt = clock.now + this.delay;
    this.id = clock.nextId();
  }

  hasRef() { return this.#isKept; }

  ref() {
    this.#isKept = true;
    return this;
  }

  unref() {
    this.#isKept = false;
    return this;
  }

  refresh() {
    this.runAt = this.#clock.now + this.delay;
    return this;
  }

  close() {
    this.#clock.clear(this);
    return this;
  }

  [Symbol.dispose]() { this.#clock.clear(this); }

  [Symbol.toPrimitive]() { return this.id; }
}

class Clock {
  #waiting = new Set();
  #ids = 1;

  constructor(now) {
    this.now = now;
    this.setTimeout = (callback, delay, ...args) => this.add({ callback, delay, args });
    this.setInterval = (callback, delay, ...args) => this.add({ callback, delay, args, isRepeated: true });
    this.setImmediate = (callback, ...args) => this.add({ callback, delay: 0, args, isImmediate: true });
    this.clear = (timer) => {
      if (timer instanceof MockTimeout) this.#waiting.delete(timer);
      else if (timer !== undefined && timer !== null) this.#clearNumber(Number(timer));
    };
  }

  nextId() { return this.#ids++; }

  #clearNumber(id) {
    for (const timer of this.#waiting) {
      if (timer.id === id) this.#waiting.delete(timer);
    }
  }

  add(given) {
    const timer = new MockTimeout(this, given);
    this.#waiting.add(timer);
    return timer;
  }

  /** When the last of those that wait is due. */
  last() {
    let last;
    for (const { runAt } of this.#waiting) last = Math.max(last ?? runAt, runAt);
    return last;
  }

  /** The one that is due first; of those at one time immediates, then the oldest. */
  #first() {
    let first;
    for (const timer of this.#waiting) {
      if (first === undefined || timer.runAt < first.runAt || (timer.runAt === first.runAt && timer.isImmediate && !first.isImmediate)) first = timer;
    }
    return first;
  }

  moveTo(time) {
    this.now = time;
    for (let timer = this.#first(); timer !== undefined && timer.runAt <= time; timer = this.#first()) {
      // It stands behind those that were there before.
      this.#waiting.delete(timer);
      if (timer.interval !== undefined) {
        timer.runAt += timer.interval;
        this.#waiting.add(timer);
      }
      if (typeof timer.callback === 'function') Reflect.apply(timer.callback, timer, timer.args);
    }
  }

  async promise(kind, delay, value, options = {}) {
    const { signal } = options ?? {};
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    const { promise, resolve, reject } = Promise.withResolvers();
    const timer = this.add({ callback: () => resolve(value), delay, args: [], isImmediate: kind === 'setImmediate' });
    if (signal === undefined) return promise;
    const onAbort = () => {
      this.clear(timer);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  async* interval(delay, value, options = {}) {
    const { signal } = options ?? {};
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    let due = 0;
    let wake;
    const timer = this.add({
      callback: () => {
        due++;
        wake?.();
      },
      delay, args: [], isRepeated: true,
    });
    const onAbort = () => {
      this.clear(timer);
      wake?.();
    };
    signal?.addEventListener('abort', onAbort, { __proto__: null, once: true });
    try {
      for (;;) {
        if (due === 0 && !signal?.aborted) await new Promise((resolve) => { wake = resolve; });
        for (; due > 0; due--) yield value;
        if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
      }
    } finally {
      this.clear(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

module.exports = { Clock };
