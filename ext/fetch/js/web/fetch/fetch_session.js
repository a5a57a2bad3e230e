// `Bun.FetchSession`: settings that several requests share (`tls`, `proxy`, `unix`), and the
// connections that wait for the next of them. In: options. Out: a `fetch` with these settings; the
// agent for a request. Absent: connections by a proxy and of HTTP/2, which are used once.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const IDLE_SECONDS_DEFAULT = 300;
/** bun's longest time. */
const IDLE_SECONDS_MAX = 14_280;

let settingsOf;

class FetchSession {
  #unix;
  #proxy;
  #tls;
  #keepAlive;
  /** Agents of `node:http` and `node:https`, when they are first needed. */
  #agents = new Map();

  constructor(init) {
    init ??= {};
    if (typeof init !== 'object') throw invalidArgType('FetchSession expects an object');
    const { unix, proxy, tls, keepAlive = true } = init;
    if (unix !== undefined && unix !== null && typeof unix !== 'string') throw invalidArgType('unix must be a path');
    this.#unix = unix || undefined;
    this.#proxy = checkSessionProxy(proxy);
    this.#tls = checkTls(tls);
    this.#keepAlive = checkKeepAlive(keepAlive);
    this.fetch = (input, options = undefined) => require('web/fetch/fetch').fetch(input, { ...options, session: this });
    Object.defineProperty(this, 'fetch', { __proto__: null, writable: false });
  }

  /** Closes connections without a request. */
  close() {
    for (const agent of this.#agents.values()) {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of [...sockets]) socket.destroy();
    }
  }

  [Symbol.dispose]() { this.close(); }

  /** The agent of a request without a proxy; undefined: its connection is used once. */
  #agentFor(isSecure) {
    if (this.#keepAlive === undefined) return undefined;
    let agent = this.#agents.get(isSecure);
    if (agent === undefined) {
      const { Agent } = require(isSecure ? 'https' : 'http');
      agent = new Agent(this.#keepAlive);
      this.#agents.set(isSecure, agent);
    }
    return agent;
  }

  static {
    settingsOf = (session) => {
      if (typeof session !== 'object' || session === null || !(#unix in session)) throw invalidArgType('session must be a Bun.FetchSession');
      return { unix: session.#unix, proxy: session.#proxy, tls: session.#tls, agentFor: (isSecure) => session.#agentFor(isSecure) };
    };
  }
}

Object.defineProperty(FetchSession.prototype, Symbol.toStringTag, { __proto__: null, value: 'FetchSession', configurable: true });

/** Unlike in a request, what names no proxy is an error. */
function checkSessionProxy(proxy) {
  if (proxy === undefined || proxy === null || proxy === '') return undefined;
  const checked = require('web/fetch/bun_options').checkProxy(proxy);
  if (checked === undefined) throw invalidArgType('proxy must be a URL, an object with a url, or false');
  return checked;
}

function checkTls(tls) {
  if (tls === undefined || tls === null) return undefined;
  if (typeof tls !== 'object') throw invalidArgType('tls must be an object');
  const { checkServerIdentity = undefined } = tls;
  if (checkServerIdentity !== undefined && checkServerIdentity !== null && typeof checkServerIdentity !== 'function') {
    throw invalidArgType('tls.checkServerIdentity must be a function');
  }
  return tls;
}

/** Options of an agent; undefined: no connection is kept. */
function checkKeepAlive(value) {
  if (value === false) return undefined;
  if (value !== true && (typeof value !== 'object' || value === null)) throw invalidArgType('keepAlive must be a boolean or an object');
  const { idleTimeout = IDLE_SECONDS_DEFAULT, maxIdleSockets } = value === true ? {} : value;
  if (typeof idleTimeout !== 'number' || !(idleTimeout >= 0)) throw invalidArgType('keepAlive.idleTimeout must be a number of seconds');
  if (maxIdleSockets !== undefined && !(Number.isInteger(maxIdleSockets) && maxIdleSockets >= 0)) {
    throw invalidArgType('keepAlive.maxIdleSockets must be a number of sockets');
  }
  if (idleTimeout === 0 || maxIdleSockets === 0) return undefined;
  const timeout = Math.min(idleTimeout, IDLE_SECONDS_MAX) * 1000;
  return { keepAlive: true, timeout, ...(maxIdleSockets === undefined ? {} : { maxFreeSockets: maxIdleSockets }) };
}

module.exports = { FetchSession, settingsOf };
