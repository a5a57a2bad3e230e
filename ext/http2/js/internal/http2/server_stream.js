// `ServerHttp2Stream`: a request that arrived, and its response. In: headers of the response,
// content, files. Out: pushed streams. Files: respond_file.js.
'use strict';

const { nextTick } = require('process');
const { codes: {
  ERR_HTTP2_HEADERS_AFTER_RESPOND, ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INVALID_INFO_STATUS, ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_NESTED_PUSH,
  ERR_HTTP2_OUT_OF_STREAMS, ERR_HTTP2_PAYLOAD_FORBIDDEN, ERR_HTTP2_PUSH_DISABLED, ERR_HTTP2_STATUS_101, ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_VALUE,
} } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { utcDate } = require('internal/http2/date');
const { server: channels } = require('internal/http2/channels');
const { Http2Stream, copyHeaders } = require('internal/http2/stream');
const { NghttpError, arrayToObject, assertIsObject, assertValidPseudoHeader, assertValidPseudoHeaderResponse, buildNgHeaderString, getAuthority, kSensitiveHeaders } = require('internal/http2/util');
const { kAuthority, kHandle, kInit, kProceed, kProtocol, kSentHeaders, kSentInfoHeaders, kSession, kState, kStrictSingleValueFields, kUpdateTimer } = require('internal/http2/symbols');

const ERR_STREAM_ID_NOT_AVAILABLE = -509;
const ERR_STREAM_CLOSED = -510;
const ERR_PUSH_DISABLED = -528;
/** Statuses of responses without content. */
const NO_CONTENT = [204, 205, 304];

class ServerHttp2Stream extends Http2Stream {
  constructor(session, handle, id, options, headers) {
    super(session, options);
    this[kInit](id, handle);
    this[kProtocol] = headers[':scheme'];
    this[kAuthority] = getAuthority(headers);
  }

  get pushAllowed() {
    const session = this[kSession];
    return !this.destroyed && !this.closed && !session.closed && !session.destroyed && session.remoteSettings.enablePush;
  }

  get headRequest() { return this[kState].isHeadRequest; }

