// `Bun.FFI`. Out: the exports of `bun:ffi`.
'use strict';

module.exports = { FFI: require('bun/ffi') };
