// `node:zlib`: streams, convenience methods, `crc32`, constants. Absent: Brotli and Zstandard,
// whose classes and functions exist and throw.
'use strict';

const binding = internalBinding('zlib');
const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { constants, codes } = require('internal/zlib/constants');
const { makeZlibClass } = require('internal/zlib/stream');
const { makeAsyncMethod, makeSyncMethod } = require('internal/zlib/convenience_methods');

const CLASSES = [
  ['Deflate', constants.DEFLATE],
  ['Inflate', constants.INFLATE],
  ['Gzip', constants.GZIP],
  ['Gunzip', constants.GUNZIP],
  ['DeflateRaw', constants.DEFLATERAW],
  ['InflateRaw', constants.INFLATERAW],
  ['Unzip', constants.UNZIP],
];
const UNSUPPORTED = ['BrotliCompress', 'BrotliDecompress', 'ZstdCompress', 'ZstdDecompress'];

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(data, value);
}

/** A function that throws. */
function makeUnsupported(name) {
  return function() { throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`zlib.${name}`); };
}

function setName(name, callable) {
  return Object.defineProperty(callable, 'name', { __proto__: null, value: name, configurable: true });
}

const lower = (name) => `${name[0].toLowerCase()}${name.slice(1)}`;

function defineReadOnly(name, value) {
  Object.defineProperty(module.exports, name, { __proto__: null, value, enumerable: true });
}

module.exports = { crc32 };
for (const [name, mode] of CLASSES) {
  const Class = makeZlibClass(name, mode);
  module.exports[name] = Class;
  module.exports[lower(name)] = setName(lower(name), makeAsyncMethod(Class, mode));
  module.exports[`${lower(name)}Sync`] = setName(`${lower(name)}Sync`, makeSyncMethod(Class, mode));
  defineReadOnly(`create${name}`, setName(`create${name}`, (options) => new Class(options)));
}
for (const name of UNSUPPORTED) {
  for (const member of [name, lower(name), `${lower(name)}Sync`]) module.exports[member] = setName(member, makeUnsupported(member));
  defineReadOnly(`create${name}`, setName(`create${name}`, makeUnsupported(`create${name}`)));
}
defineReadOnly('constants', constants);
defineReadOnly('codes', codes);
// Deprecated: constants as properties of the module.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI_')) Object.defineProperty(module.exports, name, { __proto__: null, value: constants[name] });
}
