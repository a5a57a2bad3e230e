// Request: the Fetch Standard 5.4. In: an address or another request, what is to be different. Out:
// what `fetch` is asked for. Absent: what only pages have (modes, caches, referrers are kept and
// shown, and change nothing).
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, illegal } = require('web/fetch/webidl');
const { HeadersList, fillHeaders, headersOver } = require('web/fetch/headers');
const { defineBody, extract, unusable } = require('web/fetch/body');
const { URL } = require('web/url');

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const UPPER = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
const CHOICES = {
  __proto__: null,
  referrerPolicy: [
    '', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin',
    'strict-origin-when-cross-origin', 'unsafe-url',
  ],
  mode: ['navigate', 'same-origin', 'no-cors', 'cors'],
  credentials: ['omit', 'same-origin', 'include'],
  cache: ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'],
  redirect: ['follow', 'manual', 'error'],
  duplex: ['half'],
};
const DEFAULTS = {
  referrer: 'about:client', referrerPolicy: '', mode: 'cors', credentials: 'same-origin', cache: 'default', redirect: 'follow',
  integrity: '', keepalive: false,
};

const inner = {};

function methodOf(given) {
  const method = `${given}`;
  if (!TOKEN.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  const upper = method.toUpperCase();
  if (upper === 'CONNECT' || upper === 'TRACE' || upper === 'TRACK') throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return UPPER.has(upper) ? upper : method;
}

function choose(init, name, settings) {
  const given = init[name];
  if (given === undefined) return;
  const value = `${given}`;
  if (!CHOICES[name].includes(value)) {
    throw new TypeError(`Request constructor: ${value} is not an accepted type. Expected one of ${CHOICES[name].join(', ')}.`);
  }
  settings[name] = value;
}

function settingsOf(init, before) {
  const settings = { ...before };
  for (const name of ['referrerPolicy', 'mode', 'credentials', 'cache', 'redirect']) choose(init, name, settings);
  choose(init, 'duplex', {});
  if (init.mode === 'navigate') throw new TypeError('Request constructor: invalid request mode navigate.');
  if (settings.cache === 'only-if-cached' && settings.mode !== 'same-origin') {
    throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
  }
  if (init.integrity !== undefined) settings.integrity = `${init.integrity}`;
  if (init.keepalive !== undefined) settings.keepalive = Boolean(init.keepalive);
  if (init.referrer !== undefined) {
    const referrer = `${init.referrer}`;
    settings.referrer = referrer === '' ? 'no-referrer' : 'about:client';
  }
  if (init.window !== undefined && init.window !== null) throw new TypeError(`'window' option '${init.window}' must be null`);
  return settings;
}

function addressOf(input) {
  let url;
  try {
    url = new URL(`${input}`);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${input}`, { cause });
  }
  if (url.username || url.password) {
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`);
  }
  return url;
}

class Request {
  #url;
  #method = 'GET';
  #list = new HeadersList();
  #headers;
  #settings = DEFAULTS;
  #body = null;
  #source;
  #signal;

