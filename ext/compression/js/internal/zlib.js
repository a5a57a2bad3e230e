// Synchronous compression for builtins and for `Bun`. In: bytes or a string, options. Out: bytes.
// Absent: streams, the checks of Node's options.
'use strict';

const { zlibBufferSync } = require('internal/zlib/convenience_methods');
const { constants: { DEFLATE, DEFLATERAW, GZIP, GUNZIP, INFLATE, INFLATERAW } } = require('internal/zlib/constants');

// Each takes `{ level, windowBits, memLevel, strategy, maxOutputLength }`. Those with Raw in their
// name have no header; they are Bun's deflateSync and inflateSync.
module.exports = {
  gzipSync: (bytes, options) => zlibBufferSync(GZIP, bytes, options),
  gunzipSync: (bytes, options) => zlibBufferSync(GUNZIP, bytes, options),
  deflateSync: (bytes, options) => zlibBufferSync(DEFLATE, bytes, options),
  inflateSync: (bytes, options) => zlibBufferSync(INFLATE, bytes, options),
  deflateRawSync: (bytes, options) => zlibBufferSync(DEFLATERAW, bytes, options),
  inflateRawSync: (bytes, options) => zlibBufferSync(INFLATERAW, bytes, options),
};
