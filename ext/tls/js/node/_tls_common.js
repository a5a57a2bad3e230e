// `node:_tls_common`: deprecated alias of parts of `node:tls`.
'use strict';

require('process').emitWarning('The _tls_common module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');
const { SecureContext, createSecureContext } = require('tls');

module.exports = { SecureContext, createSecureContext };
