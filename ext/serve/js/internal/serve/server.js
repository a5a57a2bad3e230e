// Server: the object that `Bun.serve` returns. In: options that were checked. Out: its methods and
// properties; the server core and the dispatcher behind them. Absent: requests.
'use strict';

const { Dispatcher } = require('internal/serve/dispatch');
const { addRoutes } = require('internal/serve/routes');
const { Request, receivedOf } = require('web/fetch/request');
const { invalidArgType } = require('internal/bun/environment');
const { EMPTY_SOCKETS, createSockets } = require('internal/serve/web_sockets');

const binding = internalBinding('serve');
const { flag } = binding;

const UNSPECIFIED = new Set([undefined, '0.0.0.0', '::']);

let serverCount = 0;

/** Servers that have not been stopped. */
let listening = 0;

class Server {
  #dispatcher = new Dispatcher();
  #options;
  #address;
  #url;
  #id;
  #sockets = EMPTY_SOCKETS;
  #isStopped = false;
  #stopped;
  #isDevelopment;
  /** What serves HTML files of the routes. */
  #pages;

  static isListening(server) { return !server.#isStopped; }

  constructor(options) {
    this.#options = options;
    this.#isDevelopment = options.isDevelopment;
    this.#dispatcher.server = this;
    this.#dispatcher.isDevelopment = options.isDevelopment;
    const flags = (options.reusePort ? flag.REUSE_PORT : 0) | (options.ipv6Only ? flag.IPV6_ONLY : 0);
    const host = UNSPECIFIED.has(options.hostname) && !options.ipv6Only ? undefined : options.hostname;
    const number = binding.listen(host, options.port, options.unix, flags, this.#dispatcher.run);
    if (typeof number !== 'number') throw listenError(options, number);
    this.#dispatcher.number = number;
    this.#stopped = Promise.withResolvers();
    this.#dispatcher.onStopped = () => {
      binding.remove(number);
      this.#sockets.whenEmpty(this.#stopped.resolve);
    };
    this.#address = binding.localAddress(number);
    binding.setVersions(number, options.hasHttp1, options.hasHttp2);
    if (options.tls !== undefined) {
      const { requestCert, rejectUnauthorized } = options.tls[0];
      binding.setTls(number, options.tls.map(({ context }) => context.native), options.tls.map(({ serverName }) => serverName), requestCert, rejectUnauthorized);
    }
    binding.setLimits(number, options.idleTimeout * 1000, options.maxRequestBodySize);
    this.#dispatcher.origin = options.unix === undefined ? this.url.origin : `${this.#scheme}://localhost`;
    serverCount++;
    listening++;
    this.#id = options.id ?? `${serverCount}`;
    try {
      this.#install(options);
    } catch (error) {
      this.stop(true);
      throw error;
    }
  }

  #install(options) {
    const { number } = this.#dispatcher;
    // Routes of a table that is refused do not stay.
    let handlers;
    try {
      handlers = addRoutes(number, options.routes ?? {}, () => this.#pages ??= this.#createPages(options));
    } finally {
      if (handlers !== undefined) binding.commitRoutes(number);
    }
    this.#dispatcher.handlers = handlers;
    this.#dispatcher.onFetch = options.fetch;
    this.#dispatcher.onError = options.error;
    if (options.websocket !== undefined) this.#sockets = createSockets(this, options.websocket, this.#sockets);
  }

  #createPages({ development }) {
    const { createPages } = require('internal/dev_server/pages');
    const isDevelopment = this.#isDevelopment;
    const createBrowserSockets = (handlers) => createSockets(this, handlers, EMPTY_SOCKETS);
    return createPages({ isDevelopment, development, createBrowserSockets, exchangeOf: receivedOf });
  }

