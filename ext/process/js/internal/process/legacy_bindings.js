// Modules of the deprecated `process.binding`. Out: constants, type checks, error names.

'use strict';

function constants() {
  const { errno, signals, priority, dlopen, UV_UDP_REUSEADDR } = require('internal/os/constants');
  return {
    os: { UV_UDP_REUSEADDR, errno, signals, priority, dlopen },
    fs: require('fs').constants,
    crypto: {},
    zlib: {},
    trace: {},
  };
}

function util() {
  const { types } = require('util');
  const names = [
    'isArrayBuffer', 'isArrayBufferView', 'isAsyncFunction', 'isDataView', 'isDate', 'isExternal', 'isMap', 'isMapIterator',
    'isNativeError', 'isPromise', 'isRegExp', 'isSet', 'isSetIterator', 'isTypedArray', 'isUint8Array', 'isAnyArrayBuffer',
  ];
  return Object.fromEntries(names.map((name) => [name, types[name]]));
}

function uv() {
  const entries = [...require('internal/errors/system').systemErrors()].map(([number, [name]]) => [`UV_${name}`, number]);
  return { ...Object.fromEntries(entries), errname: (number) => require('util').getSystemErrorName(number) };
}

function buffer() {
  const { kMaxLength, constants: { MAX_STRING_LENGTH } } = require('buffer');
  return { kMaxLength, kStringMaxLength: MAX_STRING_LENGTH };
}

module.exports = { constants, util, uv, buffer };
