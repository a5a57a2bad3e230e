// `node:http2`: a stub with the constants of headers, methods and status codes. Absent: sessions
// and servers, which throw; the constants of frames.
'use strict';

const { STATUS_CODES } = require('http');
const { absent, absentFunction } = require('internal/not_implemented');

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

const constantName = (text) => text.replace(':', '').replace("I'm a ", '').toUpperCase().replace(/[- ]/g, '_');

const constants = Object.fromEntries([
  ...HEADERS.map((name) => [`HTTP2_HEADER_${constantName(name)}`, name]),
  ...METHODS.map((name) => [`HTTP2_METHOD_${constantName(name)}`, name]),
  ...Object.entries(STATUS_CODES).map(([code, text]) => [`HTTP_STATUS_${constantName(text)}`, +code]),
]);

module.exports = {
  constants,
  sensitiveHeaders: Symbol('sensitiveHeaders'),
  connect: absentFunction('http2', 'connect'),
  createServer: absentFunction('http2', 'createServer'),
  createSecureServer: absentFunction('http2', 'createSecureServer'),
  getDefaultSettings: absentFunction('http2', 'getDefaultSettings'),
  getPackedSettings: absentFunction('http2', 'getPackedSettings'),
  getUnpackedSettings: absentFunction('http2', 'getUnpackedSettings'),
  performServerHandshake: absentFunction('http2', 'performServerHandshake'),
  Http2ServerRequest: absent('http2', 'Http2ServerRequest'),
  Http2ServerResponse: absent('http2', 'Http2ServerResponse'),
};
