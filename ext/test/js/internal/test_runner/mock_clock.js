// Clock of mock timers. In: timers, and the time to advance to. Out: their callbacks, called in the
// order in which they are due.
'use strict';

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { bind } = require('internal/async_context');

const TIMEOUT_MAX = 2 ** 31 - 1;

/** With the interface of Timeout. */
class MockTimeout {
  #clock;
  #isRefed = true;

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

  hasRef() { return this.#isRefed; }

  ref() {
    this.#isRefed = true;
    return this;
  }

  unref() {
    this.#isRefed = false;
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
  #timers = new Set();
  #lastId = 1;

  constructor(now) {
    this.now = now;
    this.setTimeout = (callback, delay, ...args) => this.add({ callback, delay, args });
    this.setInterval = (callback, delay, ...args) => this.add({ callback, delay, args, isRepeated: true });
    this.setImmediate = (callback, ...args) => this.add({ callback, delay: 0, args, isImmediate: true });
    this.clear = (timer) => {
      if (timer instanceof MockTimeout) this.#timers.delete(timer);
      else if (timer !== undefined && timer !== null) this.#clearNumber(Number(timer));
    };
  }

  nextId() { return this.#lastId++; }

  #clearNumber(id) {
    for (const timer of this.#timers) {
      if (timer.id === id) this.#timers.delete(timer);
    }
  }

  add(options) {
    const timer = new MockTimeout(this, options);
    this.#timers.add(timer);
    return timer;
  }

  /** The time at which the last timer is due. */
  lastRunAt() {
    let last;
    for (const { runAt } of this.#timers) last = Math.max(last ?? runAt, runAt);
    return last;
  }

  /** The timer that is due first; at equal times immediates first, then the oldest. */
  #nextTimer() {
    let first;
    for (const timer of this.#timers) {
      if (first === undefined || timer.runAt < first.runAt || (timer.runAt === first.runAt && timer.isImmediate && !first.isImmediate)) first = timer;
    }
    return first;
  }

  advanceTo(time) {
    this.now = time;
    for (let timer = this.#nextTimer(); timer !== undefined && timer.runAt <= time; timer = this.#nextTimer()) {
      // Moved to the end: it runs after the other timers of the same time.
      this.#timers.delete(timer);
      if (timer.interval !== undefined) {
        timer.runAt += timer.interval;
        this.#timers.add(timer);
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
