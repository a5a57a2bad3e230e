// `node:_stream_duplex`: the deprecated name of `require('stream').Duplex`.
'use strict';

require('process').emitWarning('The _stream_duplex module is deprecated. Use `node:stream` instead.', 'DeprecationWarning', 'DEP0193');
module.exports = require('stream').Duplex;
