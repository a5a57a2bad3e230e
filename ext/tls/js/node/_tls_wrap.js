// `node:_tls_wrap`: deprecated alias of parts of `node:tls`.
'use strict';

require('process').emitWarning('The _tls_wrap module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');
const { TLSSocket, Server, createServer, connect } = require('tls');

module.exports = { TLSSocket, Server, createServer, connect };
