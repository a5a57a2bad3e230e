// `Http2ServerResponse`: the response on a stream, as `http.ServerResponse`. In: status, headers,
// content, trailers. Out: frames, by the stream.
'use strict';

const Stream = require('stream');
const { nextTick } = require('process');
const { codes: {
  ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INFO_STATUS_NOT_ALLOWED, ERR_HTTP2_INVALID_HEADER_VALUE, ERR_HTTP2_INVALID_STREAM,
  ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED, ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_VALUE, ERR_INVALID_HTTP_TOKEN,
  ERR_STREAM_WRITE_AFTER_END,
} } = require('internal/errors');
const { validateFunction, validateLinkHeaderValue, validateObject, validateString } = require('internal/validators');
const { proxyStream } = require('internal/http2/socket_proxy');
const { TOKEN } = require('internal/http2/compat_request');
const { assertValidPseudoHeader, isConnectionHeader } = require('internal/http2/util');
const { kProxySocket, kRequest, kResponse, kState } = require('internal/http2/symbols');

const kHeaders = Symbol('headers');
const kTrailers = Symbol('trailers');
const kStream = Symbol('stream');
const kBeginSend = Symbol('begin-send');
const STATUS_OK = 200;
/** Pseudo-header fields of responses are made here. */
const PSEUDO = new Set([':status', ':method', ':path', ':authority', ':scheme']);

let isStatusMessageWarned = false;

/** HTTP/2 has no status message (RFC 9113, section 8.3.2). */
function warnOfStatusMessage() {
  if (isStatusMessageWarned) return;
  isStatusMessageWarned = true;
  require('process').emitWarning('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)', 'UnsupportedWarning');
}

function validateHeader(name, value) {
  if (name === '' || typeof name !== 'string' || !TOKEN.test(name)) {
    if (typeof name === 'string' && name[0] === ':') return;
    throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  }
  if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
  if (isConnectionHeader(name.toLowerCase(), value)) connectionHeaderWarning(name);
}

let isConnectionWarned = false;

function connectionHeaderWarning() {
  if (isConnectionWarned) return;
  isConnectionWarned = true;
  require('process').emitWarning('The provided connection header is not valid, the value will be dropped from the header and will never be in use.', 'UnsupportedWarning');
}

class Http2ServerResponse extends Stream {
  constructor(stream, options) {
    super(options);
    this[kState] = { isClosed: false, isEnding: false, isDestroyed: false, isHeadRequest: false, sendDate: true, statusCode: STATUS_OK };
    this[kHeaders] = { __proto__: null };
    this[kTrailers] = { __proto__: null };
    this[kStream] = stream;
    stream[kProxySocket] = null;
    stream[kResponse] = this;
    this.writable = true;
    this.req = stream[kRequest];
    stream.on('drain', onDrain);
    stream.on('aborted', onAborted);
    stream.on('close', onClose);
    stream.on('wantTrailers', onWantTrailers);
    stream.on('timeout', onTimeout);
  }

  // Modules of the field look whether headers were sent by it.
  get _header() { return this.headersSent; }
  get writableEnded() { return this[kState].isEnding; }
  get finished() { return this[kState].isEnding; }
  get headersSent() { return this[kStream].headersSent; }
  get writableCorked() { return this[kStream].writableCorked; }
  get writableHighWaterMark() { return this[kStream].writableHighWaterMark; }
  get writableFinished() { return this[kStream].writableFinished; }
  get writableLength() { return this[kStream].writableLength; }
  get stream() { return this[kStream]; }
  get sendDate() { return this[kState].sendDate; }
  set sendDate(isSent) { this[kState].sendDate = Boolean(isSent); }

  get socket() {
    // As in HTTP/1, there is none after the response.
    if (this[kState].isClosed) return undefined;
    return this[kStream][kProxySocket] ??= proxyStream(this[kStream]);
  }

  get connection() { return this.socket; }

  get statusCode() { return this[kState].statusCode; }
  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  get statusMessage() {
    warnOfStatusMessage();
    return '';
  }
  set statusMessage(_message) { warnOfStatusMessage(); }

  setTrailer(name, value) {
    validateString(name, 'name');
    name = name.trim().toLowerCase();
    validateHeader(name, value);
    this[kTrailers][name] = value;
  }

  addTrailers(headers) {
    for (const name of Object.keys(headers)) this.setTrailer(name, headers[name]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this[kHeaders][name.trim().toLowerCase()];
  }

  getHeaderNames() { return Object.keys(this[kHeaders]); }
  getHeaders() { return { __proto__: null, ...this[kHeaders] }; }

  hasHeader(name) {
    validateString(name, 'name');
    return Object.hasOwn(this[kHeaders], name.trim().toLowerCase());
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (this[kState].isClosed) return;
    name = name.trim().toLowerCase();
    if (name === 'date') this[kState].sendDate = false;
    delete this[kHeaders][name];
  }

  setHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (this[kState].isClosed) return;
    this.#set(name, value);
  }

