// What goes on in a stream to read from, when: chunks taken in, handed out, asked for; 'readable',
// 'data', 'end'. In: streams with their state. Out: events in Node's order, to the tick, because
// programs came to rely on it. Absent: what programs call (readable.js).
'use strict';

const process = require('process');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { fromList, paused } = require('internal/streams/readable_state');
const { codes } = require('internal/errors');

/** The most that is asked for at a time, in bytes. */
const AT_ONCE_MAX = 0x40000000;

// --- in: chunks

/** `push` and `unshift`; says whether more may come. */
function add(stream, given, encodingGiven, isFront) {
  const state = stream._readableState;
  let chunk = given;
  let encoding = encodingGiven;
  if (chunk === null) {
    state.reading = false;
    endOfData(stream, state);
    return false;
  }
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (state.encoding !== encoding) {
        if (isFront && state.encoding) {
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
      readMore(stream, state);
      return mayPush(state);
    }
  }
  if (isFront) {
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
  if (!isFront) {
    state.reading = false;
    if (state.decoder !== null && !encoding) {
      chunk = state.decoder.write(chunk);
      if (!state.objectMode && chunk.length === 0) {
        readMore(stream, state);
        return mayPush(state);
      }
    }
  }
  take(stream, state, chunk, isFront);
  return mayPush(state);
}

const mayPush = (state) => !state.ended && (state.length < state.highWaterMark || state.length === 0);

function take(stream, state, chunk, isFront) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    forgetWaiters(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    if (!isFront) {
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
  readMore(stream, state);
}

function forgetWaiters(state) {
  if (state.multiAwaitDrain) {
    state.awaitDrainWriters.clear();
  } else {
    state.awaitDrainWriters = null;
  }
}

function endOfData(stream, state) {
  if (state.ended) {
    return;
  }
  if (state.decoder) {
    const rest = state.decoder.end();
    if (rest && rest.length > 0) {
      state.buffer.push(rest);
      state.length += state.objectMode ? 1 : rest.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    emitReadable(stream);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNow(stream);
  }
}

/** In a tick, fills the buffer up to the mark. */
function readMore(stream, state) {
  if (!state.readingMore && state.constructed) {
    state.readingMore = true;
    process.nextTick(readMoreNow, stream, state);
  }
}

function readMoreNow(stream, state) {
  while (!state.reading && !state.ended && (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const { length } = state;
    stream.read(0);
    if (state.length === length) {
      break;
    }
  }
  state.readingMore = false;
}

// --- out: read, 'readable', 'end'

/** `read` of streams. @this {any} */
function read(wanted) {
  const state = this._readableState;
  const asked = wanted === undefined ? NaN : Number.isInteger(wanted) ? wanted : Number.parseInt(wanted, 10);
  if (asked > state.highWaterMark) {
    state.highWaterMark = raisedMark(asked);
  }
  if (asked !== 0) {
    state.emittedReadable = false;
  }
  // Only asked to fill the buffer, which is full: then it is told once more.
  if (asked === 0 && state.needReadable &&
      ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)) {
    if (state.length === 0 && state.ended) {
      endReadable(this);
    } else {
      emitReadable(this);
    }
    return null;
  }
  let count = countOf(asked, state);
  if (count === 0 && state.ended) {
    if (state.length === 0) {
      endReadable(this);
    }
    return null;
  }
  if (wantsMore(state, count)) {
    fill(this, state);
    if (!state.reading) {
      count = countOf(asked, state);
    }
  }
  const chunk = count > 0 ? fromList(count, state) : null;
  if (chunk === null) {
    state.needReadable = state.length <= state.highWaterMark;
    count = 0;
  } else {
    state.length -= count;
    forgetWaiters(state);
  }
  if (state.length === 0) {
    if (!state.ended) {
      state.needReadable = true;
    }
    if (asked !== count && state.ended) {
      endReadable(this);
    }
  }
  if (chunk !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', chunk);
  }
  return chunk;
}

function wantsMore(state, count) {
  const isLow = state.needReadable || state.length === 0 || state.length - count < state.highWaterMark;
  return isLow && !state.ended && !state.reading && !state.destroyed && !state.errored && state.constructed;
}

function fill(stream, state) {
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

/** The next power of two. */
function raisedMark(count) {
  if (count > AT_ONCE_MAX) {
    throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', count);
  }
  return 2 ** Math.ceil(Math.log2(count));
}

/** How much of what is asked there is. */
function countOf(asked, state) {
  if (asked <= 0 || (state.length === 0 && state.ended)) {
    return 0;
  }
  if (state.objectMode) {
    return 1;
  }
  if (Number.isNaN(asked)) {
    return state.flowing && state.length ? state.buffer[state.bufferIndex].length : state.length;
  }
  if (asked <= state.length) {
    return asked;
  }
  return state.ended ? state.length : 0;
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (!state.emittedReadable) {
    state.emittedReadable = true;
    process.nextTick(emitReadableNow, stream);
  }
}

function emitReadableNow(stream) {
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
    process.nextTick(endReadableNow, state, stream);
  }
}

function endReadableNow(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length > 0) {
    return;
  }
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritable, stream);
  } else if (state.autoDestroy) {
    const writing = stream._writableState;
    if (!writing || (writing.autoDestroy && (writing.finished || writing.writable === false))) {
      stream.destroy();
    }
  }
}

function endWritable(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) {
    stream.end();
  }
}

// --- who listens

function listenReadable(stream, state) {
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
    process.nextTick(readNothing, stream);
  }
}

function readNothing(stream) {
  stream.read(0);
}

function updateListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[paused] === false) {
    state.flowing = true;
  } else if (stream.listenerCount('data') > 0) {
    stream.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

function resumeNow(stream, state) {
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

module.exports = { add, read, readMore, listenReadable, updateListening, resumeNow };