  constructor(input, init = {}) {
    if (input === inner) return;
    checkArguments(arguments, 1, 'Request constructor');
    if (init === null) init = {};
    if (!isObject(init) && typeof init !== 'function') {
      throw new TypeError('Request constructor: Expected init ("' + String(init) + '") to be one of: Null, Undefined, Object.');
    }
    const other = inner.is(input) ? input : undefined;
    this.#url = other ? other.#url : addressOf(input);
    this.#settings = settingsOf(init, other ? other.#settings : DEFAULTS);
    this.#method = init.method !== undefined ? methodOf(init.method) : other?.#method ?? 'GET';
    this.#takeSignal(init, other);
    if (init.headers !== undefined) fillHeaders(headersOver(this.#list, false), init.headers);
    else if (other) this.#list = other.#list.copy();
    this.#takeBody(init, other);
  }

  #takeSignal(init, other) {
    const given = init.signal !== undefined ? init.signal : other?.#source;
    if (given === undefined || given === null) return;
    const { isAbortSignal } = require('web/abort');
    if (!isAbortSignal(given)) {
      const shown = isObject(given) ? JSON.stringify(given) : String(given);
      throw new TypeError(`RequestInit: Expected signal ("${shown}") to be an instance of AbortSignal.`);
    }
    this.#source = given;
  }

  #takeBody(init, other) {
    const given = init.body;
    const hasOwn = given !== undefined && given !== null;
    if ((hasOwn || (other && other.#body !== null)) && (this.#method === 'GET' || this.#method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    if (!hasOwn) {
      if (!other || other.#body === null) return;
      if (other.#body.isUnusable) throw unusable();
      this.#body = other.#body.clone();
      // The other one's is spent by this, as the standard has it.
      other.#body.bytes().catch(() => {});
      return;
    }
    const { body, type } = extract(given, this.#settings.keepalive);
    if (body.source === undefined && init.duplex === undefined) {
      throw new TypeError('RequestInit: duplex option is required when sending a body.');
    }
    this.#body = body;
    if (type !== null && !this.#list.has('content-type')) this.#list.append('content-type', type);
  }

  static #of(request) {
    if (!isObject(request) || !(#list in request)) throw illegal(new ERR_INVALID_THIS('Request'));
    return request;
  }

  static {
    inner.is = (value) => isObject(value) && #list in value;
    inner.partsOf = (request) => ({
      url: request.#url, method: request.#method, list: request.#list, body: request.#body, redirect: request.#settings.redirect,
      signal: request.#source, integrity: request.#settings.integrity,
    });
    inner.settings = (request) => Request.#of(request).#settings;
    inner.body = (request) => ({ body: Request.#of(request).#body, list: request.#list });
  }

  get method() { return Request.#of(this).#method; }
  get url() { return Request.#of(this).#url.href; }
  get headers() {
    const request = Request.#of(this);
    return request.#headers ??= headersOver(request.#list, false);
  }
  get destination() { Request.#of(this); return ''; }
  get referrer() {
    const { referrer } = Request.#of(this).#settings;
    return referrer === 'no-referrer' ? '' : referrer;
  }
  get referrerPolicy() { return inner.settings(this).referrerPolicy; }
  get mode() { return inner.settings(this).mode; }
  get credentials() { return inner.settings(this).credentials; }
  get cache() { return inner.settings(this).cache; }
  get redirect() { return inner.settings(this).redirect; }
  get integrity() { return inner.settings(this).integrity; }
  get keepalive() { return inner.settings(this).keepalive; }
  get isReloadNavigation() { Request.#of(this); return false; }
  get isHistoryNavigation() { Request.#of(this); return false; }
  get signal() {
    const request = Request.#of(this);
    const { AbortSignal, AbortController } = require('web/abort');
    return request.#signal ??= request.#source ? AbortSignal.any([request.#source]) : new AbortController().signal;
  }
  get duplex() { Request.#of(this); return 'half'; }

  clone() {
    const request = Request.#of(this);
    if (request.#body?.isUnusable) throw new TypeError('unusable');
    const clone = new Request(inner);
    clone.#url = request.#url;
    clone.#method = request.#method;
    clone.#list = request.#list.copy();
    clone.#settings = request.#settings;
    clone.#body = request.#body?.clone() ?? null;
    clone.#source = request.#source;
    return clone;
  }
}

defineBody(Request, inner.body);
const SHOWN = [
  'method', 'url', 'headers', 'destination', 'referrer', 'referrerPolicy', 'mode', 'credentials', 'cache', 'redirect', 'integrity',
  'keepalive', 'isReloadNavigation', 'isHistoryNavigation', 'signal',
];
finishClass(Request, (request) => Object.fromEntries(SHOWN.map((name) => [name, request[name]])));

forbidCloning(Request, 'url');

module.exports = { Request, bodyOf: inner.body, partsOf: inner.partsOf };
