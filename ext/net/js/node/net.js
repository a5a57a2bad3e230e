// `node:net`: TCP and Unix sockets. In: addresses, options. Out: sockets and servers
// (internal/net), address families, block lists, defaults.
'use strict';

const { validateBoolean, validateInt32 } = require('internal/validators');
const { normalize } = require('internal/net/arguments');
const { ATTEMPT_TIMEOUT_MS_MIN, autoSelectFamily } = require('internal/net/auto_select_family');
const { isIP, isIPv4, isIPv6 } = require('internal/net/ip');
const { Server } = require('internal/net/server');
const { Socket } = require('internal/net/socket');

function connect(...args) {
  const normalized = normalize(args);
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
  getDefaultAutoSelectFamily: () => autoSelectFamily.isDefault,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    autoSelectFamily.isDefault = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => autoSelectFamily.attemptTimeoutMs,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    autoSelectFamily.attemptTimeoutMs = Math.max(value, ATTEMPT_TIMEOUT_MS_MIN);
  },
};
