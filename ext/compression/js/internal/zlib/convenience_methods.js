// Convenience methods of zlib: `gzip(buffer, callback)`, `gzipSync(buffer)`. In: bytes or a string.
// Out: bytes, returned or passed to a callback, then from the thread pool. A stream is made only
// for the option `info`.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_TRAILING_JUNK_AFTER_STREAM_END } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Handle } = require('internal/zlib/handle');
const { normalizeOptions } = require('internal/zlib/options');

/** The input as bytes; a string as UTF-8. `name`, `allowed`: for the error's message. */
function bytesOf(input, name, allowed) {
  if (typeof input === 'string') return require('buffer').Buffer.from(input);
  if (isArrayBufferView(input)) return input;
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  throw new ERR_INVALID_ARG_TYPE(name, allowed, input);
}

const INPUT_TYPES = ['string', 'Buffer', 'TypedArray', 'DataView'];

/** The error of input after the end of the compressed data, if the options reject it; as in Node,
 *  synchronous methods do not. */
function trailingError({ rejectGarbageAfterEnd }, bytes, read) {
  return rejectGarbageAfterEnd && read < bytes.byteLength ? new ERR_TRAILING_JUNK_AFTER_STREAM_END() : null;
}

/** Converts a buffer without a stream. */
function zlibBufferSync(mode, input, options) {
  const settings = normalizeOptions(options, mode);
  const bytes = bytesOf(input, 'buffer', [...INPUT_TYPES, 'ArrayBuffer']);
  const handle = new Handle(settings);
  try {
    return handle.convertSync(settings.finishFlush, bytes, settings.maxOutputLength).output;
  } finally {
    handle.close();
  }
}

/** Makes `gzipSync` of a stream class. */
function makeSyncMethod(Class, mode) {
  return function(buffer, options) {
    if (!options?.info) return zlibBufferSync(mode, buffer, options);
    const engine = new Class(options);
    const bytes = bytesOf(buffer, 'buffer', [...INPUT_TYPES, 'ArrayBuffer']);
    return { buffer: engine._processChunk(bytes, engine._finishFlushFlag), engine };
  };
}

/** Makes `gzip` of a stream class. */
function makeAsyncMethod(Class, mode) {
  return function(buffer, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    const settings = normalizeOptions(options, mode);
    validateFunction(callback, 'callback');
    const bytes = bytesOf(buffer, 'chunk', INPUT_TYPES);
    const engine = settings.info ? new Class(options) : undefined;
    const handle = engine ? engine._handle : new Handle(settings);
    handle.convert(settings.finishFlush, bytes, settings.maxOutputLength, (error, output, read) => {
      handle.close();
      if (engine) {
        engine.bytesWritten = read;
        engine.destroy();
      }
      error ??= trailingError(settings, bytes, read);
      if (error) callback(error);
      else callback(null, engine ? { buffer: output, engine } : output);
    });
  };
}

module.exports = { makeAsyncMethod, makeSyncMethod, zlibBufferSync };
