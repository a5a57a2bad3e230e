// One stream of zlib's below what programs see. In: how it is made, bytes, how much may come out.
// Out: bytes, how far it came; errors as Node makes them. Absent: streams of chunks
// (internal/zlib/stream).
'use strict';

const binding = internalBinding('zlib');
const { codes: { ERR_BUFFER_TOO_LARGE }, genericNodeError } = require('internal/errors');
const { FastBuffer } = require('internal/buffer');
const { bind } = require('internal/async_context');
const { codes } = require('internal/zlib/constants');

const { code: { TOO_LARGE } } = binding;
const STREAM_ERROR = -2;

const toBuffer = (bytes) => new FastBuffer(bytes.buffer, 0, bytes.length);

/** Nothing, or why it cannot go on. */
function failure(code, message, limit) {
  if (code === TOO_LARGE) return new ERR_BUFFER_TOO_LARGE(limit);
  return message === undefined ? null : genericNodeError(message, { errno: code, code: codes[code] });
}

class Handle {
  #stream;

  /** The stream of chunks that it belongs to. */
  owner = null;

  constructor({ mode, level, windowBits, memLevel, strategy, dictionary, isSingle }) {
    this.#stream = binding.begin(mode, level, windowBits, memLevel, strategy, dictionary, isSingle);
  }

  /**
   * One step, on another thread: `then(error, bytes read, bytes left, output, code)`. Without
   * input: more of what is left.
   */
  write(flush, input, room, then) {
    const bound = bind(then);
    binding.write(this.#stream, flush, input, room, (code, message, read, left, output) => {
      bound(failure(code, message), read, left, toBuffer(output), code);
    });
  }

  /**
   * One step, here, as Node's own handles take it: packages that unpack within a call use it. What
   * is left of the input and of the room stands in the stream's `_writeState`.
   */
  writeSync(flush, input, start, length, output, outputStart, room) {
    const part = input ? input.subarray(start, start + length) : new FastBuffer();
    const [code, message, , left, bytes] = binding.write(this.#stream, flush, part, room);
    const error = failure(code, message);
    if (error) {
      this.owner.destroy(error);
      return;
    }
    output.set(bytes, outputStart);
    this.owner._writeState[0] = room - bytes.length;
    this.owner._writeState[1] = left;
  }

  /** All at once, on another thread: `then(error, output)`. */
  whole(flush, input, limit, then) {
    const bound = bind(then);
    binding.whole(this.#stream, flush, input, limit, (code, message, read, left, output) => {
      const error = failure(code, message, limit);
      bound(error, error ? undefined : toBuffer(output), read);
    });
  }

  /** All at once, here. Out: the output, and how much was read. */
  wholeSync(flush, input, limit) {
    const [code, message, read, , output] = binding.whole(this.#stream, flush, input, limit);
    const error = failure(code, message, limit);
    if (error) throw error;
    return { output: toBuffer(output), read };
  }

  reset() {
    if (!binding.reset(this.#stream)) throw failure(STREAM_ERROR, 'Failed to reset stream');
  }

  params(level, strategy) {
    const code = binding.setParams(this.#stream, level, strategy);
    if (code !== codes.Z_OK && code !== codes.Z_BUF_ERROR) throw failure(code, 'Failed to set parameters');
  }

  /** Work that has begun is finished, and told of. */
  close() {
    binding.close(this.#stream);
  }
}

module.exports = { Handle };
