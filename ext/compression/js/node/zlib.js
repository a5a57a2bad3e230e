// `node:zlib`. In: bytes, options. Out: streams, functions for whole strings, sums, numbers.
// Absent: Brotli and Zstandard, which can be named but not used.
'use strict';

const binding = internalBinding('zlib');
const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { constants, codes } = require('internal/zlib/constants');
const { zlibClass } = require('internal/zlib/stream');
const { whole, wholeSync } = require('internal/zlib/whole');

const KINDS = [
  ['Deflate', constants.DEFLATE],
  ['Inflate', constants.INFLATE],
  ['Gzip', constants.GZIP],
  ['Gunzip', constants.GUNZIP],
  ['DeflateRaw', constants.DEFLATERAW],
  ['InflateRaw', constants.INFLATERAW],
  ['Unzip', constants.UNZIP],
];
const MISSING = ['BrotliCompress', 'BrotliDecompress', 'ZstdCompress', 'ZstdDecompress'];

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(data, value);
}

/** Refuses by name. */
function refusal(name) {
  return function() { throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`zlib.${name}`); };
}

function named(name, own) {
  return Object.defineProperty(own, 'name', { __proto__: null, value: name, configurable: true });
}

const lower = (name) => `${name[0].toLowerCase()}${name.slice(1)}`;

function fixed(name, value) {
  Object.defineProperty(module.exports, name, { __proto__: null, value, enumerable: true });
}

module.exports = { crc32 };
for (const [name, mode] of KINDS) {
  const Class = zlibClass(name, mode);
  module.exports[name] = Class;
  module.exports[lower(name)] = named(lower(name), whole(Class, mode));
  module.exports[`${lower(name)}Sync`] = named(`${lower(name)}Sync`, wholeSync(Class, mode));
  fixed(`create${name}`, named(`create${name}`, (options) => new Class(options)));
}
for (const name of MISSING) {
  for (const each of [name, lower(name), `${lower(name)}Sync`]) module.exports[each] = named(each, refusal(each));
  fixed(`create${name}`, named(`create${name}`, refusal(`create${name}`)));
}
fixed('constants', constants);
fixed('codes', codes);
// As they were named before there was `constants`.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI_')) Object.defineProperty(module.exports, name, { __proto__: null, value: constants[name] });
}
