// What a stream to read from remembers, under Node's names: libraries look at it. In: options; how
// much is wanted. Out: the state; chunks out of its buffer. Absent: events.
'use strict';

const { Buffer } = require('buffer');
const { getHighWaterMark, getDefaultHighWaterMark, defaultEncodingOf } = require('internal/streams/state');

/** Chunks that are gone are cut off the buffer when there are so many. */
const BUFFER_CUT = 1024;
const paused = Symbol('kPaused');

class ReadableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options && (options.objectMode || (isDuplex && options.readableObjectMode)));
    this.highWaterMark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    /** Chunks from `bufferIndex` on; `length` in bytes, characters or objects. */
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    /** null: nobody has said yet whether data is to flow. */
    this.flowing = null;
    this[paused] = null;
    this.ended = false;
    this.endEmitted = false;
    this.reading = false;
    this.constructed = true;
    /** Within `_read`: then data waits for the next tick. */
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
    /** Targets that are full: one, or a set where there are several. */
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
    return this[paused] !== false;
  }

  set paused(value) {
    this[paused] = !!value;
  }
}

/** Takes so much out of the buffer. */
function fromList(count, state) {
  if (state.length === 0) {
    return null;
  }
  const { buffer } = state;
  let chunk;
  if (state.objectMode) {
    chunk = buffer[state.bufferIndex];
    buffer[state.bufferIndex++] = null;
  } else if (!count || count >= state.length) {
    chunk = everything(state);
    state.bufferIndex = buffer.length;
  } else {
    chunk = state.decoder === null ? cutBytes(count, state) : cutText(count, state);
  }
  if (state.bufferIndex === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (state.bufferIndex >= BUFFER_CUT) {
    buffer.splice(0, state.bufferIndex);
    state.bufferIndex = 0;
  }
  return chunk;
}

function everything(state) {
  const { buffer, bufferIndex } = state;
  if (buffer.length - bufferIndex === 1) {
    return buffer[bufferIndex];
  }
  const chunks = bufferIndex === 0 ? buffer : buffer.slice(bufferIndex);
  return state.decoder === null ? Buffer.concat(chunks, state.length) : chunks.join('');
}

function cutBytes(count, state) {
  const { buffer } = state;
  const first = buffer[state.bufferIndex];
  if (count < first.length) {
    buffer[state.bufferIndex] = first.slice(count);
    return first.slice(0, count);
  }
  if (count === first.length) {
    buffer[state.bufferIndex++] = null;
    return first;
  }
  const whole = Buffer.allocUnsafe(count);
  for (let at = 0; at < count;) {
    const chunk = buffer[state.bufferIndex];
    const left = count - at;
    if (left < chunk.length) {
      whole.set(new Uint8Array(chunk.buffer, chunk.byteOffset, left), at);
      buffer[state.bufferIndex] = chunk.slice(left);
    } else {
      whole.set(chunk, at);
      buffer[state.bufferIndex++] = null;
    }
    at += chunk.length;
  }
  return whole;
}

function cutText(count, state) {
  const { buffer } = state;
  let text = '';
  while (text.length < count) {
    const chunk = buffer[state.bufferIndex];
    const left = count - text.length;
    if (left < chunk.length) {
      buffer[state.bufferIndex] = chunk.slice(left);
    } else {
      buffer[state.bufferIndex++] = null;
    }
    text += chunk.slice(0, left);
  }
  return text;
}

module.exports = { ReadableState, fromList, paused };
