// Header lists and checks of HTTP/2. In: objects or flat arrays of header fields. Out: the string
// that the binding takes (name, NUL, value, NUL, flags), objects of what it reports; Node's errors.
'use strict';

const { codes: {
  ERR_HTTP2_CONNECT_AUTHORITY, ERR_HTTP2_CONNECT_PATH, ERR_HTTP2_CONNECT_SCHEME, ERR_HTTP2_HEADER_SINGLE_VALUE, ERR_HTTP2_INVALID_CONNECTION_HEADERS,
  ERR_HTTP2_INVALID_PSEUDOHEADER, ERR_HTTP2_INVALID_SETTING_VALUE, ERR_INVALID_ARG_TYPE, ERR_INVALID_HTTP_TOKEN,
} } = require('internal/errors');
const { constants, nghttp2ErrorString } = require('internal/http2/constants');
const { kProxySocket, kRequest, kSocket } = require('internal/http2/symbols');

const kSensitiveHeaders = Symbol('sensitiveHeaders');

const PSEUDO_HEADERS = new Set([':status', ':method', ':authority', ':scheme', ':path', ':protocol']);
/** Fields that may appear once. */
const SINGLE_VALUE_HEADERS = new Set([
  ...PSEUDO_HEADERS, 'access-control-allow-credentials', 'access-control-max-age', 'access-control-request-method', 'age', 'authorization',
  'content-encoding', 'content-language', 'content-length', 'content-location', 'content-md5', 'content-range', 'content-type', 'date', 'dnt', 'etag',
  'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'last-modified', 'location',
  'max-forwards', 'proxy-authorization', 'range', 'referer', 'retry-after', 'tk', 'upgrade-insecure-requests', 'user-agent', 'x-content-type-options',
]);
/** Of these the first value counts, where several arrive. */
const JOINED_BY_SEMICOLON = 'cookie';
const METHODS_WITHOUT_PAYLOAD = new Set(['DELETE', 'GET', 'HEAD']);
const CONNECTION_HEADERS = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive', 'proxy-connection', 'transfer-encoding']);
const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;

