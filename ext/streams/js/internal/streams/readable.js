// Streams to read from. In: chunks by `push`, from a `_read` of whoever makes the stream. Out:
// 'data' or 'readable', then 'end'. Absent: when that happens (readable_flow.js), pipes (pipe.js),
// what `for await` does (iterator.js), helpers named as those of arrays (operators.js).
'use strict';

const process = require('process');
const EventEmitter = require('events');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, destroyer, undestroy } = require('internal/streams/destroy');
const { ReadableState, fromList, paused } = require('internal/streams/readable_state');
const { add, read, readMore, listenReadable, updateListening, resumeNow } = require('internal/streams/readable_flow');
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
  construct(this, () => beginReading(this));
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;

/** What waited for the end of `_construct`. */
function beginReading(stream) {
  if (stream._readableState.needReadable) {
    readMore(stream, stream._readableState);
  }
}

const methods = {
  destroy,
  _undestroy: undestroy,

  _destroy(error, callback) {
    callback(error);
  },

  push(chunk, encoding) {
    return add(this, chunk, encoding, false);
  },

  unshift(chunk, encoding) {
    return add(this, chunk, encoding, true);
  },

  isPaused() {
    const state = this._readableState;
    return state[paused] === true || state.flowing === false;
  },

  setEncoding(encoding) {
    const state = this._readableState;
    const { StringDecoder } = require('string_decoder');
    const decoder = new StringDecoder(encoding);
    state.decoder = decoder;
    state.encoding = decoder.encoding;
    let text = '';
    for (let i = state.bufferIndex; i < state.buffer.length; i++) {
      text += decoder.write(state.buffer[i]);
    }
    state.buffer.length = 0;
    state.bufferIndex = 0;
    if (text !== '') {
      state.buffer.push(text);
    }
    state.length = text.length;
    return this;
  },

  read,
  pipe,
  unpipe,

  _read() {
    throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
  },

  on(event, listener) {
    const made = Stream.prototype.on.call(this, event, listener);
    if (event === 'data') {
      this._readableState.readableListening = this.listenerCount('readable') > 0;
      if (this._readableState.flowing !== false) {
        this.resume();
      }
    } else if (event === 'readable') {
      listenReadable(this, this._readableState);
    }
    return made;
  },

  removeListener(event, listener) {
    const result = Stream.prototype.removeListener.call(this, event, listener);
    if (event === 'readable') {
      // In a tick: who takes one away may add another at once, and what is buffered is not to flow
      // between.
      process.nextTick(updateListening, this);
    }
    return result;
  },

  removeAllListeners(event) {
    const result = Stream.prototype.removeAllListeners.apply(this, arguments);
    if (event === 'readable' || event === undefined) {
      process.nextTick(updateListening, this);
    }
    return result;
  },

  resume() {
    const state = this._readableState;
    if (!state.flowing) {
      // With a listener for 'readable', that one reads.
      state.flowing = !state.readableListening;
      if (!state.resumeScheduled) {
        state.resumeScheduled = true;
        process.nextTick(resumeNow, this, state);
      }
    }
    state[paused] = false;
    return this;
  },

  pause() {
    const state = this._readableState;
    if (state.flowing !== false) {
      state.flowing = false;
      this.emit('pause');
    }
    state[paused] = true;
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


/** Methods that programs call now and then: their files are read when they do. */
const lateMethods = {
  /** What old streams give, as a stream of this kind. */
  wrap(stream) {
    return require('internal/streams/readable_from').wrap(this, stream);
  },

  iterator(options) {
    return require('internal/streams/iterator').iterator(this, options);
  },

  [Symbol.asyncIterator]() {
    return require('internal/streams/iterator').createIterator(this);
  },

  compose(stream, options) {
    return require('internal/streams/compose').composeWith(this, stream, options);
  },
};

const accessors = {
  get readable() {
    const state = this._readableState;
    // What must not be read: the readable side of a duplex that was made without one.
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
    // Only for those that brought up a `destroy` of their own.
    if (this._readableState) {
      this._readableState.destroyed = value;
    }
  },
  get readableEnded() {
    return this._readableState ? this._readableState.endEmitted : false;
  },
};

defineMembers(Readable.prototype, { ...methods, ...lateMethods }, accessors);

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
