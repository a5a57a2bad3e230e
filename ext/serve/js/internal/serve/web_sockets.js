// Where WebSockets join a server. In: the `websocket` option. Out: what the methods of a Server
// call. `internal/websocket/server` makes it, and gets `upgradeConnection` to take over a
// connection. Absent: the protocol (RFC 6455).
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const binding = internalBinding('serve');

/** Of a server without `websocket`. */
const EMPTY_SOCKETS = {
  count: 0,
  upgrade() {
    throw invalidArgType('To enable websocket support, set the "websocket" object in Bun.serve({})');
  },
  publish() { return 0; },
  subscriberCount() { return 0; },
  stop() {},
  whenEmpty(callback) { callback(); },
};

/**
 * Sends the 101 and gives up the connection. `fields`: field lines, each with its line end. Out:
 * the connection, which the caller owns, and the bytes that came after the request; undefined: the
 * client has gone, or the request cannot be upgraded.
 */
function upgradeConnection(exchange, fields) {
  const upgraded = binding.upgrade(exchange.number, exchange.id, fields);
  if (upgraded === undefined) return undefined;
  exchange.isUpgraded = true;
  exchange.isOver = true;
  const [connection, head] = upgraded;
  return { connection, head };
}

/** `previous`: of the options before a reload. */
function createSockets(server, options, previous) {
  const { createServerSockets } = require('internal/websocket/server');
  return createServerSockets({ server, options, previous: previous === EMPTY_SOCKETS ? undefined : previous, upgradeConnection });
}

module.exports = { EMPTY_SOCKETS, createSockets, upgradeConnection };
