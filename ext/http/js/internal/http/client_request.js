// `http.ClientRequest`: a request over a connection of an agent or of its own. In: a URL, options,
// a body. Out: 'response'. Events of the connection: client_connection.js; options:
// request_options.js.
'use strict';

const net = require('net');
const { finished } = require('stream');
const { nextTick } = require('process');
const { ConnResetException, codes: { ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { once } = require('internal/util');
const { OutgoingMessage } = require('internal/http/outgoing');
const { parseOptions, validatePath } = require('internal/http/request_options');
const { attachSocket } = require('internal/http/client_connection');
const { proxyFor } = require('internal/http/agent');
const { diagnosticsChannels } = require('internal/http/channels');
const { getTimerDuration } = require('internal/net/timeout');
const { begin, isObserved } = require('internal/perf/observe');
const { kEndMeasurement, kErrored, kOutHeaders, kSocket, kUniqueHeaders } = require('internal/http/symbols');

/** Requests with these methods have no body by default. */
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function ClientRequest(input, options, callback) {
  if (!(this instanceof ClientRequest)) return new ClientRequest(input, options, callback);
  Reflect.apply(OutgoingMessage, this, []);
  const parsed = parseOptions(input, options, callback);
  ({ options, callback } = parsed);
  this.agent = parsed.agent;
  this.socketPath = options.socketPath;
  this.method = parsed.method;
  this.path = options.path || '/';
  this.host = parsed.host;
  this.protocol = parsed.protocol;
  this.maxHeaderSize = options.maxHeaderSize;
  this.insecureHTTPParser = options.insecureHTTPParser;
  this.joinDuplicateHeaders = options.joinDuplicateHeaders;
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  if (options.timeout !== undefined) this.timeout = getTimerDuration(options.timeout, 'timeout');
  if (options.signal) require('internal/streams/add-abort-signal').addAbortSignal(options.signal, this);
  if (callback) this.once('response', callback);
  this.useChunkedEncodingByDefault = !METHODS_WITHOUT_BODY.has(this.method);
  this.shouldKeepAlive = Boolean(this.agent) && (this.agent.keepAlive || Number.isFinite(this.agent.maxSockets));
  this._last = !this.shouldKeepAlive;
  this[kUniqueHeaders] = require('internal/http/server').parseUniqueHeadersOption(options.uniqueHeaders);
  addHeaders(this, parsed, options);
  const channels = diagnosticsChannels();
  if (channels.clientCreated.hasSubscribers) channels.clientCreated.publish({ request: this });
  options.signal = undefined;
  requestSocket(this, options);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

const kPath = Symbol('kPath');

Object.defineProperty(ClientRequest.prototype, 'path', {
  configurable: true,
  enumerable: true,
  get() { return this[kPath]; },
  // Validated at each assignment, because the request line contains it unescaped.
  set(path) {
    validatePath(String(path));
    this[kPath] = path;
  },
});

function addHeaders(request, { host, defaultPort, setHost }, options) {
  const { headers, auth, port, setDefaultHeaders } = options;
  if (setDefaultHeaders === false) {
    request._removedConnection = true;
    request._removedContLen = true;
    request._removedTE = true;
  }
  if (Array.isArray(headers)) {
    // No fields are added to a list.
    if (request.protocol === 'http:' && proxyFor(request.agent, options)) request.path = `http://${hostHeader(host, port, defaultPort)}${request.path}`;
    request._storeHeader(`${request.method} ${request.path} HTTP/1.1\r\n`, headers);
    return;
  }
  if (Array.isArray(headers?.host)) throw new ERR_INVALID_ARG_TYPE('options.headers.host', 'string', headers.host);
  if (headers) for (const name of Object.keys(headers)) request.setHeader(name, headers[name]);
  if (host && !request.getHeader('host') && setHost) request.setHeader('Host', hostHeader(host, port, defaultPort));
  if (auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${require('buffer').Buffer.from(auth).toString('base64')}`);
  }
  if (request.protocol === 'http:') proxyFor(request.agent, options)?.rewrite(request, request.getHeader('host') ?? hostHeader(host, port, defaultPort));
  if (request.getHeader('expect')) {
    if (request._header) throw new ERR_HTTP_HEADERS_SENT('render');
    request._implicitHeader();
  }
}

/** The Host field: an IPv6 address is in brackets. */
function hostHeader(host, port, defaultPort) {
  const colon = host.indexOf(':');
  const name = colon !== -1 && host.includes(':', colon + 1) && host[0] !== '[' ? `[${host}]` : host;
  return port && +port !== defaultPort ? `${name}:${port}` : name;
}

function requestSocket(request, options) {
  if (request.agent) {
    request.agent.addRequest(request, options);
    return;
  }
  request._last = true;
  request.shouldKeepAlive = false;
  if (options.socketPath) options.path = options.socketPath;
  else options.path = null;
  if (typeof options.createConnection !== 'function') {
    request.onSocket(net.createConnection(options));
    return;
  }
  const onCreate = once((error, socket) => {
    if (error) nextTick(() => request.emit('error', error));
    else request.onSocket(socket);
  });
  try {
    const socket = options.createConnection(options, onCreate);
    if (socket) onCreate(null, socket);
  } catch (error) {
    onCreate(error);
  }
}

ClientRequest.prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
  const channels = diagnosticsChannels();
  if (channels.clientStart.hasSubscribers) channels.clientStart.publish({ request: this });
  if (!isObserved('http')) return;
  const { method, protocol, host, path } = this;
  this[kEndMeasurement] = begin('http', 'HttpClient', { req: { method, url: `${protocol}//${host}${path}`, headers: this.getHeaders() } });
};

ClientRequest.prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
};

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  nextTick(() => this.emit('abort'));
  this.destroy();
};

ClientRequest.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this.res?._dump();
  this[kErrored] = error;
  this[kSocket]?.destroy(error);
  return this;
};

/** Sets the socket in the next tick; without one the request fails. */
ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  nextTick(() => {
    if (!this.destroyed && !error) {
      attachSocket(this, socket);
      this._flush();
      return;
    }
    if (!socket) {
      destroyWithoutSocket(this, error);
    } else if (!error && this.agent && !socket.destroyed) {
      destroyWithoutSocket(this, error);
      socket.emit('free');
    } else {
      finished(socket.destroy(error || this[kErrored]), (streamError) => {
        const cause = streamError?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : streamError;
        destroyWithoutSocket(this, cause || error);
      });
    }
  });
};

