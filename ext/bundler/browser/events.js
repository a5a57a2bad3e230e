// `node:events` in browsers. In: event names, listeners. Out: listeners called with the arguments
// of `emit`. Absent: captured rejections, domains.
'use strict';

const { codes, AbortError } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const errorMonitor = Symbol('events.errorMonitor');
const kListeners = Symbol('listeners');

function EventEmitter() {
  EventEmitter.init.call(this);
}

EventEmitter.init = function init() {
  this[kListeners] ??= new Map();
  this._maxListeners ??= undefined;
};

/** The listeners of an event; emitters that were made without the constructor have none yet. */
function listenersOf(emitter, name) {
  if (!Object.hasOwn(emitter, kListeners)) emitter[kListeners] = new Map();
  return emitter[kListeners].get(name) ?? [];
}

function add(emitter, name, listener, isFirst) {
  validateFunction(listener, 'listener');
  if (listenersOf(emitter, 'newListener').length > 0) emitter.emit('newListener', name, listener.listener ?? listener);
  const known = listenersOf(emitter, name);
  const all = isFirst ? [listener, ...known] : [...known, listener];
  emitter[kListeners].set(name, all);
  const most = emitter.getMaxListeners();
  if (most > 0 && all.length === most + 1) {
    console.warn(`MaxListenersExceededWarning: Possible EventEmitter memory leak detected. ${all.length} ${String(name)} listeners added.`);
  }
  return emitter;
}

function once(emitter, name, listener) {
  validateFunction(listener, 'listener');
  const wrapper = function wrapper(...values) {
    emitter.removeListener(name, wrapper);
    return listener.apply(emitter, values);
  };
  wrapper.listener = listener;
  return wrapper;
}

Object.assign(EventEmitter.prototype, {
  on(name, listener) { return add(this, name, listener, false); },
  addListener(name, listener) { return add(this, name, listener, false); },
  prependListener(name, listener) { return add(this, name, listener, true); },
  once(name, listener) { return add(this, name, once(this, name, listener), false); },
  prependOnceListener(name, listener) { return add(this, name, once(this, name, listener), true); },

  removeListener(name, listener) {
    validateFunction(listener, 'listener');
    const known = listenersOf(this, name);
    const at = known.findLastIndex((one) => one === listener || one.listener === listener);
    if (at < 0) return this;
    const rest = known.toSpliced(at, 1);
    if (rest.length === 0) this[kListeners].delete(name);
    else this[kListeners].set(name, rest);
    if (listenersOf(this, 'removeListener').length > 0) this.emit('removeListener', name, listener);
    return this;
  },

  removeAllListeners(name) {
    listenersOf(this, name);
    if (name === undefined) this[kListeners].clear();
    else this[kListeners].delete(name);
    return this;
  },

  emit(name, ...values) {
    if (name === 'error') {
      for (const listener of listenersOf(this, errorMonitor)) listener.apply(this, values);
    }
    const listeners = listenersOf(this, name);
    if (listeners.length === 0) {
      if (name !== 'error') return false;
      const [error] = values;
      throw error instanceof Error ? error : Object.assign(new codes.ERR_UNHANDLED_ERROR(error), { context: error });
    }
    for (const listener of listeners) listener.apply(this, values);
    return true;
  },

  listeners(name) { return listenersOf(this, name).map((one) => one.listener ?? one); },
  rawListeners(name) { return [...listenersOf(this, name)]; },
  listenerCount(name) { return listenersOf(this, name).length; },
  eventNames() { return [...(this[kListeners]?.keys() ?? [])]; },
  getMaxListeners() { return this._maxListeners ?? EventEmitter.defaultMaxListeners; },
  setMaxListeners(count) { this._maxListeners = count; return this; },
});
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

function listen(emitter, name, listener, options) {
  if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, options);
    return () => emitter.removeEventListener(name, listener, options);
  }
  emitter.on(name, listener);
  return () => emitter.removeListener(name, listener);
}

/** A promise of the arguments of the next event. */
EventEmitter.once = (emitter, name, { signal } = {}) => new Promise((resolve, reject) => {
  if (signal?.aborted) return void reject(new AbortError(undefined, { cause: signal.reason }));
  const stops = [];
  const end = (settle) => (value) => {
    stops.forEach((stop) => stop());
    settle(value);
  };
  const done = end(resolve);
  const fail = end(reject);
  stops.push(listen(emitter, name, (...values) => done(values)));
  if (name !== 'error' && typeof emitter.addEventListener !== 'function') stops.push(listen(emitter, 'error', fail));
  if (signal !== undefined) stops.push(listen(signal, 'abort', () => fail(new AbortError(undefined, { cause: signal.reason }))));
});

/** An iterator over the arguments of all further events. */
EventEmitter.on = (emitter, name, { signal } = {}) => {
  const waiting = [];
  const events = [];
  let failure;
  let isDone = false;
  const settle = () => {
    while (waiting.length > 0 && (events.length > 0 || failure !== undefined || isDone)) {
      const { resolve, reject } = waiting.shift();
      if (events.length > 0) resolve({ value: events.shift(), done: false });
      else if (failure !== undefined) reject(failure);
      else resolve({ value: undefined, done: true });
    }
  };
  const fail = (error) => { failure = error; settle(); };
  const stops = [listen(emitter, name, (...values) => { events.push(values); settle(); })];
  if (name !== 'error') stops.push(listen(emitter, 'error', fail));
  if (signal !== undefined) stops.push(listen(signal, 'abort', () => fail(new AbortError(undefined, { cause: signal.reason }))));
  const end = () => { stops.forEach((stop) => stop()); isDone = true; settle(); };
  return {
    next: () => new Promise((resolve, reject) => { waiting.push({ resolve, reject }); settle(); }),
    return: async () => { end(); return { value: undefined, done: true }; },
    throw: async (error) => { fail(error); end(); throw error; },
    [Symbol.asyncIterator]() { return this; },
  };
};

EventEmitter.defaultMaxListeners = 10;
EventEmitter.errorMonitor = errorMonitor;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.captureRejectionSymbol = Symbol.for('nodejs.rejection');
EventEmitter.captureRejections = false;
EventEmitter.usingDomains = false;
EventEmitter.listenerCount = (emitter, name) => emitter.listenerCount(name);
EventEmitter.getEventListeners = (emitter, name) => emitter.listeners(name);
EventEmitter.setMaxListeners = (count, ...emitters) => {
  if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
  emitters.forEach((emitter) => emitter.setMaxListeners?.(count));
};
module.exports = EventEmitter;
