// `http.ServerResponse`. In: a request. Out: a message that is sent over the socket after the
// responses to earlier requests.
'use strict';

const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_STATUS_CODE, ERR_HTTP_SOCKET_ASSIGNED, ERR_INVALID_ARG_VALUE, ERR_INVALID_CHAR },
} = require('internal/errors');
const { validateFunction, validateLinkHeaderValue, validateObject } = require('internal/validators');
const { OutgoingMessage } = require('internal/http/outgoing');
const { STATUS_CODES, hasInvalidChar, validateHeaderName, validateHeaderValue } = require('internal/http/constants');
const { begin, isObserved } = require('internal/perf/observe');
const { kConnection, kOutHeaders } = require('internal/http/symbols');

function ServerResponse(request, options) {
  Reflect.apply(OutgoingMessage, this, [options]);
  if (request.method === 'HEAD') this._hasBody = false;
  this.req = request;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  if (request.httpVersionMajor < 1 || request.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(request.headers?.te);
    this.shouldKeepAlive = false;
  }
  if (isObserved('http')) measure(this, request);
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

/** Makes the performance entry of a response, which ends when it is sent. */
function measure(response, { method, url, headers }) {
  const end = begin('http', 'HttpRequest', { req: { method, url, headers } });
  response.once('prefinish', () => {
    end({ res: { statusCode: response.statusCode, statusMessage: response.statusMessage, headers: response.getHeaders() } });
  });
}

ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

/** The connection was closed before the response was sent. */
function onServerResponseClose() {
  if (this._httpMessage) emitClose(this._httpMessage);
}

function emitClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  // A connection tells its response itself.
  if (this[kConnection] === undefined) socket.on('close', onServerResponseClose);
  this.socket = socket;
  this.emit('socket', socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  if (this[kConnection] === undefined) socket.removeListener('close', onServerResponseClose);
  socket._httpMessage = null;
  this.socket = null;
};

ServerResponse.prototype.writeContinue = function writeContinue(callback) {
  this._writeRaw('HTTP/1.1 100 Continue\r\n\r\n', 'ascii', callback);
  this._sent100 = true;
};

ServerResponse.prototype.writeProcessing = function writeProcessing(callback) {
  this._writeRaw('HTTP/1.1 102 Processing\r\n\r\n', 'ascii', callback);
};

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = validateLinkHeaderValue(hints.link);
  if (link.length === 0) return;
  if (hasInvalidChar(link)) throw new ERR_INVALID_ARG_VALUE('hints', link, 'must have no characters that no header may have');
  let head = `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n`;
  for (const name of Object.keys(hints)) {
    if (name === 'link') continue;
    validateHeaderName(name);
    validateHeaderValue(name, hints[name]);
    head += `${name}: ${hints[name]}\r\n`;
  }
  if (callback !== undefined) validateFunction(callback, 'callback');
  this._writeRaw(`${head}\r\n`, 'ascii', callback);
};

ServerResponse.prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function writeHead(statusCode, reason, headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const originalStatusCode = statusCode;
  const isReasonStandard = typeof reason !== 'string' && !this.statusMessage;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(originalStatusCode);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[statusCode] || 'unknown';
    headers ??= reason;
  }
  this.statusCode = statusCode;
  const allHeaders = this[kOutHeaders] ? mergeHeaders(this, headers) : headers;
  if (!isReasonStandard && hasInvalidChar(this.statusMessage)) throw new ERR_INVALID_CHAR('statusMessage');
  if (statusCode === 204 || statusCode === 304 || statusCode < 200) this._hasBody = false;
  // The body of the request may still arrive, and no one would read it.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${statusCode} ${this.statusMessage}\r\n`, allHeaders);
  return this;
};

ServerResponse.prototype.writeHeader = ServerResponse.prototype.writeHead;

/** Replaces the fields that were set before by those of `headers`. */
function mergeHeaders(message, headers) {
  if (Array.isArray(headers) && headers.length > 0 && !Array.isArray(headers[0])) {
    if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    for (let index = 0; index < headers.length; index += 2) message.removeHeader(headers[index]);
    for (let index = 0; index < headers.length; index += 2) if (headers[index]) message.appendHeader(headers[index], headers[index + 1]);
  } else if (Array.isArray(headers)) {
    for (const [name] of headers) message.removeHeader(name);
    for (const [name, value] of headers) message.appendHeader(name, value);
  } else if (headers) {
    for (const name of Object.keys(headers)) if (name) message.setHeader(name, headers[name]);
  }
  return message[kOutHeaders];
}

module.exports = { ServerResponse, emitClose, onServerResponseClose };
