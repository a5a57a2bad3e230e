// @ts-check
// Timers: `setTimeout`, `setInterval` and what they return, as in Node's lib/internal/timers.js.
// Timers of one duration are a linked list in the order of their start; the lists are a binary heap
// by the expiry of their first timer. In: the loop's clock and counters. Out: the globals, and the
// function that runs what is due. Absent: when the loop calls it (src/phases.rs).

(function (now, counters, counter, runNextTicks, checkCallback, warnOfDuration, realm) {
  'use strict';

  // This code may be compiled in another global object (js/bootstrap.js).
  const { Function, Map, Number, Object, Reflect, Symbol } = realm;

  const { REF_TIMERS, HAS_TIMER, NEXT_TIMER_LOW, NEXT_TIMER_HIGH } = counter;

  const { apply } = Reflect;
  const { trunc } = Math;
  const DURATION_MAX = 2 ** 31 - 1;
  const kRefed = Symbol('refed');
  const kHasPrimitive = Symbol('kHasPrimitive');
  const kAsyncId = Symbol('asyncId');

  /**
   * Binds the callback of a timer to the current async context; the identity until a program uses
   * one, or ids of async_hooks.
   */
  let bindResource = (callback, type, timer) => callback;
  /** Ends what `bindResource` has begun. */
  let destroyResource;

  // --- the heap of lists

  /** The lists, a binary heap by expiry; equal ones by their id. @type {TimersList[]} */
  const heap = [];

  const isBefore = (one, other) =>
    one.expiry < other.expiry || (one.expiry === other.expiry && one.id < other.id);

  function setAt(list, heapIndex) {
    heap[heapIndex] = list;
    list.heapIndex = heapIndex;
  }

  function percolateUp(list) {
    let { heapIndex } = list;
    while (heapIndex > 0) {
      const parent = (heapIndex - 1) >> 1;
      if (!isBefore(list, heap[parent])) {
        break;
      }
      setAt(heap[parent], heapIndex);
      heapIndex = parent;
    }
    setAt(list, heapIndex);
  }

  /** For a list whose expiry is later than it was. */
  function percolateDown(list) {
    let { heapIndex } = list;
    for (;;) {
      let child = 2 * heapIndex + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], list)) {
        break;
      }
      setAt(heap[child], heapIndex);
      heapIndex = child;
    }
    setAt(list, heapIndex);
  }

  const firstList = () => heap[0];

  function pushList(list) {
    list.heapIndex = heap.length;
    heap.push(list);
    percolateUp(list);
  }

  function removeFromHeap(list) {
    const last = heap.pop();
    if (last !== undefined && last !== list) {
      setAt(last, list.heapIndex);
      percolateDown(last);
      percolateUp(last);
    }
  }

  // --- timers

  let nextId = 1;
  /** Timers whose id a program has read, for `clearTimeout(id)`. @type {Map<number, Timeout>} */
  const knownTimersById = new Map();

  class Timeout {
    constructor(callback, after, args, isRepeated, isRef) {
      const duration = durationOf(after);
      this._idleTimeout = duration;
      this._idlePrev = this;
      this._idleNext = this;
      this._idleStart = null;
      this._onTimeout = bindResource(callback, 'Timeout', this);
      this._timerArgs = args;
      this._repeat = isRepeated ? duration : null;
      this._destroyed = false;
      this[kRefed] = isRef;
      this[kHasPrimitive] = false;
      this[kAsyncId] = nextId++;
      if (isRef) {
        counters[REF_TIMERS]++;
      }
    }

    /** Starts again, also if it has fired. */
    refresh() {
      const duration = this._idleTimeout;
      if (duration < 0) {
        return this;
      }
      unlink(this);
      if (this._destroyed) {
        this._destroyed = false;
        if (this[kRefed]) {
          counters[REF_TIMERS]++;
        }
      }
      insert(this, duration, now());
      return this;
    }

    unref() {
      return setRef(this, false);
    }

    ref() {
      return setRef(this, true);
    }

    hasRef() { return this[kRefed]; }

    close() {
      clearTimeout(this);
      return this;
    }

    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
      clearTimeout(this);
    }

    [Symbol.toPrimitive]() {
      this[kHasPrimitive] = true;
      knownTimersById.set(this[kAsyncId], this);
      return this[kAsyncId];
    }
  }

  if (Object.getPrototypeOf(Timeout) !== Function.prototype) {
    Object.setPrototypeOf(Timeout, Function.prototype);
    Object.setPrototypeOf(Timeout.prototype, Object.prototype);
  }

  function setRef(timer, isRef) {
    if (timer[kRefed] === !isRef) {
      timer[kRefed] = isRef;
      if (!timer._destroyed) {
        counters[REF_TIMERS] += isRef ? 1 : -1;
      }
    }
    return timer;
  }

  /** The timers of one duration, a circular linked list in the order of their start. */
  class TimersList {
    constructor(duration, expiry) {
      this._idlePrev = this;
      this._idleNext = this;
      this.duration = duration;
      this.expiry = expiry;
      this.id = nextId++;
      this.heapIndex = 0;
    }
  }

  /** @type {Map<number, TimersList>} */
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
      warnOfDuration(duration, DURATION_MAX);
    }
    return 1;
  }

  function insert(timer, after, start) {
    const duration = trunc(after);
    timer._idleStart = start;
    let list = lists.get(duration);
    if (list === undefined) {
      list = new TimersList(duration, start + duration);
      lists.set(duration, list);
      pushList(list);
    }
    const last = list._idlePrev;
    timer._idlePrev = last;
    timer._idleNext = list;
    last._idleNext = timer;
    list._idlePrev = timer;
    publishNextExpiry();
  }

  function unlink(timer) {
    const { _idlePrev: before, _idleNext: after } = timer;
    if (before !== null && after !== null) {
      before._idleNext = after;
      after._idlePrev = before;
    }
    timer._idlePrev = null;
    timer._idleNext = null;
  }

  function removeList(list) {
    lists.delete(list.duration);
    removeFromHeap(list);
    publishNextExpiry();
  }

  /** Writes the expiry of the first list to the counters that the event loop reads. */
  function publishNextExpiry() {
    const next = firstList();
    counters[HAS_TIMER] = next === undefined ? 0 : 1;
    if (next !== undefined) {
      counters[NEXT_TIMER_LOW] = next.expiry >>> 0;
      counters[NEXT_TIMER_HIGH] = trunc(next.expiry / 2 ** 32);
    }
  }

  function destroy(timer) {
    timer._destroyed = true;
    if (timer[kHasPrimitive]) {
      knownTimersById.delete(timer[kAsyncId]);
    }
    if (timer[kRefed]) {
      counters[REF_TIMERS]--;
    }
    if (destroyResource !== undefined) destroyResource(timer);
  }

  /** Runs the next timer that is due at `time`; returns whether there was one. */
  function runTimer(time) {
    for (;;) {
      const list = firstList();
      if (list === undefined || list.expiry > time) {
        return false;
      }
      const timer = list._idleNext;
      if (timer === list) {
        removeList(list);
        continue;
      }
      if (time - timer._idleStart < list.duration) {
        list.expiry = Math.max(timer._idleStart + list.duration, time + 1);
        list.id = nextId++;
        percolateDown(list);
        publishNextExpiry();
        continue;
      }
      unlink(timer);
      if (!timer._onTimeout) {
        if (!timer._destroyed) {
          destroy(timer);
        }
        continue;
      }
      runCallback(timer);
      return true;
    }
  }

  /** Runs the timers that are due; returns whether it stopped early, so that some may be left. */
  function runTimers(time) {
    while (runTimer(time)) {
      if (!runNextTicks()) {
        return true;
      }
    }
    return false;
  }

  function runCallback(timer) {
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
        insert(timer, timer._idleTimeout, start);
      } else if (!timer._idleNext && !timer._idlePrev && !timer._destroyed) {
        destroy(timer);
      }
    }
  }

  function setTimeout(callback, after, ...args) {
    checkCallback(callback);
    return startTimer(new Timeout(callback, after, args.length === 0 ? undefined : args, false, true));
  }

  function setInterval(callback, after, ...args) {
    checkCallback(callback);
    return startTimer(new Timeout(callback, after, args.length === 0 ? undefined : args, true, true));
  }

  function startTimer(timer) {
    insert(timer, timer._idleTimeout, now());
    return timer;
  }

  function clearTimeout(timer) {
    if (timer?._onTimeout) {
      timer._onTimeout = null;
      cancel(timer);
    } else if (typeof timer === 'number' || typeof timer === 'string') {
      const known = knownTimersById.get(Number(timer));
      if (known !== undefined) {
        known._onTimeout = null;
        cancel(known);
      }
    }
  }

  function cancel(timer) {
    if (timer._destroyed) {
      return;
    }
    const list = lists.get(trunc(timer._idleTimeout));
    unlink(timer);
    destroy(timer);
    if (list !== undefined && list._idleNext === list) {
      removeList(list);
    }
    timer._idleTimeout = -1;
  }

  function clearInterval(timer) {
    clearTimeout(timer);
  }

  return {
    setTimeout, setInterval, clearTimeout, clearInterval, runTimers,
    kRefed,
    /** The next timer is the first one again. There is none now. */
    resetIds() {
      nextId = 1;
      knownTimersById.clear();
    },
    /** Sets how callbacks are bound, and binds those that wait. */
    bindWith(bind, bindObject, destroyObject) {
      bindResource = bindObject;
      destroyResource = destroyObject;
      for (const list of lists.values()) for (let at = list._idleNext; at !== list; at = at._idleNext) at._onTimeout = bind(at._onTimeout);
    },
  };
})
