// Header fields of outgoing messages. In: names and values. Out: methods of messages that store
// them; the serialized head, with the fields for framing and keep-alive.
'use strict';

const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { CHUNKED_EXPRESSION, dateLine, STATUS_CODES, validateHeaderName, validateHeaderValue } = require('internal/http/constants');
const { kOutHeaders, kHasNonAscii, kUniqueHeaders } = require('internal/http/symbols');

const CLOSE_EXPRESSION = /(?:^|\W)close(?:$|\W)/i;

function throwIfSent(message, operation) {
  if (message._header) throw new ERR_HTTP_HEADERS_SENT(operation);
}

const methods = {
  setHeader(name, value) {
    throwIfSent(this, 'set');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    (this[kOutHeaders] ??= new Map()).set(name.toLowerCase(), [name, value]);
    return this;
  },

  setHeaders(headers) {
    throwIfSent(this, 'set');
    if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
    }
    const cookies = [];
    for (const [name, value] of headers) {
      // `Headers` yields each cookie separately.
      if (name === 'set-cookie') cookies.push(...(Array.isArray(value) ? value : [value]));
      else this.setHeader(name, value);
    }
    if (cookies.length > 0) this.setHeader('set-cookie', cookies);
    return this;
  },

  appendHeader(name, value) {
    throwIfSent(this, 'append');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const key = name.toLowerCase();
    const headers = (this[kOutHeaders] ??= new Map());
    const entry = headers.get(key);
    if (entry === undefined) headers.set(key, [name, value]);
    else entry[1] = [].concat(entry[1], value);
    return this;
  },

  getHeader(name) {
    validateString(name, 'name');
    return this[kOutHeaders]?.get(name.toLowerCase())?.[1];
  },

  getHeaderNames() {
    return this[kOutHeaders] ? [...this[kOutHeaders].keys()] : [];
  },

  getRawHeaderNames() {
    return this[kOutHeaders] ? [...this[kOutHeaders].values()].map(([name]) => name) : [];
  },

  getHeaders() {
    const headers = { __proto__: null };
    for (const [key, [, value]] of this[kOutHeaders] ?? []) headers[key] = value;
    return headers;
  },

  hasHeader(name) {
    validateString(name, 'name');
    return Boolean(this[kOutHeaders]?.has(name.toLowerCase()));
  },

  removeHeader(name) {
    validateString(name, 'name');
    throwIfSent(this, 'remove');
    const key = name.toLowerCase();
    if (key === 'connection') this._removedConnection = true;
    else if (key === 'content-length') this._removedContLen = true;
    else if (key === 'transfer-encoding') this._removedTE = true;
    else if (key === 'date') this.sendDate = false;
    this[kOutHeaders]?.delete(key);
  },
};

/** The field lines of headers in any form. Those of the message itself are valid already. */
function renderFields(message, state, headers) {
  let text = '';
  if (!headers) return text;
  if (headers === message[kOutHeaders]) {
    for (const entry of headers.values()) text += processHeader(message, state, entry[0], entry[1]);
  } else if (Array.isArray(headers)) {
    if (headers.length > 0 && Array.isArray(headers[0])) {
      for (const [name, value] of headers) text += processValid(message, state, name, value);
    } else {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
      for (let index = 0; index < headers.length; index += 2) text += processValid(message, state, headers[index], headers[index + 1]);
    }
  } else {
    for (const name of Object.keys(headers)) text += processValid(message, state, name, headers[name]);
  }
  return text;
}

function processValid(message, state, name, value) {
  validateHeaderName(name);
  if (Array.isArray(value)) value.forEach((each) => validateHeaderValue(name, each));
  else validateHeaderValue(name, value);
  return processHeader(message, state, name, value);
}

/** Characters that are one byte in Latin-1 and two bytes in UTF-8. */
const NON_ASCII = /[\x80-\xff]/;

