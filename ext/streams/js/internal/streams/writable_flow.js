// State machine of writable streams: buffering while a write is pending, 'drain', 'prefinish' and
// 'finish'. In: streams with their `WritableState`. Out: events and callbacks in Node's order, tick
// by tick. Follows Node's lib/internal/streams/writable.js. Absent: the methods that programs call
// (writable.js).
'use strict';

const process = require('process');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { getHighWaterMark, getDefaultHighWaterMark, defaultEncodingOf } = require('internal/streams/state');
const { bind } = require('internal/async_context');
const { codes } = require('internal/errors');

/** The written front of the buffer is removed when it has so many chunks. */
const BUFFER_COMPACT_MIN = 256;
const nop = () => {};
const kOnFinished = Symbol('kOnFinished');

class WritableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options && (options.objectMode || (isDuplex && options.writableObjectMode)));
    this.highWaterMark = options ? getHighWaterMark(this, options, 'writableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    this.finalCalled = false;
    this.needDrain = false;
    this.ending = false;
    this.ended = false;
    this.finished = false;
    this.destroyed = false;
    this.decodeStrings = !options || options.decodeStrings !== false;
    this.defaultEncoding = defaultEncodingOf(options);
    /**
     * Data that `write` accepted and `_write` has not finished, in bytes, characters or objects.
     */
    this.length = 0;
    this.writing = false;
    this.corked = 0;
    /** true during `_write`: then its callback takes effect in the next tick. */
    this.sync = true;
    this.bufferProcessing = false;
    this.onwrite = (error) => onwrite(stream, error);
    this.writecb = null;
    this.writelen = 0;
    this.afterWriteTickInfo = null;
    this.afterWritePending = false;
    resetBuffer(this);
    /** Callbacks of `write` and `_final` that were not called yet; 'finish' waits for them. */
    this.pendingcb = 0;
    this.constructed = true;
    this.prefinished = false;
    this.errorEmitted = false;
    this.emitClose = !options || options.emitClose !== false;
    this.autoDestroy = !options || options.autoDestroy !== false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    /** false: the writable side of a duplex that was made without one. */
    this.writable = undefined;
    this[kOnFinished] = [];
  }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

function toBuffer(chunk) {
  if (chunk instanceof Buffer) {
    return chunk;
  }
  if (!ArrayBuffer.isView(chunk)) {
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
  }
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Writes or buffers a chunk. Returns whether the caller may write more, or the error. */
function _write(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  callback = typeof callback === 'function' ? bind(callback) : nop;
  if (chunk === null) {
    throw new codes.ERR_STREAM_NULL_VALUES();
  }
  if (!state.objectMode) {
    if (!encoding) {
      encoding = state.defaultEncoding;
    } else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
      throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    }
    if (typeof chunk !== 'string') {
      chunk = toBuffer(chunk);
      encoding = 'buffer';
    } else if (state.decodeStrings) {
      chunk = Buffer.from(chunk, encoding);
      encoding = 'buffer';
    }
  }
  let error;
  if (state.ending) {
    error = new codes.ERR_STREAM_WRITE_AFTER_END();
  } else if (state.destroyed) {
    error = new codes.ERR_STREAM_DESTROYED('write');
  }
  if (error) {
    process.nextTick(callback, error);
    errorOrDestroy(stream, error, true);
    return error;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, callback);
}

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const length = state.objectMode ? 1 : chunk.length;
  state.length += length;
  const isBelowHighWaterMark = state.length < state.highWaterMark;
  if (!isBelowHighWaterMark) {
    state.needDrain = true;
  }
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (encoding !== 'buffer') {
      state.allBuffers = false;
    }
    if (callback !== nop) {
      state.allNoop = false;
    }
  } else {
    startWrite(state, length, callback);
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // `_write` may have failed or destroyed the stream.
  return isBelowHighWaterMark && !state.errored && !state.destroyed;
}

function startWrite(state, length, callback) {
  state.writelen = length;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
}

/** Writes buffered data: `chunk` is one chunk, or a list for `_writev`. */
function doWrite(stream, state, isWritev, length, chunk, encoding, callback) {
  startWrite(state, length, callback);
  if (state.destroyed) {
    state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
  } else if (isWritev) {
    stream._writev(chunk, state.onwrite);
  } else {
    stream._write(chunk, encoding, state.onwrite);
  }
  state.sync = false;
}

