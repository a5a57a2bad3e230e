// What Node's own tests look for under this name.
'use strict';

const { kNormalized } = require('internal/net/arguments');

module.exports = { ...require('internal/net/kinds'), normalizedArgsSymbol: kNormalized };
