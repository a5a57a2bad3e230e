// `node:_stream_readable`: the deprecated name of `require('stream').Readable`.
'use strict';

require('process').emitWarning('The _stream_readable module is deprecated. Use `node:stream` instead.', 'DeprecationWarning', 'DEP0193');
module.exports = require('stream').Readable;
