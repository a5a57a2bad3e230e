// @ts-check
// What waits for its turn: ticks, timers, immediates, microtasks of queueMicrotask. In: the native
// half of src/queues.rs. Out: the globals that fill the queues, and for the loop the functions that
// take callbacks out and run them, with ticks and microtasks between any two. The order is Node's
// (lib/internal/timers.js, lib/internal/process/task_queues.js): timers of one duration are a list,
// lists are a heap (js/heap.js) by the time of their first timer. Absent: async_hooks.

/**
 * @typedef {object} Native
 * @property {() => number} now milliseconds since the loop began, whole
 * @property {(error: unknown, isModule?: boolean) => void} fatal ends the program; of a module's
 *   own promise it is reported as a rejection
 * @property {() => boolean} runMicrotasks false: they run when the loop has been given back to
 * @property {(run: Function, argument: unknown) => boolean} enqueue makes a call a microtask;
 *   false: this engine has no way to
 */

(/** @param {Native['now']} now @param {Native['fatal']} fatal @param {Uint32Array} words */ function (now, fatal, words, heap, runMicrotasks, enqueue, counter) {
  'use strict';

  // Indexes of the counters that the loop reads without a call (src/queues.rs).
  const {
    TICKS, REF_TIMERS, IMMEDIATES, REF_IMMEDIATES, HAS_TIMER, NEXT_TIMER_LOW, NEXT_TIMER_HIGH, ENGINE_PROMISES, IMMEDIATE_ROUND,
    HAS_ERRORS, MESSAGE_ROUND,
  } = counter;

  const { apply } = Reflect;
  const { trunc } = Math;
  const DURATION_MAX = 2 ** 31 - 1;
  const isRef = Symbol('refed');
  const hasNumber = Symbol('kHasPrimitive');
  const asyncId = Symbol('asyncId');

  // --- ticks

  /** Entries that have run are cut off when there are so many. */
  const TICKS_CUT = 1024;

  /** @type {{ callback: Function, args: unknown[] | undefined }[]} */
  let ticks = [];
  let ticksRun = 0;

  function nextTick(callback, ...args) {
    checkCallback(callback);
    ticks.push({ callback: bind(callback), args: args.length === 0 ? undefined : args });
    words[TICKS] = 1;
  }

  const { 'process.processTicksAndRejections': runTicks } = {
    /**
     * Runs ticks until there is none, those that come meanwhile included. After a throw the rest
     * waits for the next call. In stacks it has Node's name, by which programs leave it out.
     */
    'process.processTicksAndRejections'() {
      while (ticksRun < ticks.length) {
        const { callback, args } = ticks[ticksRun++];
        if (ticksRun === TICKS_CUT) {
          ticks.splice(0, ticksRun);
          ticksRun = 0;
        }
        if (args === undefined) {
          callback();
        } else {
          callback(...args);
        }
      }
      ticks = [];
      ticksRun = 0;
      words[TICKS] = 0;
    },
  };

  /**
   * Ticks and microtasks until there are neither. Says whether another callback may run before the
   * loop is asked.
   */
  function settle() {
    for (;;) {
      if (words[TICKS] !== 0) {
        runTicks();
      }
      if (!runMicrotasks() || words[HAS_ERRORS] !== 0) {
        return false;
      }
      if (words[TICKS] === 0) {
        return true;
      }
    }
  }

  // --- microtasks

  const then = Promise.prototype.then;
  const resolved = Promise.resolve();

  function queueMicrotask(given) {
    checkCallback(given);
    const callback = bind(given);
    if (!enqueue(runMicrotask, callback)) apply(then, resolved, [() => runMicrotask(callback)]);
  }

  function runMicrotask(callback) {
    try {
      callback();
    } catch (error) {
      fatal(error);
    }
  }

  // --- timers

  let numberNext = 1;
  /** Timers whose number somebody has. @type {Map<number, Timeout>} */
  const numbered = new Map();

  class Timeout {
    constructor(callback, after, args, isRepeated, isKept) {
      const duration = durationOf(after);
      this._idleTimeout = duration;
      this._idlePrev = this;
      this._idleNext = this;
      this._idleStart = null;
      this._onTimeout = bind(callback);
      this._timerArgs = args;
      this._repeat = isRepeated ? duration : null;
      this._destroyed = false;
      this[isRef] = isKept;
      this[hasNumber] = false;
      this[asyncId] = numberNext++;
      if (isKept) {
        words[REF_TIMERS]++;
      }
    }

    /** Begins anew, also when it has run. */
    refresh() {
      const duration = this._idleTimeout;
      if (duration < 0) {
        return this;
      }
      leave(this);
      if (this._destroyed) {
        this._destroyed = false;
        if (this[isRef]) {
          words[REF_TIMERS]++;
        }
      }
      enter(this, duration, now());
      return this;
    }

    unref() {
      return keep(this, false);
    }

    ref() {
      return keep(this, true);
    }

    hasRef() { return this[isRef]; }

    close() {
      clearTimeout(this);
      return this;
    }

    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      clearTimeout(this);
    }

    [Symbol.toPrimitive]() {
      this[hasNumber] = true;
      numbered.set(this[asyncId], this);
      return this[asyncId];
    }
  }

  function keep(timer, isKept) {
    if (timer[isRef] === !isKept) {
      timer[isRef] = isKept;
      if (!timer._destroyed) {
        words[REF_TIMERS] += isKept ? 1 : -1;
      }
    }
    return timer;
  }

  /** The timers of one duration, first to last in a ring, and its place in the heap. */
  class List {
    constructor(duration, expiry) {
      this._idlePrev = this;
      this._idleNext = this;
      this.duration = duration;
      this.expiry = expiry;
      this.number = numberNext++;
      this.place = 0;
    }
  }

  /** @type {Map<number, List>} */
  const lists = new Map();

  function durationOf(after) {
    if (after === undefined) {
      return 1;
    }
    const duration = after * 1;
    if (duration >= 1 && duration <= DURATION_MAX) {
      return duration;
    }
    if (!(duration >= 0 && duration < 1)) {
      others.warnOfDuration(duration, DURATION_MAX);
    }
    return 1;
  }

  function enter(timer, after, start) {
    const duration = trunc(after);
    timer._idleStart = start;
    let list = lists.get(duration);
    if (list === undefined) {
      list = new List(duration, start + duration);
      lists.set(duration, list);
      heap.push(list);
    }
    const last = list._idlePrev;
    timer._idlePrev = last;
    timer._idleNext = list;
    last._idleNext = timer;
    list._idlePrev = timer;
    tellNext();
  }

  function leave(timer) {
    const { _idlePrev: before, _idleNext: after } = timer;
    if (before !== null && after !== null) {
      before._idleNext = after;
      after._idlePrev = before;
    }
    timer._idlePrev = null;
    timer._idleNext = null;
  }

  function drop(list) {
    lists.delete(list.duration);
    heap.remove(list);
    tellNext();
  }

  /** Where the loop reads when it has to come back. */
  function tellNext() {
    const next = heap.first();
    words[HAS_TIMER] = next === undefined ? 0 : 1;
    if (next !== undefined) {
      words[NEXT_TIMER_LOW] = next.expiry >>> 0;
      words[NEXT_TIMER_HIGH] = trunc(next.expiry / 2 ** 32);
    }
  }

  function destroy(timer) {
    timer._destroyed = true;
    if (timer[hasNumber]) {
      numbered.delete(timer[asyncId]);
    }
    if (timer[isRef]) {
      words[REF_TIMERS]--;
    }
  }

  /** Runs the next timer that is due at `time`; says whether there was one. */
  function runTimer(time) {
    for (;;) {
      const list = heap.first();
      if (list === undefined || list.expiry > time) {
        return false;
      }
      const timer = list._idleNext;
      if (timer === list) {
        drop(list);
        continue;
      }
      if (time - timer._idleStart < list.duration) {
        list.expiry = Math.max(timer._idleStart + list.duration, time + 1);
        list.number = numberNext++;
        heap.sink(list);
        tellNext();
        continue;
      }
      leave(timer);
      if (!timer._onTimeout) {
        if (!timer._destroyed) {
          destroy(timer);
        }
        continue;
      }
      call(timer);
      return true;
    }
  }

  /** Says whether it has stopped before there was none. */
  function runTimers(time) {
    while (runTimer(time)) {
      if (!settle()) {
        return true;
      }
    }
    return false;
  }

  function call(timer) {
    const start = timer._repeat ? now() : 0;
    try {
      const args = timer._timerArgs;
      if (args === undefined) {
        timer._onTimeout();
      } else {
        apply(timer._onTimeout, timer, args);
      }
    } finally {
      if (timer._repeat && timer._idleTimeout !== -1) {
        timer._idleTimeout = timer._repeat;
        enter(timer, timer._idleTimeout, start);
      } else if (!timer._idleNext && !timer._idlePrev && !timer._destroyed) {
        destroy(timer);
      }
    }
  }

  function setTimeout(callback, after, ...args) {
    checkCallback(callback);
    return begin(new Timeout(callback, after, args.length === 0 ? undefined : args, false, true));
  }

  function setInterval(callback, after, ...args) {
    checkCallback(callback);
    return begin(new Timeout(callback, after, args.length === 0 ? undefined : args, true, true));
  }

  function begin(timer) {
    enter(timer, timer._idleTimeout, now());
    return timer;
  }

  function clearTimeout(timer) {
    if (timer?._onTimeout) {
      timer._onTimeout = null;
      cancel(timer);
    } else if (typeof timer === 'number' || typeof timer === 'string') {
      const found = numbered.get(Number(timer));
      if (found !== undefined) {
        found._onTimeout = null;
        cancel(found);
      }
    }
  }

  function cancel(timer) {
    if (timer._destroyed) {
      return;
    }
    const list = lists.get(trunc(timer._idleTimeout));
    leave(timer);
    destroy(timer);
    if (list !== undefined && list._idleNext === list) {
      drop(list);
    }
    timer._idleTimeout = -1;
  }

  function clearInterval(timer) {
    clearTimeout(timer);
  }

  // --- immediates

  class Immediate {
    constructor(callback, args) {
      this._onImmediate = bind(callback);
      this._argv = args;
      this._destroyed = false;
      this[isRef] = true;
      words[IMMEDIATES]++;
      words[REF_IMMEDIATES]++;
    }

    ref() {
      if (this[isRef] === false) {
        this[isRef] = true;
        words[REF_IMMEDIATES]++;
      }
      return this;
    }

    unref() {
      if (this[isRef] === true) {
        this[isRef] = false;
        words[REF_IMMEDIATES]--;
      }
      return this;
    }

    hasRef() { return !!this[isRef]; }

    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      clearImmediate(this);
    }
  }

  /** Those for the next round, and those of this one. @type {Immediate[]} */
  let immediates = [];
  /** @type {Immediate[]} */
  let round = [];
  let roundRun = 0;

  function setImmediate(callback, ...args) {
    checkCallback(callback);
    const immediate = new Immediate(callback, args.length === 0 ? undefined : args);
    immediates.push(immediate);
    return immediate;
  }

  function clearImmediate(immediate) {
    if (!(immediate instanceof Immediate) || immediate._destroyed) {
      return;
    }
    destroyImmediate(immediate);
    immediate._onImmediate = null;
  }

  function destroyImmediate(immediate) {
    immediate._destroyed = true;
    words[IMMEDIATES]--;
    if (immediate[isRef]) {
      words[REF_IMMEDIATES]--;
    }
    immediate[isRef] = null;
  }

  /**
   * What is there now is this round; what a round that was left off by a throw had left comes
   * first.
   */
  function beginImmediates() {
    if (roundRun >= round.length) {
      round = immediates;
      roundRun = 0;
      immediates = [];
    }
    words[IMMEDIATE_ROUND] = round.length - roundRun;
  }

  /** Runs the next immediate of this round, if it was not cleared. */
  function runImmediate() {
    const immediate = round[roundRun++];
    words[IMMEDIATE_ROUND] = round.length - roundRun;
    if (immediate._destroyed) {
      return;
    }
    destroyImmediate(immediate);
    try {
      if (immediate._argv === undefined) {
        immediate._onImmediate();
      } else {
        immediate._onImmediate(...immediate._argv);
      }
    } finally {
      immediate._onImmediate = null;
    }
  }

  function runImmediates() {
    do {
      runImmediate();
    } while (settle() && words[IMMEDIATE_ROUND] !== 0);
  }

  function runMessages() {
    do {
      words[MESSAGE_ROUND]--;
      messages.run();
    } while (settle() && words[MESSAGE_ROUND] !== 0);
  }

  // --- what other files do for this one, read when it is needed

  let others;
  /** Who tells of messages of ports: internal/messaging/queue. */
  const messages = { words, run: undefined, mail: undefined };
  /** Keeps the context of a callback; while no context was ever used there is nothing to keep. */
  let bind = (callback) => callback;

  function checkCallback(callback) {
    if (typeof callback !== 'function') others.checkCallback(callback);
  }

  return {
    setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask, nextTick,
    settle, runTimers, beginImmediates, runImmediates,
    counter, messages, runMessages, runMail: () => messages.mail(),
    fatal,
    connect(given) { others = given; },
    /** What waits already has no context. */
    bindWith(given) {
      bind = given;
      for (const tick of ticks) tick.callback = bind(tick.callback);
      for (const immediate of [...round, ...immediates]) immediate._onImmediate = bind(immediate._onImmediate);
      for (const list of lists.values()) for (let at = list._idleNext; at !== list; at = at._idleNext) at._onTimeout = bind(at._onTimeout);
    },
    /** So many promises more, or fewer, are settled by the engine's threads. */
    keepForEngine(count) { words[ENGINE_PROMISES] += count; },
  };
})