/** Serializes the head, as Node's _storeHeader. */
function render(message, firstLine, headers) {
  // That of a standard reason is ASCII.
  const isStandard = message.statusMessage !== undefined && message.statusMessage === STATUS_CODES[message.statusCode];
  message[kHasNonAscii] = !isStandard && NON_ASCII.test(firstLine);
  const state = { connection: false, contentLength: false, transferEncoding: false, date: false, expect: false, trailer: false };
  let text = firstLine + renderFields(message, state, headers);
  if (message.sendDate && !state.date) text += dateLine();
  if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  text += connectionField(message, state) + framingField(message, state);
  if (message.chunkedEncoding !== true && state.trailer) throw new ERR_HTTP_TRAILER_INVALID();
  message._hasExpect = state.expect;
  return `${text}\r\n`;
}

function processHeader(message, state, name, value) {
  if (typeof value === 'string' ? NON_ASCII.test(value) : typeof value !== 'number') message[kHasNonAscii] = true;
  if (!Array.isArray(value)) {
    matchHeader(message, state, name, value);
    return `${name}: ${value}\r\n`;
  }
  const key = name.toLowerCase();
  // Cookies, and fields of `uniqueHeaders`, are joined in one line.
  if ((value.length < 2 || key !== 'cookie') && !message[kUniqueHeaders]?.has(key)) {
    let text = '';
    for (const each of value) {
      matchHeader(message, state, name, each);
      text += `${name}: ${each}\r\n`;
    }
    return text;
  }
  const joined = value.join('; ');
  matchHeader(message, state, name, joined);
  return `${name}: ${joined}\r\n`;
}

/** Notes the fields that control framing and keep-alive. */
function matchHeader(message, state, name, value) {
  switch (name.length) {
    case 4: case 6: case 7: case 10: case 14: case 17: break;
    default: return;
  }
  switch (name.toLowerCase()) {
    case 'connection':
      state.connection = true;
      message._removedConnection = false;
      if (CLOSE_EXPRESSION.test(value)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      state.transferEncoding = true;
      message._removedTE = false;
      if (CHUNKED_EXPRESSION.test(value)) message.chunkedEncoding = true;
      break;
    case 'content-length':
      state.contentLength = true;
      message._contentLength = +value;
      message._removedContLen = false;
      break;
    case 'keep-alive':
      message._defaultKeepAlive = false;
      break;
    case 'date': case 'expect': case 'trailer':
      state[name.toLowerCase()] = true;
      break;
    default:
  }
}

/** The Connection and Keep-Alive fields, unless the program has set them. */
function connectionField(message, state) {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return '';
  }
  if (state.connection) return '';
  const isKeepAlive = message.shouldKeepAlive && (state.contentLength || message.useChunkedEncodingByDefault || message.agent);
  if (!isKeepAlive) {
    message._last = true;
    return 'Connection: close\r\n';
  }
  if (message.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
  if (!message._keepAliveTimeout || !message._defaultKeepAlive) return 'Connection: keep-alive\r\n';
  return keepAliveField(message._keepAliveTimeout, ~~message._maxRequestsPerSocket);
}

let lastKeepAlive = { timeout: 0, max: 0, text: '' };

function keepAliveField(timeout, max) {
  if (timeout !== lastKeepAlive.timeout || max !== lastKeepAlive.max) {
    const text = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeout / 1000)}${max > 0 ? `, max=${max}` : ''}\r\n`;
    lastKeepAlive = { timeout, max, text };
  }
  return lastKeepAlive.text;
}

/** Content-Length or Transfer-Encoding, unless the program has set them. */
function framingField(message, state) {
  if (state.contentLength || state.transferEncoding) return '';
  if (!message._hasBody) {
    message.chunkedEncoding = false;
  } else if (!message.useChunkedEncodingByDefault) {
    message._last = true;
  } else if (!state.trailer && !message._removedContLen && typeof message._contentLength === 'number') {
    return `Content-Length: ${message._contentLength}\r\n`;
  } else if (!message._removedTE) {
    message.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  } else {
    // Without framing the end of the connection is the end of the body.
    message._last = true;
  }
  return '';
}

module.exports = { methods, render };
