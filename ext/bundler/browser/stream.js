// `node:stream` in browsers: readable, writable and transform streams over events. In: chunks. Out:
// events, iterators, callbacks. Absent: corking, operators such as `map`, web streams.
'use strict';

const EventEmitter = require('events');
const { Buffer } = require('buffer');
const { codes, AbortError } = require('internal/errors');

const HIGH_WATER_BYTES = 64 * 1024;
const HIGH_WATER_OBJECTS = 16;

function Stream() { EventEmitter.call(this); }
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

function limitOf(options, kind) {
  const isObjects = options.objectMode || options[`${kind}ObjectMode`];
  return options.highWaterMark ?? options[`${kind}HighWaterMark`] ?? (isObjects ? HIGH_WATER_OBJECTS : HIGH_WATER_BYTES);
}

function sizeOf(chunk, isObjects) { return isObjects ? 1 : chunk.length; }

function destroy(error, callback) {
  if (this.destroyed) return this;
  this.destroyed = true;
  const done = (failure) => {
    const reason = failure ?? error;
    queueMicrotask(() => {
      callback?.(reason);
      if (reason) {
        this.errored = reason;
        this.emit('error', reason);
      }
      this.closed = true;
      this.emit('close');
    });
  };
  this._destroy(error ?? null, done);
  return this;
}

function initReadable(stream, options) {
  Object.assign(stream, { readable: true, readableEnded: false, readableFlowing: null, readableObjectMode: Boolean(options.objectMode || options.readableObjectMode), readableHighWaterMark: limitOf(options, 'readable') });
  stream._readableState = { chunks: [], length: 0, isEnded: false, isReading: false, isScheduled: false, decoder: null, pipes: [], objectMode: stream.readableObjectMode };
  if (options.encoding) stream.setEncoding(options.encoding);
  if (typeof options.read === 'function') stream._read = options.read;
}

function initCommon(stream, options) {
  EventEmitter.call(stream);
  Object.assign(stream, { destroyed: false, closed: false, errored: null, _autoDestroy: options.autoDestroy !== false });
  if (typeof options.destroy === 'function') stream._destroy = options.destroy;
  options.signal?.addEventListener('abort', () => stream.destroy(new AbortError(undefined, { cause: options.signal.reason })), { once: true });
}

