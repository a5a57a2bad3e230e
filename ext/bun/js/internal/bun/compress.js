// Compressing at once: `Bun.gzipSync` and its kin. In: texts, bytes. Out: bytes; the work is that
// of `zlib`. Deflate is without a head, as bun has it. Absent: Zstandard, streams; `zlib` has
// those.
'use strict';

const zlib = require('zlib');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** A function of bun's over one of Node's. */
function over(work) {
  return (data, options) => {
    const view = typeof data === 'string' ? Buffer.from(data) : toUint8Array(data);
    if (view === undefined) throw invalidArgType('data must be a string, ArrayBuffer or ArrayBufferView');
    const { level, windowBits, memLevel, strategy } = options ?? {};
    const given = Object.entries({ level, windowBits, memLevel, strategy }).filter(([, value]) => value !== undefined);
    const { buffer, byteOffset, byteLength } = work(view, Object.fromEntries(given));
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

const { Buffer } = require('buffer');

module.exports = {
  deflateSync: over(zlib.deflateRawSync),
  gunzipSync: over(zlib.gunzipSync),
  gzipSync: over(zlib.gzipSync),
  inflateSync: over(zlib.inflateRawSync),
};
