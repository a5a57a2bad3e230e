// `node:_stream_wrap`: a stream as a socket (JSStreamSocket). Not implemented: a call throws an
// error that names it.
'use strict';

module.exports = require('internal/not_implemented').absent('_stream_wrap', 'JSStreamSocket');
