// `http2.connect` and `ClientHttp2Session`. In: an authority, options. Out: requests as streams.
'use strict';

const net = require('net');
const { addAbortListener } = require('events');
const {
  AbortError,
  codes: {
    ERR_HTTP2_GOAWAY_SESSION, ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_OUT_OF_STREAMS, ERR_HTTP2_STREAM_SELF_DEPENDENCY, ERR_HTTP2_UNSUPPORTED_PROTOCOL,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber } = require('internal/validators');
const { AsyncResource } = require('async_hooks');
const { ClientHttp2Stream } = require('internal/http2/client_stream');
const { client: channels } = require('internal/http2/channels');
const { Http2Session } = require('internal/http2/session');
const { warnOfPriority } = require('internal/http2/stream');
const { initializeTlsOptions, validateSessionOptions } = require('internal/http2/options');
const { constants } = require('internal/http2/constants');
const { NghttpError, assertIsObject, isPayloadMeaningless, prepareRequestHeadersArray, prepareRequestHeadersObject } = require('internal/http2/util');
const {
  kAuthority, kHandle, kInit, kOptions, kOrigin, kPendingRequests, kProtocol, kSentHeaders, kSession, kState, kUpdateTimer,
} = require('internal/http2/symbols');

const ERR_STREAM_ID_NOT_AVAILABLE = -509;
const ERR_INVALID_ARGUMENT = -501;

class ClientHttp2Session extends Http2Session {
  constructor(options, socket) {
    super(constants.NGHTTP2_SESSION_CLIENT, options, socket);
    this[kPendingRequests] = null;
  }

  request(headersParam, options) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (this.closed) throw new ERR_HTTP2_GOAWAY_SESSION();
    this[kUpdateTimer]();
    const prepared = this.#prepare(headersParam);
    assertIsObject(options, 'options');
    options = { ...options };
    validatePriority(options);
    if (options.endStream === undefined) options.endStream = isPayloadMeaningless(prepared.method);
    else validateBoolean(options.endStream, 'options.endStream');

    const stream = new ClientHttp2Stream(this, undefined, undefined, {});
    stream[kSentHeaders] = prepared.headers;
    stream[kOrigin] = `${prepared.scheme}://${prepared.authority}`;
    if (options.endStream) stream.end();
    if (options.waitForTrailers) stream[kState].wantsTrailers = true;
    if (options.signal) abortOnSignal(stream, options.signal);
    const resource = new AsyncResource('PendingRequest');
    const submit = () => resource.runInAsyncScope(submitRequest, null, stream, prepared, options);
    if (channels.created.hasSubscribers) channels.created.publish({ stream, headers: prepared.headers });
    this.#whenConnected(submit);
    return stream;
  }

  #prepare(headers) {
    const session = { authority: this[kAuthority], protocol: this[kProtocol], strict: this[kOptions].strictSingleValueFields !== false };
    if (Array.isArray(headers)) {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers, 'must have an even number of elements');
      return prepareRequestHeadersArray(headers, session);
    }
    assertIsObject(headers, 'headers');
    return prepareRequestHeadersObject(headers ?? {}, session);
  }

  /** Requests are sent in their order when there is a connection. */
  #whenConnected(submit) {
    if (!this.connecting) {
      submit();
    } else if (this[kPendingRequests] !== null) {
      this[kPendingRequests].push(submit);
    } else {
      this[kPendingRequests] = [submit];
      this.once('connect', () => {
        const pending = this[kPendingRequests];
        this[kPendingRequests] = null;
        for (const each of pending) each();
      });
    }
  }
}

function abortOnSignal(stream, signal) {
  validateAbortSignal(signal, 'options.signal');
  const abort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  const disposable = addAbortListener(signal, abort);
  stream.once('close', disposable[Symbol.dispose]);
}

/** Priorities are not sent, as in Node. */
function validatePriority(options) {
  if (options.parent !== undefined) validateNumber(options.parent, 'options.parent', 0);
  if (options.exclusive !== undefined) validateBoolean(options.exclusive, 'options.exclusive');
  if (options.silent !== undefined) validateBoolean(options.silent, 'options.silent');
  const isUsed = ['weight', 'parent', 'exclusive', 'silent'].some((name) => options[name] !== undefined);
  if (isUsed) warnOfPriority('Priority signaling has been deprecated as of RFC 9113.');
}

function submitRequest(stream, prepared, options) {
  if (stream.destroyed) return;
  const session = stream[kSession];
  if (session.closed) {
    stream.destroy(new ERR_HTTP2_GOAWAY_SESSION());
    return;
  }
  const endsStream = options.endStream && !options.waitForTrailers;
  const handle = session[kHandle].request(prepared.list[0], endsStream);
  if (typeof handle !== 'number') {
    stream[kInit](handle.id(), handle);
    if (channels.start.hasSubscribers) channels.start.publish({ stream, headers: prepared.headers });
    return;
  }
  switch (handle) {
    case ERR_STREAM_ID_NOT_AVAILABLE: stream.destroy(new ERR_HTTP2_OUT_OF_STREAMS()); break;
    case ERR_INVALID_ARGUMENT: stream.destroy(new ERR_HTTP2_STREAM_SELF_DEPENDENCY()); break;
    default: session.destroy(new NghttpError(handle));
  }
}

function connect(authority, options, listener) {
  if (typeof options === 'function') [options, listener] = [undefined, options];
  assertIsObject(options, 'options');
  options = { ...options };
  validateSessionOptions(options);
  if (typeof authority === 'string') authority = new URL(authority);
  assertIsObject(authority, 'authority', ['string', 'Object', 'URL']);
  const protocol = authority.protocol || options.protocol || 'https:';
  const port = `${authority.port !== '' && authority.port !== undefined ? authority.port : protocol === 'http:' ? 80 : 443}`;
  let host = 'localhost';
  if (authority.hostname) host = authority.hostname[0] === '[' ? authority.hostname.slice(1, -1) : authority.hostname;
  else if (authority.host) ({ host } = authority);

  const session = new ClientHttp2Session(options, openSocket(authority, protocol, port, host, options));
  session[kAuthority] = `${options.servername || (net.isIPv6(host) ? `[${host}]` : host)}:${port}`;
  session[kProtocol] = protocol;
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

Object.defineProperty(connect, Symbol.for('nodejs.util.promisify.custom'), {
  value(authority, options) {
    return new Promise((resolve, reject) => {
      const session = connect(authority, options, () => {
        session.removeListener('error', reject);
        resolve(session);
      });
      session.once('error', reject);
    });
  },
});

function openSocket(authority, protocol, port, host, options) {
  if (typeof options.createConnection === 'function') return options.createConnection(authority, options);
  if (protocol === 'http:') return net.connect({ port, host, ...options });
  if (protocol === 'https:') return require('tls').connect(port, host, initializeTlsOptions(options, net.isIP(host) ? undefined : host));
  throw new ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
}

module.exports = { ClientHttp2Session, connect };
