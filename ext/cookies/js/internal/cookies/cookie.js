// `Bun.Cookie`: one cookie with its attributes. In: a name, a value and attributes, or the value of
// a `Set-Cookie` header. Out: a checked cookie and its header value (RFC 6265, 4.1). Absent: the
// `Cookie` header of a request (cookie_map.js).
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');

const SAME_SITE = { __proto__: null, strict: 'Strict', lax: 'Lax', none: 'None' };

const SECOND_MS = 1000;
/** Printable ASCII without space, `;`, `=`. */
const NAME = /^[!-:<>-~]+$/;
const PATH = /^[ -:=-~]*$/;
const DOMAIN = /^[a-z0-9.-]*$/;
/** A field value of HTTP without white space around it (RFC 9110, 5.5), in Latin-1. */
const FIELD_VALUE = /^(?![\t ])[^\0\n\r\u0100-\uffff]*$(?<![\t ])/;
/** Dates of ISO 8601 and bare numbers are not cookie dates. */
const NOT_COOKIE_DATE = /^\s*(?:\d{4}-|[-+]?\d+\s*$)/;

class Cookie {
  #name;
  #value = '';
  #domain = null;
  #path = '/';
  /** Milliseconds since the epoch; undefined: a session cookie. */
  #expires = undefined;
  #maxAge = undefined;
  #secure = false;
  #httpOnly = false;
  #sameSite = 'lax';
  #partitioned = false;

  constructor(name, value, options = undefined) {
    if (arguments.length === 0) throw missingArguments();
    if (arguments.length === 1 && isObject(name)) {
      if (name.name === undefined || name.name === '') throw new TypeError('name is required');
      this.#assign(name.name, name.value ?? '', name);
    } else if (arguments.length === 1) {
      this.#parse(`${name}`);
    } else {
      if (options !== undefined && options !== null && !isObject(options)) throw new TypeError('Options must be an object');
      this.#assign(name, value, options ?? {});
    }
  }

  static parse(text) {
    if (arguments.length === 0) throw missingArguments();
    return new Cookie(`${text}`);
  }

  static from(name, value, options = undefined) {
    if (arguments.length < 2) throw missingArguments();
    return new Cookie(name, value, options);
  }

