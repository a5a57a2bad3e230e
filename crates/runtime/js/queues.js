// @ts-check
// Queues of callbacks: ticks, microtasks of `queueMicrotask`, immediates, messages; timers are in
// js/timers.js. In: the native half (src/queues.rs). Out: the globals that fill the queues, and the
// functions by which the event loop runs them, with ticks and microtasks after each callback. The
// order is Node's (lib/internal/process/task_queues.js, lib/internal/timers.js).

/**
 * @typedef {object} Native
 * @property {() => number} now whole milliseconds since the start of the loop
 * @property {(error: unknown, isModule?: boolean) => void} fatal ends the program; an error of the
 *   entry module's promise is reported as a rejection
 * @property {() => boolean} runMicrotasks false: the engine runs them when JavaScript has returned
 *   to the loop
 * @property {(run: Function, argument: unknown) => boolean} enqueue queues a microtask; false: this
 *   engine has no function for it
 */

/**
 * @param {Native['now']} now @param {Native['fatal']} fatal @param {Uint32Array} counters
 */
(function (now, fatal, counters, createTimers, runMicrotasks, enqueue, counter, realm) {
  'use strict';

  // This code may be compiled in another global object (js/bootstrap.js).
  const { Array, Function, Object, Promise, Reflect, Symbol } = realm;

  // Indexes of the counters that the loop reads without a call (src/queues.rs).
  const { TICKS, IMMEDIATES, REF_IMMEDIATES, ENGINE_PROMISES, IMMEDIATE_ROUND, HAS_ERRORS, MESSAGE_ROUND } = counter;

  const { apply } = Reflect;

  // --- ticks

  /** Number of ticks that have run at which they are removed from the array. */
  const RUN_TICKS_MAX = 1024;

  /**
   * `value`: the argument, or an array of several.
   * @type {{ callback: Function, count: number, value: unknown }[]}
   */
  let tickQueue = [];
  let tickIndex = 0;

  // Without a rest parameter: most ticks have one argument, and then need no array.
  function nextTick(callback) {
    checkCallback(callback);
    const count = arguments.length - 1;
    let value;
    if (count === 1) {
      value = arguments[1];
    } else if (count > 1) {
      value = new Array(count);
      for (let index = 0; index < count; index++) value[index] = arguments[index + 1];
    }
    const tick = { callback, count, value };
    tick.callback = bind(callback, 'TickObject', tick);
    tickQueue.push(tick);
    counters[TICKS] = 1;
  }

  const { 'process.processTicksAndRejections': runTicks } = {
    /**
     * Runs ticks until there are none; they may add others. If one throws, the rest waits for the
     * next call. Stack traces show Node's name, by which programs filter this frame.
     */
    'process.processTicksAndRejections'() {
      while (tickIndex < tickQueue.length) {
        const { callback, count, value } = tickQueue[tickIndex++];
        if (tickIndex === RUN_TICKS_MAX) {
          tickQueue.splice(0, tickIndex);
          tickIndex = 0;
        }
        if (count === 1) callback(value);
        else if (count === 0) callback();
        else callback(.../** @type {unknown[]} */ (value));
      }
      tickQueue = [];
      tickIndex = 0;
      counters[TICKS] = 0;
    },
  };

  /**
   * Runs ticks and microtasks until there are neither. Returns whether another callback may run
   * before JavaScript returns to the loop.
   */
  function runNextTicks() {
    for (;;) {
      if (counters[TICKS] !== 0) {
        runTicks();
      }
      if (!runMicrotasks() || counters[HAS_ERRORS] !== 0) {
        return false;
      }
      if (counters[TICKS] === 0) {
        return true;
      }
    }
  }

  // --- microtasks

  const then = Promise.prototype.then;
  const resolved = Promise.resolve();

  function queueMicrotask(task) {
    checkCallback(task);
    const callback = bind(task, 'Microtask', undefined);
    if (!enqueue(runMicrotask, callback)) apply(then, resolved, [() => runMicrotask(callback)]);
  }

  function runMicrotask(callback) {
    try {
      callback();
    } catch (error) {
      fatal(error);
    }
  }

  // --- immediates

  class Immediate {
    constructor(callback, args) {
      this._onImmediate = bindResource(callback, 'Immediate', this);
      this._argv = args;
      this._destroyed = false;
      this[kRefed] = true;
      counters[IMMEDIATES]++;
      counters[REF_IMMEDIATES]++;
    }

    ref() {
      if (this[kRefed] === false) {
        this[kRefed] = true;
        counters[REF_IMMEDIATES]++;
      }
      return this;
    }

    unref() {
      if (this[kRefed] === true) {
        this[kRefed] = false;
        counters[REF_IMMEDIATES]--;
      }
      return this;
    }

    hasRef() { return !!this[kRefed]; }

    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      clearImmediate(this);
    }
  }

  if (Object.getPrototypeOf(Immediate) !== Function.prototype) {
    Object.setPrototypeOf(Immediate, Function.prototype);
    Object.setPrototypeOf(Immediate.prototype, Object.prototype);
  }

  /** Immediates of the next check phase. @type {Immediate[]} */
  let immediates = [];
  /** Immediates of this check phase. @type {Immediate[]} */
  let immediateRound = [];
  let immediateIndex = 0;
  /** Callbacks of closed handles, for the closing phase. @type {Immediate[]} */
  let closed = [];
  /** Whether this check phase has become the closing phase. */
  let isClosing = false;

  function setImmediate(callback, ...args) {
    checkCallback(callback);
    const immediate = new Immediate(callback, args.length === 0 ? undefined : args);
    immediates.push(immediate);
    return immediate;
  }

  /**
   * Calls back in the closing phase, which follows the check phase. Of handles that are closed in
   * one iteration the last one is the first, as in libuv's list of them.
   */
  function afterClose(callback) { closed.push(new Immediate(callback, undefined)); }

  /** After the last immediate the handles follow that were closed until then. */
  function beginClosing() {
    if (isClosing || closed.length === 0) return;
    isClosing = true;
    immediateRound = [...immediateRound.slice(immediateIndex), ...closed.reverse()];
    immediateIndex = 0;
    closed = [];
    counters[IMMEDIATE_ROUND] = immediateRound.length;
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
    counters[IMMEDIATES]--;
    if (immediate[kRefed]) {
      counters[REF_IMMEDIATES]--;
    }
    immediate[kRefed] = null;
    if (destroyResource !== undefined) destroyResource(immediate);
  }

  /**
   * Begins a check phase with the immediates that exist now. If one of the last phase threw, the
   * rest of that phase runs first.
   */
  function beginImmediates() {
    if (immediateIndex >= immediateRound.length) {
      immediateRound = immediates;
      immediateIndex = 0;
      immediates = [];
      isClosing = false;
    }
    counters[IMMEDIATE_ROUND] = immediateRound.length - immediateIndex;
    if (counters[IMMEDIATE_ROUND] === 0) beginClosing();
  }

  /** Runs the next immediate of this phase, unless it was cleared. */
  function runImmediate() {
    const immediate = immediateRound[immediateIndex++];
    counters[IMMEDIATE_ROUND] = immediateRound.length - immediateIndex;
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
    let mayContinue;
    do {
      runImmediate();
      mayContinue = runNextTicks();
      if (counters[IMMEDIATE_ROUND] === 0) beginClosing();
    } while (mayContinue && counters[IMMEDIATE_ROUND] !== 0);
  }

  function runMessages() {
    do {
      counters[MESSAGE_ROUND]--;
      messages.run();
    } while (runNextTicks() && counters[MESSAGE_ROUND] !== 0);
  }

  // --- functions of other builtins

  /** Checks of arguments that need builtins; js/bootstrap.js sets them. */
  let checks;
  /** Functions that deliver messages; internal/messaging sets them. */
  const messages = { counters, run: undefined, receive: undefined };
  /**
   * Binds a callback, its type and an object to the current async context; the identity until a
   * program uses one, or ids of async_hooks.
   */
  let bind = (callback, type, object) => callback;
  /** The same for a callback that lives until `destroyResource(object)`. */
  let bindResource = bind;
  let destroyResource;

  function checkCallback(callback) {
    if (typeof callback !== 'function') checks.checkCallback(callback);
  }

  function warnOfDuration(duration, max) { checks.warnOfDuration(duration, max); }

  const timers = createTimers(now, counters, counter, runNextTicks, checkCallback, warnOfDuration, realm);
  const { setTimeout, setInterval, clearTimeout, clearInterval, runTimers, kRefed } = timers;

  return {
    setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask, nextTick,
    runNextTicks, runTimers, beginImmediates, runImmediates, afterClose,
    resetTimerIds: timers.resetIds,
    counter, messages, runMessages, receiveMessages: () => messages.receive(),
    fatal,
    connect(functions) { checks = functions; },
    /** Sets how callbacks are bound, and binds those that wait. */
    bindWith(bindCallback, bindObject, destroyObject) {
      bind = bindCallback;
      bindResource = bindObject;
      destroyResource = destroyObject;
      for (const tick of tickQueue) tick.callback = bind(tick.callback);
      for (const immediate of [...immediateRound, ...immediates, ...closed]) immediate._onImmediate = bind(immediate._onImmediate);
      timers.bindWith(bindCallback, bindObject, destroyObject);
    },
    /**
     * Adds to the number of promises that the engine's threads will settle; they keep the loop
     * alive.
     */
    addEnginePromises(count) { counters[ENGINE_PROMISES] += count; },
  };
})
