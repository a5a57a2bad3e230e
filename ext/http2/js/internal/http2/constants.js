// Constants of HTTP/2: `http2.constants`, by nghttp2's and Node's names; numbers of errors with
// nghttp2's messages. Absent: values of settings in force.
'use strict';

const { STATUS_CODES } = require('http');

const HEADERS = `:status :method :authority :scheme :path :protocol accept-encoding accept-language accept-ranges accept
access-control-allow-credentials access-control-allow-headers access-control-allow-methods access-control-allow-origin
access-control-expose-headers access-control-request-headers access-control-request-method age authorization cache-control connection
content-disposition content-encoding content-length content-type cookie date etag forwarded host if-modified-since if-none-match if-range
last-modified link location range referer server set-cookie strict-transport-security transfer-encoding te upgrade-insecure-requests upgrade
user-agent vary x-content-type-options x-frame-options keep-alive proxy-connection x-xss-protection alt-svc content-security-policy early-data
expect-ct origin purpose timing-allow-origin x-forwarded-for priority accept-charset access-control-max-age allow content-language
content-location content-md5 content-range dnt expect expires from if-match if-unmodified-since max-forwards prefer proxy-authenticate
proxy-authorization refresh retry-after trailer tk via warning www-authenticate http2-settings`.split(/\s/);

const METHODS = `ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL
MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PRI PROPFIND PROPPATCH PUT REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK
UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL`.split(/\s/);

/** Members that are not enumerable in `internalBinding` only: errors of nghttp2 that Node names. */
const ERRORS = {
  NGHTTP2_ERR_DEFERRED: -508,
  NGHTTP2_ERR_NOMEM: -901,
  NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE: -509,
  NGHTTP2_ERR_INVALID_ARGUMENT: -501,
  NGHTTP2_ERR_STREAM_CLOSED: -510,
};

const ERROR_TEXTS = {
  [-501]: 'Invalid argument',
  [-502]: 'Out of buffer space',
  [-503]: 'Unsupported SPDY version',
  [-504]: 'Operation would block',
  [-505]: 'Protocol error',
  [-506]: 'Invalid frame octets',
  [-507]: 'EOF',
  [-508]: 'Data transfer deferred',
  [-509]: 'No more Stream ID available',
  [-510]: 'Stream was already closed or invalid',
  [-511]: 'Stream is closing',
  [-512]: 'The transmission is not allowed for this stream',
  [-513]: 'Stream ID is invalid',
  [-514]: 'Invalid stream state',
  [-515]: 'Another DATA frame has already been deferred',
  [-516]: 'request HEADERS is not allowed',
  [-517]: 'GOAWAY has already been sent',
  [-518]: 'Invalid header block',
  [-519]: 'Invalid state',
  [-521]: 'The user callback function failed due to the temporal error',
  [-522]: 'The length of the frame is invalid',
  [-523]: 'Header compression/decompression error',
  [-524]: 'Flow control error',
  [-525]: 'Insufficient buffer size given to function',
  [-526]: 'Callback was paused by the application',
  [-527]: 'Too many inflight SETTINGS',
  [-528]: 'Server push is disabled by peer',
  [-529]: 'DATA or HEADERS frame has already been submitted for the stream',
  [-530]: 'The current session is closing',
  [-531]: 'Invalid HTTP header field was received',
  [-532]: 'Violation in HTTP messaging rule',
  [-533]: 'Stream was refused',
  [-534]: 'Internal error',
  [-535]: 'Cancel',
  [-536]: 'When a local endpoint expects to receive SETTINGS frame, it receives an other type of frame',
  [-537]: 'SETTINGS frame contained more than the maximum allowed entries',
  [-901]: 'Out of memory',
  [-902]: 'The user callback function failed',
  [-903]: 'Received bad client magic byte string',
  [-904]: 'Flooding was detected in this HTTP/2 session, and it must be closed',
  [-905]: 'Too many CONTINUATION frames following a HEADER frame',
};

/** Codes on the wire, by their numbers. */
const CODES = [
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR', 'REFUSED_STREAM',
  'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED',
].map((name) => `NGHTTP2_${name}`);

const constantName = (text) => text.replace(':', '').replace("I'm a ", '').toUpperCase().replace(/[- ]/g, '_');

const constants = {
  NGHTTP2_ERR_FRAME_SIZE_ERROR: -522,
  NGHTTP2_SESSION_SERVER: 0,
  NGHTTP2_SESSION_CLIENT: 1,
  NGHTTP2_STREAM_STATE_IDLE: 1,
  NGHTTP2_STREAM_STATE_OPEN: 2,
  NGHTTP2_STREAM_STATE_RESERVED_LOCAL: 3,
  NGHTTP2_STREAM_STATE_RESERVED_REMOTE: 4,
  NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL: 5,
  NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE: 6,
  NGHTTP2_STREAM_STATE_CLOSED: 7,
  NGHTTP2_FLAG_NONE: 0,
  NGHTTP2_FLAG_END_STREAM: 1,
  NGHTTP2_FLAG_END_HEADERS: 4,
  NGHTTP2_FLAG_ACK: 1,
  NGHTTP2_FLAG_PADDED: 8,
  NGHTTP2_FLAG_PRIORITY: 32,
  DEFAULT_SETTINGS_HEADER_TABLE_SIZE: 4096,
  DEFAULT_SETTINGS_ENABLE_PUSH: 1,
  DEFAULT_SETTINGS_MAX_CONCURRENT_STREAMS: 4294967295,
  DEFAULT_SETTINGS_INITIAL_WINDOW_SIZE: 65535,
  DEFAULT_SETTINGS_MAX_FRAME_SIZE: 16384,
  DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE: 65535,
  DEFAULT_SETTINGS_ENABLE_CONNECT_PROTOCOL: 0,
  MAX_MAX_FRAME_SIZE: 16777215,
  MIN_MAX_FRAME_SIZE: 16384,
  MAX_INITIAL_WINDOW_SIZE: 2147483647,
  NGHTTP2_SETTINGS_HEADER_TABLE_SIZE: 1,
  NGHTTP2_SETTINGS_ENABLE_PUSH: 2,
  NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS: 3,
  NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE: 4,
  NGHTTP2_SETTINGS_MAX_FRAME_SIZE: 5,
  NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE: 6,
  NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL: 8,
  PADDING_STRATEGY_NONE: 0,
  PADDING_STRATEGY_ALIGNED: 1,
  PADDING_STRATEGY_MAX: 2,
  PADDING_STRATEGY_CALLBACK: 1,
  ...Object.fromEntries(CODES.map((name, code) => [name, code])),
  NGHTTP2_DEFAULT_WEIGHT: 16,
  ...Object.fromEntries([
    ...HEADERS.map((name) => [`HTTP2_HEADER_${constantName(name)}`, name]),
    ...METHODS.map((name) => [`HTTP2_METHOD_${constantName(name)}`, name]),
    ...Object.entries(STATUS_CODES).map(([code, text]) => [`HTTP_STATUS_${constantName(text)}`, +code]),
  ]),
};

const nghttp2ErrorString = (number) => ERROR_TEXTS[number] ?? 'Unknown error code';

module.exports = { CODES, ERRORS, constants, nghttp2ErrorString };
