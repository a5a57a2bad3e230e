// `node:_http_outgoing`: what leaves `node:http`, by an old name. In: nothing of its own. Out: parts of `node:http`.
'use strict';

const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');

module.exports = { OutgoingMessage, validateHeaderName, validateHeaderValue };
