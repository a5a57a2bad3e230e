// What goes on in a stream to write to, when: chunks written, buffered while one is under way, told
// to be done; 'drain', 'prefinish', 'finish'. In: streams with their state. Out: events and
// callbacks in Node's order, to the tick. Absent: what programs call (writable.js).
'use strict';

const process = require('process');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { getHighWaterMark, getDefaultHighWaterMark, defaultEncodingOf } = require('internal/streams/state');
const { bind } = require('internal/async_context');
const { codes } = require('internal/errors');

/** Chunks that are written are cut off the buffer when there are so many. */
const BUFFER_CUT = 256;
const nothing = () => {};
const whenFinished = Symbol('kOnFinished');

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
    /** What was given and is not written, in bytes, characters or objects. */
    this.length = 0;
    this.writing = false;
    this.corked = 0;
    /** Within `_write`: then what it tells waits for the next tick. */
    this.sync = true;
    this.bufferProcessing = false;
    this.onwrite = (error) => written(stream, error);
    this.writecb = null;
    this.writelen = 0;
    this.afterWriteTickInfo = null;
    this.afterWritePending = false;
    clear(this);
    /** Callbacks that were not called yet: before that there is no 'finish'. */
    this.pendingcb = 0;
    this.constructed = true;
    this.prefinished = false;
    this.errorEmitted = false;
    this.emitClose = !options || options.emitClose !== false;
    this.autoDestroy = !options || options.autoDestroy !== false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    /** false: the side of a duplex that was made without one. */
    this.writable = undefined;
    this[whenFinished] = [];
  }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

function clear(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

function bytesOf(chunk) {
  if (chunk instanceof Buffer) {
    return chunk;
  }
  if (!ArrayBuffer.isView(chunk)) {
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
  }
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Takes a chunk. Gives whether more may come, or the error. */
function write(stream, given, encodingGiven, callbackGiven) {
  const state = stream._writableState;
  let chunk = given;
  let encoding = encodingGiven;
  let callback = callbackGiven;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  callback = typeof callback === 'function' ? bind(callback) : nothing;
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
      chunk = bytesOf(chunk);
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
  return writeOrKeep(stream, state, chunk, encoding, callback);
}

function writeOrKeep(stream, state, chunk, encoding, callback) {
  const length = state.objectMode ? 1 : chunk.length;
  state.length += length;
  const isLow = state.length < state.highWaterMark;
  if (!isLow) {
    state.needDrain = true;
  }
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (encoding !== 'buffer') {
      state.allBuffers = false;
    }
    if (callback !== nothing) {
      state.allNoop = false;
    }
  } else {
    begin(state, length, callback);
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // What the write led to may have been the end of it.
  return isLow && !state.errored && !state.destroyed;
}

function begin(state, length, callback) {
  state.writelen = length;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
}

/** Writes what was buffered: `chunk` is one, or with `isMany` a list. */
function writeKept(stream, state, isMany, length, chunk, encoding, callback) {
  begin(state, length, callback);
  if (state.destroyed) {
    state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
  } else if (isMany) {
    stream._writev(chunk, state.onwrite);
  } else {
    stream._write(chunk, encoding, state.onwrite);
  }
  state.sync = false;
}

/** What `_write` calls when it is done. */
function written(stream, error) {
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
    const reading = stream._readableState;
    if (reading && !reading.errored) {
      reading.errored = error;
    }
    if (sync) {
      process.nextTick(fail, stream, state, error, callback);
    } else {
      fail(stream, state, error, callback);
    }
    return;
  }
  if (state.buffered.length > state.bufferedIndex) {
    writeBuffered(stream, state);
  }
  if (!sync) {
    afterWrite(stream, state, 1, callback);
  } else if (callback === nothing) {
    afterQuietWrite(stream, state);
  } else if (state.afterWriteTickInfo !== null && state.afterWriteTickInfo.callback === callback) {
    // The same callback again and again is one tick.
    state.afterWriteTickInfo.count++;
  } else {
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    state.afterWritePending = true;
    process.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

/** Nobody waits for a callback: a tick is needed for 'drain' alone. */
function afterQuietWrite(stream, state) {
  if (!state.afterWritePending && state.needDrain && state.length === 0 && !state.ending && !state.destroyed) {
    state.afterWritePending = true;
    process.nextTick(afterWrite, stream, state, 1, nothing);
    return;
  }
  state.pendingcb--;
  if (state.ending) {
    finishMaybe(stream, state, true);
  }
}

function fail(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  failBuffered(state);
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
    failBuffered(state);
  }
  // A tick later, so that what was asked for behind `end` comes first, as in Node.
  finishMaybe(stream, state, true);
}

/** Tells those whose chunks are never written. */
function failBuffered(state) {
  if (state.writing) {
    return;
  }
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
  }
  callFinished(state, state.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  clear(state);
}

function writeBuffered(stream, state) {
  const count = state.buffered.length - state.bufferedIndex;
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed || count === 0) {
    return;
  }
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    writeAll(stream, state, count);
  } else {
    writeEach(stream, state);
  }
  state.bufferProcessing = false;
}

