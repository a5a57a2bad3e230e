// `node:_stream_writable`: the deprecated name of `require('stream').Writable`.
'use strict';

require('process').emitWarning('The _stream_writable module is deprecated. Use `node:stream` instead.', 'DeprecationWarning', 'DEP0193');
module.exports = require('stream').Writable;
