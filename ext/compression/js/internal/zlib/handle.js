// Handle of a stream of zlib, Brotli or Zstandard (Node's handles in node_zlib.cc). In: settings,
// input, the size of the output. Out: output, the bytes consumed and left; Node's errors. Absent:
// the Transform stream (internal/zlib/stream).
'use strict';

const binding = internalBinding('zlib');
const {
  codes: { ERR_BUFFER_TOO_LARGE, ERR_MISSING_LIBRARY, ERR_ZLIB_INITIALIZATION_FAILED }, genericNodeError,
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer');
const { bindResource, destroyResource } = require('internal/async_context');
const { codes, constants } = require('internal/zlib/constants');

const { code: { TOO_LARGE, TRUNCATED }, creation } = binding;
const { BROTLI_DECODE, BROTLI_ENCODE, ZSTD_COMPRESS, ZSTD_DECOMPRESS } = constants;

const toBuffer = (bytes) => new FastBuffer(bytes.buffer, 0, bytes.length);

/** The name of a constant by its value. */
const nameOf = (prefix, value) =>
  Object.keys(constants).find((name) => name.startsWith(prefix) && constants[name] === value);

/** Node's `code` of a library's error code, by mode. */
function codeName(mode, code) {
  switch (mode) {
    case BROTLI_DECODE: return nameOf('BROTLI_DECODER_ERROR_', code)?.replace('BROTLI_DECODER', 'ERR_');
    case BROTLI_ENCODE: return 'ERR_BROTLI_COMPRESSION_FAILED';
    case ZSTD_COMPRESS: case ZSTD_DECOMPRESS: return nameOf('ZSTD_error_', code);
    default: return codes[code];
  }
}

/** Null, or the error. */
function errorOf(mode, code, message, limit) {
  if (code === TOO_LARGE) return new ERR_BUFFER_TOO_LARGE(limit);
  if (message === undefined) return null;
  if (code === TRUNCATED) return genericNodeError(message, { errno: codes.Z_BUF_ERROR, code: 'Z_BUF_ERROR' });
  return genericNodeError(message, { errno: code, code: codeName(mode, code) });
}

/** A Brotli or Zstandard stream, or Node's error. */
function createBrotliZstd({ mode, params, dictionary, pledgedSrcSize }) {
  const stream = binding.createBrotliZstd(mode, params, dictionary, pledgedSrcSize);
  if (typeof stream === 'object') return stream;
  if (typeof stream === 'string') throw new ERR_MISSING_LIBRARY(stream);
  const error = new ERR_ZLIB_INITIALIZATION_FAILED();
  const isZstd = mode === ZSTD_COMPRESS || mode === ZSTD_DECOMPRESS;
  if (isZstd && stream === creation.PARAMETER) error.message = 'Setting parameter failed';
  if (stream === creation.DICTIONARY) {
    error.message = isZstd ? 'Failed to load zstd dictionary' : 'Failed to attach brotli dictionary';
  }
  throw error;
}

class Handle {
  #stream;
  #mode;

  /** The Transform stream that owns it. */
  owner = null;

  /** With `params`, the settings are those of Brotli or Zstandard. */
  constructor(settings) {
    const { mode, level, windowBits, memLevel, strategy, dictionary, isSingle, params } = settings;
    this.#mode = mode;
    this.#stream = params !== undefined ? createBrotliZstd(settings) :
      binding.create(mode, level, windowBits, memLevel, strategy, dictionary, isSingle);
    bindResource(() => {}, 'ZLIB', this);
  }

  /**
   * One step on the thread pool: `callback(error, bytes read, bytes left, output, code)`. Without
   * input: the next step with the rest of the previous input.
   */
  write(flush, input, outputSize, callback) {
    const bound = bindResource(callback, 'ZLIB', this);
    binding.write(this.#stream, flush, input, outputSize, (code, message, read, left, output) => {
      bound(errorOf(this.#mode, code, message), read, left, toBuffer(output), code);
    });
  }

  /**
   * One synchronous step with the interface of Node's handle, which packages call. The stream's
   * `_writeState` gets the space left in the output and the bytes left of the input.
   */
  writeSync(flush, input, start, length, output, outputStart, outputSize) {
    const part = input ? input.subarray(start, start + length) : new FastBuffer();
    const [code, message, , left, bytes] = binding.write(this.#stream, flush, part, outputSize);
    const error = errorOf(this.#mode, code, message);
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
    const bound = bindResource(callback, 'ZLIB', this);
    binding.convert(this.#stream, flush, input, limit, (code, message, read, left, output) => {
      const error = errorOf(this.#mode, code, message, limit);
      bound(error, error ? undefined : toBuffer(output), read);
    });
  }

  /** Converts the whole input. Returns the output and the bytes read. */
  convertSync(flush, input, limit) {
    const [code, message, read, , output] = binding.convert(this.#stream, flush, input, limit);
    const error = errorOf(this.#mode, code, message, limit);
    if (error) throw error;
    return { output: toBuffer(output), read };
  }

  reset() {
    if (!binding.reset(this.#stream)) throw genericNodeError('Failed to reset stream', { errno: codes.Z_STREAM_ERROR, code: 'Z_STREAM_ERROR' });
  }

  params(level, strategy) {
    const code = binding.setParams(this.#stream, level, strategy);
    if (code !== codes.Z_OK && code !== codes.Z_BUF_ERROR) throw errorOf(this.#mode, code, 'Failed to set parameters');
  }

  /** Work in progress continues, and its callback is called. */
  close() {
    binding.close(this.#stream);
    destroyResource(this);
  }
}

module.exports = { Handle };
