// Response: the Fetch Standard, 5.5. In: a body, a status, headers; or a response from the network.
// Out: the result of `fetch`. Absent: opaque responses.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { isBunUsed } = require('internal/bun_use');
const { checkArguments, illegalInvocation } = require('web/fetch/webidl');
const { HeadersList, fillHeaders, headersFromList } = require('web/fetch/headers');
const { Body, TEXT_TYPE, defineBody, extract, unusable } = require('web/fetch/body');

const NULL_BODY_STATUSES = new Set([101, 103, 204, 205, 304]);
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const INVALID_REASON_CHARACTER = /[^\t\u0020-\u007e\u0080-\u00ff]/;

const JSON_TYPE = 'application/json';

const internals = {};

function parseLocation(url) {
  const { URL } = require('web/url');
  // As in Bun: a location may be relative, and is sent as it is.
  if (isBunUsed()) return URL.parse(url) ?? { href: url };
  try {
    return new URL(url);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${url}`, { cause });
  }
}

/** As in Bun: the second argument may be the options of a Response. */
function redirectWith(location, init) {
  const response = new Response(null, { status: 302, ...init });
  response.headers.set('location', location);
  return response;
}

class Response {
  #type = 'default';
  #url = '';
  #isRedirected = false;
  #status = 200;
  #statusText = '';
  /** Undefined: nothing but the type of the body, which `listOf` adds. */
  #list = undefined;
  #bodyType = null;
  #isHeadersImmutable = false;
  #headers;
  #body = null;

  constructor(body = null, init = undefined) {
    if (body === internals) return;
    if (init === undefined) {
      if (body === null) return;
      const { body: extracted, type } = extract(body);
      this.#body = extracted;
      this.#bodyType = type;
      return;
    }
    this.#initialize(init ?? {}, body === null || body === undefined ? undefined : extract(body));
  }

  #initialize(init, extracted) {
    if (!isObject(init) && typeof init !== 'function') {
      throw new TypeError(`Response constructor: Expected init ("${String(init)}") to be one of: Null, Undefined, Object.`);
    }
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status)) & 0xffff;
    if ((status < 200 || status > 599) && !(status === 101 && isBunUsed())) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const statusText = init.statusText === undefined ? '' : `${init.statusText}`;
    if (INVALID_REASON_CHARACTER.test(statusText)) throw new TypeError('Invalid statusText');
    this.#status = status;
    this.#statusText = statusText;
    if (init.headers !== undefined) {
      this.#list = new HeadersList();
      fillHeaders(headersFromList(this.#list, false), init.headers);
    }
    if (extracted === undefined) return;
    if (NULL_BODY_STATUSES.has(status) && !isBunUsed()) throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    this.#body = extracted.body;
    if (this.#list === undefined) this.#bodyType = extracted.type;
    else if (extracted.type !== null && !this.#list.has('content-type')) this.#list.append('content-type', extracted.type);
  }

  static #listOf(response) {
    if (response.#list === undefined) {
      response.#list = new HeadersList();
      if (response.#bodyType !== null) response.#list.append('content-type', response.#bodyType);
    }
    return response.#list;
  }

  static error() {
    const response = new Response(internals);
    response.#type = 'error';
    response.#status = 0;
    response.#isHeadersImmutable = true;
    return response;
  }

  static json(data, init = {}) {
    checkArguments(arguments, 1, 'Response.json');
    const json = JSON.stringify(data);
    if (json === undefined) throw new TypeError('Value is not JSON serializable');
    const response = new Response(internals);
    // As in Bun: the second argument may be the status.
    const options = typeof init === 'number' && isBunUsed() ? { status: init } : init ?? {};
    response.#initialize(options, { body: new Body({ source: json }), type: JSON_TYPE });
    return response;
  }

  static redirect(url, status = 302) {
    checkArguments(arguments, 1, 'Response.redirect');
    const { href } = parseLocation(`${url}`);
    if (isObject(status) && isBunUsed()) return redirectWith(href, status);
    if (!REDIRECT_STATUSES.has(Number(status))) throw new RangeError(`Invalid status code ${status}`);
    const response = new Response(internals);
    response.#status = Number(status);
    Response.#listOf(response).append('location', href);
    response.#isHeadersImmutable = true;
    return response;
  }

  static #brandCheck(response) {
    if (!isObject(response) || !(#status in response)) throw illegalInvocation(new ERR_INVALID_THIS('Response'));
    return response;
  }

  static {
    /** A response from the network. */
    internals.make = ({ status, statusText, list, body, url, isRedirected }) => {
      const response = new Response(internals);
      response.#type = 'basic';
      response.#url = url;
      response.#isRedirected = isRedirected;
      response.#status = status;
      response.#statusText = statusText;
      response.#list = list;
      response.#isHeadersImmutable = true;
      response.#body = body;
      return response;
    };
    internals.body = (response) => ({ body: Response.#brandCheck(response).#body, list: Response.#listOf(response) });
    internals.is = (value) => isObject(value) && #status in value;
    // Fields for a server, without an object for them.
    internals.isPlain = (response) => response.#list === undefined && response.#status === 200 && response.#statusText === '' &&
      (response.#bodyType === TEXT_TYPE || response.#bodyType === JSON_TYPE);
    internals.isJSON = (response) => response.#bodyType === JSON_TYPE;
    internals.bodyField = (response) => response.#body;
    internals.list = (response) => Response.#listOf(response);
    internals.status = (response) => response.#status;
    internals.statusText = (response) => response.#statusText;
  }

  get type() { return Response.#brandCheck(this).#type; }
  get url() { return Response.#brandCheck(this).#url; }
  get redirected() { return Response.#brandCheck(this).#isRedirected; }
  get status() { return Response.#brandCheck(this).#status; }
  get ok() {
    const status = Response.#brandCheck(this).#status;
    return status >= 200 && status <= 299;
  }
  get statusText() { return Response.#brandCheck(this).#statusText; }
  get headers() {
    const response = Response.#brandCheck(this);
    return response.#headers ??= headersFromList(Response.#listOf(response), response.#isHeadersImmutable);
  }

  clone() {
    const response = Response.#brandCheck(this);
    if (response.#body?.isUnusable) throw unusable();
    const clone = new Response(internals);
    clone.#type = response.#type;
    clone.#url = response.#url;
    clone.#isRedirected = response.#isRedirected;
    clone.#status = response.#status;
    clone.#statusText = response.#statusText;
    clone.#list = Response.#listOf(response).copy();
    clone.#isHeadersImmutable = response.#isHeadersImmutable;
    clone.#body = response.#body?.clone() ?? null;
    return clone;
  }
}

defineBody(Response, internals.body);
const INSPECTED_PROPERTIES = ['status', 'statusText', 'headers', 'body', 'bodyUsed', 'ok', 'redirected', 'type', 'url'];
finishClass(Response, (response) => Object.fromEntries(INSPECTED_PROPERTIES.map((name) => [name, response[name]])));

forbidCloning(Response, 'status');

module.exports = { NULL_BODY_STATUSES, REDIRECT_STATUSES, Response, bodyOf: internals.body, makeResponse: internals.make, responseParts: internals };
