// CompressionStream and DecompressionStream: the Compression Standard. In: chunks of bytes; strings
// too, as in Node. Out: chunks of bytes. Data after the end of the compressed stream is an error,
// as is a truncated stream.
'use strict';

const { createTransformStream } = require('web/streams/transform');
const { finishClass, isObject, noPrivateMember } = require('web/streams/webidl_utils');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_NULL_VALUES, ERR_TRAILING_JUNK_AFTER_STREAM_END } } =
  require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView, isSharedArrayBuffer } = require('internal/util/types');
const { Handle } = require('internal/zlib/handle');
const {
  constants: {
    BROTLI_DECODE, BROTLI_ENCODE, BROTLI_OPERATION_FINISH, DEFLATE, DEFLATERAW, GZIP, GUNZIP, INFLATE, INFLATERAW, Z_FINISH,
    Z_NO_FLUSH, Z_STREAM_END, ZSTD_COMPRESS, ZSTD_DECOMPRESS, ZSTD_e_end,
  },
} = require('internal/zlib/constants');

const COMPRESSION_MODES = { '__proto__': null, 'deflate': DEFLATE, 'deflate-raw': DEFLATERAW, 'gzip': GZIP, 'brotli': BROTLI_ENCODE, 'zstd': ZSTD_COMPRESS };
const DECOMPRESSION_MODES = { '__proto__': null, 'deflate': INFLATE, 'deflate-raw': INFLATERAW, 'gzip': GUNZIP, 'brotli': BROTLI_DECODE, 'zstd': ZSTD_DECOMPRESS };
/** Zlib's defaults; the stream ends with the first gzip member. */
const SETTINGS = { level: -1, windowBits: 15, memLevel: 8, strategy: 0, dictionary: undefined, isSingle: true };
/** Brotli's and Zstandard's defaults. */
const DEFAULT_PARAMS = { params: new Int32Array(), dictionary: undefined, pledgedSrcSize: undefined };
const FINISH_OPERATIONS = {
  __proto__: null,
  [BROTLI_DECODE]: BROTLI_OPERATION_FINISH,
  [BROTLI_ENCODE]: BROTLI_OPERATION_FINISH,
  [ZSTD_COMPRESS]: ZSTD_e_end,
  [ZSTD_DECOMPRESS]: ZSTD_e_end,
};
const CHUNK_BYTES = 64 * 1024;
/** As in Node: how much can be written before the first read. */
const READABLE_STRATEGY = { highWaterMark: CHUNK_BYTES, size: (chunk) => chunk.byteLength };
const EMPTY = new Uint8Array();

function modeOf(modes, format, Class) {
  const mode = modes[`${format}`];
  if (mode !== undefined) return mode;
  const error = new ERR_INVALID_ARG_VALUE('format', format);
  error.message = `Failed to construct '${Class}': 1st argument value '${format}' is not a valid enum value of type ` +
    'CompressionFormat.';
  throw error;
}

function bytesOf(chunk) {
  if (typeof chunk === 'string') return new (require('web/encoding').TextEncoder)().encode(chunk);
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  const isBytes = isArrayBufferView(chunk) || isAnyArrayBuffer(chunk);
  if (!isBytes || isSharedArrayBuffer(isArrayBufferView(chunk) ? chunk.buffer : chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
  }
  return isArrayBufferView(chunk) ? chunk : new Uint8Array(chunk);
}

const webError = (error) => Object.assign(new TypeError('', { cause: error }), { code: error.code });

/** `isStrict`: chunks after the end of the stream are an error. */
function makeCodecTransform(mode, isStrict) {
  const isZlib = FINISH_OPERATIONS[mode] === undefined;
  const handle = new Handle({ ...(isZlib ? SETTINGS : DEFAULT_PARAMS), mode });
  const finish = isZlib ? Z_FINISH : FINISH_OPERATIONS[mode];
  let hasEnded = false;

  /** Writes a chunk, and enqueues its output. */
  function write(bytes, flush, enqueue) {
    return new Promise((resolve, reject) => {
      const fail = (error) => {
        handle.close();
        reject(webError(error));
      };
      const onStep = (error, read, left, output, code) => {
        if (error) return fail(error);
        if (output.length > 0) enqueue(new Uint8Array(output.buffer, 0, output.length));
        hasEnded = code === Z_STREAM_END;
        if (hasEnded && left > 0) return fail(new ERR_TRAILING_JUNK_AFTER_STREAM_END());
        if (output.length === CHUNK_BYTES && !hasEnded) handle.write(flush, undefined, CHUNK_BYTES, onStep);
        else resolve();
      };
      handle.write(flush, bytes, CHUNK_BYTES, onStep);
    });
  }

  return createTransformStream({
    transform(chunk, enqueue) {
      const bytes = bytesOf(chunk);
      if (bytes.byteLength === 0) return undefined;
      if (isStrict && hasEnded) throw webError(new ERR_TRAILING_JUNK_AFTER_STREAM_END());
      return write(bytes, Z_NO_FLUSH, enqueue);
    },
    async flush(enqueue) {
      if (!hasEnded) await write(EMPTY, finish, enqueue);
      handle.close();
    },
    cancel() { handle.close(); },
    readableStrategy: READABLE_STRATEGY,
  });
}

class CompressionStream {
  #transform;

  constructor(format) {
    this.#transform = makeCodecTransform(modeOf(COMPRESSION_MODES, format, 'CompressionStream'), false);
  }

  static #of(stream) {
    if (!isObject(stream) || !(#transform in stream)) throw noPrivateMember();
    return stream.#transform;
  }

  get readable() { return CompressionStream.#of(this).readable; }
  get writable() { return CompressionStream.#of(this).writable; }
}

class DecompressionStream {
  #transform;

  constructor(format) {
    this.#transform = makeCodecTransform(modeOf(DECOMPRESSION_MODES, format, 'DecompressionStream'), true);
  }

  static #of(stream) {
    if (!isObject(stream) || !(#transform in stream)) throw noPrivateMember();
    return stream.#transform;
  }

  get readable() { return DecompressionStream.#of(this).readable; }
  get writable() { return DecompressionStream.#of(this).writable; }
}

for (const Class of [CompressionStream, DecompressionStream]) {
  finishClass(Class, ({ readable, writable }) => ({ readable, writable }));
}

module.exports = { CompressionStream, DecompressionStream };
