// `node:_http_outgoing`: deprecated alias of the outgoing messages of `node:http`.
'use strict';

const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');

const { kHighWaterMark, kUniqueHeaders } = require('internal/http/symbols');
const { parseUniqueHeadersOption } = require('internal/http/server');

module.exports = { kHighWaterMark, kUniqueHeaders, parseUniqueHeadersOption, OutgoingMessage, validateHeaderName, validateHeaderValue };
