// `node:stream/promises` in browsers.
'use strict';

module.exports = require('stream').promises;
