// Request: the Fetch Standard, 5.4. In: a URL or another request, options. Out: a request for
// `fetch`. Modes are stored but have no effect.
'use strict';

const { isBunUsed } = require('internal/bun_use');
const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, illegalInvocation } = require('web/fetch/webidl');
const { HeadersList, fillHeaders, headersFromList } = require('web/fetch/headers');
const { defineBody, extract, unusable } = require('web/fetch/body');
const { URL } = require('web/url');

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const NORMALIZED_METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
const ENUM_VALUES = {
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

const internals = {};

function normalizeMethod(value) {
  const method = `${value}`;
  if (!TOKEN.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  const upper = method.toUpperCase();
  if (upper === 'CONNECT' || upper === 'TRACE' || upper === 'TRACK') throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return NORMALIZED_METHODS.has(upper) ? upper : method;
}

function readEnum(init, name, settings) {
  if (init[name] === undefined) return;
  const value = `${init[name]}`;
  if (!ENUM_VALUES[name].includes(value)) {
    throw new TypeError(`Request constructor: ${value} is not an accepted type. Expected one of ${ENUM_VALUES[name].join(', ')}.`);
  }
  settings[name] = value;
}

function readSettings(init, defaults) {
  const settings = { ...defaults };
  for (const name of ['referrerPolicy', 'mode', 'credentials', 'cache', 'redirect']) readEnum(init, name, settings);
  readEnum(init, 'duplex', {});
  if (init.mode === 'navigate') throw new TypeError('Request constructor: invalid request mode navigate.');
  if (settings.cache === 'only-if-cached' && settings.mode !== 'same-origin') {
    throw new TypeError("'only-if-cached' can be set only with 'same-origin' mode");
  }
  if (init.integrity !== undefined) settings.integrity = `${init.integrity}`;
  if (init.keepalive !== undefined) settings.keepalive = Boolean(init.keepalive);
  if (init.referrer !== undefined) {
    settings.referrer = parseReferrer(`${init.referrer}`);
  }
  if (init.window !== undefined && init.window !== null) throw new TypeError(`'window' option '${init.window}' must be null`);
  return settings;
}

function parseReferrer(referrer) {
  if (referrer === '') return 'no-referrer';
  try {
    return new URL(referrer).href;
  } catch (cause) {
    throw new TypeError(`Referrer "${referrer}" is not a valid URL.`, { cause });
  }
}

function parseUrl(input) {
  let url;
  try {
    url = new URL(`${input}`);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${input}`, { cause });
  }
  // bun sends them.
  if ((url.username || url.password) && !isBunUsed()) {
    const { href } = Object.assign(new URL(url), { username: '', password: '' });
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${href}`);
  }
  return url;
}

class Request {
  /** A URL; of a request that a server has received undefined until it is needed. */
  #url;
  #method = 'GET';
  #list;
  #headers;
  #settings = DEFAULTS;
  /** Undefined: it is to be made of what a server receives. */
  #body = null;
  /** What a server has received: `url()`, `list()`, `body()`, `signal()`. */
  #received;
  #parentSignal;
  #signal;

  constructor(input, init = {}) {
    if (input === internals) return;
    checkArguments(arguments, 1, 'Request constructor');
    if (init === null) init = {};
    if (!isObject(init) && typeof init !== 'function') {
      throw new TypeError('Request constructor: Expected init ("' + String(init) + '") to be one of: Null, Undefined, Object.');
    }
    if (isBunUsed() && !internals.is(input)) [input, init] = require('web/fetch/bun_request').fromObject(input, init);
    const other = internals.is(input) ? input : undefined;
    this.#url = other ? Request.#urlOf(other) : parseUrl(input);
    this.#settings = readSettings(init, other ? other.#settings : DEFAULTS);
    this.#method = init.method !== undefined ? normalizeMethod(init.method) : other?.#method ?? 'GET';
    this.#setSignal(init, other);
    if (init.headers !== undefined) fillHeaders(headersFromList(Request.#listOf(this), false), init.headers);
    else if (other) this.#list = Request.#listOf(other).copy();
    this.#setBody(init, other);
  }

  static #urlOf(request) { return request.#url ??= parseUrl(request.#received.url()); }
  static #listOf(request) { return request.#list ??= request.#received === undefined ? new HeadersList() : request.#received.list(); }
  static #bodyOf(request) {
    if (request.#body === undefined) request.#body = request.#received.body();
    return request.#body;
  }
  static #signalOf(request) { return request.#parentSignal ??= request.#received?.signal(); }

  #setSignal(init, other) {
    const signal = init.signal !== undefined ? init.signal : other && Request.#signalOf(other);
    if (signal === undefined || signal === null) return;
    const { isAbortSignal } = require('web/abort');
    if (!isAbortSignal(signal)) {
      const shown = isObject(signal) ? JSON.stringify(signal) : String(signal);
      throw new TypeError(`RequestInit: Expected signal ("${shown}") to be an instance of AbortSignal.`);
    }
    this.#parentSignal = signal;
  }

  #setBody(init, other) {
    const bodyInit = init.body;
    const hasBodyInit = bodyInit !== undefined && bodyInit !== null;
    if ((hasBodyInit || (other && Request.#bodyOf(other) !== null)) && (this.#method === 'GET' || this.#method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    if (!hasBodyInit) {
      const otherBody = other === undefined ? null : Request.#bodyOf(other);
      if (otherBody === null) return;
      if (otherBody.isUnusable) throw unusable();
      this.#body = otherBody.clone();
      // The standard: the body of the other request is consumed.
      otherBody.bytes().catch(() => {});
      return;
    }
    const { body, type } = extract(bodyInit, this.#settings.keepalive);
    if (body.source === undefined && init.duplex === undefined && !isBunUsed()) {
      throw new TypeError('RequestInit: duplex option is required when sending a body.');
    }
    this.#body = body;
    if (type !== null && !Request.#listOf(this).has('content-type')) this.#list.append('content-type', type);
  }

  static #brandCheck(request) {
    if (!isObject(request) || !(#method in request)) throw illegalInvocation(new ERR_INVALID_THIS('Request'));
    return request;
  }

  static {
    internals.is = (value) => isObject(value) && #method in value;
    internals.state = (request) => ({
      url: Request.#urlOf(request), method: request.#method, list: Request.#listOf(request), body: Request.#bodyOf(request),
      redirect: request.#settings.redirect, signal: Request.#signalOf(request), integrity: request.#settings.integrity, cache: request.#settings.cache,
      referrer: request.#settings.referrer, referrerPolicy: request.#settings.referrerPolicy,
    });
    internals.settings = (request) => Request.#brandCheck(request).#settings;
    internals.body = (request) => ({ body: Request.#bodyOf(Request.#brandCheck(request)), list: Request.#listOf(request) });
    internals.receive = (request, method, received, hasBody) => {
      request.#method = method;
      request.#received = received;
      if (hasBody) request.#body = undefined;
      return request;
    };
    internals.received = (request) => (internals.is(request) ? request.#received : undefined);
  }

  get method() { return Request.#brandCheck(this).#method; }
  get url() {
    const request = Request.#brandCheck(this);
    return request.#url === undefined ? request.#received.url() : request.#url.href;
  }
  get headers() {
    const request = Request.#brandCheck(this);
    return request.#headers ??= headersFromList(Request.#listOf(request), false);
  }
  get destination() { Request.#brandCheck(this); return ''; }
  get referrer() {
    const { referrer } = Request.#brandCheck(this).#settings;
    return referrer === 'no-referrer' ? '' : referrer;
  }
  get referrerPolicy() { return internals.settings(this).referrerPolicy; }
  get mode() { return internals.settings(this).mode; }
  get credentials() { return internals.settings(this).credentials; }
  get cache() { return internals.settings(this).cache; }
  get redirect() { return internals.settings(this).redirect; }
  get integrity() { return internals.settings(this).integrity; }
  get keepalive() { return internals.settings(this).keepalive; }
  get isReloadNavigation() { Request.#brandCheck(this); return false; }
  get isHistoryNavigation() { Request.#brandCheck(this); return false; }
  get signal() {
    const request = Request.#brandCheck(this);
    if (request.#received !== undefined) return Request.#signalOf(request);
    const { AbortSignal, AbortController } = require('web/abort');
    return request.#signal ??= request.#parentSignal ? AbortSignal.any([request.#parentSignal]) : new AbortController().signal;
  }
  get duplex() { Request.#brandCheck(this); return 'half'; }

  clone() {
    const request = Request.#brandCheck(this);
    const body = Request.#bodyOf(request);
    if (body?.isUnusable) throw new TypeError('unusable');
    const clone = new (request.#received?.Class ?? Request)(internals);
    clone.#url = Request.#urlOf(request);
    clone.#method = request.#method;
    clone.#list = Request.#listOf(request).copy();
    clone.#settings = request.#settings;
    clone.#body = body?.clone() ?? null;
    clone.#parentSignal = Request.#signalOf(request);
    clone.#received = request.#received;
    return clone;
  }
}

defineBody(Request, internals.body);
const INSPECTED_PROPERTIES = [
  'method', 'url', 'headers', 'destination', 'referrer', 'referrerPolicy', 'mode', 'credentials', 'cache', 'redirect', 'integrity',
  'keepalive', 'isReloadNavigation', 'isHistoryNavigation', 'signal',
];
finishClass(Request, (request) => Object.fromEntries(INSPECTED_PROPERTIES.map((name) => [name, request[name]])));

forbidCloning(Request, 'url');

/** A value that makes the constructor return an empty request, for `receive`. */
const EMPTY = internals;

module.exports = {
  EMPTY, Request, bodyOf: internals.body, receiveRequest: internals.receive, receivedOf: internals.received, requestState: internals.state,
};