  get port() { return typeof this.#address === 'object' ? this.#address[1] : undefined; }
  get hostname() {
    if (this.#options.unix !== undefined) return undefined;
    return UNSPECIFIED.has(this.#options.hostname) ? 'localhost' : this.#options.hostname;
  }
  get address() {
    if (typeof this.#address !== 'object') return this.#options.unix;
    const [address, port] = this.#address;
    return { address, family: address.includes(':') ? 'IPv6' : 'IPv4', port };
  }
  get url() {
    if (this.#url !== undefined) return this.#url;
    const { URL } = require('web/url');
    const { unix } = this.#options;
    if (unix !== undefined) return this.#url = new URL(unix[0] === '\0' ? `abstract://${unix.slice(1)}` : `unix://${require('path').resolve(unix)}`);
    const { hostname } = this;
    return this.#url = new URL(`${this.#scheme}://${hostname.includes(':') && hostname[0] !== '[' ? `[${hostname}]` : hostname}:${this.port}/`);
  }
  get [Symbol.toStringTag]() { return `${this.#isDevelopment ? 'Debug' : ''}${this.#scheme.toUpperCase()}Server`; }
  get #scheme() { return this.#options.tls === undefined ? 'http' : 'https'; }
  get protocol() { return this.#scheme; }
  get development() { return this.#isDevelopment; }
  get id() { return this.#id; }
  get pendingRequests() { return binding.inFlight(this.#dispatcher.number); }
  get pendingWebSockets() { return this.#sockets.count; }

  stop(closeActiveConnections = false) {
    const { number } = this.#dispatcher;
    const isFirst = !this.#isStopped;
    this.#isStopped = true;
    if (isFirst) listening--;
    if (isFirst || closeActiveConnections) {
      this.#pages?.stop();
      this.#sockets.stop(Boolean(closeActiveConnections));
      // The end of a server that was unref'd is waited for, too.
      binding.setRef(number, true);
      binding.stop(number, Boolean(closeActiveConnections));
      const { unix } = this.#options;
      if (isFirst && unix !== undefined && unix[0] !== '\0') binding.unlink(unix);
    }
    return this.#stopped.promise;
  }

  closeIdleConnections() { return binding.closeIdle(this.#dispatcher.number); }

  reload(options) {
    if (arguments.length === 0) throw Object.assign(new TypeError("Not enough arguments to 'reload'. Expected 1, got 0."), { code: 'ERR_MISSING_ARGS' });
    Server.replace(this, { fetch: this.#options.fetch, routes: this.#options.routes, error: this.#options.error, ...given(options) });
    return this;
  }

  /** Sets all handlers: what the options do not have, the server has not any more. */
  static replace(server, options) {
    const checked = require('internal/serve/options').checkReload(options, server.#options);
    if (server.#isStopped) return;
    server.#install(checked);
    server.#options = checked;
  }

  fetch(input) {
    const { Request } = require('web/fetch/request');
    const { onFetch } = this.#dispatcher;
    if (onFetch === undefined) throw new TypeError('the server has no fetch handler');
    const request = typeof input === 'string' ? new Request(new URL(input, this.url)) : input;
    return onFetch.call(this, request, this);
  }

  requestIP(request) {
    if (arguments.length === 0) throw invalidArgType('Missing Request object');
    const exchange = receivedOf(request);
    if (exchange === undefined || exchange.number !== this.#dispatcher.number) return null;
    const peer = binding.peerAddress(exchange.number, exchange.id);
    if (typeof peer !== 'object') return null;
    const [address, port] = peer;
    return { address, family: address.includes(':') ? 'IPv6' : 'IPv4', port };
  }

  timeout(request, seconds) {
    if (!(request instanceof Request)) throw invalidArgType('timeout() requires a Request object');
    const exchange = receivedOf(request);
    if (typeof seconds !== 'number' || !(seconds >= 0)) throw new TypeError('timeout() expects a number of seconds');
    if (exchange !== undefined) binding.setTimeout(exchange.number, exchange.id, seconds * 1000);
  }

  upgrade(request, options) {
    if (arguments.length === 0) throw invalidArgType('Missing argument');
    if (this.#sockets === EMPTY_SOCKETS) return EMPTY_SOCKETS.upgrade();
    if (!(request instanceof Request)) throw invalidArgType('upgrade requires a Request object');
    if (options !== undefined && options !== null && typeof options !== 'object') throw invalidArgType('upgrade options must be an object');
    const exchange = receivedOf(request);
    if (exchange === undefined || exchange.isOver) return false;
    return this.#sockets.upgrade(request, exchange, options);
  }

  publish(topic, data, compress) { return this.#sockets.publish(topic, data, compress); }
  subscriberCount(topic) { return this.#sockets.subscriberCount(topic); }

  ref() { return this.#setRef(true); }
  unref() { return this.#setRef(false); }
  #setRef(isRef) {
    binding.setRef(this.#dispatcher.number, isRef);
    return this;
  }

  [Symbol.dispose]() { this.stop(true); }
  [Symbol.asyncDispose]() { return this.stop(true); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const { address, development, hostname, id, pendingRequests, pendingWebSockets, port, protocol, url } = this;
    const shown = { address, development, hostname, id, pendingRequests, pendingWebSockets, port, protocol, url: `${url}` };
    return `Server ${(inspect ?? require('internal/util/inspect').inspect)(shown, options)}`;
  }
}

/** Handlers that `reload` replaces. */
function given(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('reload expects an object');
  const { fetch, routes = options.static, error, websocket } = options;
  return Object.fromEntries(Object.entries({ fetch, routes, error, websocket }).filter(([, value]) => value !== undefined));
}

function listenError(options, [errno, syscall]) {
  const { getSystemErrorName } = require('util');
  const code = getSystemErrorName(errno);
  const where = options.unix === undefined ? `port ${options.port}` : `unix socket ${JSON.stringify(options.unix)}`;
  const message = code === 'EADDRINUSE' && options.unix === undefined ?
    `Failed to start server. Is port ${options.port} in use?` : `Failed to listen on ${where}: ${code}`;
  return Object.assign(new Error(message), { code, errno, syscall });
}

module.exports = { Server, countListening: () => listening };
