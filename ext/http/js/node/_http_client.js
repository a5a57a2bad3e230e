// `node:_http_client`: requests of `node:http`, by an old name of theirs. In: nothing of its own.
// Out: parts of `node:http`.
'use strict';

const { ClientRequest } = require('http');

module.exports = { ClientRequest };
