// `URL`, as in the URL Standard. In: strings. Out: objects with the serialized URL and the offsets
// of its components, which the binding returns; getters slice the string. Absent: Node's functions
// (internal/url), `URLSearchParams` (web/url_search_params).
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes } = require('internal/errors');
const { toText } = require('web/usv_string');
const { URLSearchParams, setUrl, replaceList } = require('web/url_search_params');

const binding = internalBinding('url');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
// Access to private members for the functions below.
const internals = {};

const { SCHEME_END, USERNAME, USERNAME_END, PASSWORD_END, HOST, HOST_END, PATH, PATH_END, QUERY_END } = binding.offset;
// Offsets of the components of the URL that was parsed last.
const offsets = new Uint32Array(QUERY_END + 1);
const SPECIAL = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

class URL {
  #href = '';
  #searchParams = undefined;
  #schemeEnd = 0;
  #username = 0;
  #usernameEnd = 0;
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
    const href = binding.parse(input, base, offsets);
    if (href === undefined) throw invalid(input, base);
    this.#update(href);
  }

  #update(href) {
    this.#href = href;
    this.#schemeEnd = offsets[SCHEME_END];
    this.#username = offsets[USERNAME];
    this.#usernameEnd = offsets[USERNAME_END];
    this.#passwordEnd = offsets[PASSWORD_END];
    this.#host = offsets[HOST];
    this.#hostEnd = offsets[HOST_END];
    this.#path = offsets[PATH];
    this.#pathEnd = offsets[PATH_END];
    this.#queryEnd = offsets[QUERY_END];
  }

  // Both with V8's messages, as in Node.
  static #of(url) {
    if (internals.isURL(url)) return url;
    throw new TypeError('Cannot read private member #context from an object whose class did not declare it');
  }

  static #receiver(url) {
    if (internals.isURL(url)) return url;
    throw new TypeError('Receiver must be an instance of class URL');
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    return binding.canParse(input, base) ? new URL(input, base) : null;
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    if (base !== undefined) base = toText(base);
    return binding.canParse(input, base);
  }

  static {
    internals.isURL = (value) => typeof value === 'object' && value !== null && #href in value;
    // Called by a `URLSearchParams` that was changed.
    internals.setSearch = (url, search) => url.#set('search', search, true);
  }

  #set(part, value, isFromParams = false) {
    const href = binding.set(this.#href, part, value, offsets);
    if (href === undefined) return;
    this.#update(href);
    if (!isFromParams && part === 'search' && this.#searchParams !== undefined) replaceList(this.#searchParams, this.search);
  }

  [kInspect](depth, options) {
    URL.#of(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const { constructor } = this;
    const copy = { __proto__: { constructor: constructor === undefined ? URL : constructor } };
    for (const name of PROPERTIES) copy[name] = this[name];
    const { inspect } = require('internal/util/inspect');
    return `${constructor?.name ?? 'URL'} ${inspect(Object.assign({ __proto__: null }, copy), options).replace(/^\[Object: null prototype\] /, '')}`;
  }

  toString() { return URL.#receiver(this).#href; }

  get href() { return URL.#receiver(this).#href; }
  set href(value) {
    URL.#of(this);
    value = toText(value);
    const href = binding.parse(value, undefined, offsets);
    if (href === undefined) throw invalid(value);
    this.#update(href);
    if (this.#searchParams !== undefined) replaceList(this.#searchParams, this.search);
  }

  get origin() {
    const { protocol } = URL.#of(this);
    if (SPECIAL.has(protocol)) return `${protocol}//${this.host}`;
    if (protocol !== 'blob:' || !binding.canParse(this.pathname, undefined)) return 'null';
    const path = new URL(this.pathname);
    return path.protocol === 'http:' || path.protocol === 'https:' ? path.origin : 'null';
  }

  get protocol() { return URL.#of(this).#href.slice(0, this.#schemeEnd); }
  set protocol(value) { URL.#of(this).#set('protocol', toText(value)); }

  get username() { return URL.#of(this).#href.slice(this.#username, this.#usernameEnd); }
  set username(value) { URL.#of(this).#set('username', toText(value)); }

  get password() {
    URL.#of(this);
    return this.#passwordEnd > this.#usernameEnd ? this.#href.slice(this.#usernameEnd + 1, this.#passwordEnd) : '';
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
    // A `?` without a query is not returned.
    return this.#queryEnd > this.#pathEnd + 1 ? this.#href.slice(this.#pathEnd, this.#queryEnd) : '';
  }
  set search(value) { URL.#of(this).#set('search', toText(value)); }

  get searchParams() {
    URL.#of(this);
    if (this.#searchParams === undefined) {
      this.#searchParams = new URLSearchParams(this.search);
      setUrl(this.#searchParams, this, internals.setSearch);
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

const PROPERTIES = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
  'searchParams', 'hash'];

// As in Node's C++: the stack does not contain the code.
function invalid(input, base) {
  const error = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input });
  if (base !== undefined) error.base = base;
  return error;
}

for (const name of ['toString', ...PROPERTIES, 'toJSON']) Object.defineProperty(URL.prototype, name, { __proto__: null, enumerable: true });
for (const name of ['parse', 'canParse', 'createObjectURL', 'revokeObjectURL']) {
  Object.defineProperty(URL, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(URL.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'URL' });

forbidCloning(URL, 'href');

module.exports = { URL, URLSearchParams, isURL: internals.isURL };