function Readable(options = {}) {
  if (!(this instanceof Readable)) return new Readable(options);
  initCommon(this, options);
  initReadable(this, options);
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

const readableMethods = {
  _read() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()'); },
  _destroy(error, callback) { callback(error); },
  destroy,

  push(chunk, encoding) {
    const state = this._readableState;
    state.isReading = false;
    if (chunk === null) {
      const rest = state.isEnded ? '' : state.decoder?.end() ?? '';
      if (rest !== '') state.chunks.push(rest);
      state.isEnded = true;
    } else {
      if (state.isEnded) return void this.destroy(new codes.ERR_STREAM_PUSH_AFTER_EOF());
      let value = chunk;
      if (!state.objectMode) {
        if (typeof value === 'string') value = Buffer.from(value, encoding);
        else if (!Buffer.isBuffer(value)) value = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
        if (state.decoder !== null) value = state.decoder.write(value);
      }
      if (state.objectMode || value.length > 0) {
        state.chunks.push(value);
        state.length += sizeOf(value, state.objectMode);
      }
    }
    this._schedule();
    return state.length < this.readableHighWaterMark;
  },

  unshift(chunk) {
    const state = this._readableState;
    const value = !state.objectMode && typeof chunk === 'string' && state.decoder === null ? Buffer.from(chunk) : chunk;
    state.chunks.unshift(value);
    state.length += sizeOf(value, state.objectMode);
    this._schedule();
  },

  /** Emits what there is, in a later microtask. */
  _schedule() {
    const state = this._readableState;
    if (state.isScheduled || this.destroyed) return;
    state.isScheduled = true;
    queueMicrotask(() => {
      state.isScheduled = false;
      if (this.readableFlowing) this._flow();
      else if (state.chunks.length > 0 || state.isEnded) this.emit('readable');
      if (state.isEnded && state.chunks.length === 0 && (this.readableFlowing || this.listenerCount('readable') > 0)) this._finishReading();
      else this._fill();
    });
  },

  _flow() {
    const state = this._readableState;
    while (this.readableFlowing && state.chunks.length > 0 && !this.destroyed) this.emit('data', this._take());
  },

  _take() {
    const state = this._readableState;
    const chunk = state.chunks.shift();
    state.length -= sizeOf(chunk, state.objectMode);
    return chunk;
  },

  _fill() {
    const state = this._readableState;
    const isWanted = this.readableFlowing || this.listenerCount('readable') > 0;
    if (state.isReading || state.isEnded || this.destroyed || !isWanted || state.length >= this.readableHighWaterMark) return;
    state.isReading = true;
    try {
      this._read(this.readableHighWaterMark);
    } catch (error) {
      this.destroy(error);
    }
  },

  _finishReading() {
    if (this.readableEnded) return;
    this.readableEnded = true;
    this.readable = false;
    this.emit('end');
    if (this._autoDestroy && (this._writableState === undefined || this.writableFinished)) this.destroy();
  },

  read(size) {
    const state = this._readableState;
    if (state.chunks.length === 0 || size === 0) {
      if (state.isEnded) this._schedule();
      else this._fillNow();
      if (state.chunks.length === 0 || size === 0) return null;
    }
    let value;
    if (state.objectMode) value = this._take();
    else {
      const all = state.chunks.splice(0);
      const joined = typeof all[0] === 'string' ? all.join('') : Buffer.concat(all);
      if (size !== undefined && size < joined.length) state.chunks.push(joined.slice(size));
      value = size === undefined ? joined : joined.slice(0, size);
      state.length = state.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    }
    this.emit('data', value);
    if (state.chunks.length === 0) this._schedule();
    return value;
  },

  _fillNow() {
    const state = this._readableState;
    if (state.isReading || state.isEnded || this.destroyed) return;
    state.isReading = true;
    this._read(this.readableHighWaterMark);
  },

  on(name, listener) {
    EventEmitter.prototype.on.call(this, name, listener);
    if (name === 'data' && this.readableFlowing !== false) this.resume();
    else if (name === 'readable') this._schedule();
    return this;
  },

  resume() {
    this.readableFlowing = true;
    this._schedule();
    return this;
  },

  pause() {
    this.readableFlowing = false;
    return this;
  },

  isPaused() { return this.readableFlowing === false; },

  setEncoding(encoding) {
    const { StringDecoder } = require('string_decoder');
    const state = this._readableState;
    state.decoder = new StringDecoder(encoding);
    state.chunks = state.chunks.map((chunk) => typeof chunk === 'string' ? chunk : state.decoder.write(chunk));
    return this;
  },

  pipe(target, { end = true } = {}) {
    const onData = (chunk) => {
      if (target.write(chunk) === false) {
        this.pause();
        target.once('drain', () => this.resume());
      }
    };
    const onEnd = () => target.end();
    this._readableState.pipes.push({ target, stop: () => { this.off('data', onData); this.off('end', onEnd); } });
    this.on('data', onData);
    if (end) this.once('end', onEnd);
    target.emit('pipe', this);
    return target;
  },

  unpipe(target) {
    const state = this._readableState;
    state.pipes = state.pipes.filter((pipe) => {
      if (target !== undefined && pipe.target !== target) return true;
      pipe.stop();
      pipe.target.emit('unpipe', this);
      return false;
    });
    if (state.pipes.length === 0) this.pause();
    return this;
  },

  async* [Symbol.asyncIterator]() {
    const chunks = [];
    let wake = () => {};
    let failure;
    let isDone = false;
    this.on('data', (chunk) => { chunks.push(chunk); this.pause(); wake(); });
    this.once('end', () => { isDone = true; wake(); });
    this.once('error', (error) => { failure = error; wake(); });
    this.once('close', () => { isDone = true; wake(); });
    try {
      for (;;) {
        if (chunks.length > 0) yield chunks.shift();
        else if (failure !== undefined) throw failure;
        else if (isDone) return;
        else {
          const woken = new Promise((resolve) => { wake = resolve; });
          this.resume();
          await woken;
        }
      }
    } finally {
      if (!isDone) this.destroy();
    }
  },
};
Object.assign(Readable.prototype, readableMethods);
Readable.prototype.addListener = Readable.prototype.on;

Readable.from = (source, options) => {
  const iterator = typeof source === 'string' || Buffer.isBuffer(source) ? [source][Symbol.iterator]() : source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
  const stream = new Readable({ objectMode: true, ...options });
  stream._read = async () => {
    try {
      const { value, done } = await iterator.next();
      stream.push(done ? null : await value);
    } catch (error) {
      stream.destroy(error);
    }
  };
  return stream;
};

function initWritable(stream, options) {
  Object.assign(stream, { writable: true, writableEnded: false, writableFinished: false, writableNeedDrain: false, writableObjectMode: Boolean(options.objectMode || options.writableObjectMode), writableHighWaterMark: limitOf(options, 'writable') });
  stream._writableState = { queue: [], length: 0, isWriting: false, objectMode: stream.writableObjectMode, decodes: options.decodeStrings !== false, encoding: options.defaultEncoding ?? 'utf8' };
  for (const name of ['write', 'writev', 'final']) {
    if (typeof options[name] === 'function') stream[`_${name}`] = options[name];
  }
}

function Writable(options = {}) {
  if (!(this instanceof Writable)) return new Writable(options);
  initCommon(this, options);
  initWritable(this, options);
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(value) {
    return Function.prototype[Symbol.hasInstance].call(this, value) || (this === Writable && value?._writableState !== undefined);
  },
});

