// Fake timers and system time: `jest.useFakeTimers`, `setSystemTime`. In: what to fake, the time.
// Out: replacements of the globals, of `node:timers` and `node:timers/promises` but for immediates,
// and of `performance`, until `useRealTimers` or the end of the file. Absent: the order of timers
// (fake_clock.js).
'use strict';

const { FakeClock, FRAME_MS } = require('internal/expect/fake_clock');
const { state } = require('internal/expect/state');

const NativeDate = Date;
const native = require('timers');
/** The time and the timer that nothing here replaces. */
const realClock = { now: NativeDate.now, setTimeout: native.setTimeout, setImmediate: native.setImmediate };

/** What is faked unless options say otherwise; ticks and microtasks only if `toFake` has them. */
const DEFAULT_APIS = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance', 'hrtime',
  'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback',
];
const APIS = [...DEFAULT_APIS, 'nextTick', 'queueMicrotask'];

/** @type {FakeClock | undefined} */
let clock;
/** The frozen time of `setSystemTime` without fake timers. */
let systemTime;
/** [object, name, original descriptor] of each replaced property. */
let replaced = [];

function replace(object, name, descriptor) {
  const original = Object.getOwnPropertyDescriptor(object, name);
  replaced.push([object, name, original]);
  Object.defineProperty(object, name, { __proto__: null, configurable: true, enumerable: original?.enumerable ?? true, ...descriptor });
}

function replaceValue(object, name, value) {
  Object.defineProperty(value, 'name', { __proto__: null, value: name, configurable: true });
  replace(object, name, { value, writable: true });
}

function restoreAll() {
  for (const [object, name, original] of replaced.reverse()) {
    if (original === undefined) delete object[name];
    else Object.defineProperty(object, name, original);
  }
  replaced = [];
  clock = undefined;
  systemTime = undefined;
}

// --- options

function timeOf(now, name = 'now') {
  const time = now instanceof NativeDate || Object.prototype.toString.call(now) === '[object Date]' ? Number(now) : now;
  if (typeof time !== 'number' || Number.isNaN(time)) throw new TypeError(`'${name}' must be a number or Date`);
  return Math.trunc(time);
}

function apisOf({ doNotFake = [], toFake }) {
  for (const api of [...doNotFake, ...toFake ?? []]) {
    if (!APIS.includes(api)) throw new TypeError(`useFakeTimers() cannot fake \`${String(api)}\`; it fakes ${APIS.join(', ')}`);
  }
  return (toFake ?? DEFAULT_APIS).filter((api) => !doNotFake.includes(api));
}

/** @param options as jest's and vitest's, or the names 'modern' and 'legacy' */
function useFakeTimers(options) {
  if (options !== undefined && typeof options !== 'string' && (typeof options !== 'object' || options === null)) {
    throw new TypeError('useFakeTimers() expects an options object');
  }
  const { now, advanceTimers, ...others } = typeof options === 'object' ? options : {};
  const apis = apisOf(others);
  const start = now === undefined ? systemTime ?? realClock.now() : timeOf(now);
  restoreAll();
  clock = new FakeClock(start);
  for (const api of apis) install(api);
  if (advanceTimers) advanceAlong(clock, advanceTimers === true ? 1 : Number(advanceTimers));
  state.cleanups.add(restoreAll);
}

/** `advanceTimers`: the fake time runs along with the real one. */
function advanceAlong(ofClock, ms) {
  const tick = () => {
    if (clock !== ofClock) return;
    ofClock.advanceBy(ms);
    realClock.setTimeout(tick, ms).unref();
  };
  realClock.setTimeout(tick, ms).unref();
}

// --- replacements

function install(api) {
  const { global } = state.options;
  switch (api) {
    case 'Date': return installDate(() => clock.now);
    case 'performance': return installPerformance(global);
    case 'hrtime': return installHrtime();
    case 'nextTick': return replaceValue(require('process'), api, (callback, ...args) => clock.addTick(callback, args));
    case 'queueMicrotask': return replaceValue(global, api, (callback) => clock.addTick(callback, []));
    default: break;
  }
  const value = FUNCTIONS[api];
  const isOfBrowsers = /Animation|Idle/.test(api);
  if (isOfBrowsers && global[api] === undefined) return undefined;
  replaceValue(global, api, value());
  // By this Testing Library recognizes fake timers.
  if (api === 'setTimeout') Object.defineProperty(global[api], 'clock', { __proto__: null, value: true, configurable: true });
  // Immediates of the modules stay real, as with bun, jest and vitest: React's `act` and the usual
  // `flushPromises` wait for one.
  if (isOfBrowsers || api.endsWith('Immediate')) return undefined;
  replaceValue(native, api, value());
  replaceValue(require('internal/promise_timers'), api, value());
  return undefined;
}

