// `node:wasi`: the WebAssembly System Interface. Not implemented: the constructor throws.
'use strict';

const { absent } = require('internal/not_implemented');

module.exports = { WASI: absent('wasi', 'WASI') };
