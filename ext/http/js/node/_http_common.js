// `node:_http_common`: what the two sides of `node:http` share. In: strings. Out: whether they may
// be a header's name or value. Absent: the parser.
'use strict';

const { METHODS, validateHeaderName, validateHeaderValue } = require('http');
const { freeParser, parsers } = require('internal/http/parser');
const { absent } = require('internal/not_implemented');

function isRefused(check) {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

module.exports = {
  _checkInvalidHeaderChar: (value) => value !== undefined && isRefused(() => validateHeaderValue('name', value)),
  _checkIsHttpToken: (name) => !isRefused(() => validateHeaderName(name)),
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  methods: METHODS.toSorted(),
  HTTPParser: absent('_http_common', 'HTTPParser'),
  parsers,
  freeParser,
};
