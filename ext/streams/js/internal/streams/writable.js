// Writable streams: the class that programs use and extend. In: `write` and `end` of programs. Out:
// one `_write` (or `_writev`) at a time of the subclass, then `_final`, then 'finish'. Absent: when
// these happen (writable_flow.js).
'use strict';

const process = require('process');
const EventEmitter = require('events');
const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, undestroy, errorOrDestroy } = require('internal/streams/destroy');
const { WritableState, _write, clearBuffer, errorBuffer, finishMaybe, kOnFinished } = require('internal/streams/writable_flow');
const { defineMembers } = require('internal/streams/members');
const { AbortError, codes } = require('internal/errors');

function Writable(options) {
  if (!(this instanceof Writable)) {
    return new Writable(options);
  }
  this._events ??= { close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined };
  this._writableState = new WritableState(options, this, false);
  if (options) {
    applyMethodOptions(this, options);
  }
  Stream.call(this, options);
  if (options?.signal) {
    require('internal/streams/add-abort-signal').addAbortSignal(options.signal, this);
  }
  construct(this, () => onConstructed(this));
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
Writable.WritableState = WritableState;

function applyMethodOptions(stream, options) {
  if (typeof options.write === 'function') {
    stream._write = options.write;
  }
  if (typeof options.writev === 'function') {
    stream._writev = options.writev;
  }
  if (typeof options.destroy === 'function') {
    stream._destroy = options.destroy;
  }
  if (typeof options.final === 'function') {
    stream._final = options.final;
  }
  if (typeof options.construct === 'function') {
    stream._construct = options.construct;
  }
}

/** Starts what was deferred to the end of `_construct`. */
function onConstructed(stream) {
  const state = stream._writableState;
  if (!state.writing) {
    clearBuffer(stream, state);
  }
  finishMaybe(stream, state);
}

// A Duplex counts as a Writable, though it inherits from Readable.
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) {
      return true;
    }
    return this === Writable && !!object && object._writableState instanceof WritableState;
  },
});

const methods = {
  pipe() {
    errorOrDestroy(this, new codes.ERR_STREAM_CANNOT_PIPE());
  },

  write(chunk, encoding, callback) {
    return _write(this, chunk, encoding, callback) === true;
  },

  cork() {
    this._writableState.corked++;
  },

  uncork() {
    const state = this._writableState;
    if (state.corked) {
      state.corked--;
      if (!state.writing) {
        clearBuffer(this, state);
      }
    }
  },

  setDefaultEncoding(value) {
    const encoding = typeof value === 'string' ? value.toLowerCase() : value;
    if (!Buffer.isEncoding(encoding)) {
      throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    }
    this._writableState.defaultEncoding = encoding;
    return this;
  },

  _write(chunk, encoding, callback) {
    if (!this._writev) {
      throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
    }
    this._writev([{ chunk, encoding }], callback);
  },

  _writev: null,
  end,

  destroy(error, callback) {
    const state = this._writableState;
    if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state[kOnFinished].length > 0)) {
      process.nextTick(errorBuffer, state);
    }
    return destroy.call(this, error, callback);
  },

  _undestroy: undestroy,

  _destroy(error, callback) {
    callback(error);
  },

  [EventEmitter.captureRejectionSymbol](error) {
    this.destroy(error);
  },

  [Symbol.asyncDispose]() {
    let error;
    if (!this.destroyed) {
      error = this.writableFinished ? null : new AbortError();
      this.destroy(error);
    }
    const { eos } = require('internal/streams/end-of-stream');
    return new Promise((resolve, reject) =>
      eos(this, (failure) => (failure && failure.name !== 'AbortError' ? reject(failure) : resolve(null))));
  },
};

/** @this {any} */
function end(chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let error;
  if (chunk !== null && chunk !== undefined) {
    const result = _write(this, chunk, encoding);
    if (result instanceof Error) {
      error = result;
    }
  }
  if (state.corked) {
    state.corked = 1;
    this.uncork();
  }
  if (error) {
    // `_write` has reported it.
  } else if (!state.errored && !state.ending) {
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    error = new codes.ERR_STREAM_ALREADY_FINISHED('end');
  } else if (state.destroyed) {
    error = new codes.ERR_STREAM_DESTROYED('end');
  }
  if (typeof callback === 'function') {
    if (error) {
      process.nextTick(callback, error);
    } else if (state.errored) {
      process.nextTick(callback, state.errored);
    } else if (state.finished) {
      process.nextTick(callback, null);
    } else {
      state[kOnFinished].push(require('internal/async_context').bind(callback));
    }
  }
  return this;
}

const accessors = {
  get closed() {
    return this._writableState ? this._writableState.closed : false;
  },
  get destroyed() {
    return this._writableState ? this._writableState.destroyed : false;
  },
  set destroyed(value) {
    // Only for subclasses with a `destroy` of their own.
    if (this._writableState) {
      this._writableState.destroyed = value;
    }
  },
  get writable() {
    const state = this._writableState;
    // `writable` is false on the writable side of a duplex that was made without one.
    return !!state && state.writable !== false && !state.destroyed && !state.errored && !state.ending && !state.ended;
  },
  set writable(value) {
    if (this._writableState) {
      this._writableState.writable = !!value;
    }
  },
  get writableFinished() {
    return this._writableState ? this._writableState.finished : false;
  },
  get writableObjectMode() {
    return this._writableState ? this._writableState.objectMode : false;
  },
  get writableBuffer() {
    return this._writableState && this._writableState.getBuffer();
  },
  get writableEnded() {
    return this._writableState ? this._writableState.ending : false;
  },
  get writableNeedDrain() {
    const state = this._writableState;
    return state ? !state.destroyed && !state.ending && state.needDrain : false;
  },
  get writableHighWaterMark() {
    return this._writableState && this._writableState.highWaterMark;
  },
  get writableCorked() {
    return this._writableState ? this._writableState.corked : 0;
  },
  get writableLength() {
    return this._writableState && this._writableState.length;
  },
  get errored() {
    return this._writableState ? this._writableState.errored : null;
  },
  get writableAborted() {
    const state = this._writableState;
    return !!(state.writable !== false && (state.destroyed || state.errored) && !state.finished);
  },
};

defineMembers(Writable.prototype, methods, accessors);

Writable.fromWeb = (stream, options) =>
  require('internal/webstreams/adapters').newStreamWritableFromWritableStream(stream, options);

Writable.toWeb = (stream) => require('internal/webstreams/adapters').newWritableStreamFromStreamWritable(stream);

module.exports = Writable;
