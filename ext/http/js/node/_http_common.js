// `node:_http_common`: parts that the server and the client of `node:http` share. Absent:
// HTTPParser.
'use strict';

const { METHODS, validateHeaderName, validateHeaderValue } = require('http');
const { freeParser, parsers } = require('internal/http/parser');
const { absent } = require('internal/not_implemented');

function throws(check) {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

module.exports = {
  _checkInvalidHeaderChar: (value) => value !== undefined && throws(() => validateHeaderValue('name', value)),
  _checkIsHttpToken: (name) => !throws(() => validateHeaderName(name)),
  chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
  continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
  CRLF: '\r\n',
  methods: METHODS.toSorted(),
  HTTPParser: absent('_http_common', 'HTTPParser'),
  parsers,
  freeParser,
};
