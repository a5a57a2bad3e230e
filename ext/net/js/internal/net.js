// Node's internal/net, for Node's own tests.
'use strict';

const { kNormalized } = require('internal/net/arguments');

module.exports = { ...require('internal/net/ip'), normalizedArgsSymbol: kNormalized };
