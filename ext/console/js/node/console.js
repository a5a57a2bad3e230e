// `node:console`: the global console, with the Console class.
'use strict';

module.exports = require('internal/console/global');