function writeAll(stream, state, count) {
  // All together are one callback.
  state.pendingcb -= count - 1;
  const { buffered, bufferedIndex } = state;
  const callback = state.allNoop ? nothing : (error) => {
    for (let i = bufferedIndex; i < buffered.length; i++) {
      buffered[i].callback(error);
    }
  };
  const chunks = state.allNoop && bufferedIndex === 0 ? buffered : buffered.slice(bufferedIndex);
  chunks.allBuffers = state.allBuffers;
  writeKept(stream, state, true, state.length, chunks, '', callback);
  clear(state);
}

function writeEach(stream, state) {
  const { buffered } = state;
  let i = state.bufferedIndex;
  do {
    const { chunk, encoding, callback } = buffered[i];
    buffered[i++] = null;
    writeKept(stream, state, false, state.objectMode ? 1 : chunk.length, chunk, encoding, callback);
  } while (i < buffered.length && !state.writing);
  if (i === buffered.length) {
    clear(state);
  } else if (i > BUFFER_CUT) {
    buffered.splice(0, i);
    state.bufferedIndex = 0;
  } else {
    state.bufferedIndex = i;
  }
}

// --- the end

const mayFinish = (state) => state.ending && !state.destroyed && state.constructed && state.length === 0 && !state.errored &&
  state.buffered.length === 0 && !state.finished && !state.writing && !state.errorEmitted && !state.closeEmitted;

function finishMaybe(stream, state, isSync) {
  if (!mayFinish(state)) {
    return;
  }
  prefinish(stream, state);
  if (state.pendingcb !== 0) {
    return;
  }
  if (isSync) {
    state.pendingcb++;
    process.nextTick(finishLater, stream, state);
  } else if (mayFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishLater(stream, state) {
  if (mayFinish(state)) {
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
  let isDone = false;
  const done = (error) => {
    if (isDone) {
      errorOrDestroy(stream, error ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    isDone = true;
    state.pendingcb--;
    if (error) {
      callFinished(state, error);
      errorOrDestroy(stream, error, state.sync);
    } else if (mayFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      // In a tick: what 'prefinish' led to may write.
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  };
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(done);
  } catch (error) {
    done(error);
  }
  state.sync = false;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinished(state, null);
  stream.emit('finish');
  if (state.autoDestroy) {
    // A duplex, when its other side is over too.
    const reading = stream._readableState;
    if (!reading || (reading.autoDestroy && (reading.endEmitted || reading.readable === false))) {
      stream.destroy();
    }
  }
}

function callFinished(state, error) {
  const callbacks = state[whenFinished];
  state[whenFinished] = [];
  for (const callback of callbacks) {
    callback(error);
  }
}

module.exports = { WritableState, write, writeBuffered, failBuffered, finishMaybe, whenFinished };
