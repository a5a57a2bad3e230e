// `node:_stream_transform`: the deprecated name of `require('stream').Transform`.
'use strict';

require('process').emitWarning('The _stream_transform module is deprecated. Use `node:stream` instead.', 'DeprecationWarning', 'DEP0193');
module.exports = require('stream').Transform;
