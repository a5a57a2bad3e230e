// `Atomics.waitAsync`, and an `Atomics.notify` that also notifies its waiters; the engine does not
// offer it to embedders. In: the engine's functions. Out: the two. Absent: an order among blocked
// threads and asynchronous waiters; threads are notified first.
'use strict';

const { removeWaiter, hasWaiters, notify: notifyWaiters, addWaiter } = internalBinding('atomics');
const { isSharedArrayBuffer } = require('internal/util/types');

const { clearTimeout, setTimeout } = internalBinding('queues');

const { apply } = Reflect;
const { max, trunc } = Math;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const arrays = Object.getPrototypeOf(Int32Array.prototype);
const getTag = getter(arrays, Symbol.toStringTag);
const getBuffer = getter(arrays, 'buffer');
const getLength = getter(arrays, 'length');

/** The longest timer; longer timeouts never expire. */
const TIMEOUT_MAX = 2 ** 31 - 1;

/** Waiters of this thread by id. Each holds its array, whose memory must stay alive. */
const waiters = new Map();

function toIndex(value, length) {
  // `-0` and NaN are 0.
  const index = trunc(+value) || 0;
  if (index < 0 || index >= length) throw new RangeError('Access index out of bounds for atomic access.');
  return index;
}

const isShared = (array) => isSharedArrayBuffer(apply(getBuffer, array, []));

/** Whether the elements have 64 bits. Throws for arrays that `Atomics.wait` does not allow. */
function has64BitElements(array) {
  const type = apply(getTag, array, []);
  if (type === 'BigInt64Array') return true;
  if (type === 'Int32Array') return false;
  throw new TypeError('Typed array argument must be an Int32Array or BigInt64Array.');
}

/** Milliseconds; NaN is no timeout. */
function toTimeout(value) {
  const milliseconds = +value;
  return milliseconds !== milliseconds ? Infinity : max(milliseconds, 0);
}

function onNotified(id) {
  const { resolve, timer } = waiters.get(id);
  waiters.delete(id);
  if (timer !== undefined) clearTimeout(timer);
  resolve('ok');
}

function startTimer(id, array, offset, is64Bit, milliseconds) {
  const entry = waiters.get(id);
  entry.timer = setTimeout(() => {
    // It was notified meanwhile; its completion follows.
    if (!removeWaiter(array, offset, is64Bit, id)) return;
    waiters.delete(id);
    entry.resolve('timed-out');
  }, milliseconds);
  // A waiter does not keep the event loop alive.
  entry.timer.unref();
}

function waitAsync(load, array, index, value, timeout) {
  const is64Bit = has64BitElements(array);
  if (!isShared(array)) throw new TypeError('Typed array for wait/waitAsync/notify must wrap a SharedArrayBuffer.');
  const elementIndex = toIndex(index, apply(getLength, array, []));
  const expected = is64Bit ? BigInt.asIntN(64, value) : value | 0;
  const milliseconds = toTimeout(timeout);
  if (milliseconds === 0) return { async: false, value: load(array, elementIndex) === expected ? 'timed-out' : 'not-equal' };
  const low = is64Bit ? Number(BigInt.asUintN(32, expected)) : expected >>> 0;
  const high = is64Bit ? Number(BigInt.asUintN(32, expected >> 32n)) : (expected >> 31) >>> 0;
  const offset = elementIndex * (is64Bit ? 8 : 4);
  const id = addWaiter(array, offset, is64Bit, low, high, onNotified);
  if (id === 0) return { async: false, value: 'not-equal' };
  const { promise, resolve } = Promise.withResolvers();
  waiters.set(id, { resolve, array, timer: undefined });
  if (milliseconds <= TIMEOUT_MAX) startTimer(id, array, offset, is64Bit, milliseconds);
  return { async: true, value: promise };
}

/** `engineNotify`: the engine's function, which validates its arguments. */
function notify(engineNotify, array, index, count) {
  if (!hasWaiters()) return engineNotify(array, index, count);
  const is64Bit = has64BitElements(array);
  const elementIndex = toIndex(index, apply(getLength, array, []));
  const countMax = count === undefined ? Infinity : max(trunc(+count) || 0, 0);
  const notified = engineNotify(array, elementIndex, countMax);
  return notified < countMax && isShared(array) ? notified + notifyWaiters(array, elementIndex * (is64Bit ? 8 : 4), is64Bit, countMax - notified) : notified;
}

module.exports = {
  /** Adds both to the `Atomics` of a global object. */
  extend(target) {
    const { notify: engineNotify, load } = target;
    const functions = {
      notify(array, index, count) { return notify(engineNotify, array, index, count); },
      waitAsync(array, index, value, timeout) { return waitAsync(load, array, index, value, timeout); },
    };
    for (const name of Object.keys(functions)) {
      Object.defineProperty(target, name, { __proto__: null, value: functions[name], writable: true, configurable: true });
    }
    return target;
  },
};
