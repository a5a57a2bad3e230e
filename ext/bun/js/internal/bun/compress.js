// Compressing at once: `Bun.gzipSync` and its kin. In: texts, bytes. Out: bytes; the work is that
// of `zlib`. Deflate is without a head, as bun has it. Absent: Zstandard, streams; `zlib` has
// those.
'use strict';

const zlib = require('zlib');
const { viewOf } = require('internal/bun/bytes');
const { wrongType } = require('internal/bun/program');

/** A function of bun's over one of Node's. */
function over(work) {
  return (data, options) => {
    const view = typeof data === 'string' ? Buffer.from(data) : viewOf(data);
    if (view === undefined) throw wrongType('data must be a string, ArrayBuffer or ArrayBufferView');
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
