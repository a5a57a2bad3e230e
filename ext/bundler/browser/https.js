// `node:https` in browsers.
'use strict';

module.exports = require('internal/http_client').clientOf('https:');
