// State machine of readable streams: buffering, `read`, flowing mode, 'readable', 'data' and 'end'.
// In: streams with their `ReadableState`. Out: events in Node's order, tick by tick, because
// programs rely on it. Follows Node's lib/internal/streams/readable.js. Absent: the methods that
// programs call (readable.js).
'use strict';

const process = require('process');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { fromList, kPaused } = require('internal/streams/readable_state');
const { codes } = require('internal/errors');

/** Limit of the high-water mark, in bytes. */
const MAX_HWM = 0x40000000;

// --- push and unshift

/** `push` and `unshift`. Returns whether the producer may push more. */
function readableAddChunk(stream, chunk, encoding, addToFront) {
  const state = stream._readableState;
  if (chunk === null) {
    state.reading = false;
    onEofChunk(stream, state);
    return false;
  }
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (state.encoding !== encoding) {
        if (addToFront && state.encoding) {
          chunk = Buffer.from(chunk, encoding).toString(state.encoding);
        } else {
          chunk = Buffer.from(chunk, encoding);
          encoding = '';
        }
      }
    } else if (chunk instanceof Buffer) {
      encoding = '';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = '';
    } else if (chunk !== undefined) {
      errorOrDestroy(stream, new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
      return false;
    }
    if (!chunk || chunk.length <= 0) {
      state.reading = false;
      maybeReadMore(stream, state);
      return canPushMore(state);
    }
  }
  if (addToFront) {
    if (state.endEmitted) {
      errorOrDestroy(stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      return false;
    }
  } else if (state.ended) {
    errorOrDestroy(stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  }
  if (state.destroyed || state.errored) {
    return false;
  }
  if (!addToFront) {
    state.reading = false;
    if (state.decoder !== null && !encoding) {
      chunk = state.decoder.write(chunk);
      if (!state.objectMode && chunk.length === 0) {
        maybeReadMore(stream, state);
        return canPushMore(state);
      }
    }
  }
  addChunk(stream, state, chunk, addToFront);
  return canPushMore(state);
}

const canPushMore = (state) => !state.ended && (state.length < state.highWaterMark || state.length === 0);

function addChunk(stream, state, chunk, addToFront) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    clearAwaitDrain(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    if (!addToFront) {
      state.buffer.push(chunk);
    } else if (state.bufferIndex > 0) {
      state.buffer[--state.bufferIndex] = chunk;
    } else {
      state.buffer.unshift(chunk);
    }
    if (state.needReadable) {
      emitReadable(stream);
    }
  }
  maybeReadMore(stream, state);
}

function clearAwaitDrain(state) {
  if (state.multiAwaitDrain) {
    state.awaitDrainWriters.clear();
  } else {
    state.awaitDrainWriters = null;
  }
}

