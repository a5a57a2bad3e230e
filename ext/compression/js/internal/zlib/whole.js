// Strings packed and unpacked as a whole: `gzip(buffer, callback)`, `gzipSync(buffer)`. In: bytes
// or a text. Out: bytes, at once or for a callback; that work is done on another thread. No stream
// is made unless somebody asks for it (`info`).
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Handle } = require('internal/zlib/handle');
const { settingsOf } = require('internal/zlib/options');

/**
 * Bytes; a text as UTF-8. The name and what is said to be allowed are what Node says in each case.
 */
function bytesOf(given, name, allowed) {
  if (typeof given === 'string') return require('buffer').Buffer.from(given);
  if (isArrayBufferView(given)) return given;
  if (isAnyArrayBuffer(given)) return new Uint8Array(given);
  throw new ERR_INVALID_ARG_TYPE(name, allowed, given);
}

const ALLOWED = ['string', 'Buffer', 'TypedArray', 'DataView'];

/** What is not to be had by a stream of the class. */
function bytesSync(mode, input, options) {
  const settings = settingsOf(options, mode);
  const bytes = bytesOf(input, 'buffer', [...ALLOWED, 'ArrayBuffer']);
  const handle = new Handle(settings);
  try {
    return handle.wholeSync(settings.finishFlush, bytes, settings.maxOutputLength).output;
  } finally {
    handle.close();
  }
}

/** `gzipSync`, of the class of streams. */
function wholeSync(Class, mode) {
  return function(buffer, options) {
    if (!options?.info) return bytesSync(mode, buffer, options);
    const engine = new Class(options);
    const bytes = bytesOf(buffer, 'buffer', [...ALLOWED, 'ArrayBuffer']);
    return { buffer: engine._processChunk(bytes, engine._finishFlushFlag), engine };
  };
}

/** `gzip`, of the class of streams. */
function whole(Class, mode) {
  return function(buffer, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    const settings = settingsOf(options, mode);
    validateFunction(callback, 'callback');
    const bytes = bytesOf(buffer, 'chunk', ALLOWED);
    const engine = settings.info ? new Class(options) : undefined;
    const handle = engine ? engine._handle : new Handle(settings);
    handle.whole(settings.finishFlush, bytes, settings.maxOutputLength, (error, output, read) => {
      handle.close();
      if (engine) {
        engine.bytesWritten = read;
        engine.destroy();
      }
      if (error) callback(error);
      else callback(null, engine ? { buffer: output, engine } : output);
    });
  };
}

module.exports = { bytesSync, whole, wholeSync };
