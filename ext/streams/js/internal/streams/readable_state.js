// State of readable streams, with Node's member names because libraries read them. In: options; the
// size that `read` requests. Out: the state; chunks removed from its buffer. Absent: events.
'use strict';

const { Buffer } = require('buffer');
const { getHighWaterMark, getDefaultHighWaterMark, defaultEncodingOf } = require('internal/streams/state');

/** The consumed front of the buffer is removed when it has so many chunks. */
const BUFFER_COMPACT_MIN = 1024;
const kPaused = Symbol('kPaused');

class ReadableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options && (options.objectMode || (isDuplex && options.readableObjectMode)));
    this.highWaterMark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    /** Unread chunks start at `bufferIndex`; `length` counts bytes, characters or objects. */
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    /** null: neither `resume` nor `pause` was called and there is no 'data' listener. */
    this.flowing = null;
    this[kPaused] = null;
    this.ended = false;
    this.endEmitted = false;
    this.reading = false;
    this.constructed = true;
    /** true during `_read`: then 'readable' is emitted in the next tick. */
    this.sync = true;
    this.needReadable = false;
    this.emittedReadable = false;
    this.readableListening = false;
    this.resumeScheduled = false;
    this.errorEmitted = false;
    this.emitClose = !options || options.emitClose !== false;
    this.autoDestroy = !options || options.autoDestroy !== false;
    this.destroyed = false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.defaultEncoding = defaultEncodingOf(options);
    /** Destinations that need 'drain': one, or a set if there are several. */
    this.awaitDrainWriters = null;
    this.multiAwaitDrain = false;
    this.readingMore = false;
    this.dataEmitted = false;
    this.decoder = null;
    this.encoding = null;
    if (options?.encoding) {
      const { StringDecoder } = require('string_decoder');
      this.decoder = new StringDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get pipesCount() {
    return this.pipes.length;
  }

  get paused() {
    return this[kPaused] !== false;
  }

  set paused(value) {
    this[kPaused] = !!value;
  }
}

/** Removes up to `n` from the buffer and returns it. */
function fromList(n, state) {
  if (state.length === 0) {
    return null;
  }
  const { buffer } = state;
  let chunk;
  if (state.objectMode) {
    chunk = buffer[state.bufferIndex];
    buffer[state.bufferIndex++] = null;
  } else if (!n || n >= state.length) {
    chunk = takeAll(state);
    state.bufferIndex = buffer.length;
  } else {
    chunk = state.decoder === null ? takeBytes(n, state) : takeString(n, state);
  }
  if (state.bufferIndex === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (state.bufferIndex >= BUFFER_COMPACT_MIN) {
    buffer.splice(0, state.bufferIndex);
    state.bufferIndex = 0;
  }
  return chunk;
}

function takeAll(state) {
  const { buffer, bufferIndex } = state;
  if (buffer.length - bufferIndex === 1) {
    return buffer[bufferIndex];
  }
  const chunks = bufferIndex === 0 ? buffer : buffer.slice(bufferIndex);
  return state.decoder === null ? Buffer.concat(chunks, state.length) : chunks.join('');
}

function takeBytes(n, state) {
  const { buffer } = state;
  const first = buffer[state.bufferIndex];
  if (n < first.length) {
    buffer[state.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }
  if (n === first.length) {
    buffer[state.bufferIndex++] = null;
    return first;
  }
  const result = Buffer.allocUnsafe(n);
  for (let offset = 0; offset < n;) {
    const chunk = buffer[state.bufferIndex];
    const left = n - offset;
    if (left < chunk.length) {
      result.set(new Uint8Array(chunk.buffer, chunk.byteOffset, left), offset);
      buffer[state.bufferIndex] = chunk.slice(left);
    } else {
      result.set(chunk, offset);
      buffer[state.bufferIndex++] = null;
    }
    offset += chunk.length;
  }
  return result;
}

function takeString(n, state) {
  const { buffer } = state;
  let result = '';
  while (result.length < n) {
    const chunk = buffer[state.bufferIndex];
    const left = n - result.length;
    if (left < chunk.length) {
      buffer[state.bufferIndex] = chunk.slice(left);
    } else {
      buffer[state.bufferIndex++] = null;
    }
    result += chunk.slice(0, left);
  }
  return result;
}

module.exports = { ReadableState, fromList, kPaused };
