// The native half, with what it makes in JavaScript.
'use strict';

const binding = internalBinding('sqlite');
const { makeError } = require('internal/sqlite/errors');

binding.setUp(makeError, BigInt);

module.exports = binding;