const clear = () => (timer) => clock?.clear(timer);
const FUNCTIONS = {
  __proto__: null,
  setTimeout: () => (callback, delay, ...args) => clock.add({ callback: checked(callback), delay, args }),
  setInterval: () => (callback, delay, ...args) => clock.add({ callback: checked(callback), delay, args, isRepeated: true }),
  setImmediate: () => (callback, ...args) => clock.add({ callback: checked(callback), delay: 0, args, isImmediate: true }),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  requestAnimationFrame: () => (callback) => clock.add({ callback: () => callback(clock.elapsed), delay: clock.toNextFrame, args: [] }).id,
  cancelAnimationFrame: clear,
  requestIdleCallback: () => (callback) => clock.add({ callback, delay: FRAME_MS, args: [] }).id,
  cancelIdleCallback: clear,
};

function checked(callback) {
  require('internal/validators').validateFunction(callback, 'callback');
  return callback;
}

/** A `Date` whose current time is `now()`; dates that it makes are native ones. */
function installDate(now) {
  const { createMockDate } = require('internal/test_runner/mock_date');
  const { global } = state.options;
  const FakeDate = createMockDate(global.Date, { get now() { return now(); } });
  delete FakeDate.isMock;
  replace(global, 'Date', { value: FakeDate, writable: true, enumerable: false });
  replace(NativeDate.prototype, 'constructor', { value: FakeDate, writable: true, enumerable: false });
  const { prototype } = global.Intl.DateTimeFormat;
  const { get: format } = Object.getOwnPropertyDescriptor(prototype, 'format');
  replace(prototype, 'format', { get() { const own = format.call(this); return (date) => own(date ?? now()); } });
  const { formatToParts } = prototype;
  replaceValue(prototype, 'formatToParts', function fakeFormatToParts(date) { return formatToParts.call(this, date ?? now()); });
}

function installPerformance(global) {
  const { performance } = global;
  const start = performance.now();
  replaceValue(performance, 'now', () => start + clock.elapsed);
}

function installHrtime() {
  const process = require('process');
  const { hrtime } = process;
  const start = hrtime.bigint();
  const nowNs = () => start + BigInt(Math.round(clock.elapsed * 1e6));
  const fake = (before) => {
    const now = nowNs();
    const pair = Array.of(Number(now / 1_000_000_000n), Number(now % 1_000_000_000n));
    if (before === undefined) return pair;
    const [seconds, nanoseconds] = [pair[0] - before[0], pair[1] - before[1]];
    return nanoseconds < 0 ? Array.of(seconds - 1, nanoseconds + 1e9) : Array.of(seconds, nanoseconds);
  };
  fake.bigint = nowNs;
  replaceValue(process, 'hrtime', fake);
}

// --- the system time

function setSystemTime(now) {
  if (now === undefined) {
    if (clock !== undefined) clock.now = realClock.now();
    else restoreAll();
    return;
  }
  const time = timeOf(now);
  if (clock !== undefined) {
    clock.now = time;
    return;
  }
  if (systemTime === undefined) installDate(() => systemTime);
  systemTime = time;
  state.cleanups.add(restoreAll);
}

// --- advancing

function active() {
  if (clock === undefined) throw new Error('Fake timers are not active. Call useFakeTimers() first.');
  return clock;
}

function durationOf(ms, method) {
  if (typeof ms !== 'number' || !(ms >= 0)) throw new TypeError(`${method}() expects a number of milliseconds that is not negative`);
  return ms;
}

function finish(steps) { for (const _ of steps); }

/** Runs steps with the microtasks and ticks of each before the next. */
async function finishAsync(steps) {
  const ofClock = active();
  await settle();
  ofClock.delayMin = 1;
  try {
    for (const _ of steps) await settle();
  } finally {
    ofClock.delayMin = 0;
  }
}

const settle = () => new Promise((resolve) => { realClock.setImmediate(resolve); });

function* advancing(ms) {
  const ofClock = active();
  const end = ofClock.elapsed + durationOf(ms, 'advanceTimersByTime');
  ofClock.runTicks();
  while (ofClock.step(end)) yield;
  ofClock.elapsed = end;
}

function* stepping(count = 1) {
  const ofClock = active();
  for (let index = 0; index < count && ofClock.step(); index++) yield;
}

module.exports = {
  advanceTimersByTime: (ms) => finish(advancing(ms)),
  advanceTimersByTimeAsync: (ms) => finishAsync(advancing(ms)),
  advanceTimersToNextFrame: () => finish(advancing(active().toNextFrame)),
  advanceTimersToNextTimer: (count) => finish(stepping(count)),
  advanceTimersToNextTimerAsync: (count) => finishAsync(stepping(count)),
  clearAllTimers: () => active().clearAll(),
  getRealSystemTime: () => realClock.now(),
  getTimerCount: () => active().count,
  isFakeTimers: () => clock !== undefined,
  now: () => clock?.now ?? systemTime ?? realClock.now(),
  realClock,
  runAllImmediates: () => finish(active().immediates()),
  runAllTicks: () => active().runTicks(),
  runAllTimers: () => finish(active().all()),
  runAllTimersAsync: () => finishAsync(active().all()),
  runOnlyPendingTimers: () => finish(active().pending()),
  runOnlyPendingTimersAsync: () => finishAsync(active().pending()),
  setSystemTime,
  useFakeTimers,
  useRealTimers: restoreAll,
};
