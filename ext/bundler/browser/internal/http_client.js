// The client of `node:http` and `node:https` in browsers. In: options as in Node. Out: a writable
// request, a readable response, by one `fetch`.
'use strict';

const { Buffer } = require('buffer');
const { Readable, Writable } = require('stream');

const METHODS = ['ACL', 'BIND', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PURGE', 'PUT', 'QUERY', 'REBIND', 'REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'TRACE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE'];
const STATUS_CODES = {
  100: 'Continue', 101: 'Switching Protocols', 102: 'Processing', 103: 'Early Hints',
  200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content', 206: 'Partial Content', 207: 'Multi-Status', 208: 'Already Reported', 226: 'IM Used',
  300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified', 305: 'Use Proxy', 307: 'Temporary Redirect', 308: 'Permanent Redirect',
  400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed', 413: 'Payload Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable', 417: 'Expectation Failed', 418: "I'm a Teapot", 421: 'Misdirected Request', 422: 'Unprocessable Entity', 423: 'Locked', 424: 'Failed Dependency', 425: 'Too Early', 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large', 451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported', 506: 'Variant Also Negotiates', 507: 'Insufficient Storage', 508: 'Loop Detected', 509: 'Bandwidth Limit Exceeded', 510: 'Not Extended', 511: 'Network Authentication Required',
};
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'TRACE']);

class Agent {
  constructor(options = {}) { this.options = options; }

  destroy() {}
}

/** A response. */
class IncomingMessage extends Readable {
  #reader;

  constructor(response) {
    super();
    this.statusCode = response.status;
    this.statusMessage = response.statusText || STATUS_CODES[response.status] || '';
    this.url = response.url;
    this.httpVersion = '1.1';
    this.headers = Object.fromEntries(response.headers);
    this.rawHeaders = [...response.headers].flat();
    this.trailers = {};
    this.rawTrailers = [];
    this.complete = false;
    this.#reader = response.body?.getReader();
  }

  async _read() {
    try {
      const { done, value } = (await this.#reader?.read()) ?? { done: true };
      if (done) this.complete = true;
      this.push(done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    } catch (error) {
      this.destroy(error);
    }
  }

  _destroy(error, callback) {
    if (!this.complete) this.#reader?.cancel().catch(() => {});
    callback(error);
  }

  setTimeout() { return this; }
}

/** The URL and options of `request(url, options)` or `request(options)`. */
function targetOf(input, options, protocol) {
  if (typeof input !== 'string' && !(input instanceof URL)) return targetOf(urlOf(input, protocol), input, protocol);
  const base = globalThis.location?.href;
  return { url: new URL(input, base), options: options ?? {} };
}

function urlOf({ protocol, hostname, host, port, path = '/', auth }, usual) {
  const name = hostname ?? host ?? globalThis.location?.hostname ?? 'localhost';
  const isV6 = name.includes(':') && !name.startsWith('[') && hostname !== undefined;
  const place = port === undefined || port === null || port === '' || (hostname === undefined && /:\d+$/.test(name)) ? '' : `:${port}`;
  const url = new URL(`${protocol ?? usual}//${isV6 ? `[${name}]` : name}${place}${path}`);
  if (auth) [url.username, url.password] = auth.split(/:(.*)/s);
  return url;
}

/** A request: sent when it ends. */
class ClientRequest extends Writable {
  #headers = new Map();
  #chunks = [];
  #abort = new AbortController();
  #url;
  #timer;

  constructor(input, options, callback, protocol) {
    // It ends with the response.
    super({ autoDestroy: false });
    const target = targetOf(input, options, protocol);
    this.#url = target.url;
    const { method = 'GET', headers = {}, timeout, signal } = target.options;
    this.method = method.toUpperCase();
    this.protocol = this.#url.protocol;
    this.host = this.#url.hostname;
    this.path = `${this.#url.pathname}${this.#url.search}`;
    this.credentials = target.options.withCredentials ? 'include' : 'same-origin';
    this.headersSent = false;
    const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
    for (const [name, value] of pairs) this.setHeader(name, value);
    if (this.#url.username !== '') this.setHeader('authorization', `Basic ${btoa(`${decodeURIComponent(this.#url.username)}:${decodeURIComponent(this.#url.password)}`)}`);
    [this.#url.username, this.#url.password] = ['', ''];
    if (callback !== undefined) this.once('response', callback);
    if (timeout !== undefined) this.setTimeout(timeout);
    signal?.addEventListener('abort', () => this.destroy(signal.reason), { once: true });
  }

  setHeader(name, value) {
    this.#headers.set(`${name}`.toLowerCase(), [`${name}`, value]);
    return this;
  }

  getHeader(name) { return this.#headers.get(`${name}`.toLowerCase())?.[1]; }

  hasHeader(name) { return this.#headers.has(`${name}`.toLowerCase()); }

  removeHeader(name) { this.#headers.delete(`${name}`.toLowerCase()); }

  getHeaderNames() { return [...this.#headers.keys()]; }

  getHeaders() { return Object.fromEntries([...this.#headers].map(([name, [, value]]) => [name, value])); }

  flushHeaders() {}

  setNoDelay() {}

  setSocketKeepAlive() {}

  setTimeout(timeout, callback) {
    if (callback !== undefined) this.once('timeout', callback);
    clearTimeout(this.#timer);
    if (timeout > 0) this.#timer = setTimeout(() => this.emit('timeout'), timeout);
    return this;
  }

  abort() {
    this.aborted = true;
    this.destroy();
  }

  _write(chunk, encoding, callback) {
    this.#chunks.push(chunk);
    callback();
  }

  _final(callback) {
    callback();
    this.#send().catch((error) => { this.destroy(error); });
  }

  async #send() {
    const headers = new Headers();
    for (const [name, value] of this.#headers.values()) {
      for (const one of [value].flat()) headers.append(name, `${one}`);
    }
    const body = WITHOUT_BODY.has(this.method) || this.#chunks.length === 0 ? undefined : Buffer.concat(this.#chunks);
    this.headersSent = true;
    const response = await fetch(this.#url, { method: this.method, headers, body, signal: this.#abort.signal, credentials: this.credentials });
    clearTimeout(this.#timer);
    if (this.destroyed) return;
    this.res = new IncomingMessage(response);
    this.res.once('close', () => { this.destroy(); });
    // No listener reads it.
    if (!this.emit('response', this.res)) this.res.resume();
  }

  _destroy(error, callback) {
    clearTimeout(this.#timer);
    if (this.res !== undefined) {
      this.res.destroy(error ?? undefined);
      return callback(error);
    }
    this.#abort.abort(error ?? undefined);
    callback(error ?? Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  }
}

/** What `require('http')` is. */
function clientOf(protocol) {
  class Request extends ClientRequest {
    constructor(input, options, callback) {
      if (typeof options === 'function') [options, callback] = [undefined, options];
      super(input, options, callback, protocol);
    }
  }
  Object.defineProperty(Request, 'name', { value: 'ClientRequest' });
  const request = (input, options, callback) => new Request(input, options, callback);
  const get = (input, options, callback) => {
    const made = request(input, options, callback);
    made.end();
    return made;
  };
  return { Agent, ClientRequest: Request, IncomingMessage, METHODS, STATUS_CODES, get, globalAgent: new Agent(), request };
}

module.exports = { clientOf };
