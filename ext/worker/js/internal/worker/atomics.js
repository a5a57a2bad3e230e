// `Atomics.waitAsync`, and what `Atomics.notify` does for those who wait so; the engine has the one
// for other programs alone. In: the engine's functions. Out: the two. Absent: an order among
// threads that wait and promises that do: threads are told first.
'use strict';

const { forget, isAny, notify: tell, wait } = internalBinding('atomics');
const { isSharedArrayBuffer } = require('internal/util/types');

const { clearTimeout, setTimeout } = internalBinding('queues');

const { apply } = Reflect;
const { max, trunc } = Math;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const arrays = Object.getPrototypeOf(Int32Array.prototype);
const kindOf = getter(arrays, Symbol.toStringTag);
const bufferOf = getter(arrays, 'buffer');
const lengthOf = getter(arrays, 'length');

/** As long as a timer may take; whoever waits longer waits without one. */
const TIMEOUT_MAX = 2 ** 31 - 1;

/** What waits on this thread, by its number: kept with its array, whose memory must stay. */
const waiting = new Map();

function toIndex(value, length) {
  // `-0` and what is no number are 0.
  const index = trunc(+value) || 0;
  if (index < 0 || index >= length) throw new RangeError('Access index out of bounds for atomic access.');
  return index;
}

const isShared = (array) => isSharedArrayBuffer(apply(bufferOf, array, []));

/** Whether each element has eight bytes; of an array that nobody may wait for it is an error. */
function checkWidth(array) {
  const kind = apply(kindOf, array, []);
  if (kind === 'BigInt64Array') return true;
  if (kind === 'Int32Array') return false;
  throw new TypeError('Typed array argument must be an Int32Array or BigInt64Array.');
}

/** Milliseconds; what is no number is no limit. */
function toTimeout(value) {
  const milliseconds = +value;
  return milliseconds !== milliseconds ? Infinity : max(milliseconds, 0);
}

function settle(number) {
  const { resolve, timer } = waiting.get(number);
  waiting.delete(number);
  if (timer !== undefined) clearTimeout(timer);
  resolve('ok');
}

function limit(number, array, offset, isWide, milliseconds) {
  const entry = waiting.get(number);
  entry.timer = setTimeout(() => {
    // It was told in the meantime, and hears of it next.
    if (!forget(array, offset, isWide, number)) return;
    waiting.delete(number);
    entry.resolve('timed-out');
  }, milliseconds);
  // Who waits so does not keep a program going.
  entry.timer.unref();
}

function waitAsync(load, array, index, value, timeout) {
  const isWide = checkWidth(array);
  if (!isShared(array)) throw new TypeError('Typed array for wait/waitAsync/notify must wrap a SharedArrayBuffer.');
  const at = toIndex(index, apply(lengthOf, array, []));
  const expected = isWide ? BigInt.asIntN(64, value) : value | 0;
  const milliseconds = toTimeout(timeout);
  if (milliseconds === 0) return { async: false, value: load(array, at) === expected ? 'timed-out' : 'not-equal' };
  const low = isWide ? Number(BigInt.asUintN(32, expected)) : expected >>> 0;
  const high = isWide ? Number(BigInt.asUintN(32, expected >> 32n)) : (expected >> 31) >>> 0;
  const offset = at * (isWide ? 8 : 4);
  const number = wait(array, offset, isWide, low, high, settle);
  if (number === 0) return { async: false, value: 'not-equal' };
  const { promise, resolve } = Promise.withResolvers();
  waiting.set(number, { resolve, array, timer: undefined });
  if (milliseconds <= TIMEOUT_MAX) limit(number, array, offset, isWide, milliseconds);
  return { async: true, value: promise };
}

/** `engine`: its own function, which checks what it is given. */
function notify(engine, array, index, count) {
  if (!isAny()) return engine(array, index, count);
  const isWide = checkWidth(array);
  const at = toIndex(index, apply(lengthOf, array, []));
  const most = count === undefined ? Infinity : max(trunc(+count) || 0, 0);
  const told = engine(array, at, most);
  return told < most && isShared(array) ? told + tell(array, at * (isWide ? 8 : 4), isWide, most - told) : told;
}

module.exports = {
  /** Gives a global object's `Atomics` both. */
  extend(target) {
    const { notify: engine, load } = target;
    const functions = {
      notify(array, index, count) { return notify(engine, array, index, count); },
      waitAsync(array, index, value, timeout) { return waitAsync(load, array, index, value, timeout); },
    };
    for (const name of Object.keys(functions)) {
      Object.defineProperty(target, name, { __proto__: null, value: functions[name], writable: true, configurable: true });
    }
    return target;
  },
};
