// `node:_stream_wrap`: a stream as a socket. Absent; who calls it is told so by name.
'use strict';

module.exports = require('internal/not_implemented').absent('_stream_wrap', 'JSStreamSocket');
