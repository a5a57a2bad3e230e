// `http.Server`. In: options, a request listener. Out: 'request' and similar events. A single
// connection: server_connection.js.
'use strict';

const net = require('net');
const {
  codes: { ERR_HTTP_REQUEST_TIMEOUT, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { validateBoolean, validateInteger, validateObject } = require('internal/validators');
const { IncomingMessage } = require('internal/http/incoming');
const { ServerResponse } = require('internal/http/server_response');
const { connectionListener, socketOnError } = require('internal/http/server_connection');

const kConnections = Symbol('kConnections');
const kConnectionsCheckingInterval = Symbol('http.server.connectionsCheckingInterval');

function Server(options, onRequest) {
  if (!(this instanceof Server)) return new Server(options, onRequest);
  if (typeof options === 'function') [options, onRequest] = [{}, options];
  else if (options == null) options = {};
  else validateObject(options, 'options');
  options = { ...options };
  storeHTTPOptions(this, options);
  Reflect.apply(net.Server, this, [{
    allowHalfOpen: true,
    noDelay: options.noDelay ?? true,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
    highWaterMark: options.highWaterMark,
    ...(options.blockList === undefined ? undefined : { blockList: options.blockList }),
  }]);
  if (onRequest) this.on('request', onRequest);
  initialize(this, 'connection');
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

/** Makes a server of sockets an HTTP server; `event` is that of a new connection. */
function initialize(server, event) {
  server.httpAllowHalfOpen = false;
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  server[kConnections] = new Set();
  server.on(event, (socket) => connectionListener(server, socket, server[kConnections]));
  server.on('listening', () => setupConnectionsTracking(server));
}

function validateDuration(options, name, defaultValue) {
  const value = options[name];
  if (value === undefined) return defaultValue;
  validateInteger(value, name, 0);
  return value;
}

/** Validates options and stores them as properties, which programs may change. */
function storeHTTPOptions(server, options) {
  server.IncomingMessage = options.IncomingMessage || IncomingMessage;
  server.ServerResponse = options.ServerResponse || ServerResponse;
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  server.maxHeaderSize = options.maxHeaderSize;
  for (const name of ['insecureHTTPParser', 'requireHostHeader', 'joinDuplicateHeaders', 'rejectNonStandardBodyWrites']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  server.insecureHTTPParser = options.insecureHTTPParser;
  server.requireHostHeader = options.requireHostHeader ?? true;
  server.joinDuplicateHeaders = options.joinDuplicateHeaders;
  server.rejectNonStandardBodyWrites = options.rejectNonStandardBodyWrites ?? false;
  server.requestTimeout = validateDuration(options, 'requestTimeout', 300_000);
  const headersTimeout = server.requestTimeout > 0 ? Math.min(60_000, server.requestTimeout) : 60_000;
  server.headersTimeout = validateDuration(options, 'headersTimeout', headersTimeout);
  if (server.requestTimeout > 0 && server.headersTimeout > 0 && server.headersTimeout > server.requestTimeout) {
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', options.headersTimeout);
  }
  server.keepAliveTimeout = validateDuration(options, 'keepAliveTimeout', 5_000);
  server.keepAliveTimeoutBuffer = validateDuration(options, 'keepAliveTimeoutBuffer', 1_000);
  server.connectionsCheckingInterval = validateDuration(options, 'connectionsCheckingInterval', 30_000);
  if (options.shouldUpgradeCallback !== undefined) {
    require('internal/validators').validateFunction(options.shouldUpgradeCallback, 'options.shouldUpgradeCallback');
  }
  server.shouldUpgradeCallback = options.shouldUpgradeCallback ?? (() => server.listenerCount('upgrade') > 0);
  server.uniqueHeaders = parseUniqueHeadersOption(options.uniqueHeaders);
}

/** Lower-case names of fields whose values are joined in one line. */
function parseUniqueHeadersOption(headers) {
  if (!Array.isArray(headers)) return null;
  return new Set(headers.map((name) => name.toLowerCase()));
}

/** Periodically closes connections whose request has exceeded its timeouts. */
function setupConnectionsTracking(server) {
  clearInterval(server[kConnectionsCheckingInterval]);
  server[kConnectionsCheckingInterval] = setInterval(() => {
    const now = performance.now();
    const hasExceeded = (since, limit) => limit > 0 && since > 0 && now - since > limit;
    for (const connection of server[kConnections]) {
      const isHeadersTimeout = !connection.hasHeaders && hasExceeded(connection.requestStart, server.headersTimeout);
      if (isHeadersTimeout || hasExceeded(connection.requestStart, server.requestTimeout)) socketOnError(connection, new ERR_HTTP_REQUEST_TIMEOUT());
    }
  }, server.connectionsCheckingInterval).unref();
}

/** Called before the server is closed. */
function stopConnectionsTracking(server) {
  clearInterval(server[kConnectionsCheckingInterval]);
  server.closeIdleConnections();
}

Server.prototype.setTimeout = function setTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on('timeout', callback);
  return this;
};

Server.prototype.close = function close(...args) {
  stopConnectionsTracking(this);
  return Reflect.apply(net.Server.prototype.close, this, args);
};

Server.prototype.closeAllConnections = function closeAllConnections() {
  for (const { socket } of this[kConnections]) socket.destroy();
};

Server.prototype.closeIdleConnections = function closeIdleConnections() {
  for (const connection of this[kConnections]) {
    if (connection.isIdle) connection.socket.destroy();
  }
};

Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  await require('util').promisify(this.close).call(this);
};

Server.prototype[Symbol.for('nodejs.rejection')] = function captureRejection(error, event, ...args) {
  if (event !== 'request') {
    Reflect.apply(net.Server.prototype[Symbol.for('nodejs.rejection')], this, [error, event, ...args]);
    return;
  }
  const [, response] = args;
  if (response.headersSent || response.writableEnded) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.statusCode = 500;
  response.end(require('internal/http/constants').STATUS_CODES[500]);
};

module.exports = { Server, initialize, kConnectionsCheckingInterval, parseUniqueHeadersOption, stopConnectionsTracking, storeHTTPOptions };
