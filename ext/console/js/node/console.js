// `node:console`: the global console, which also has the class.
'use strict';

module.exports = require('internal/console/global');
