// `ServerHttp2Session`: the server's end of a connection. In: a socket, options, a server. Out:
// streams; ALTSVC and ORIGIN frames.
'use strict';

const { codes: {
  ERR_HTTP2_ALTSVC_INVALID_ORIGIN, ERR_HTTP2_ALTSVC_LENGTH, ERR_HTTP2_INVALID_ORIGIN, ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_ORIGIN_LENGTH,
  ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR, ERR_OUT_OF_RANGE,
} } = require('internal/errors');
const { validateString } = require('internal/validators');
const { constants } = require('internal/http2/constants');
const { Http2Session } = require('internal/http2/session');
const { kHandle, kServer, kSessions, kStrictSingleValueFields } = require('internal/http2/symbols');

const PAYLOAD_BYTES_MAX = 16382;
const STREAM_ID_MAX = 2 ** 32 - 1;
const QUOTED_TEXT = /^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/;

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(constants.NGHTTP2_SESSION_SERVER, options, socket);
    this[kServer] = server;
    this[kStrictSingleValueFields] = options.strictSingleValueFields;
    if (server) {
      server[kSessions].add(this);
      this.once('close', () => server[kSessions].delete(this));
    }
  }

  get server() { return this[kServer]; }

  altsvc(alt, originOrStream) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    const { stream, origin } = altsvcTarget(originOrStream);
    validateString(alt, 'alt');
    if (!QUOTED_TEXT.test(alt)) throw new ERR_INVALID_CHAR('alt');
    if (require('buffer').Buffer.byteLength(origin) + require('buffer').Buffer.byteLength(alt) > PAYLOAD_BYTES_MAX) throw new ERR_HTTP2_ALTSVC_LENGTH();
    this[kHandle].altsvc(stream, origin, alt);
  }

  origin(...origins) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (origins.length === 0) return;
    const list = origins.map((each, index) => {
      let origin = each;
      if (typeof each === 'string') ({ origin } = new URL(each));
      else if (each != null && typeof each === 'object') ({ origin } = each);
      if (typeof origin !== 'string') throw new ERR_INVALID_ARG_TYPE(`origins[${index}]`, ['string', 'Object'], each);
      if (origin === 'null') throw new ERR_HTTP2_INVALID_ORIGIN();
      return origin;
    });
    const bytes = list.reduce((sum, origin) => sum + origin.length + 2, 0);
    if (bytes > PAYLOAD_BYTES_MAX) throw new ERR_HTTP2_ORIGIN_LENGTH();
    this[kHandle].origin(list);
  }
}

/** A stream's number, or an origin for the connection. */
function altsvcTarget(originOrStream) {
  if (typeof originOrStream === 'string') {
    const { origin } = new URL(originOrStream);
    if (origin === 'null') throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    return { stream: 0, origin };
  }
  if (typeof originOrStream === 'number') {
    if (originOrStream >>> 0 !== originOrStream || originOrStream === 0) throw new ERR_OUT_OF_RANGE('originOrStream', `> 0 && < ${STREAM_ID_MAX + 1}`, originOrStream);
    return { stream: originOrStream, origin: '' };
  }
  if (originOrStream === undefined) return { stream: 0, origin: '' };
  const origin = originOrStream !== null && typeof originOrStream === 'object' ? originOrStream.origin : undefined;
  if (typeof origin !== 'string') throw new ERR_INVALID_ARG_TYPE('originOrStream', ['string', 'number', 'URL', 'object'], originOrStream);
  if (origin === 'null' || origin.length === 0) throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
  return { stream: 0, origin };
}

module.exports = { ServerHttp2Session };
