// Header fields of outgoing messages. In: names and values. Out: methods of messages that store
// them; the serialized head, with the fields for framing and keep-alive.
'use strict';

const {
  codes: { ERR_HTTP_HEADERS_SENT, ERR_HTTP_TRAILER_INVALID, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { CHUNKED, now, validateHeaderName, validateHeaderValue } = require('internal/http/constants');
const { kHeaders, kIsHigh, kUnique } = require('internal/http/symbols');

const CLOSE = /(?:^|\W)close(?:$|\W)/i;

function refuseSent(message, what) {
  if (message._header) throw new ERR_HTTP_HEADERS_SENT(what);
}

const methods = {
  setHeader(name, value) {
    refuseSent(this, 'set');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    (this[kHeaders] ??= new Map()).set(name.toLowerCase(), [name, value]);
    return this;
  },

  setHeaders(headers) {
    refuseSent(this, 'set');
    if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
    }
    const cookies = [];
    for (const [name, value] of headers) {
      // Of `Headers` each comes on its own.
      if (name === 'set-cookie') cookies.push(...(Array.isArray(value) ? value : [value]));
      else this.setHeader(name, value);
    }
    if (cookies.length > 0) this.setHeader('set-cookie', cookies);
    return this;
  },

  appendHeader(name, value) {
    refuseSent(this, 'append');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const key = name.toLowerCase();
    const headers = (this[kHeaders] ??= new Map());
    const known = headers.get(key);
    if (known === undefined) headers.set(key, [name, value]);
    else known[1] = [].concat(known[1], value);
    return this;
  },

  getHeader(name) {
    validateString(name, 'name');
    return this[kHeaders]?.get(name.toLowerCase())?.[1];
  },

  getHeaderNames() {
    return this[kHeaders] ? [...this[kHeaders].keys()] : [];
  },

  getRawHeaderNames() {
    return this[kHeaders] ? [...this[kHeaders].values()].map(([name]) => name) : [];
  },

  getHeaders() {
    const found = { __proto__: null };
    for (const [key, [, value]] of this[kHeaders] ?? []) found[key] = value;
    return found;
  },

  hasHeader(name) {
    validateString(name, 'name');
    return Boolean(this[kHeaders]?.has(name.toLowerCase()));
  },

  removeHeader(name) {
    validateString(name, 'name');
    refuseSent(this, 'remove');
    const key = name.toLowerCase();
    if (key === 'connection') this._removedConnection = true;
    else if (key === 'content-length') this._removedContLen = true;
    else if (key === 'transfer-encoding') this._removedTE = true;
    else if (key === 'date') this.sendDate = false;
    this[kHeaders]?.delete(key);
  },
};

/**
 * Names and values of any form: `[name, value]` each. `headers` checked: those of the message
 * itself.
 */
function* pairsOf(message, headers) {
  if (!headers) return;
  if (headers === message[kHeaders]) {
    for (const [, pair] of headers) yield pair;
  } else if (Array.isArray(headers)) {
    if (headers.length > 0 && Array.isArray(headers[0])) {
      for (const [name, value] of headers) yield checked(name, value);
    } else {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
      for (let at = 0; at < headers.length; at += 2) yield checked(headers[at], headers[at + 1]);
    }
  } else {
    for (const name of Object.keys(headers)) yield checked(name, headers[name]);
  }
}

function checked(name, value) {
  validateHeaderName(name);
  for (const each of Array.isArray(value) ? value : [value]) validateHeaderValue(name, each);
  return [name, value];
}

/** Characters that are one byte in a head and two in a body. */
const HIGH = /[\x80-\xff]/;

function render(message, firstLine, headers) {
  message[kIsHigh] = HIGH.test(firstLine);
  const seen = { connection: false, contentLength: false, transferEncoding: false, date: false, expect: false, trailer: false };
  let text = firstLine;
  for (const [name, value] of pairsOf(message, headers)) text += line(message, seen, name, value);
  if (message.sendDate && !seen.date) text += `Date: ${now()}\r\n`;
  if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
    message.chunkedEncoding = false;
    message.shouldKeepAlive = false;
  }
  text += connectionOf(message, seen) + lengthOf(message, seen);
  if (message.chunkedEncoding !== true && seen.trailer) throw new ERR_HTTP_TRAILER_INVALID();
  message.expectsAnswer = seen.expect;
  return `${text}\r\n`;
}

function line(message, seen, name, value) {
  if (typeof value === 'string' ? HIGH.test(value) : typeof value !== 'number') message[kIsHigh] = true;
  if (!Array.isArray(value)) {
    note(message, seen, name, value);
    return `${name}: ${value}\r\n`;
  }
  const key = name.toLowerCase();
  // Cookies of one line are told apart by semicolons.
  if ((value.length < 2 || key !== 'cookie') && !message[kUnique]?.has(key)) {
    let text = '';
    for (const each of value) {
      note(message, seen, name, each);
      text += `${name}: ${each}\r\n`;
    }
    return text;
  }
  const joined = value.join('; ');
  note(message, seen, name, joined);
  return `${name}: ${joined}\r\n`;
}

/** What a header says to ourselves. */
function note(message, seen, name, value) {
  switch (name.length) {
    case 4: case 6: case 7: case 10: case 14: case 17: break;
    default: return;
  }
  switch (name.toLowerCase()) {
    case 'connection':
      seen.connection = true;
      message._removedConnection = false;
      if (CLOSE.test(value)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      seen.transferEncoding = true;
      message._removedTE = false;
      if (CHUNKED.test(value)) message.chunkedEncoding = true;
      break;
    case 'content-length':
      seen.contentLength = true;
      message._contentLength = +value;
      message._removedContLen = false;
      break;
    case 'keep-alive':
      message._defaultKeepAlive = false;
      break;
    case 'date': case 'expect': case 'trailer':
      seen[name.toLowerCase()] = true;
      break;
    default:
  }
}

/** Whether the connection stays, where the program says nothing of it. */
function connectionOf(message, seen) {
  if (message._removedConnection) {
    message._last = !message.shouldKeepAlive;
    return '';
  }
  if (seen.connection) return '';
  const stays = message.shouldKeepAlive && (seen.contentLength || message.useChunkedEncodingByDefault || message.agent);
  if (!stays) {
    message._last = true;
    return 'Connection: close\r\n';
  }
  if (message.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
  if (!message._keepAliveTimeout || !message._defaultKeepAlive) return 'Connection: keep-alive\r\n';
  const max = ~~message._maxRequestsPerSocket > 0 ? `, max=${message._maxRequestsPerSocket}` : '';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(message._keepAliveTimeout / 1000)}${max}\r\n`;
}

/** How the other side knows where the body ends. */
function lengthOf(message, seen) {
  if (seen.contentLength || seen.transferEncoding) return '';
  if (!message._hasBody) {
    message.chunkedEncoding = false;
  } else if (!message.useChunkedEncodingByDefault) {
    message._last = true;
  } else if (!seen.trailer && !message._removedContLen && typeof message._contentLength === 'number') {
    return `Content-Length: ${message._contentLength}\r\n`;
  } else if (!message._removedTE) {
    message.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  } else {
    // Neither: the end of the connection is the end of the body.
    message._last = true;
  }
  return '';
}

module.exports = { methods, render };
