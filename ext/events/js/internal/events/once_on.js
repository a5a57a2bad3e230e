// `once` and `on` of node:events. In: an emitter or an EventTarget, a name. Out: `once`, a promise
// of the next event; `on`, an async iterator that buffers unconsumed events. Follows Node's
// lib/events.js.
'use strict';

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { bind } = require('internal/async_context');
const { kFirstArgument } = require('internal/events/symbols');

const AsyncIteratorPrototype =
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function addListener(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function removeListener(emitter, name, listener, flags) {
  if (typeof emitter.removeListener === 'function') {
    emitter.removeListener(name, listener);
  } else if (typeof emitter.removeEventListener === 'function') {
    emitter.removeEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

async function once(emitter, name, options = kEmptyObject) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const { kResistStopPropagation } = require('web/events');
  return new Promise((resolve, reject) => {
    const errorListener = (error) => {
      removeListener(emitter, name, resolver);
      if (signal != null) removeListener(signal, 'abort', abortListener);
      reject(error);
    };
    const resolver = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', errorListener);
      if (signal != null) removeListener(signal, 'abort', abortListener);
      resolve(args);
    };
    const flags = { __proto__: null, once: true, [kResistStopPropagation]: true };
    addListener(emitter, name, resolver, flags);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', errorListener);
    function abortListener() {
      removeListener(emitter, name, resolver);
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', errorListener);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    }
    if (signal != null) addListener(signal, 'abort', abortListener, { __proto__: null, once: true, [kResistStopPropagation]: true });
  });
}

function on(emitter, event, options = kEmptyObject) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(high, 'options.highWaterMark', 1);
  validateInteger(low, 'options.lowWaterMark', 1);
  return new EventIterator(emitter, event, options, { signal, high, low }).iterator;
}

// The iterator of `on`. `unconsumedEvents` are buffered events, `unconsumedPromises` pending calls
// of `next`; one of them is empty.
class EventIterator {
  unconsumedEvents = [];
  unconsumedPromises = [];
  consumedCount = 0;
  error = undefined;
  isFinished = false;
  isPaused = false;
  listeners = [];

  constructor(emitter, event, options, { signal, high, low }) {
    Object.assign(this, { emitter, high, low });
    const isEventTarget = typeof emitter.on !== 'function';
    const firstArgumentOnly = options[kFirstArgument] === true;
    // An EventTarget has no special 'error' event.
    this.listenTo(emitter, event, firstArgumentOnly ? (value) => this.eventHandler(value) :
      isEventTarget ? (value) => this.eventHandler([value]) : (...args) => this.eventHandler(args));
    if (event !== 'error' && typeof emitter.on === 'function') this.listenTo(emitter, 'error', (error) => this.errorHandler(error));
    for (const name of options.close ?? []) this.listenTo(emitter, name, () => this.closeHandler());
    if (signal) {
      const { addAbortListener } = require('internal/events/abort_listener');
      const { SymbolDispose } = require('internal/util');
      const abortDisposable = addAbortListener(signal, () => this.errorHandler(new AbortError(undefined, { cause: signal.reason })));
      this.removeAbortListener = () => abortDisposable[SymbolDispose]();
    }
    this.iterator = this.createIterator();
  }

  listenTo(emitter, name, listener) {
    listener = bind(listener);
    addListener(emitter, name, listener);
    this.listeners.push([name, listener]);
  }

  get size() {
    return this.unconsumedEvents.length - this.consumedCount;
  }

  shiftEvent() {
    const value = this.unconsumedEvents[this.consumedCount];
    this.unconsumedEvents[this.consumedCount++] = undefined;
    // Compacts the buffer only when half of it is consumed, whatever its size.
    if (this.consumedCount === this.unconsumedEvents.length || (this.consumedCount > 1024 && this.consumedCount > this.size)) {
      this.unconsumedEvents = this.unconsumedEvents.slice(this.consumedCount);
      this.consumedCount = 0;
    }
    return value;
  }

  eventHandler(value) {
    if (this.unconsumedPromises.length > 0) {
      this.unconsumedPromises.shift().resolve({ value, done: false });
      return;
    }
    this.unconsumedEvents.push(value);
    if (!this.isPaused && this.size > this.high) {
      this.isPaused = true;
      this.emitter.pause?.();
    }
  }

  errorHandler(error) {
    if (this.unconsumedPromises.length > 0) this.unconsumedPromises.shift().reject(error);
    else this.error = error;
    this.closeHandler();
  }

  closeHandler() {
    this.removeAbortListener?.();
    for (const [name, listener] of this.listeners) removeListener(this.emitter, name, listener);
    this.listeners = [];
    this.isFinished = true;
    const end = { value: undefined, done: true };
    for (const { resolve } of this.unconsumedPromises) resolve({ ...end });
    this.unconsumedPromises = [];
    return Promise.resolve({ ...end });
  }

  next() {
    if (this.size > 0) {
      const value = this.shiftEvent();
      // A closed stream has no more data, and its `resume` may throw.
      if (this.isPaused && this.size < this.low && !this.isFinished) {
        this.emitter.resume?.();
        this.isPaused = false;
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.error !== undefined) {
      const rejected = Promise.reject(this.error);
      this.error = undefined;
      return rejected;
    }
    if (this.isFinished) return this.closeHandler();
    return new Promise((resolve, reject) => this.unconsumedPromises.push({ resolve, reject }));
  }

  createIterator() {
    const events = this;
    const { SymbolAsyncDispose } = require('internal/util');
    return Object.setPrototypeOf({
      next() { return events.next(); },
      return() { return events.closeHandler(); },
      throw(error) {
        if (!error || !(error instanceof Error)) {
          throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
        }
        events.errorHandler(error);
      },
      [Symbol.asyncIterator]() { return this; },
      [SymbolAsyncDispose]() { return events.closeHandler(); },
      [Symbol.for('nodejs.watermarkData')]: {
        get size() { return events.size; },
        get low() { return events.low; },
        get high() { return events.high; },
        get isPaused() { return events.isPaused; },
      },
    }, AsyncIteratorPrototype);
  }
}

module.exports = { on, once };
