// `node:_stream_passthrough`: the deprecated name of `require('stream').PassThrough`.
'use strict';

require('process').emitWarning('The _stream_passthrough module is deprecated. Use `node:stream` instead.', 'DeprecationWarning', 'DEP0193');
module.exports = require('stream').PassThrough;