  #assign(name, value, { domain, path, expires, maxAge, secure, httpOnly, sameSite, partitioned }) {
    this.#name = `${name}`;
    if (this.#name === '') throw new TypeError('name is required');
    if (!NAME.test(this.#name)) throw invalid('name');
    this.#value = `${value}`.toWellFormed();
    if (domain !== undefined && domain !== null && domain !== '') this.domain = domain;
    if (path !== undefined && path !== null) this.path = path;
    if (expires !== undefined && expires !== null) this.#expires = toTime(expires);
    if (typeof maxAge === 'number' && !Number.isNaN(maxAge)) this.#maxAge = maxAge;
    this.#secure = Boolean(secure);
    this.#httpOnly = Boolean(httpOnly);
    if (sameSite !== undefined && sameSite !== null) {
      if (!(sameSite in SAME_SITE)) throw invalidSameSite();
      this.#sameSite = `${sameSite}`;
    }
    this.#partitioned = Boolean(partitioned);
  }

  /** RFC 6265, 5.2: unknown and malformed attributes are ignored, the last one of a name counts. */
  #parse(text) {
    if (!FIELD_VALUE.test(text)) throw new TypeError('cookie string is not a valid HTTP header value');
    const [pair, ...attributes] = text.split(';');
    const equals = pair.indexOf('=');
    if (text === '') throw invalid('name');
    if (equals < 0) throw new TypeError('Invalid cookie string: empty');
    const name = pair.slice(0, equals).trim();
    if (name === '') throw new TypeError('Invalid cookie string: name cannot be empty');
    const options = {};
    for (const attribute of attributes) addAttribute(options, attribute);
    this.#assign(name, pair.slice(equals + 1).trim(), options);
  }

  get name() { return this.#name; }

  get value() { return this.#value; }
  set value(value) { this.#value = `${value}`.toWellFormed(); }

  get domain() { return this.#domain; }
  set domain(value) {
    const domain = `${value}`;
    if (!DOMAIN.test(domain)) throw invalid('domain');
    this.#domain = domain;
  }

  get path() { return this.#path; }
  set path(value) {
    const path = `${value}`;
    if (!PATH.test(path)) throw invalid('path');
    this.#path = path;
  }

  get expires() { return this.#expires === undefined ? undefined : new Date(this.#expires); }
  set expires(value) { this.#expires = value === undefined || value === null ? undefined : toTime(value); }

  get maxAge() { return this.#maxAge; }
  set maxAge(value) {
    const seconds = value === undefined || value === null ? undefined : Number(value);
    if (seconds !== undefined && !Number.isFinite(seconds)) throw new TypeError('The provided value is non-finite');
    this.#maxAge = seconds;
  }

  get secure() { return this.#secure; }
  set secure(value) { this.#secure = Boolean(value); }

  get httpOnly() { return this.#httpOnly; }
  set httpOnly(value) { this.#httpOnly = Boolean(value); }

  get sameSite() { return this.#sameSite; }
  set sameSite(value) {
    const sameSite = `${value}`.toLowerCase();
    if (!(sameSite in SAME_SITE)) throw invalidSameSite();
    this.#sameSite = sameSite;
  }

  get partitioned() { return this.#partitioned; }
  set partitioned(value) { this.#partitioned = Boolean(value); }

  /** `maxAge` has precedence: RFC 6265, 5.3. */
  isExpired() {
    if (this.#maxAge !== undefined) return this.#maxAge <= 0;
    return this.#expires !== undefined && this.#expires < Date.now();
  }

  /** The value of a `Set-Cookie` header. */
  toString() {
    let text = `${this.#name}=${encodeURIComponent(this.#value)}`;
    if (this.#domain) text += `; Domain=${this.#domain}`;
    if (this.#path !== '') text += `; Path=${this.#path}`;
    if (this.#expires !== undefined) text += `; Expires=${new Date(this.#expires).toUTCString()}`;
    if (this.#maxAge !== undefined) text += `; Max-Age=${this.#maxAge}`;
    if (this.#secure) text += '; Secure';
    if (this.#httpOnly) text += '; HttpOnly';
    if (this.#partitioned) text += '; Partitioned';
    return `${text}; SameSite=${SAME_SITE[this.#sameSite]}`;
  }

  toJSON() {
    return {
      __proto__: null,
      name: this.#name,
      value: this.#value,
      ...(this.#domain ? { domain: this.#domain } : {}),
      path: this.#path,
      ...(this.#expires === undefined ? {} : { expires: this.expires }),
      ...(this.#maxAge === undefined ? {} : { maxAge: this.#maxAge }),
      secure: this.#secure,
      sameSite: this.#sameSite,
      httpOnly: this.#httpOnly,
      partitioned: this.#partitioned,
    };
  }

  serialize() { return this.toString(); }
}

Object.defineProperty(Cookie, 'length', { __proto__: null, value: 2, configurable: true });
Object.defineProperty(Cookie.prototype, Symbol.toStringTag, { __proto__: null, value: 'Cookie', configurable: true });
require('web/fetch/webidl').defineInspect(Cookie, (cookie) => ({ ...cookie.toJSON() }));

/** Adds an attribute of a `Set-Cookie` header to the options. */
function addAttribute(options, attribute) {
  const equals = attribute.indexOf('=');
  const name = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase();
  const value = equals < 0 ? '' : attribute.slice(equals + 1).trim();
  if (name === 'secure' || name === 'partitioned') {
    options[name] = true;
  } else if (name === 'httponly') {
    options.httpOnly = true;
  } else if (name === 'domain') {
    options.domain = value.toLowerCase();
  } else if (name === 'path') {
    if (value.startsWith('/')) options.path = value;
  } else if (name === 'max-age') {
    const seconds = Number.parseInt(value, 10);
    if (Number.isSafeInteger(seconds)) options.maxAge = seconds;
  } else if (name === 'expires') {
    const time = parseDate(value);
    if (!Number.isNaN(time)) options.expires = new Date(time);
  } else if (name === 'samesite') {
    if (value.toLowerCase() in SAME_SITE) options.sameSite = value.toLowerCase();
  }
}

const parseDate = (text) => (NOT_COOKIE_DATE.test(text) ? NaN : Date.parse(text));

/** Milliseconds of a Date, of seconds since the epoch, or of a date of HTTP. */
function toTime(expires) {
  if (typeof expires === 'number') {
    if (!Number.isFinite(expires)) throw new RangeError('expires must be a valid Number (or Date)');
    return expires * SECOND_MS;
  }
  if (typeof expires === 'string') {
    const time = parseDate(expires);
    if (Number.isNaN(time)) throw new TypeError('Invalid cookie expiration date');
    return time;
  }
  if (!require('internal/util/types').isDate(expires)) {
    throw new ERR_INVALID_ARG_VALUE('expires', expires, 'Invalid expires value. Must be a Date or a number');
  }
  const time = Date.prototype.getTime.call(expires);
  if (Number.isNaN(time)) throw new RangeError('expires must be a valid Date (or Number)');
  return time;
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const invalid = (part) => new TypeError(`Invalid cookie ${part}: contains invalid characters`);
const invalidSameSite = () => new TypeError("Invalid sameSite value. Must be 'strict', 'lax', or 'none'");

function missingArguments() {
  return Object.assign(new TypeError('Not enough arguments'), { code: 'ERR_MISSING_ARGS' });
}

module.exports = { Cookie, missingArguments, isObject };
