// Packing and unpacking for our own files and for `Bun`: no streams, no options of Node's. In:
// bytes or a text, options. Out: bytes, at once.
'use strict';

const { bytesSync } = require('internal/zlib/whole');
const { constants: { DEFLATE, DEFLATERAW, GZIP, GUNZIP, INFLATE, INFLATERAW } } = require('internal/zlib/constants');

// Each takes `{ level, windowBits, memLevel, strategy, maxOutputLength }`. Those with Raw in their
// name have no header; they are what Bun calls deflateSync and inflateSync.
module.exports = {
  gzipSync: (bytes, options) => bytesSync(GZIP, bytes, options),
  gunzipSync: (bytes, options) => bytesSync(GUNZIP, bytes, options),
  deflateSync: (bytes, options) => bytesSync(DEFLATE, bytes, options),
  inflateSync: (bytes, options) => bytesSync(INFLATE, bytes, options),
  deflateRawSync: (bytes, options) => bytesSync(DEFLATERAW, bytes, options),
  inflateRawSync: (bytes, options) => bytesSync(INFLATERAW, bytes, options),
};
