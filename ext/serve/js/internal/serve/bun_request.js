// BunRequest: the request of a route. In: a Request that a server has received. Out: `params` and
// `cookies` beside what a Request has.
'use strict';

const { EMPTY, Request, receivedOf } = require('web/fetch/request');

const binding = internalBinding('serve');

class BunRequest extends Request {
  #cookies = undefined;

  constructor() { super(EMPTY); }

  get params() {
    const exchange = receivedOf(this);
    return exchange.params ??= paramsOf(exchange);
  }

  get cookies() {
    return this.#cookies ??= new (require('internal/cookies/cookie_map').CookieMap)(this.headers.get('cookie') ?? '');
  }

  /** `Set-Cookie` values of what the handler has changed; undefined if it did not ask for them. */
  static changedCookies(request) { return request.#cookies?.toSetCookieHeaders(); }
}

const { changedCookies } = BunRequest;
// The visible constructor is Request's.
delete BunRequest.prototype.constructor;

function paramsOf(exchange) {
  const names = exchange.parameterNames ?? [];
  const values = exchange.parameterValues ?? binding.parameters(exchange.number, exchange.id);
  const params = {};
  for (let i = 0; i < names.length; i++) {
    const value = values[i] ?? '';
    if (names[i] !== '__proto__') params[names[i]] = value;
    else Object.defineProperty(params, '__proto__', { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
  return params;
}

module.exports = { BunRequest, changedCookies };
