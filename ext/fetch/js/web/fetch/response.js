// Response: the Fetch Standard 5.5. In: a body, a status, headers; or an answer of the network's.
// Out: what `fetch` gives. Absent: opaque answers, which only pages get.
'use strict';

const { forbidCloning } = require('internal/messaging/symbols');
const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { finishClass, isObject } = require('web/streams/webidl_utils');
const { checkArguments, illegal } = require('web/fetch/webidl');
const { HeadersList, fillHeaders, headersOver } = require('web/fetch/headers');
const { defineBody, extract, unusable } = require('web/fetch/body');

const NO_BODY = new Set([101, 103, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NOT_REASON = /[^\t\u0020-\u007e\u0080-\u00ff]/;

const inner = {};

class Response {
  #type = 'default';
  #url = '';
  #isRedirected = false;
  #status = 200;
  #statusText = '';
  #list = new HeadersList();
  #isFixed = false;
  #headers;
  #body = null;

  constructor(body = null, init = {}) {
    if (body === inner) return;
    this.#take(init ?? {}, body === null || body === undefined ? undefined : extract(body));
  }

  #take(init, extracted) {
    if (!isObject(init) && typeof init !== 'function') {
      throw new TypeError(`Response constructor: Expected init ("${String(init)}") to be one of: Null, Undefined, Object.`);
    }
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status)) & 0xffff;
    if (status < 200 || status > 599) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const statusText = init.statusText === undefined ? '' : `${init.statusText}`;
    if (NOT_REASON.test(statusText)) throw new TypeError('Invalid statusText');
    this.#status = status;
    this.#statusText = statusText;
    if (init.headers !== undefined) fillHeaders(headersOver(this.#list, false), init.headers);
    if (extracted === undefined) return;
    if (NO_BODY.has(status)) throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    this.#body = extracted.body;
    if (extracted.type !== null && !this.#list.has('content-type')) this.#list.append('content-type', extracted.type);
  }

  static error() {
    const response = new Response(inner);
    response.#type = 'error';
    response.#status = 0;
    response.#isFixed = true;
    return response;
  }

  static json(data, init = {}) {
    checkArguments(arguments, 1, 'Response.json');
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError('Value is not JSON serializable');
    const response = new Response(inner);
    response.#take(init ?? {}, { ...extract(text), type: 'application/json' });
    return response;
  }

  static redirect(url, status = 302) {
    checkArguments(arguments, 1, 'Response.redirect');
    let address;
    try {
      address = new (require('web/url').URL)(`${url}`);
    } catch (cause) {
      throw new TypeError(`Failed to parse URL from ${url}`, { cause });
    }
    if (!REDIRECTS.has(Number(status))) throw new RangeError(`Invalid status code ${status}`);
    const response = new Response(inner);
    response.#status = Number(status);
    response.#list.append('location', address.href);
    response.#isFixed = true;
    return response;
  }

  static #of(response) {
    if (!isObject(response) || !(#list in response)) throw illegal(new ERR_INVALID_THIS('Response'));
    return response;
  }

  static {
    /** An answer as it came. */
    inner.make = ({ status, statusText, list, body, url, isRedirected }) => {
      const response = new Response(inner);
      response.#type = 'basic';
      response.#url = url;
      response.#isRedirected = isRedirected;
      response.#status = status;
      response.#statusText = statusText;
      response.#list = list;
      response.#isFixed = true;
      response.#body = body;
      return response;
    };
    inner.body = (response) => ({ body: Response.#of(response).#body, list: response.#list });
  }

  get type() { return Response.#of(this).#type; }
  get url() { return Response.#of(this).#url; }
  get redirected() { return Response.#of(this).#isRedirected; }
  get status() { return Response.#of(this).#status; }
  get ok() {
    const status = Response.#of(this).#status;
    return status >= 200 && status <= 299;
  }
  get statusText() { return Response.#of(this).#statusText; }
  get headers() {
    const response = Response.#of(this);
    return response.#headers ??= headersOver(response.#list, response.#isFixed);
  }

  clone() {
    const response = Response.#of(this);
    if (response.#body?.isUnusable) throw unusable();
    const clone = new Response(inner);
    clone.#type = response.#type;
    clone.#url = response.#url;
    clone.#isRedirected = response.#isRedirected;
    clone.#status = response.#status;
    clone.#statusText = response.#statusText;
    clone.#list = response.#list.copy();
    clone.#isFixed = response.#isFixed;
    clone.#body = response.#body?.clone() ?? null;
    return clone;
  }
}

defineBody(Response, inner.body);
const SHOWN = ['status', 'statusText', 'headers', 'body', 'bodyUsed', 'ok', 'redirected', 'type', 'url'];
finishClass(Response, (response) => Object.fromEntries(SHOWN.map((name) => [name, response[name]])));

forbidCloning(Response, 'status');

module.exports = { NO_BODY, REDIRECTS, Response, bodyOf: inner.body, makeResponse: inner.make };
