// Waiting for events. In: an emitter or a target, a name. Out: `once`, a promise of the next one;
// `on`, all of them as an iterator that keeps what comes while nobody asks.
'use strict';

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { bind } = require('internal/async_context');
const { kFirstArgument } = require('internal/events/symbols');

const AsyncIteratorPrototype =
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function listen(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function unlisten(emitter, name, listener, flags) {
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
    const fail = (error) => {
      unlisten(emitter, name, arrive);
      if (signal != null) unlisten(signal, 'abort', abort);
      reject(error);
    };
    const arrive = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', fail);
      if (signal != null) unlisten(signal, 'abort', abort);
      resolve(args);
    };
    const flags = { __proto__: null, once: true, [kResistStopPropagation]: true };
    listen(emitter, name, arrive, flags);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', fail);
    function abort() {
      unlisten(emitter, name, arrive);
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', fail);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    }
    if (signal != null) listen(signal, 'abort', abort, { __proto__: null, once: true, [kResistStopPropagation]: true });
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
  return new Events(emitter, event, options, { signal, high, low }).iterator;
}

// What comes waits in `kept`, who asks in `asked`; one of them is empty.
class Events {
  kept = [];
  asked = [];
  taken = 0;
  error = undefined;
  isFinished = false;
  isPaused = false;
  listeners = [];

  constructor(emitter, event, options, { signal, high, low }) {
    Object.assign(this, { emitter, high, low });
    const isTarget = typeof emitter.on !== 'function';
    const wantsFirst = options[kFirstArgument] === true;
    // A target has no `error` event of its own kind.
    this.add(emitter, event, wantsFirst ? (value) => this.arrive(value) : isTarget ? (value) => this.arrive([value]) : (...args) => this.arrive(args));
    if (event !== 'error' && typeof emitter.on === 'function') this.add(emitter, 'error', (error) => this.fail(error));
    for (const name of options.close ?? []) this.add(emitter, name, () => this.close());
    if (signal) {
      const { addAbortListener } = require('internal/events/abort_listener');
      const { SymbolDispose } = require('internal/util');
      const aborted = addAbortListener(signal, () => this.fail(new AbortError(undefined, { cause: signal.reason })));
      this.release = () => aborted[SymbolDispose]();
    }
    this.iterator = this.makeIterator();
  }

  add(emitter, name, listener) {
    listener = bind(listener);
    listen(emitter, name, listener);
    this.listeners.push([name, listener]);
  }

  get waiting() {
    return this.kept.length - this.taken;
  }

  take() {
    const value = this.kept[this.taken];
    this.kept[this.taken++] = undefined;
    // Not before half of it is taken, however much is kept.
    if (this.taken === this.kept.length || (this.taken > 1024 && this.taken > this.waiting)) {
      this.kept = this.kept.slice(this.taken);
      this.taken = 0;
    }
    return value;
  }

  arrive(value) {
    if (this.asked.length > 0) {
      this.asked.shift().resolve({ value, done: false });
      return;
    }
    this.kept.push(value);
    if (!this.isPaused && this.waiting > this.high) {
      this.isPaused = true;
      this.emitter.pause?.();
    }
  }

  fail(error) {
    if (this.asked.length > 0) this.asked.shift().reject(error);
    else this.error = error;
    this.close();
  }

  close() {
    this.release?.();
    for (const [name, listener] of this.listeners) unlisten(this.emitter, name, listener);
    this.listeners = [];
    this.isFinished = true;
    const end = { value: undefined, done: true };
    for (const { resolve } of this.asked) resolve({ ...end });
    this.asked = [];
    return Promise.resolve({ ...end });
  }

  next() {
    if (this.waiting > 0) {
      const value = this.take();
      // What is closed has nothing more, and may refuse.
      if (this.isPaused && this.waiting < this.low && !this.isFinished) {
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
    if (this.isFinished) return this.close();
    return new Promise((resolve, reject) => this.asked.push({ resolve, reject }));
  }

  makeIterator() {
    const events = this;
    const { SymbolAsyncDispose } = require('internal/util');
    return Object.setPrototypeOf({
      next() { return events.next(); },
      return() { return events.close(); },
      throw(error) {
        if (!error || !(error instanceof Error)) {
          throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
        }
        events.fail(error);
      },
      [Symbol.asyncIterator]() { return this; },
      [SymbolAsyncDispose]() { return events.close(); },
      [Symbol.for('nodejs.watermarkData')]: {
        get size() { return events.waiting; },
        get low() { return events.low; },
        get high() { return events.high; },
        get isPaused() { return events.isPaused; },
      },
    }, AsyncIteratorPrototype);
  }
}

module.exports = { on, once };
