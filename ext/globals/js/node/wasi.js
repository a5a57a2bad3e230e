// `node:wasi`: WebAssembly that asks for a system. It is not there yet, and says so by name.
'use strict';

const { absent } = require('internal/not_implemented');

module.exports = { WASI: absent('wasi', 'WASI') };
