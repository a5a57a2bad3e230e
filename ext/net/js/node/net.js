// `node:net`: connections of TCP and within the machine. In: where to, or where at. Out: sockets
// and servers (internal/net), what addresses are, lists of those that are refused, settings.
'use strict';

const { validateBoolean, validateInt32 } = require('internal/validators');
const { normalize } = require('internal/net/arguments');
const { TIMEOUT_MS_MIN, attempts } = require('internal/net/defaults');
const { isIP, isIPv4, isIPv6 } = require('internal/net/kinds');
const { Server } = require('internal/net/server');
const { Socket } = require('internal/net/socket');

function connect(...given) {
  const normalized = normalize(given);
  const [options] = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  const { clientSocket } = require('internal/net/channels');
  if (clientSocket.hasSubscribers) clientSocket.publish({ socket });
  return socket.connect(normalized);
}

function createServer(options, onConnection) {
  return new Server(options, onConnection);
}

module.exports = {
  _normalizeArgs: normalize,
  get BlockList() { return require('internal/net/block_list').BlockList; },
  get SocketAddress() { return require('internal/net/socket_address').SocketAddress; },
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: () => attempts.isAutomatic,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    attempts.isAutomatic = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => attempts.timeoutMs,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    attempts.timeoutMs = Math.max(value, TIMEOUT_MS_MIN);
  },
};