function onEofChunk(stream, state) {
  if (state.ended) {
    return;
  }
  if (state.decoder) {
    const remaining = state.decoder.end();
    if (remaining && remaining.length > 0) {
      state.buffer.push(remaining);
      state.length += state.objectMode ? 1 : remaining.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    emitReadable(stream);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadable_(stream);
  }
}

/** Fills the buffer up to the high-water mark, in the next tick. */
function maybeReadMore(stream, state) {
  if (!state.readingMore && state.constructed) {
    state.readingMore = true;
    process.nextTick(maybeReadMore_, stream, state);
  }
}

function maybeReadMore_(stream, state) {
  while (!state.reading && !state.ended && (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const { length } = state;
    stream.read(0);
    if (state.length === length) {
      break;
    }
  }
  state.readingMore = false;
}

// --- read, 'readable', 'end'

/** `read` of streams. @this {any} */
function read(size) {
  const state = this._readableState;
  const n = size === undefined ? NaN : Number.isInteger(size) ? size : Number.parseInt(size, 10);
  if (n > state.highWaterMark) {
    state.highWaterMark = computeNewHighWaterMark(n);
  }
  if (n !== 0) {
    state.emittedReadable = false;
  }
  // `read(0)` with a full buffer only emits 'readable' again.
  if (n === 0 && state.needReadable &&
      ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)) {
    if (state.length === 0 && state.ended) {
      endReadable(this);
    } else {
      emitReadable(this);
    }
    return null;
  }
  let toRead = howMuchToRead(n, state);
  if (toRead === 0 && state.ended) {
    if (state.length === 0) {
      endReadable(this);
    }
    return null;
  }
  if (shouldCallRead(state, toRead)) {
    callRead(this, state);
    if (!state.reading) {
      toRead = howMuchToRead(n, state);
    }
  }
  const chunk = toRead > 0 ? fromList(toRead, state) : null;
  if (chunk === null) {
    state.needReadable = state.length <= state.highWaterMark;
    toRead = 0;
  } else {
    state.length -= toRead;
    clearAwaitDrain(state);
  }
  if (state.length === 0) {
    if (!state.ended) {
      state.needReadable = true;
    }
    if (n !== toRead && state.ended) {
      endReadable(this);
    }
  }
  if (chunk !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', chunk);
  }
  return chunk;
}

function shouldCallRead(state, toRead) {
  const isBelowHighWaterMark = state.needReadable || state.length === 0 || state.length - toRead < state.highWaterMark;
  return isBelowHighWaterMark && !state.ended && !state.reading && !state.destroyed && !state.errored && state.constructed;
}

function callRead(stream, state) {
  state.reading = true;
  state.sync = true;
  if (state.length === 0) {
    state.needReadable = true;
  }
  try {
    stream._read(state.highWaterMark);
  } catch (error) {
    errorOrDestroy(stream, error);
  }
  state.sync = false;
}

/** Rounds up to the next power of two. */
function computeNewHighWaterMark(n) {
  if (n > MAX_HWM) {
    throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  }
  return 2 ** Math.ceil(Math.log2(n));
}

/** Returns how much of the requested size can be read now, in bytes, characters or objects. */
function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) {
    return 0;
  }
  if (state.objectMode) {
    return 1;
  }
  if (Number.isNaN(n)) {
    return state.flowing && state.length ? state.buffer[state.bufferIndex].length : state.length;
  }
  if (n <= state.length) {
    return n;
  }
  return state.ended ? state.length : 0;
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (!state.emittedReadable) {
    state.emittedReadable = true;
    process.nextTick(emitReadable_, stream);
  }
}

function emitReadable_(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  state.needReadable = !state.flowing && !state.ended && state.length <= state.highWaterMark;
  flow(stream);
}

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

function endReadable(stream) {
  const state = stream._readableState;
  if (!state.endEmitted) {
    state.ended = true;
    process.nextTick(endReadableNT, state, stream);
  }
}

function endReadableNT(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length > 0) {
    return;
  }
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritableNT, stream);
  } else if (state.autoDestroy) {
    const wState = stream._writableState;
    if (!wState || (wState.autoDestroy && (wState.finished || wState.writable === false))) {
      stream.destroy();
    }
  }
}

function endWritableNT(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) {
    stream.end();
  }
}

// --- listeners

function onReadableListener(stream, state) {
  if (state.endEmitted || state.readableListening) {
    return;
  }
  state.readableListening = true;
  state.needReadable = true;
  state.flowing = false;
  state.emittedReadable = false;
  if (state.length) {
    emitReadable(stream);
  } else if (!state.reading) {
    process.nextTick(nReadingNextTick, stream);
  }
}

function nReadingNextTick(stream) {
  stream.read(0);
}

function updateReadableListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) {
    state.flowing = true;
  } else if (stream.listenerCount('data') > 0) {
    stream.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

function resume_(stream, state) {
  if (!state.reading) {
    stream.read(0);
  }
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) {
    stream.read(0);
  }
}

module.exports = { readableAddChunk, read, maybeReadMore, onReadableListener, updateReadableListening, resume_ };
