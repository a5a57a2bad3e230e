// Readable streams: the class that programs use and extend. In: chunks by `push`, from the `_read`
// of a subclass or the options. Out: 'data' or 'readable', then 'end'. Absent: when these happen
// (readable_flow.js), pipes (pipe.js), async iteration (iterator.js), the array-like operators
// (operators.js).
'use strict';

const process = require('process');
const EventEmitter = require('events');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, destroyer, undestroy } = require('internal/streams/destroy');
const { ReadableState, fromList, kPaused } = require('internal/streams/readable_state');
const {
  readableAddChunk, read, maybeReadMore, onReadableListener, updateReadableListening, resume_,
} = require('internal/streams/readable_flow');
const { pipe, unpipe } = require('internal/streams/pipe');
const { defineMembers } = require('internal/streams/members');
const { AbortError, codes } = require('internal/errors');

function Readable(options) {
  if (!(this instanceof Readable)) {
    return new Readable(options);
  }
  this._events ??= { close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined };
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') {
      this._read = options.read;
    }
    if (typeof options.destroy === 'function') {
      this._destroy = options.destroy;
    }
    if (typeof options.construct === 'function') {
      this._construct = options.construct;
    }
  }
  Stream.call(this, options);
  if (options?.signal) {
    require('internal/streams/add-abort-signal').addAbortSignal(options.signal, this);
  }
  construct(this, () => onConstructed(this));
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;

/** Starts what was deferred to the end of `_construct`. */
function onConstructed(stream) {
  if (stream._readableState.needReadable) {
    maybeReadMore(stream, stream._readableState);
  }
}

const methods = {
  destroy,
  _undestroy: undestroy,

  _destroy(error, callback) {
    callback(error);
  },

  push(chunk, encoding) {
    return readableAddChunk(this, chunk, encoding, false);
  },

  unshift(chunk, encoding) {
    return readableAddChunk(this, chunk, encoding, true);
  },

  isPaused() {
    const state = this._readableState;
    return state[kPaused] === true || state.flowing === false;
  },

  setEncoding(encoding) {
    const state = this._readableState;
    const { StringDecoder } = require('string_decoder');
    const decoder = new StringDecoder(encoding);
    state.decoder = decoder;
    state.encoding = decoder.encoding;
    let content = '';
    for (let i = state.bufferIndex; i < state.buffer.length; i++) {
      content += decoder.write(state.buffer[i]);
    }
    state.buffer.length = 0;
    state.bufferIndex = 0;
    if (content !== '') {
      state.buffer.push(content);
    }
    state.length = content.length;
    return this;
  },

  read,
  pipe,
  unpipe,

  _read() {
    throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
  },

  on(event, listener) {
    const result = Stream.prototype.on.call(this, event, listener);
    if (event === 'data') {
      this._readableState.readableListening = this.listenerCount('readable') > 0;
      if (this._readableState.flowing !== false) {
        this.resume();
      }
    } else if (event === 'readable') {
      onReadableListener(this, this._readableState);
    }
    return result;
  },

  removeListener(event, listener) {
    const result = Stream.prototype.removeListener.call(this, event, listener);
    if (event === 'readable') {
      // In the next tick: a program may remove one listener and add another at once, and no
      // buffered data must flow in between.
      process.nextTick(updateReadableListening, this);
    }
    return result;
  },

  removeAllListeners(event) {
    const result = Stream.prototype.removeAllListeners.apply(this, arguments);
    if (event === 'readable' || event === undefined) {
      process.nextTick(updateReadableListening, this);
    }
    return result;
  },

  resume() {
    const state = this._readableState;
    if (!state.flowing) {
      // A 'readable' listener reads by itself, so the stream does not flow.
      state.flowing = !state.readableListening;
      if (!state.resumeScheduled) {
        state.resumeScheduled = true;
        process.nextTick(resume_, this, state);
      }
    }
    state[kPaused] = false;
    return this;
  },

  pause() {
    const state = this._readableState;
    if (state.flowing !== false) {
      state.flowing = false;
      this.emit('pause');
    }
    state[kPaused] = true;
    return this;
  },

  [EventEmitter.captureRejectionSymbol](error) {
    this.destroy(error);
  },

  [Symbol.asyncDispose]() {
    let error;
    if (!this.destroyed) {
      error = this.readableEnded ? null : new AbortError();
      this.destroy(error);
    }
    const { eos } = require('internal/streams/end-of-stream');
    return new Promise((resolve, reject) => eos(this, (failure) => (failure && failure !== error ? reject(failure) : resolve(null))));
  },
};
methods.addListener = methods.on;
methods.off = methods.removeListener;


/** Rarely used methods: their modules are loaded at the first call. */
const lazyMethods = {
  /** Wraps an old-style stream (streams1) in this one. */
  wrap(stream) {
    return require('internal/streams/readable_from').wrap(this, stream);
  },

  iterator(options) {
    return require('internal/streams/iterator').iterator(this, options);
  },

  [Symbol.asyncIterator]() {
    return require('internal/streams/iterator').streamToAsyncIterator(this);
  },

  compose(stream, options) {
    return require('internal/streams/compose').composeMethod(this, stream, options);
  },
};

const accessors = {
  get readable() {
    const state = this._readableState;
    // `readable` is false on the readable side of a duplex that was made without one.
    return !!state && state.readable !== false && !state.destroyed && !state.errorEmitted && !state.endEmitted;
  },
  set readable(value) {
    if (this._readableState) {
      this._readableState.readable = !!value;
    }
  },
  get readableDidRead() {
    return this._readableState.dataEmitted;
  },
  get readableAborted() {
    const state = this._readableState;
    return !!(state.readable !== false && (state.destroyed || state.errored) && !state.endEmitted);
  },
  get readableHighWaterMark() {
    return this._readableState.highWaterMark;
  },
  get readableBuffer() {
    return this._readableState?.buffer;
  },
  get readableFlowing() {
    return this._readableState.flowing;
  },
  set readableFlowing(value) {
    if (this._readableState) {
      this._readableState.flowing = value;
    }
  },
  get readableLength() {
    return this._readableState.length;
  },
  get readableObjectMode() {
    return this._readableState ? this._readableState.objectMode : false;
  },
  get readableEncoding() {
    return this._readableState ? this._readableState.encoding : null;
  },
  get errored() {
    return this._readableState ? this._readableState.errored : null;
  },
  get closed() {
    return this._readableState ? this._readableState.closed : false;
  },
  get destroyed() {
    return this._readableState ? this._readableState.destroyed : false;
  },
  set destroyed(value) {
    // Only for subclasses with a `destroy` of their own.
    if (this._readableState) {
      this._readableState.destroyed = value;
    }
  },
  get readableEnded() {
    return this._readableState ? this._readableState.endEmitted : false;
  },
};

defineMembers(Readable.prototype, { ...methods, ...lazyMethods }, accessors);

Readable._fromList = fromList;

Readable.from = (iterable, options) => require('internal/streams/readable_from').from(Readable, iterable, options);

Readable.wrap = (source, options) => new Readable({
  objectMode: source.readableObjectMode ?? source.objectMode ?? true,
  ...options,
  destroy(error, callback) {
    destroyer(source, error);
    callback(error);
  },
}).wrap(source);

Readable.fromWeb = (stream, options) =>
  require('internal/webstreams/adapters').newStreamReadableFromReadableStream(stream, options);

Readable.toWeb = (stream, options) =>
  require('internal/webstreams/adapters').newReadableStreamFromStreamReadable(stream, options);

module.exports = Readable;
