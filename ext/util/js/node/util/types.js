// `node:util/types`.
'use strict';

module.exports = require('util').types;
