// Compression: `Bun.gzipSync`, `gunzipSync`, `deflateSync`, `inflateSync`, and `Bun.zstdCompress`
// and its relatives, over node:zlib. In: strings, bytes. Out: bytes. Deflate is raw (RFC 1951), as
// in Bun. Absent: streams, which node:zlib has.
'use strict';

const zlib = require('zlib');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

function bytesOf(data) {
  const view = typeof data === 'string' ? Buffer.from(data) : toUint8Array(data);
  if (view === undefined) throw invalidArgType('data must be a string, ArrayBuffer or ArrayBufferView');
  return view;
}

/** Bun's function for a function of node:zlib. */
function wrap(zlibFunction) {
  return (data, options) => {
    const view = bytesOf(data);
    const { level, windowBits, memLevel, strategy } = options ?? {};
    const zlibOptions = Object.entries({ level, windowBits, memLevel, strategy }).filter(([, value]) => value !== undefined);
    const { buffer, byteOffset, byteLength } = zlibFunction(view, Object.fromEntries(zlibOptions));
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

const { Buffer } = require('buffer');
const { ZSTD_c_compressionLevel } = zlib.constants;

/** Options of node:zlib for Bun's option `level`: 1 to 22, 3 by default. */
function zstdOptions(options) {
  const level = options?.level;
  if (level === undefined || level === null) return {};
  if (typeof level !== 'number' || Number.isNaN(level)) throw invalidArgType('level must be a number');
  if (level < 1 || level > 22) {
    throw Object.assign(new RangeError('Compression level must be between 1 and 22'), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  return { params: { [ZSTD_c_compressionLevel]: Math.trunc(level) } };
}

/** A promise for a function with a callback; errors of arguments are thrown. */
const promised = (zlibFunction, bytes, options) => new Promise((resolve, reject) => {
  zlibFunction(bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
});

function zstdCompress(data, options) {
  const [bytes, zlibOptions] = [bytesOf(data), zstdOptions(options)];
  return promised(zlib.zstdCompress, bytes, zlibOptions);
}

function zstdDecompress(data) {
  return promised(zlib.zstdDecompress, bytesOf(data), {});
}

module.exports = {
  deflateSync: wrap(zlib.deflateRawSync),
  gunzipSync: wrap(zlib.gunzipSync),
  gzipSync: wrap(zlib.gzipSync),
  inflateSync: wrap(zlib.inflateRawSync),
  zstdCompress,
  zstdCompressSync: (data, options) => zlib.zstdCompressSync(bytesOf(data), zstdOptions(options)),
  zstdDecompress,
  zstdDecompressSync: (data) => zlib.zstdDecompressSync(bytesOf(data)),
};
