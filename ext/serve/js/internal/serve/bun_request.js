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

  /** `Set-Cookie` values of what the handler has changed. */
  static changedCookies(request) {
    return request.#cookies === undefined ? [] : request.#cookies.toSetCookieHeaders();
  }
}

const { changedCookies } = BunRequest;
// The visible constructor is Request's.
delete BunRequest.prototype.constructor;

function paramsOf(exchange) {
  const names = exchange.parameterNames ?? [];
  const values = exchange.parameterValues ?? binding.parameters(exchange.number, exchange.id);
  const params = {};
  for (let i = 0; i < names.length; i++) {
    Object.defineProperty(params, names[i], { __proto__: null, value: values[i] ?? '', writable: true, enumerable: true, configurable: true });
  }
  return params;
}

module.exports = { BunRequest, changedCookies };
