// Handle of a zlib stream (Node's Zlib handle in node_zlib.cc). In: settings, input, the size of
// the output. Out: output, the bytes consumed and left; Node's errors. Absent: the Transform stream
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

/** Null, or the error. */
function errorOf(code, message, limit) {
  if (code === TOO_LARGE) return new ERR_BUFFER_TOO_LARGE(limit);
  return message === undefined ? null : genericNodeError(message, { errno: code, code: codes[code] });
}

class Handle {
  #stream;

  /** The Transform stream that owns it. */
  owner = null;

  constructor({ mode, level, windowBits, memLevel, strategy, dictionary, isSingle }) {
    this.#stream = binding.create(mode, level, windowBits, memLevel, strategy, dictionary, isSingle);
  }

  /**
   * One step on the thread pool: `callback(error, bytes read, bytes left, output, code)`. Without
   * input: the next step with the rest of the previous input.
   */
  write(flush, input, outputSize, callback) {
    const bound = bind(callback);
    binding.write(this.#stream, flush, input, outputSize, (code, message, read, left, output) => {
      bound(errorOf(code, message), read, left, toBuffer(output), code);
    });
  }

  /**
   * One synchronous step with the interface of Node's handle, which packages call. The stream's
   * `_writeState` gets the space left in the output and the bytes left of the input.
   */
  writeSync(flush, input, start, length, output, outputStart, outputSize) {
    const part = input ? input.subarray(start, start + length) : new FastBuffer();
    const [code, message, , left, bytes] = binding.write(this.#stream, flush, part, outputSize);
    const error = errorOf(code, message);
    if (error) {
      this.owner.destroy(error);
      return;
    }
    output.set(bytes, outputStart);
    this.owner._writeState[0] = outputSize - bytes.length;
    this.owner._writeState[1] = left;
  }

  /** Converts the whole input on the thread pool: `callback(error, output, bytes read)`. */
  convert(flush, input, limit, callback) {
    const bound = bind(callback);
    binding.convert(this.#stream, flush, input, limit, (code, message, read, left, output) => {
      const error = errorOf(code, message, limit);
      bound(error, error ? undefined : toBuffer(output), read);
    });
  }

  /** Converts the whole input. Returns the output and the bytes read. */
  convertSync(flush, input, limit) {
    const [code, message, read, , output] = binding.convert(this.#stream, flush, input, limit);
    const error = errorOf(code, message, limit);
    if (error) throw error;
    return { output: toBuffer(output), read };
  }

  reset() {
    if (!binding.reset(this.#stream)) throw errorOf(STREAM_ERROR, 'Failed to reset stream');
  }

  params(level, strategy) {
    const code = binding.setParams(this.#stream, level, strategy);
    if (code !== codes.Z_OK && code !== codes.Z_BUF_ERROR) throw errorOf(code, 'Failed to set parameters');
  }

  /** Work in progress continues, and its callback is called. */
  close() {
    binding.close(this.#stream);
  }
}

module.exports = { Handle };
