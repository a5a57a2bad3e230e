// `Http2ServerRequest`: a stream that arrived, as `http.IncomingMessage`. In: the stream, its
// headers. Out: content, trailers.
'use strict';

const { Readable } = require('stream');
const { nextTick } = require('process');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { proxyStream } = require('internal/http2/socket_proxy');
const { getAuthority } = require('internal/http2/util');
const { kAborted, kProxySocket, kRequest, kState } = require('internal/http2/symbols');

const kHeaders = Symbol('headers');
const kRawHeaders = Symbol('rawHeaders');
const kTrailers = Symbol('trailers');
const kRawTrailers = Symbol('rawTrailers');
const kStream = Symbol('stream');
const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this[kState] = { isClosed: false, didRead: false };
    // Headers, as of a request of HTTP/1, have no prototype.
    this[kHeaders] = headers;
    this[kRawHeaders] = rawHeaders;
    this[kTrailers] = { };
    this[kRawTrailers] = [];
    this[kStream] = stream;
    this[kAborted] = false;
    stream[kProxySocket] = null;
    stream[kRequest] = this;

    stream.on('trailers', onTrailers);
    stream.on('end', onEnd);
    stream.on('error', onError);
    stream.on('aborted', onAborted);
    stream.on('close', onClose);
    stream.on('timeout', onTimeout);
    this.on('pause', () => stream.pause());
    this.on('resume', () => { if (this[kState].didRead) stream.resume(); });
  }

  get aborted() { return this[kAborted]; }
  get complete() { return this[kAborted] || this.readableEnded || this[kState].isClosed || this[kStream].destroyed; }
  get stream() { return this[kStream]; }
  get headers() { return this[kHeaders]; }
  get rawHeaders() { return this[kRawHeaders]; }
  get trailers() { return this[kTrailers]; }
  get rawTrailers() { return this[kRawTrailers]; }
  get httpVersionMajor() { return 2; }
  get httpVersionMinor() { return 0; }
  get httpVersion() { return '2.0'; }

  get socket() {
    return this[kStream][kProxySocket] ??= proxyStream(this[kStream]);
  }

  get connection() { return this.socket; }

  _read() {
    const state = this[kState];
    if (!state.didRead) {
      state.didRead = true;
      this[kStream].on('data', onData);
    } else {
      nextTick(resumeStream, this[kStream]);
    }
  }

  get method() { return this[kHeaders][':method']; }
  set method(method) {
    validateString(method, 'method');
    if (method.trim() === '') throw new ERR_INVALID_ARG_VALUE('method', method);
    this[kHeaders][':method'] = method;
  }

  get authority() { return getAuthority(this[kHeaders]); }
  get scheme() { return this[kHeaders][':scheme']; }

  get url() { return this[kHeaders][':path']; }
  set url(url) { this[kHeaders][':path'] = url; }

  setTimeout(msecs, callback) {
    if (!this[kState].isClosed) this[kStream].setTimeout(msecs, callback);
    return this;
  }
}

function resumeStream(stream) {
  if (stream[kRequest] !== undefined || !stream.destroyed) stream.resume();
}

function onData(chunk) {
  const request = this[kRequest];
  if (request !== undefined && !request.push(chunk)) this.pause();
}

function onTrailers(trailers, flags, rawTrailers) {
  const request = this[kRequest];
  if (request === undefined) return;
  Object.assign(request[kTrailers], trailers);
  request[kRawTrailers].push(...rawTrailers);
}

function onEnd() {
  const request = this[kRequest];
  if (request !== undefined) request.push(null);
}

/** Errors of a stream are not those of its request or response. */
function onError() {}

function onAborted() {
  const request = this[kRequest];
  if (request === undefined || request[kState].isClosed) return;
  request[kAborted] = true;
  request.emit('aborted');
}

function onTimeout() {
  this[kRequest]?.emit('timeout');
}

function onClose() {
  const request = this[kRequest];
  if (request === undefined) return;
  request[kState].isClosed = true;
  if (!request.readableEnded && request[kState].didRead === false) request.resume();
  request.push(null);
  // What uses the request after its end is ignored.
  this[kRequest] = undefined;
  nextTick(() => request.emit('close'));
}

module.exports = { Http2ServerRequest, TOKEN };