  #set(name, value) {
    name = name.trim().toLowerCase();
    validateHeader(name, value);
    if (isConnectionHeader(name, value)) return;
    if (name[0] === ':') {
      assertValidPseudoHeader(name);
      if (PSEUDO.has(name)) throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
    }
    this[kHeaders][name] = value;
  }

  appendHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (this[kState].isClosed) return;
    const key = name.trim().toLowerCase();
    validateHeader(key, value);
    if (isConnectionHeader(key, value)) return;
    if (key[0] === ':') {
      assertValidPseudoHeader(key);
      throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
    }
    const existing = this[kHeaders][key];
    if (existing === undefined) this[kHeaders][key] = value;
    else this[kHeaders][key] = [existing, value].flat();
  }

  flushHeaders() {
    if (!this[kState].isClosed && !this[kStream].headersSent) this.writeHead(this[kState].statusCode);
  }

  writeHead(statusCode, statusMessage, headers) {
    const state = this[kState];
    if (state.isClosed || this[kStream].destroyed || this[kStream].closed) return this;
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (typeof statusMessage === 'string') warnOfStatusMessage();
    if (headers === undefined && typeof statusMessage === 'object') headers = statusMessage;
    if (Array.isArray(headers)) this.#setList(headers);
    else if (headers !== null && typeof headers === 'object') for (const name of Object.keys(headers)) this.#set(name, headers[name]);
    this.statusCode = statusCode;
    this[kBeginSend]();
    return this;
  }

  /** A flat array, or one of pairs. */
  #setList(headers) {
    if (headers.length % 2 === 1 && !Array.isArray(headers[0])) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    const pairs = Array.isArray(headers[0]) ? headers : Array.from({ length: headers.length / 2 }, (_, index) => [headers[2 * index], headers[2 * index + 1]]);
    const seen = new Set();
    for (const [name, value] of pairs) {
      const key = String(name).trim().toLowerCase();
      if (seen.has(key)) this.appendHeader(String(name), value);
      else this.#set(String(name), value);
      seen.add(key);
    }
  }

  cork() { this[kStream].cork(); }
  uncork() { this[kStream].uncork(); }

  write(chunk, encoding, callback) {
    const state = this[kState];
    if (typeof encoding === 'function') [encoding, callback] = ['utf8', encoding];
    let error;
    if (state.isEnding) error = new ERR_STREAM_WRITE_AFTER_END();
    else if (state.isClosed) error = new ERR_HTTP2_INVALID_STREAM();
    else if (state.isDestroyed) return false;
    if (error) {
      if (typeof callback === 'function') nextTick(callback, error);
      this.destroy(error);
      return false;
    }
    const stream = this[kStream];
    if (!stream.headersSent) this.writeHead(state.statusCode);
    return stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    const stream = this[kStream];
    const state = this[kState];
    if (typeof chunk === 'function') [chunk, callback] = [undefined, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = ['utf8', encoding];
    if ((state.isClosed || state.isEnding) && state.isHeadRequest === stream.headRequest) {
      if (typeof callback === 'function') nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.isHeadRequest = stream.headRequest;
    state.isEnding = true;
    if (typeof callback === 'function') {
      if (stream.writableEnded) this.once('finish', callback);
      else stream.once('finish', callback);
    }
    if (!stream.headersSent) this.writeHead(this[kState].statusCode);
    if (this[kState].isClosed || stream.destroyed) {
      Reflect.apply(onClose, stream, []);
    } else {
      // Without trailers the last data ends the stream.
      if (Object.keys(this[kTrailers]).length === 0) stream.endWithoutTrailers();
      stream.end();
    }
    return this;
  }

  destroy(error) {
    if (this[kState].isDestroyed) return;
    this[kState].isDestroyed = true;
    this[kStream].destroy(error);
  }

  setTimeout(msecs, callback) {
    if (!this[kState].isClosed) this[kStream].setTimeout(msecs, callback);
    return this;
  }

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this[kState].isClosed) {
      const error = new ERR_HTTP2_INVALID_STREAM();
      nextTick(callback, error);
      return;
    }
    this[kStream].pushStream(headers, {}, (error, stream, sent, options) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream, options));
    });
  }

  [kBeginSend]() {
    const { headers, options } = { headers: this[kHeaders], options: { endStream: this[kState].isEnding, waitForTrailers: true, sendDate: this[kState].sendDate } };
    headers[':status'] = this[kState].statusCode;
    this[kStream].respond(headers, options);
  }

  writeContinue() {
    const stream = this[kStream];
    if (stream.headersSent || this[kState].isClosed) return false;
    stream.additionalHeaders({ ':status': 100 });
    return true;
  }


  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const headers = { __proto__: null };
    const link = validateLinkHeaderValue(hints.link);
    for (const name of Object.keys(hints)) {
      if (name !== 'link') headers[name] = hints[name];
    }
    if (link.length === 0) return false;
    const stream = this[kStream];
    if (stream.headersSent || this[kState].isClosed) return false;
    stream.additionalHeaders({ ...headers, ':status': 103, link });
    return true;
  }
}

function onDrain() {
  this[kResponse]?.emit('drain');
}

function onAborted() {
  const response = this[kResponse];
  if (response !== undefined && !response[kState].isClosed) response.emit('aborted');
}

function onTimeout() {
  this[kResponse]?.emit('timeout');
}

function onWantTrailers() {
  const response = this[kResponse];
  if (response !== undefined && !this.destroyed && !this.closed) this.sendTrailers(response[kTrailers]);
}

function onClose() {
  const response = this[kResponse];
  if (response === undefined) return;
  const state = response[kState];
  // The response to HEAD is finished by its end, not by that of the stream.
  if (this.headRequest !== state.isHeadRequest) return;
  state.isClosed = true;
  this[kProxySocket] = null;
  this.removeListener('wantTrailers', onWantTrailers);
  this[kResponse] = undefined;
  response.emit('finish');
  response.emit('close');
}

module.exports = { Http2ServerResponse };