  #assertOpen() {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
  }

  #isStrict() { return this[kSession][kStrictSingleValueFields] !== false; }

  pushStream(headers, options, callback) {
    if (!this.pushAllowed) throw new ERR_HTTP2_PUSH_DISABLED();
    if (this.id % 2 === 0) throw new ERR_HTTP2_NESTED_PUSH();
    const session = this[kSession];
    session[kUpdateTimer]();
    if (typeof options === 'function') [options, callback] = [undefined, options];
    validateFunction(callback, 'callback');
    assertIsObject(options, 'options');
    options = { ...options, endStream: Boolean(options?.endStream) };
    assertIsObject(headers, 'headers');
    headers = copyHeaders(headers);
    headers[':method'] ??= 'GET';
    headers[':authority'] ??= this[kAuthority];
    headers[':scheme'] ??= this[kProtocol];
    headers[':path'] ??= '/';
    const isHead = headers[':method'] === 'HEAD';
    if (isHead) options.endStream = true;
    const [list] = buildNgHeaderString(headers, assertValidPseudoHeader, this.#isStrict());
    const handle = this[kHandle].pushPromise(list, options.endStream);
    if (typeof handle === 'number') {
      nextTick(callback, pushError(handle));
      return;
    }
    const stream = new ServerHttp2Stream(session, handle, handle.id(), {}, headers);
    stream[kSentHeaders] = headers;
    stream[kState].hasEnded = true;
    stream.push(null);
    if (options.endStream) stream.end();
    if (isHead) stream[kState].isHeadRequest = true;
    if (channels.created.hasSubscribers) channels.created.publish({ stream, headers });
    nextTick(callback, null, stream, headers, 0);
  }

  respond(headers, options) {
    this.#assertOpen();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    this[kUpdateTimer]();
    assertIsObject(options, 'options');
    options = { ...options };
    const prepared = prepareResponse(headers, options);
    if (prepared.status < 200 || prepared.status > 599) throw new ERR_HTTP2_STATUS_INVALID(prepared.status);
    this.#sendHeaders(prepared.headers, prepared.status, options);
  }

  #sendHeaders(headers, status, options) {
    const state = this[kState];
    const hasNoContent = NO_CONTENT.includes(status) || this.headRequest;
    if (hasNoContent) options.endStream = true;
    const [list] = buildNgHeaderString(headers, assertValidPseudoHeaderResponse, this.#isStrict());
    this[kSentHeaders] = Array.isArray(headers) ? arrayToObject(headers) : headers;
    state.hasSentHeaders = true;
    if (options.waitForTrailers && !options.endStream) state.wantsTrailers = true;
    // The end is in the frame of the headers.
    const endsStream = Boolean(options.endStream);
    const error = this[kHandle].respond(list, endsStream);
    if (endsStream && !this.writableEnded) this.end();
    if (channels.finish.hasSubscribers) channels.finish.publish({ stream: this, headers, flags: endsStream ? 1 : 0 });
    // A stream that has ended is reported soon.
    if (error < 0 && this[kHandle]?.state() !== undefined) this.destroy(new NghttpError(error));
  }

  /** `fd`: a number or a FileHandle, which stays open. */
  respondWithFD(fd, headers, options) {
    this.#assertOpen();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    require('internal/http2/respond_file').respondWithFd(this, fd, this.#fileResponse(headers, options), options ?? {});
  }

  respondWithFile(path, headers, options) {
    this.#assertOpen();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    require('internal/http2/respond_file').respondWithPath(this, path, this.#fileResponse(headers, options), options ?? {});
  }

  #fileResponse(headers, options) {
    assertIsObject(options, 'options');
    const { validateFileOptions } = require('internal/http2/respond_file');
    validateFileOptions(options ?? {});
    this[kUpdateTimer]();
    const prepared = prepareResponse(headers, { ...options });
    if (NO_CONTENT.includes(prepared.status) || this.headRequest) throw new ERR_HTTP2_PAYLOAD_FORBIDDEN(prepared.status);
    return prepared.headers;
  }

  additionalHeaders(headers) {
    this.#assertOpen();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_AFTER_RESPOND();
    assertIsObject(headers, 'headers');
    headers = copyHeaders(headers);
    if (headers[':status'] !== undefined) {
      const status = headers[':status'] |= 0;
      if (status === 101) throw new ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new ERR_HTTP2_INVALID_INFO_STATUS(headers[':status']);
    }
    this[kUpdateTimer]();
    const [list] = buildNgHeaderString(headers, assertValidPseudoHeaderResponse, this.#isStrict());
    (this[kSentInfoHeaders] ??= []).push(headers);
    const error = this[kHandle].info(list);
    if (error < 0) this.destroy(new NghttpError(error));
  }

  /** Content without a response: one with status 200. */
  [kProceed]() {
    this.respond();
  }
}

function pushError(number) {
  switch (number) {
    case ERR_STREAM_ID_NOT_AVAILABLE: return new ERR_HTTP2_OUT_OF_STREAMS();
    case ERR_STREAM_CLOSED: return new ERR_HTTP2_INVALID_STREAM();
    case ERR_PUSH_DISABLED: return new ERR_HTTP2_PUSH_DISABLED();
    default: return new NghttpError(number);
  }
}

/** A copy of the fields of an object or a flat array, with status and date; the status. */
function prepareResponse(headers, options) {
  const { sendDate = true } = options;
  if (Array.isArray(headers)) {
    if (headers.length % 2 === 1) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    const raw = [...headers];
    if (headers[kSensitiveHeaders] !== undefined) raw[kSensitiveHeaders] = headers[kSensitiveHeaders];
    const names = headers.filter((_, index) => index % 2 === 0).map((name) => String(name).toLowerCase());
    const at = names.indexOf(':status');
    if (at === -1) raw.unshift(':status', 200);
    if (sendDate && !names.includes('date')) raw.push('date', utcDate());
    return { headers: raw, status: at === -1 ? 200 : headers[2 * at + 1] | 0 };
  }
  assertIsObject(headers, 'headers', ['Object', 'Array']);
  const copy = copyHeaders(headers ?? {});
  copy[':status'] ??= 200;
  if (sendDate) copy.date ??= utcDate();
  return { headers: copy, status: copy[':status'] | 0 };
}

module.exports = { ServerHttp2Stream };