/** Destroys a request that has not got a socket. */
function destroyWithoutSocket(request, error) {
  request.destroyed = true;
  error ??= request[kErrored];
  if (!request.aborted) error ??= new ConnResetException('socket hang up');
  if (error) request.emit('error', error);
  request._closed = true;
  request.emit('close');
}

ClientRequest.prototype._deferToConnect = function _deferToConnect(method, args) {
  const call = () => {
    const socket = this[kSocket];
    if (method) Reflect.apply(socket[method], socket, args ?? []);
  };
  const onSocket = () => (this[kSocket].writable && !this[kSocket].connecting ? call() : this[kSocket].once('connect', call));
  if (this[kSocket]) onSocket();
  else this.once('socket', onSocket);
};

ClientRequest.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  require('internal/http/client_connection').listenSocketTimeout(this);
  msecs = getTimerDuration(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  const set = (socket) => {
    if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
    else socket.setTimeout(msecs);
  };
  if (this[kSocket]) set(this[kSocket]);
  else this.once('socket', set);
  return this;
};

ClientRequest.prototype.setNoDelay = function setNoDelay(...args) { this._deferToConnect('setNoDelay', args); };
ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(...args) { this._deferToConnect('setKeepAlive', args); };

ClientRequest.prototype.clearTimeout = function clearTimeout(callback) { this.setTimeout(0, callback); };

module.exports = { ClientRequest };
