// HTTP/2 servers: `createServer`, `createSecureServer`. In: options, a request listener. Out: a
// session for each connection, 'stream' and 'request' for each stream. Connections that speak
// HTTP/1.1 are the HTTP server's, if that is allowed.
'use strict';

const net = require('net');
const tls = require('tls');
const { promisify } = require('util');
const { validateFunction } = require('internal/validators');
const http = require('internal/http/server');
const { constants } = require('internal/http2/constants');
const { onServerStream } = require('internal/http2/compat');
const { initializeOptions, initializeTlsOptions, validateSessionOptions } = require('internal/http2/options');
const { validateSettings } = require('internal/http2/settings');
const { ServerHttp2Session } = require('internal/http2/server_session');
const { assertIsObject } = require('internal/http2/util');
const { kOptions, kServer, kSessions } = require('internal/http2/symbols');

const unknownProtocolResponse = (problem) => 'HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n' +
  `${problem} ALPN Protocol, expected \`h2\` to be available.\n` +
  'If this is a HTTP request: The server was not configured with the `allowHTTP1` option or a listener for the `unknownProtocol` event.\n';
/** The event of a connection that speaks HTTP/1.1. */
const kHttp1Connection = Symbol('kHttp1Connection');
const rejection = Symbol.for('nodejs.rejection');

/** Starts a session on a new connection. */
function connectionListener(socket) {
  const options = this[kOptions] || {};
  if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') {
    if (options.allowHTTP1 === true) {
      this.emit(kHttp1Connection, socket);
      return;
    }
    rejectProtocol(this, socket, options);
    return;
  }
  const session = new ServerHttp2Session(options, socket, this);
  session.on('stream', function onStream(...args) { this[kServer]?.emit('stream', ...args); });
  session.on('error', function onError(error) { this[kServer]?.emit('sessionError', error, this); });
  if (this.timeout) session.setTimeout(this.timeout, onSessionTimeout);
  socket[kServer] = this;
  this.emit('session', session);
}

function onSessionTimeout() {
  if (this.destroyed) return;
  const server = this[kServer];
  if (!server || !server.emit('timeout', this)) this.destroy();
}

function rejectProtocol(server, socket, options) {
  if (server.emit('unknownProtocol', socket)) return;
  const timer = setTimeout(() => { if (!socket.destroyed) socket.destroy(); }, options.unknownProtocolTimeout);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(unknownProtocolResponse(socket.alpnProtocol ? 'Unknown' : 'Missing'));
}

/** The compatibility API is used once there is a listener of requests. */
function setupCompat(event) {
  if (event !== 'request') return;
  this.removeListener('newListener', setupCompat);
  const { Http2ServerRequest, Http2ServerResponse } = this[kOptions];
  this.on('stream', (...args) => onServerStream(this, Http2ServerRequest, Http2ServerResponse, ...args));
}

function initialize(server, options, onRequest) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  server.on('newListener', setupCompat);
  if (typeof onRequest === 'function') server.on('request', onRequest);
}

const closeAllSessions = (server) => { for (const session of server[kSessions]) session.close(); };

const methods = {
  setTimeout(msecs, callback) {
    this.timeout = msecs;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.on('timeout', callback);
    }
    return this;
  },
  updateSettings(settings) {
    assertIsObject(settings, 'settings');
    validateSettings(settings);
    this[kOptions].settings = { ...this[kOptions].settings, ...settings };
  },
};

function respondToRejection(server, error, event, args) {
  if (event === 'stream') {
    const [stream] = args;
    if (stream.headersSent) {
      stream.destroy(error);
    } else {
      stream.respond({ ':status': 500 });
      stream.end();
    }
    return true;
  }
  if (event === 'request') {
    const [, response] = args;
    if (!response.headersSent) {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      response.statusCode = 500;
      response.end(require('http').STATUS_CODES[500]);
    } else {
      response.destroy();
    }
    return true;
  }
  return false;
}

class Http2Server extends net.Server {
  constructor(options, onRequest) {
    options = initializeOptions(options);
    super({ ...options, noDelay: options.noDelay ?? true }, connectionListener);
    initialize(this, options, onRequest);
  }

  close(callback) {
    super.close(callback);
    closeAllSessions(this);
    return this;
  }

  async [Symbol.asyncDispose]() {
    await Reflect.apply(promisify(this.close), this, []);
  }

  [rejection](error, event, ...args) {
    if (!respondToRejection(this, error, event, args)) super[rejection](error, event, ...args);
  }
}

class Http2SecureServer extends tls.Server {
  constructor(options, onRequest) {
    options = initializeTlsOptions(initializeOptions(options));
    super({ noDelay: true, ...options }, connectionListener);
    initialize(this, options, onRequest);
    if (options.allowHTTP1 === true) {
      http.storeHTTPOptions(this, { ...options, IncomingMessage: options.Http1IncomingMessage, ServerResponse: options.Http1ServerResponse, ...options.http1Options });
      http.initialize(this, kHttp1Connection);
    }
    this.on('tlsClientError', (error, socket) => { if (!this.emit('clientError', error, socket)) socket.destroy(error); });
  }

  close(callback) {
    if (this[kOptions].allowHTTP1 === true) http.stopConnectionsTracking(this);
    super.close(callback);
    closeAllSessions(this);
    return this;
  }

  closeIdleConnections() {
    if (this[kOptions].allowHTTP1 === true) Reflect.apply(http.Server.prototype.closeIdleConnections, this, []);
  }

  async [Symbol.asyncDispose]() {
    await Reflect.apply(promisify(this.close), this, []);
  }

  [rejection](error, event, ...args) {
    if (!respondToRejection(this, error, event, args)) super[rejection](error, event, ...args);
  }
}

for (const Class of [Http2Server, Http2SecureServer]) Object.assign(Class.prototype, methods);

function createServer(options, handler) {
  if (typeof options === 'function') [options, handler] = [undefined, options];
  return new Http2Server(options, handler);
}

function createSecureServer(options, handler) {
  return new Http2SecureServer(options, handler);
}

/** A session on a connection that the program has accepted itself. */
function performServerHandshake(socket, options = {}) {
  options = { ...options };
  validateSessionOptions(options);
  return new ServerHttp2Session(options, socket, undefined);
}

module.exports = { constants, createSecureServer, createServer, performServerHandshake };
