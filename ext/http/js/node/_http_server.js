// `node:_http_server`: servers of `node:http`, by an old name of theirs. In: nothing of its own.
// Out: parts of `node:http`.
'use strict';

const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('http');
const { kChecking } = require('internal/http/server');

module.exports = { STATUS_CODES, Server, ServerResponse, _connectionListener, kConnectionsCheckingInterval: kChecking };
