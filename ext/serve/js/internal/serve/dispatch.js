// Dispatch: the events of a server core become calls of handlers. In: events, one by one. Out:
// responses. Ticks and microtasks run after each event, as after any callback.
'use strict';

const { Exchange } = require('internal/serve/exchange');
const { respond } = require('internal/serve/respond');
const { EMPTY, Request, receiveRequest } = require('web/fetch/request');
const { responseParts } = require('web/fetch/response');
const { isPromise } = require('internal/util/types');

const binding = internalBinding('serve');
const { event: { REQUEST, BODY, DRAIN, ABORTED, STOPPED }, word: { EVENT, HANDLER, METHOD, HAS_BODY }, methods, next, words } = binding;
const { runNextTicks } = internalBinding('queues');

let BunRequest;

/** What a server does with requests. `handlers` and `options` are replaced by `reload`. */
class Dispatcher {
  number = -1;
  origin = '';
  /** The public object, which handlers get. */
  server;
  handlers = [];
  onFetch;
  onError;
  isDevelopment = false;
  onStopped = () => {};
  /** Requests that are not answered in the call of their handler, by number. */
  #exchanges = new Map();

  /** The function that the event loop calls. Returns whether all events were taken. */
  run = () => {
    const { number } = this;
    for (let id = next(number); id >= 0; id = next(number)) {
      if (words[EVENT] === REQUEST) this.#request(id, words[HANDLER], words[METHOD], words[HAS_BODY] !== 0);
      else this.#notify(id, words[EVENT]);
      // The loop has to process an error first; it calls again.
      if (!runNextTicks()) return false;
    }
    return true;
  };

  #notify(id, kind) {
    if (kind === STOPPED) return this.onStopped();
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    if (kind === BODY) exchange.notifyBody();
    else if (kind === DRAIN) exchange.notifyDrain();
    else if (kind === ABORTED) {
      this.#exchanges.delete(id);
      exchange.abort();
    }
  }

  #request(id, number, method, hasBody) {
    const exchange = new Exchange(this.number, id, this.origin);
    let handler = this.onFetch;
    let request;
    if (number === 0) {
      request = receiveRequest(new Request(EMPTY), methods[method], exchange, hasBody);
    } else {
      const route = this.handlers[number - 1];
      ({ handler } = route);
      exchange.parameterNames = route.parameterNames;
      BunRequest ??= require('internal/serve/bun_request').BunRequest;
      request = exchange.request = receiveRequest(new BunRequest(), methods[method], exchange, hasBody);
    }
    if (handler === undefined) return this.#respond(exchange, new (require('web/fetch/response').Response)(null, { status: 404 }));
    let result;
    try {
      result = handler.call(this.server, request, this.server);
    } catch (error) {
      return this.#fail(exchange, error);
    }
    this.#settle(exchange, result, this.#fail);
  }

  /** `onFailure`: called with an exchange and an error. */
  #settle(exchange, result, onFailure) {
    if (responseParts.is(result)) return this.#respond(exchange, result);
    if (isPromise(result) || typeof result?.then === 'function') {
      this.#exchanges.set(exchange.id, exchange);
      result.then(
        (response) => { this.#finish(exchange, response, onFailure); },
        (error) => { onFailure.call(this, exchange, error); },
      );
      return;
    }
    this.#finish(exchange, result, onFailure);
  }

  #finish(exchange, result, onFailure) {
    if (responseParts.is(result)) return this.#respond(exchange, result);
    if (exchange.isOver || (exchange.isUpgraded && result === undefined)) return this.forget(exchange);
    const shown = result === undefined ? 'undefined' : require('internal/util/inspect').inspect(result, { depth: 0 });
    const message = `Expected a Response object, but received '${shown}'`;
    if (onFailure === this.#respondLast) return onFailure.call(this, exchange, new TypeError(message));
    // As in bun, it is no error for the `error` handler.
    require('process').stderr.write(`error: ${message}\n`);
    this.#respond(exchange, require('internal/serve/error_page').missingResponse(this.isDevelopment));
  }

  #respond(exchange, response) {
    try {
      respond(this, exchange, response);
    } catch (error) {
      // The body was used, or its file is absent.
      if (exchange.hasFailed) this.#respondLast(exchange, error);
      else this.#fail(exchange, error);
    }
  }

  /** Answers with what the `error` handler returns. */
  #fail(exchange, error) {
    exchange.hasFailed = true;
    // The client has gone while its body was read: as in bun, there is no answer to give.
    if (exchange.isAborted && error?.name === 'AbortError') return this.forget(exchange);
    if (this.onError === undefined) return this.#respondLast(exchange, error);
    let result;
    try {
      result = this.onError.call(this.server, error);
    } catch (thrown) {
      return this.#respondLast(exchange, thrown);
    }
    if (result === undefined) return this.#respondLast(exchange, error);
    this.#settle(exchange, result, this.#respondLast);
  }

  #respondLast(exchange, error) {
    this.report(error);
    this.#respond(exchange, require('internal/serve/error_page').errorResponse(error, this.isDevelopment));
  }

  /** An error that no handler of the program takes. */
  report(error) {
    globalThis.console.error(error);
  }

  remember(exchange) { this.#exchanges.set(exchange.id, exchange); }
  forget(exchange) {
    if (this.#exchanges.size !== 0) this.#exchanges.delete(exchange.id);
  }
}

module.exports = { Dispatcher };
