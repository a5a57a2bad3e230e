// URL. In: strings. Out: addresses as the standard of the web reads them: Rust parses and says
// where the parts lie, getters cut them out. Absent: what Node has beside it (url, internal/url),
// lists of parameters (web/url_search_params).
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes } = require('internal/errors');
const { toText } = require('web/usv_string');
const { URLSearchParams, followUrl, readInto } = require('web/url_search_params');

const native_ = internalBinding('url');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
// What the class lets this file see.
const inner = {};

// Where the parts of the address lie that was parsed last, see ext/url/src/lib.rs.
const words = new Uint32Array(9);
const [SCHEME, USER, USER_END, PASSWORD_END, HOST, HOST_END, PATH, PATH_END, QUERY_END] = words.keys();
const SPECIAL = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

class URL {
  #href = '';
  #searchParams = undefined;
  #scheme = 0;
  #user = 0;
  #userEnd = 0;
  #passwordEnd = 0;
  #host = 0;
  #hostEnd = 0;
  #path = 0;
  #pathEnd = 0;
  #queryEnd = 0;

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    const href = native_.parse(input, base, words);
    if (href === undefined) throw invalid(input, base);
    this.#take(href);
  }

  #take(href) {
    this.#href = href;
    this.#scheme = words[SCHEME];
    this.#user = words[USER];
    this.#userEnd = words[USER_END];
    this.#passwordEnd = words[PASSWORD_END];
    this.#host = words[HOST];
    this.#hostEnd = words[HOST_END];
    this.#path = words[PATH];
    this.#pathEnd = words[PATH_END];
    this.#queryEnd = words[QUERY_END];
  }

  // Both in V8's words, which Node lets through.
  static #of(url) {
    if (inner.isURL(url)) return url;
    throw new TypeError('Cannot read private member #context from an object whose class did not declare it');
  }

  static #receiver(url) {
    if (inner.isURL(url)) return url;
    throw new TypeError('Receiver must be an instance of class URL');
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    return native_.canParse(input, base) ? new URL(input, base) : null;
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    return native_.canParse(input, base);
  }

  static {
    inner.isURL = (value) => typeof value === 'object' && value !== null && #href in value;
    // A list of parameters that was changed.
    inner.setSearch = (url, search) => url.#set('search', search, true);
  }

  #set(part, value, isOfList = false) {
    const href = native_.set(this.#href, part, value, words);
    if (href === undefined) return;
    this.#take(href);
    if (!isOfList && part === 'search' && this.#searchParams !== undefined) readInto(this.#searchParams, this.search);
  }

  [kInspect](depth, options) {
    URL.#of(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const { constructor } = this;
    const shown = { __proto__: { constructor: constructor === undefined ? URL : constructor } };
    for (const name of SHOWN) shown[name] = this[name];
    const { inspect } = require('internal/util/inspect');
    return `${constructor?.name ?? 'URL'} ${inspect(Object.assign({ __proto__: null }, shown), options).replace(/^\[Object: null prototype\] /, '')}`;
  }

  toString() { return URL.#receiver(this).#href; }

  get href() { return URL.#receiver(this).#href; }
  set href(value) {
    URL.#of(this);
    value = toText(value);
    const href = native_.parse(value, undefined, words);
    if (href === undefined) throw invalid(value);
    this.#take(href);
    if (this.#searchParams !== undefined) readInto(this.#searchParams, this.search);
  }

  get origin() {
    const { protocol } = URL.#of(this);
    if (SPECIAL.has(protocol)) return `${protocol}//${this.host}`;
    if (protocol !== 'blob:' || !native_.canParse(this.pathname, undefined)) return 'null';
    const path = new URL(this.pathname);
    return path.protocol === 'http:' || path.protocol === 'https:' ? path.origin : 'null';
  }

  get protocol() { return URL.#of(this).#href.slice(0, this.#scheme); }
  set protocol(value) { URL.#of(this).#set('protocol', toText(value)); }

  get username() { return URL.#of(this).#href.slice(this.#user, this.#userEnd); }
  set username(value) { URL.#of(this).#set('username', toText(value)); }

  get password() {
    URL.#of(this);
    return this.#passwordEnd > this.#userEnd ? this.#href.slice(this.#userEnd + 1, this.#passwordEnd) : '';
  }
  set password(value) { URL.#of(this).#set('password', toText(value)); }

  #hasPort() { return this.#path > this.#hostEnd && this.#href[this.#hostEnd] === ':'; }

  get host() {
    URL.#of(this);
    return this.#href.slice(this.#host, this.#hasPort() ? this.#path : this.#hostEnd);
  }
  set host(value) { URL.#of(this).#set('host', toText(value)); }

  get hostname() { return URL.#of(this).#href.slice(this.#host, this.#hostEnd); }
  set hostname(value) { URL.#of(this).#set('hostname', toText(value)); }

  get port() {
    URL.#of(this);
    return this.#hasPort() ? this.#href.slice(this.#hostEnd + 1, this.#path) : '';
  }
  set port(value) { URL.#of(this).#set('port', toText(value)); }

  get pathname() { return URL.#of(this).#href.slice(this.#path, this.#pathEnd); }
  set pathname(value) { URL.#of(this).#set('pathname', toText(value)); }

  get search() {
    URL.#receiver(this);
    // A mark alone is no search.
    return this.#queryEnd > this.#pathEnd + 1 ? this.#href.slice(this.#pathEnd, this.#queryEnd) : '';
  }
  set search(value) { URL.#of(this).#set('search', toText(value)); }

  get searchParams() {
    URL.#of(this);
    if (this.#searchParams === undefined) {
      this.#searchParams = new URLSearchParams(this.search);
      followUrl(this.#searchParams, this, inner.setSearch);
    }
    return this.#searchParams;
  }

  get hash() {
    URL.#of(this);
    return this.#href.length > this.#queryEnd + 1 ? this.#href.slice(this.#queryEnd) : '';
  }
  set hash(value) { URL.#of(this).#set('hash', toText(value)); }

  toJSON() { return URL.#receiver(this).#href; }

  static createObjectURL(blob) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('obj');
    return require('internal/blob').createObjectURL(blob);
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    require('internal/blob').revokeObjectURL(toText(url));
  }
}

const SHOWN = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
  'searchParams', 'hash'];

// As Node's C++ makes it: without the code in its text.
function invalid(input, base) {
  const error = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input });
  if (base !== undefined) error.base = base;
  return error;
}

for (const name of ['toString', ...SHOWN, 'toJSON']) Object.defineProperty(URL.prototype, name, { __proto__: null, enumerable: true });
for (const name of ['parse', 'canParse', 'createObjectURL', 'revokeObjectURL']) {
  Object.defineProperty(URL, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'URL' });

forbidCloning(URL, 'href');

module.exports = { URL, URLSearchParams, isURL: inner.isURL };
