// `bun:ffi`: calls C functions. Absent: `napi_env` and `napi_value`.
'use strict';

const { FFIType, parseSignature } = require('internal/ffi/types');
const { CString, ptr, read, toArrayBuffer, toBuffer } = require('internal/ffi/memory');
const { CFunction, dlopen, linkSymbols } = require('internal/ffi/library');
const { JSCallback } = require('internal/ffi/callback');
const { callSource, callbackSource } = require('internal/ffi/stubs');

/** The generated JavaScript: there is no generated C here. */
function viewSource(symbols, isCallback = false) {
  if (isCallback) return callbackSource(parseSignature(symbols, 'JSCallback', { isCallback: true }));
  return Object.entries(symbols).map(([name, definition]) => callSource(parseSignature(definition, `"${name}"`), name));
}

module.exports = {
  CFunction, CString, FFIType, JSCallback, dlopen, linkSymbols, ptr, read, suffix: 'so', toArrayBuffer, toBuffer, viewSource,
  cc(options) { return require('internal/ffi/compiler').cc(options); },
};
