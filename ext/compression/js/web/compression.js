// CompressionStream and DecompressionStream: the Compression Standard. In: chunks of bytes; strings
// too, as Node takes them. Out: chunks of bytes. What follows the end of what was packed is an
// error, as is an end that is missing. Absent: Brotli.
'use strict';

const { createTransformStream } = require('web/streams/transform');
const { finishClass, isObject, noPrivateMember } = require('web/streams/webidl_utils');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_NULL_VALUES, ERR_TRAILING_JUNK_AFTER_STREAM_END } } =
  require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView, isSharedArrayBuffer } = require('internal/util/types');
const { Handle } = require('internal/zlib/handle');
const { constants: { DEFLATE, DEFLATERAW, GZIP, GUNZIP, INFLATE, INFLATERAW, Z_FINISH, Z_NO_FLUSH, Z_STREAM_END } } =
  require('internal/zlib/constants');

const PACKING = { '__proto__': null, 'deflate': DEFLATE, 'deflate-raw': DEFLATERAW, 'gzip': GZIP };
const UNPACKING = { '__proto__': null, 'deflate': INFLATE, 'deflate-raw': INFLATERAW, 'gzip': GUNZIP };
/** As zlib has them; one member of gzip is all. */
const SETTINGS = { level: -1, windowBits: 15, memLevel: 8, strategy: 0, dictionary: undefined, isSingle: true };
const PIECE_BYTES = 64 * 1024;
/** As in Node, a writer gets on that far before anybody reads. */
const READABLE_STRATEGY = { highWaterMark: PIECE_BYTES, size: (chunk) => chunk.byteLength };
const NOTHING = new Uint8Array();

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

/** Both ends of a stream; `isStrict`: what is packed has an end of its own. */
function sides(mode, isStrict) {
  const handle = new Handle({ ...SETTINGS, mode });
  let hasEnded = false;

  /** Every piece that the bytes give. */
  function feed(bytes, flush, enqueue) {
    return new Promise((resolve, reject) => {
      const fail = (error) => {
        handle.close();
        reject(webError(error));
      };
      const then = (error, read, left, output, code) => {
        if (error) return fail(error);
        if (output.length > 0) enqueue(new Uint8Array(output.buffer, 0, output.length));
        hasEnded = code === Z_STREAM_END;
        if (hasEnded && left > 0) return fail(new ERR_TRAILING_JUNK_AFTER_STREAM_END());
        if (output.length === PIECE_BYTES && !hasEnded) handle.write(flush, undefined, PIECE_BYTES, then);
        else resolve();
      };
      handle.write(flush, bytes, PIECE_BYTES, then);
    });
  }

  return createTransformStream({
    transform(chunk, enqueue) {
      const bytes = bytesOf(chunk);
      if (bytes.byteLength === 0) return undefined;
      if (isStrict && hasEnded) throw webError(new ERR_TRAILING_JUNK_AFTER_STREAM_END());
      return feed(bytes, Z_NO_FLUSH, enqueue);
    },
    async flush(enqueue) {
      if (!hasEnded) await feed(NOTHING, Z_FINISH, enqueue);
      handle.close();
    },
    cancel() { handle.close(); },
    readableStrategy: READABLE_STRATEGY,
  });
}

class CompressionStream {
  #transform;

  constructor(format) {
    this.#transform = sides(modeOf(PACKING, format, 'CompressionStream'), false);
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
    this.#transform = sides(modeOf(UNPACKING, format, 'DecompressionStream'), true);
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
