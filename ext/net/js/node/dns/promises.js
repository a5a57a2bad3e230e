// `node:dns/promises`: `node:dns` with promises.
'use strict';

module.exports = require('dns').promises;
