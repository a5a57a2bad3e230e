// `node:_tls_common`: what the two sides of `node:tls` share, by an old name. In: nothing of its
// own. Out: parts of `node:tls`.
'use strict';

require('process').emitWarning('The _tls_common module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');
const { SecureContext, createSecureContext } = require('tls');

module.exports = { SecureContext, createSecureContext };