const writableMethods = {
  _write(chunk, encoding, callback) {
    if (this._writev === undefined) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
    this._writev([{ chunk, encoding }], callback);
  },
  _final(callback) { callback(); },
  _destroy(error, callback) { callback(error); },
  destroy,

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    const state = this._writableState;
    if (this.writableEnded || this.destroyed) {
      const error = new codes.ERR_STREAM_WRITE_AFTER_END();
      queueMicrotask(() => callback?.(error));
      if (!this.destroyed) this.destroy(error);
      return false;
    }
    const isText = typeof chunk === 'string' && !state.objectMode && state.decodes;
    const value = isText ? Buffer.from(chunk, encoding ?? state.encoding) : chunk;
    state.queue.push({ chunk: value, encoding: isText ? 'buffer' : encoding ?? state.encoding, callback });
    state.length += sizeOf(value, state.objectMode);
    this._writeNext();
    this.writableNeedDrain = state.length >= this.writableHighWaterMark;
    return !this.writableNeedDrain;
  },

  _writeNext() {
    const state = this._writableState;
    if (state.isWriting || this.destroyed) return;
    const next = state.queue.shift();
    if (next === undefined) return void this._finishWriting();
    state.isWriting = true;
    const done = (error) => {
      state.isWriting = false;
      state.length -= sizeOf(next.chunk, state.objectMode);
      queueMicrotask(() => next.callback?.(error));
      if (error) return void this.destroy(error);
      if (state.length === 0 && this.writableNeedDrain && !this.writableEnded) {
        this.writableNeedDrain = false;
        queueMicrotask(() => this.emit('drain'));
      }
      this._writeNext();
    };
    try {
      this._write(next.chunk, next.encoding, done);
    } catch (error) {
      done(error);
    }
  },

  _finishWriting() {
    const state = this._writableState;
    if (!this.writableEnded || state.isFinal) return;
    state.isFinal = true;
    queueMicrotask(() => this._final((error) => {
      if (error) return void this.destroy(error);
      this.writableFinished = true;
      this.emit('finish');
      if (this._autoDestroy && (this._readableState === undefined || this.readableEnded)) this.destroy();
    }));
  },

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, callback] = [undefined, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = [undefined, encoding];
    if (chunk != null) this.write(chunk, encoding);
    if (callback !== undefined) this.once('finish', callback);
    this.writableEnded = true;
    this.writable = false;
    this._writeNext();
    return this;
  },

  cork() {},
  uncork() {},
  setDefaultEncoding(encoding) { this._writableState.encoding = encoding; return this; },
};
Object.assign(Writable.prototype, writableMethods);