/** Error with nghttp2's number as `errno`. */
class NghttpError extends Error {
  constructor(number, code) {
    super(code ? require('internal/errors/messages').find(code).text : nghttp2ErrorString(number));
    this.code = code || 'ERR_HTTP2_ERROR';
    this.errno = number;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

function assertIsObject(value, name, types) {
  if (value === undefined || (value !== null && typeof value === 'object' && !Array.isArray(value))) return;
  throw new ERR_INVALID_ARG_TYPE(name, types || 'Object', value);
}

function assertIsArray(value, name, types) {
  if (value === undefined || Array.isArray(value)) return;
  throw new ERR_INVALID_ARG_TYPE(name, types || 'Array', value);
}

/** The error of a setting: a RangeError with the limits, or a TypeError. */
function settingError(name, value, limits) {
  const error = new ERR_HTTP2_INVALID_SETTING_VALUE(name, String(value));
  if (limits === undefined) return error;
  const range = new RangeError(error.message);
  for (const key of ['code', 'toString']) {
    Object.defineProperty(range, key, { value: error[key], writable: true, enumerable: key === 'code', configurable: true });
  }
  return Object.assign(range, { actual: value, min: limits[0], max: limits[1] });
}

function assertWithinRange(name, value, min = 0, max = Infinity) {
  if (value !== undefined && (typeof value !== 'number' || !(value >= min && value <= max))) throw settingError(name, value, [min, max]);
}

function sessionName(type) {
  if (type === constants.NGHTTP2_SESSION_SERVER) return 'server';
  return type === constants.NGHTTP2_SESSION_CLIENT ? 'client' : '<invalid>';
}

function assertValidPseudoHeader(name) {
  if (!PSEUDO_HEADERS.has(name)) throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
}

function assertValidPseudoHeaderResponse(name) {
  if (name !== ':status') throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
}

function assertValidPseudoHeaderTrailer(name) {
  throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
}

function getAuthority(headers) {
  // RFC 9113, section 8.3.1: `:authority`, else `host`.
  return headers[':authority'] ?? headers.host;
}

const isConnectionHeader = (name, value) => CONNECTION_HEADERS.has(name) || (name === 'te' && value !== 'trailers');

/** Collects fields; pseudo-header fields come first. */
class HeaderListBuilder {
  #pseudo = '';
  #regular = '';
  #count = 0;
  #singles = new Set();

  constructor(assertPseudo, sensitive, isStrict) {
    this.assertPseudo = assertPseudo;
    this.sensitive = new Set(sensitive?.map((name) => name.toLowerCase()));
    this.isStrict = isStrict;
  }

  add(name, value) {
    const key = name.toLowerCase();
    if (value === undefined || key === '') return;
    if (Array.isArray(value)) {
      if (value.length === 0) return;
      if (value.length > 1 && this.isStrict && SINGLE_VALUE_HEADERS.has(key)) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(key);
      if (value.length > 1) this.#checkName(key, undefined);
      const values = value.map(String);
      if (values.length === 1) this.#addOne(key, values[0]);
      else for (const each of values) this.#append(key, each);
      return;
    }
    this.#addOne(key, String(value));
  }

  #addOne(key, value) {
    if (this.isStrict && SINGLE_VALUE_HEADERS.has(key)) {
      if (this.#singles.has(key)) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(key);
      this.#singles.add(key);
    }
    this.#checkName(key, value);
    this.#append(key, value);
  }

  #checkName(key, value) {
    if (key[0] === ':') {
      this.assertPseudo(key);
      return;
    }
    if (!TOKEN.test(key)) throw new ERR_INVALID_HTTP_TOKEN('Header name', key);
    if (isConnectionHeader(key, value)) throw new ERR_HTTP2_INVALID_CONNECTION_HEADERS(key);
  }

  #append(key, value) {
    const field = `${key}\0${value}\0${this.sensitive.has(key) ? '\x01' : '\0'}`;
    if (key[0] === ':') this.#pseudo += field;
    else this.#regular += field;
    this.#count += 1;
  }

  finish() {
    return [this.#pseudo + this.#regular, this.#count];
  }
}

/** `[fields as a string, their number]`, of an object or a flat array. */
function buildNgHeaderString(headers, assertPseudo = assertValidPseudoHeader, isStrict = true) {
  const sensitive = headers[kSensitiveHeaders];
  if (sensitive !== undefined && !Array.isArray(sensitive)) {
    const { ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
    throw new ERR_INVALID_ARG_VALUE('headers[http2.neverIndex]', sensitive);
  }
  const builder = new HeaderListBuilder(assertPseudo, sensitive, isStrict);
  if (Array.isArray(headers)) {
    for (let index = 0; index < headers.length; index += 2) builder.add(String(headers[index]), headers[index + 1]);
  } else {
    for (const name of Object.keys(headers)) builder.add(name, headers[name]);
  }
  return builder.finish();
}

/** An object of fields that arrived, as a flat array. */
function toHeaderObject(headers, sensitiveHeaders) {
  const object = { __proto__: null };
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index];
    const value = name === ':status' ? headers[index + 1] | 0 : headers[index + 1];
    const existing = object[name];
    if (existing === undefined) object[name] = name === 'set-cookie' ? [value] : value;
    else if (SINGLE_VALUE_HEADERS.has(name)) continue;
    else if (name === JOINED_BY_SEMICOLON) object[name] = `${existing}; ${value}`;
    else if (name === 'set-cookie') existing.push(value);
    else object[name] = `${existing}, ${value}`;
  }
  object[kSensitiveHeaders] = sensitiveHeaders;
  return object;
}

