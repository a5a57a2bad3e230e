// `node:zlib`: streams and convenience methods of zlib, Brotli and Zstandard; `crc32`, constants.
'use strict';

const binding = internalBinding('zlib');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { constants, codes } = require('internal/zlib/constants');
const { makeBrotliClass, makeZlibClass, makeZstdClass } = require('internal/zlib/stream');
const { makeAsyncMethod, makeSyncMethod } = require('internal/zlib/convenience_methods');

const CLASSES = [
  ['Deflate', constants.DEFLATE, makeZlibClass],
  ['Inflate', constants.INFLATE, makeZlibClass],
  ['Gzip', constants.GZIP, makeZlibClass],
  ['Gunzip', constants.GUNZIP, makeZlibClass],
  ['DeflateRaw', constants.DEFLATERAW, makeZlibClass],
  ['InflateRaw', constants.INFLATERAW, makeZlibClass],
  ['Unzip', constants.UNZIP, makeZlibClass],
  ['BrotliCompress', constants.BROTLI_ENCODE, makeBrotliClass],
  ['BrotliDecompress', constants.BROTLI_DECODE, makeBrotliClass],
  ['ZstdCompress', constants.ZSTD_COMPRESS, makeZstdClass],
  ['ZstdDecompress', constants.ZSTD_DECOMPRESS, makeZstdClass],
];

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(data, value);
}

function setName(name, callable) {
  return Object.defineProperty(callable, 'name', { __proto__: null, value: name, configurable: true });
}

const lower = (name) => `${name[0].toLowerCase()}${name.slice(1)}`;

function defineReadOnly(name, value) {
  Object.defineProperty(module.exports, name, { __proto__: null, value, enumerable: true });
}

module.exports = { crc32 };
for (const [name, mode, make] of CLASSES) {
  const Class = make(name, mode);
  module.exports[name] = Class;
  module.exports[lower(name)] = setName(lower(name), makeAsyncMethod(Class, mode));
  module.exports[`${lower(name)}Sync`] = setName(`${lower(name)}Sync`, makeSyncMethod(Class, mode));
  defineReadOnly(`create${name}`, setName(`create${name}`, (options) => new Class(options)));
}
defineReadOnly('constants', constants);
defineReadOnly('codes', codes);
// Deprecated: constants as properties of the module.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI_')) Object.defineProperty(module.exports, name, { __proto__: null, value: constants[name] });
}
