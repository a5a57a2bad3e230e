// Synchronous compression: `Bun.gzipSync`, `gunzipSync`, `deflateSync`, `inflateSync`, over
// node:zlib. In: strings, bytes. Out: bytes. Deflate is raw (RFC 1951), as in Bun. Absent:
// Zstandard and streams, which node:zlib has.
'use strict';

const zlib = require('zlib');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** Bun's function for a function of node:zlib. */
function wrap(zlibFunction) {
  return (data, options) => {
    const view = typeof data === 'string' ? Buffer.from(data) : toUint8Array(data);
    if (view === undefined) throw invalidArgType('data must be a string, ArrayBuffer or ArrayBufferView');
    const { level, windowBits, memLevel, strategy } = options ?? {};
    const zlibOptions = Object.entries({ level, windowBits, memLevel, strategy }).filter(([, value]) => value !== undefined);
    const { buffer, byteOffset, byteLength } = zlibFunction(view, Object.fromEntries(zlibOptions));
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

const { Buffer } = require('buffer');

module.exports = {
  deflateSync: wrap(zlib.deflateRawSync),
  gunzipSync: wrap(zlib.gunzipSync),
  gzipSync: wrap(zlib.gzipSync),
  inflateSync: wrap(zlib.inflateRawSync),
};