/** The binding's string as a flat array and the names of sensitive fields. */
function parseHeaderString(string) {
  const parts = string.split('\0');
  parts.pop();
  const sensitive = [];
  for (let index = 0; index < parts.length; index += 2) {
    if (parts[index][0] === '\t') {
      parts[index] = parts[index].slice(1);
      sensitive.push(parts[index]);
    }
  }
  return { raw: parts, sensitive };
}

const isPayloadMeaningless = (method) => METHODS_WITHOUT_PAYLOAD.has(method);

/** Adds what a request needs to an object of fields; throws if CONNECT has too much. */
function prepareRequestHeadersObject(headers, session) {
  const prepared = { __proto__: null, ...headers };
  if (headers[kSensitiveHeaders] !== undefined) prepared[kSensitiveHeaders] = headers[kSensitiveHeaders];
  prepared[':method'] ??= 'GET';
  const { defaults } = requestDefaults(prepared, prepared[':method'], session);
  for (const [name, value] of defaults) prepared[name] ??= value;
  return { headers: prepared, list: buildNgHeaderString(prepared, assertValidPseudoHeader, session.strict), method: prepared[':method'], scheme: prepared[':scheme'], authority: prepared[':authority'] };
}

/** The same for a flat array. */
function prepareRequestHeadersArray(headers, session) {
  const found = { __proto__: null };
  for (let index = 0; index < headers.length; index += 2) {
    const name = String(headers[index]).toLowerCase();
    if (name[0] === ':' || name === 'host') found[name] = headers[index + 1];
  }
  const added = [];
  if (found[':method'] === undefined) {
    found[':method'] = 'GET';
    added.push(':method', 'GET');
  }
  for (const [name, value] of requestDefaults(found, found[':method'], session).defaults) {
    if (found[name] === undefined) {
      found[name] = value;
      added.push(name, value);
    }
  }
  const raw = [...added, ...headers];
  if (headers[kSensitiveHeaders] !== undefined) raw[kSensitiveHeaders] = headers[kSensitiveHeaders];
  return { headers: arrayToObject(raw), list: buildNgHeaderString(raw, assertValidPseudoHeader, session.strict), method: found[':method'], scheme: found[':scheme'], authority: found[':authority'] };
}

/** An object of a flat array; values of a name that is repeated are an array. */
function arrayToObject(raw) {
  const object = { __proto__: null };
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index];
    object[name] = object[name] === undefined ? raw[index + 1] : [object[name], raw[index + 1]].flat();
  }
  if (raw[kSensitiveHeaders] !== undefined) object[kSensitiveHeaders] = raw[kSensitiveHeaders];
  return object;
}

function requestDefaults(headers, method, { authority, protocol }) {
  if (method !== 'CONNECT' || headers[':protocol'] !== undefined) {
    const defaults = [[':scheme', protocol.slice(0, -1)], [':path', '/']];
    if (headers.host === undefined) defaults.unshift([':authority', authority]);
    return { defaults };
  }
  if (headers[':authority'] === undefined) throw new ERR_HTTP2_CONNECT_AUTHORITY();
  if (headers[':scheme'] !== undefined) throw new ERR_HTTP2_CONNECT_SCHEME();
  if (headers[':path'] !== undefined) throw new ERR_HTTP2_CONNECT_PATH();
  return { defaults: [] };
}

module.exports = {
  arrayToObject,
  NghttpError,
  assertIsArray,
  assertIsObject,
  assertValidPseudoHeader,
  assertValidPseudoHeaderResponse,
  assertValidPseudoHeaderTrailer,
  assertWithinRange,
  buildNgHeaderString,
  getAuthority,
  isConnectionHeader,
  isPayloadMeaningless,
  kProxySocket,
  kRequest,
  kSensitiveHeaders,
  kSocket,
  parseHeaderString,
  prepareRequestHeadersArray,
  prepareRequestHeadersObject,
  sessionName,
  settingError,
  toHeaderObject,
};
