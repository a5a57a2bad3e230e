// Clock of fake timers. In: timers, the time to advance to. Out: their callbacks, called in the
// order in which they are due; those of one time in the order of their creation, immediates first.
// Absent: replacing the globals (fake_timers.js).
'use strict';

const TIMEOUT_MAX_MS = 2 ** 31 - 1;
/** Timers that `runAllTimers` runs before it takes them for an endless loop. */
const RUNS_MAX = 100_000;
const FRAME_MS = 16;

/** With the interface of Node's Timeout. */
class FakeTimer {
  #clock;
  #isRefed = true;

  constructor(clock, { callback, delay, args, isRepeated = false, isImmediate = false }) {
    this.#clock = clock;
    this.callback = callback;
    this.args = args;
    this.isImmediate = isImmediate;
    this.delay = isImmediate ? 0 : delay >= 1 && delay <= TIMEOUT_MAX_MS ? Math.trunc(delay) : isRepeated ? 1 : 0;
    this.isRepeated = isRepeated;
    this.dueAt = clock.elapsed + Math.max(this.delay, clock.delayMin);
    this.id = clock.nextId();
  }

  hasRef() { return this.#isRefed; }

  ref() { this.#isRefed = true; return this; }

  unref() { this.#isRefed = false; return this; }

  refresh() {
    this.dueAt = this.#clock.elapsed + Math.max(this.delay, this.#clock.delayMin);
    this.#clock.keep(this);
    return this;
  }

  close() { this.#clock.clear(this); return this; }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.#clock.clear(this); }

  [Symbol.toPrimitive]() { return this.id; }
}

class FakeClock {
  /** @type {Map<number, FakeTimer>} */
  #timers = new Map();
  /** Faked ticks and microtasks. */
  #ticks = [];
  #lastId = 0;
  /** As in jest's clock, 1 while a timer runs: else one that sets itself again is endless. */
  delayMin = 0;
  /** Milliseconds since the clock was made. */
  elapsed = 0;

  constructor(now) {
    /** The system time at `elapsed` 0; `setSystemTime` changes it. */
    this.base = now;
  }

  get now() { return this.base + this.elapsed; }

  set now(time) { this.base = time - this.elapsed; }

  get count() { return this.#timers.size + this.#ticks.length; }

  nextId() { return ++this.#lastId; }

  add(options) {
    const timer = new FakeTimer(this, options);
    this.keep(timer);
    return timer;
  }

  keep(timer) { this.#timers.set(timer.id, timer); }

  addTick(callback, args) { this.#ticks.push(() => callback(...args)); }

  clear(timer) {
    if (timer === undefined || timer === null) return;
    this.#timers.delete(Number(timer));
  }

  clearAll() {
    this.#timers.clear();
    this.#ticks = [];
  }

  runTicks() { while (this.#ticks.length > 0) this.#ticks.shift()(); }

  /** The timer that is due first, at most at `limit`. */
  #next(limit = Infinity, mayRun = () => true) {
    let first;
    for (const timer of this.#timers.values()) {
      if (timer.dueAt > limit || !mayRun(timer)) continue;
      const isBefore = first === undefined || timer.dueAt < first.dueAt ||
        timer.dueAt === first.dueAt && timer.isImmediate && !first.isImmediate;
      if (isBefore) first = timer;
    }
    return first;
  }

  #run(timer) {
    this.elapsed = Math.max(this.elapsed, timer.dueAt);
    // Moved to the end: it runs after the other timers of the same time.
    this.#timers.delete(timer.id);
    if (timer.isRepeated) {
      timer.dueAt += Math.max(timer.delay, 1);
      this.keep(timer);
    }
    const { delayMin } = this;
    this.delayMin = 1;
    try {
      if (typeof timer.callback === 'function') Reflect.apply(timer.callback, timer, timer.args);
      this.runTicks();
    } finally {
      this.delayMin = delayMin;
    }
  }

  /** Runs one timer if there is one due at `limit`; returns whether it did. */
  step(limit, mayRun) {
    const timer = this.#next(limit, mayRun);
    if (timer !== undefined) this.#run(timer);
    return timer !== undefined;
  }

  advanceBy(ms) {
    const end = this.elapsed + ms;
    this.runTicks();
    while (this.step(end));
    this.elapsed = end;
  }

  /** Time until the next frame of an animation. */
  get toNextFrame() { return FRAME_MS - this.elapsed % FRAME_MS; }

  /** Steps for `runAll`, each one timer, until none is left. */
  *all() {
    this.runTicks();
    for (let count = 0; this.count > 0; count++) {
      if (count >= RUNS_MAX) throw new Error(`Aborting after running ${RUNS_MAX} timers, assuming an infinite loop!`);
      yield this.step();
    }
  }

  /** Steps that run the timers that exist now, not those that they add. */
  *pending() {
    this.runTicks();
    const last = [...this.#timers.values()].reduce((end, { dueAt }) => Math.max(end, dueAt), this.elapsed);
    const ids = new Set(this.#timers.keys());
    while (this.step(last, ({ id }) => ids.has(id))) yield true;
  }

  *immediates() { while (this.step(Infinity, ({ isImmediate }) => isImmediate)) yield true; }
}

module.exports = { FakeClock, FRAME_MS };
