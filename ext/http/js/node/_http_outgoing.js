// `node:_http_outgoing`: what leaves `node:http`, by an old name. In: nothing of its own. Out:
// parts of `node:http`.
'use strict';

const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');

const { kHighWaterMark, kUnique } = require('internal/http/symbols');
const { uniqueOf } = require('internal/http/server');

module.exports = { kHighWaterMark, kUniqueHeaders: kUnique, parseUniqueHeadersOption: uniqueOf, OutgoingMessage, validateHeaderName, validateHeaderValue };
