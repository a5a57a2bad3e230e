// `node:sys` in browsers: the old name of `node:util`.
'use strict';

module.exports = require('util');