/** The callback that `_write` receives. */
function onwrite(stream, error) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (typeof callback !== 'function') {
    errorOrDestroy(stream, new codes.ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (error) {
    error.stack; // eslint-disable-line no-unused-expressions
    state.errored ||= error;
    const rState = stream._readableState;
    if (rState && !rState.errored) {
      rState.errored = error;
    }
    if (sync) {
      process.nextTick(onwriteError, stream, state, error, callback);
    } else {
      onwriteError(stream, state, error, callback);
    }
    return;
  }
  if (state.buffered.length > state.bufferedIndex) {
    clearBuffer(stream, state);
  }
  if (!sync) {
    afterWrite(stream, state, 1, callback);
  } else if (callback === nop) {
    afterWriteWithoutCallback(stream, state);
  } else if (state.afterWriteTickInfo !== null && state.afterWriteTickInfo.callback === callback) {
    // Repeated writes with one callback share a tick.
    state.afterWriteTickInfo.count++;
  } else {
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    state.afterWritePending = true;
    process.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

/** Without a callback to call, a tick is needed only for 'drain'. */
function afterWriteWithoutCallback(stream, state) {
  if (!state.afterWritePending && state.needDrain && state.length === 0 && !state.ending && !state.destroyed) {
    state.afterWritePending = true;
    process.nextTick(afterWrite, stream, state, 1, nop);
    return;
  }
  state.pendingcb--;
  if (state.ending) {
    finishMaybe(stream, state, true);
  }
}

function onwriteError(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  errorBuffer(state);
  errorOrDestroy(stream, error);
}

function afterWriteTick(info) {
  info.state.afterWriteTickInfo = null;
  afterWrite(info.stream, info.state, info.count, info.callback);
}

function afterWrite(stream, state, count, callback) {
  state.afterWritePending = false;
  if (!state.ending && !stream.destroyed && state.length === 0 && state.needDrain) {
    state.needDrain = false;
    stream.emit('drain');
  }
  for (let left = count; left > 0; left--) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) {
    errorBuffer(state);
  }
  // In the next tick, so that callbacks which were queued after `end` run first, as in Node.
  finishMaybe(stream, state, true);
}

/** Calls the callbacks of chunks that will never be written, with the error. */
function errorBuffer(state) {
  if (state.writing) {
    return;
  }
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
  }
  callFinishedCallbacks(state, state.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  resetBuffer(state);
}

function clearBuffer(stream, state) {
  const count = state.buffered.length - state.bufferedIndex;
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed || count === 0) {
    return;
  }
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    writeBufferedTogether(stream, state, count);
  } else {
    writeBufferedOneByOne(stream, state);
  }
  state.bufferProcessing = false;
}

function writeBufferedTogether(stream, state, count) {
  // One `_writev` has one callback for all its chunks.
  state.pendingcb -= count - 1;
  const { buffered, bufferedIndex } = state;
  const callback = state.allNoop ? nop : (error) => {
    for (let i = bufferedIndex; i < buffered.length; i++) {
      buffered[i].callback(error);
    }
  };
  const chunks = state.allNoop && bufferedIndex === 0 ? buffered : buffered.slice(bufferedIndex);
  chunks.allBuffers = state.allBuffers;
  doWrite(stream, state, true, state.length, chunks, '', callback);
  resetBuffer(state);
}

function writeBufferedOneByOne(stream, state) {
  const { buffered } = state;
  let i = state.bufferedIndex;
  do {
    const { chunk, encoding, callback } = buffered[i];
    buffered[i++] = null;
    doWrite(stream, state, false, state.objectMode ? 1 : chunk.length, chunk, encoding, callback);
  } while (i < buffered.length && !state.writing);
  if (i === buffered.length) {
    resetBuffer(state);
  } else if (i > BUFFER_COMPACT_MIN) {
    buffered.splice(0, i);
    state.bufferedIndex = 0;
  } else {
    state.bufferedIndex = i;
  }
}

// --- finish

const needFinish = (state) => state.ending && !state.destroyed && state.constructed && state.length === 0 && !state.errored &&
  state.buffered.length === 0 && !state.finished && !state.writing && !state.errorEmitted && !state.closeEmitted;

function finishMaybe(stream, state, isSync) {
  if (!needFinish(state)) {
    return;
  }
  prefinish(stream, state);
  if (state.pendingcb !== 0) {
    return;
  }
  if (isSync) {
    state.pendingcb++;
    process.nextTick(finishNT, stream, state);
  } else if (needFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishNT(stream, state) {
  if (needFinish(state)) {
    finish(stream, state);
  } else {
    state.pendingcb--;
  }
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) {
    return;
  }
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function callFinal(stream, state) {
  let called = false;
  const onFinish = (error) => {
    if (called) {
      errorOrDestroy(stream, error ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    state.pendingcb--;
    if (error) {
      callFinishedCallbacks(state, error);
      errorOrDestroy(stream, error, state.sync);
    } else if (needFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      // In the next tick: a 'prefinish' listener may write.
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  };
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinish);
  } catch (error) {
    onFinish(error);
  }
  state.sync = false;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinishedCallbacks(state, null);
  stream.emit('finish');
  if (state.autoDestroy) {
    // A duplex is destroyed when its readable side has ended too.
    const rState = stream._readableState;
    if (!rState || (rState.autoDestroy && (rState.endEmitted || rState.readable === false))) {
      stream.destroy();
    }
  }
}

function callFinishedCallbacks(state, error) {
  const callbacks = state[kOnFinished];
  state[kOnFinished] = [];
  for (const callback of callbacks) {
    callback(error);
  }
}

module.exports = { WritableState, _write, clearBuffer, errorBuffer, finishMaybe, kOnFinished };
