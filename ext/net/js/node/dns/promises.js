// `node:dns/promises`. In: names. Out: promises of what `node:dns` says of them.
'use strict';

module.exports = require('dns').promises;
