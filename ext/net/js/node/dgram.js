// `node:dgram`: UDP sockets (internal/dgram/socket).
'use strict';

const { Socket } = require('internal/dgram/socket');

function createSocket(type, listener) {
  return new Socket(type, listener);
}

module.exports = { createSocket, Socket };
