// `node:_http_incoming`: what arrives at `node:http`, by an old name. In: a socket. Out: it is told
// to read on or to wait.
'use strict';

const { IncomingMessage } = require('http');

function readStart(socket) { if (socket && !socket._paused && socket.readable) socket.resume(); }

function readStop(socket) { if (socket) socket.pause(); }

module.exports = { IncomingMessage, readStart, readStop };