function Duplex(options = {}) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  initCommon(this, options);
  initReadable(this, options);
  initWritable(this, options);
  this.allowHalfOpen = options.allowHalfOpen !== false;
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
Object.assign(Duplex.prototype, writableMethods);

function Transform(options = {}) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, options);
  if (typeof options.transform === 'function') this._transform = options.transform;
  if (typeof options.flush === 'function') this._flush = options.flush;
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);
Object.assign(Transform.prototype, {
  _transform() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()'); },
  _flush(callback) { callback(); },

  _write(chunk, encoding, callback) {
    this._transform(chunk, encoding, (error, value) => {
      if (!error && value != null) this.push(value);
      const state = this._readableState;
      // The reader decides when more is written.
      if (error || state.length < this.readableHighWaterMark) callback(error);
      else state.resume = callback;
    });
  },

  _read() {
    const state = this._readableState;
    state.isReading = false;
    const { resume } = state;
    state.resume = undefined;
    resume?.();
  },

  _final(callback) {
    this._flush((error, value) => {
      if (error) return void callback(error);
      if (value != null) this.push(value);
      this.push(null);
      callback();
    });
  },
});

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = (chunk, encoding, callback) => callback(null, chunk);

/** Calls back when a stream has ended, in all its directions, or failed. */
function finished(stream, options, callback = options) {
  let isCalled = false;
  const done = (error) => {
    if (isCalled) return;
    isCalled = true;
    stops.forEach(([name, listener]) => stream.off(name, listener));
    callback.call(stream, error ?? undefined);
  };
  const isReadable = () => stream._readableState !== undefined && options.readable !== false;
  const isWritable = () => stream._writableState !== undefined && options.writable !== false;
  const isComplete = () => (!isReadable() || stream.readableEnded) && (!isWritable() || stream.writableFinished);
  const check = () => { if (isComplete()) done(); };
  const onClose = () => done(isComplete() ? undefined : stream.errored ?? new codes.ERR_STREAM_PREMATURE_CLOSE());
  const stops = [['end', check], ['finish', check], ['error', done], ['close', onClose]];
  for (const [name, listener] of stops) EventEmitter.prototype.on.call(stream, name, listener);
  if (stream.closed) queueMicrotask(onClose);
  return () => { isCalled = true; stops.forEach(([name, listener]) => stream.off(name, listener)); };
}

function pipeline(...streams) {
  const callback = typeof streams.at(-1) === 'function' ? streams.pop() : () => {};
  const all = streams.flat();
  if (typeof all[0] === 'function') all[0] = all[0]();
  if (typeof all[0].pipe !== 'function') all[0] = Readable.from(all[0]);
  let left = all.length;
  let failure;
  for (const stream of all) {
    finished(stream, (error) => {
      failure ??= error;
      if (error) all.forEach((other) => other.destroy());
      if (--left === 0) callback(failure);
    });
  }
  return all.reduce((from, to) => from.pipe(to));
}

const promises = {
  finished: (stream, options = {}) => new Promise((resolve, reject) => finished(stream, options, (error) => error ? reject(error) : resolve())),
  pipeline: (...streams) => new Promise((resolve, reject) => pipeline(...streams, (error) => error ? reject(error) : resolve())),
};
module.exports = Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline, promises, addAbortSignal(signal, stream) {
  signal.addEventListener('abort', () => stream.destroy(new AbortError(undefined, { cause: signal.reason })), { once: true });
  return stream;
} });
