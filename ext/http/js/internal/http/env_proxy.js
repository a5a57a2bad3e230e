// Proxies of HTTP clients, by the environment variables `http_proxy`, `https_proxy` and `no_proxy`,
// as in Node's lib/internal/http.js. In: the variables, requests. Out: whether a request goes by a
// proxy; its target in absolute form (RFC 9112, 3.2.2), or a tunnel by CONNECT (RFC 9110, 9.3.6).
'use strict';

const net = require('net');
const { makeGlobalAgent, setGlobalEnv } = require('internal/http/global_proxy');
const { codes: { ERR_PROXY_INVALID_CONFIG, ERR_PROXY_TUNNEL } } = require('internal/errors');

const PORTS = { '__proto__': null, 'http:': 80, 'https:': 443 };
/** A longer head of a proxy's response is an error. */
const HEAD_BYTES_MAX = 64 << 10;

class EnvProxy {
  /** @param url of the proxy @param {string} bypassed the value of `no_proxy` */
  constructor(url, bypassed) {
    this.url = url;
    this.href = url.href.replace(/\/$/, '');
    this.host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    this.port = Number(url.port) || PORTS[url.protocol];
    this.bypassed = bypassed.split(',').map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '');
    const { username, password } = url;
    /** Value of the field Proxy-Authorization. */
    this.authorization = username === '' && password === '' ? undefined :
      `Basic ${require('buffer').Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  }

  /** Whether requests to this host go by the proxy. */
  isUsedFor(host, port) {
    const name = `${host}`.toLowerCase();
    return !this.bypassed.some((entry) => isBypassed(entry, name, port));
  }

  #fields(keepsAlive) {
    const fields = [];
    if (this.authorization !== undefined) fields.push(['proxy-authorization', this.authorization]);
    if (keepsAlive !== undefined) fields.push(['proxy-connection', keepsAlive]);
    return fields;
  }

  /** Changes a request without TLS: it is sent to the proxy. `host` is its Host field. */
  rewrite(request, host) {
    request.path = `http://${host}${request.path}`;
    const fields = this.#fields(request.shouldKeepAlive ? 'keep-alive' : 'close');
    for (const [name, value] of fields) request.setHeader(name, value);
  }

  /** Connects for an agent; `callback` gets the socket, unless it is returned. */
  connect(agent, options, timeout, callback) {
    if (agent.protocol !== 'https:') return this.#connectToProxy(options, (settings) => agent.createConnection(settings, callback));
    const socket = this.#connectToProxy(options, net.connect);
    const keepsAlive = agent.keepAlive || agent.maxSockets !== Infinity ? 'keep-alive' : undefined;
    this.#openTunnel(socket, { ...options, timeout }, this.#fields(keepsAlive), agent.defaultPort, (error) => {
      if (error) callback(error);
      else callback(null, agent.createConnection({ ...options, socket }));
    });
    return undefined;
  }

  #connectToProxy(options, connect) {
    const { host, port } = this;
    if (this.url.protocol !== 'https:') return connect({ ...options, host, port, hostname: undefined });
    return require('tls').connect({ host, port, ca: options.ca, lookup: options.lookup, servername: net.isIP(host) ? '' : host });
  }

  #openTunnel(socket, { host, port, timeout }, fields, defaultPort, callback) {
    const target = `${net.isIP(host) === 6 ? `[${host}]` : host}:${port || defaultPort}`;
    let head = '';
    const finish = (error) => {
      socket.off('error', finish).off('end', onEnd).off('timeout', onTimeout).off('readable', onReadable);
      socket.setTimeout(0);
      // What follows the refusal is read, so that the proxy gets no reset.
      if (error?.statusCode) socket.on('error', () => {}).resume().end().unref();
      else if (error) socket.on('error', () => {}).destroy();
      callback(error);
    };
    const onEnd = () => finish(new ERR_PROXY_TUNNEL('Connection to establish proxy tunnel ended unexpectedly'));
    const onTimeout = () => {
      const error = new ERR_PROXY_TUNNEL(`Connection to establish proxy tunnel timed out after ${timeout}ms`);
      finish(Object.assign(error, { proxyTunnelTimeout: timeout }));
    };
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1 && head.length < HEAD_BYTES_MAX) continue;
        const statusLine = head.slice(0, head.indexOf('\r\n'));
        const status = statusLine.split(' ')[1];
        if (status === '200') {
          const rest = chunk.subarray(chunk.length - (head.length - end - 4));
          if (rest.length > 0) socket.unshift(rest);
          return finish();
        }
        const error = new ERR_PROXY_TUNNEL(`Failed to establish tunnel to ${target} via ${this.href}: ${statusLine}`);
        return finish(Object.assign(error, { statusCode: Number.parseInt(status) }));
      }
      return undefined;
    };
    socket.on('error', finish).on('end', onEnd).on('readable', onReadable);
    if (timeout) socket.on('timeout', onTimeout).setTimeout(timeout);
    socket.write(`${[`CONNECT ${target} HTTP/1.1`, ...[...fields, ['host', target]].map((field) => field.join(': '))].join('\r\n')}\r\n\r\n`);
  }
}

/** `*`, `host`, `.domain`, `*.domain`, `host:port`, `address`, `first address-last address`. */
function isBypassed(entry, name, port) {
  if (entry === '*' || entry === name) return true;
  if (entry.startsWith('*.')) return name.endsWith(entry.slice(1));
  if (entry.startsWith('.')) return name.endsWith(entry);
  const [first, last] = entry.split('-');
  if (last !== undefined && net.isIPv4(first) && net.isIPv4(last) && net.isIPv4(name)) {
    return numberOf(first) <= numberOf(name) && numberOf(name) <= numberOf(last);
  }
  return entry === `${name}:${port}` || entry === `[${name}]:${port}`;
}

const numberOf = (address) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** The proxy for a protocol; undefined without one. Lower-case names have precedence. */
function proxyOf(env, protocol) {
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = textOf(env, name);
  if (text === '' || !/^https?:\/\//.test(text)) return undefined;
  const url = /[\r\n]/.test(text) ? null : URL.parse(text);
  if (url === null) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${text}`);
  return new EnvProxy(url, textOf(env, 'no_proxy'));
}

const textOf = (env, name) => `${env?.[name] || env?.[name.toUpperCase()] || ''}`;

/** Calls `parse` with each URL of a proxy. */
function requireURLs(env, parse) {
  for (const name of ['http_proxy', 'https_proxy']) {
    const text = textOf(env, name);
    if (text !== '') parse(text);
  }
}

/** A proxy for `fetch`, which sends everything by tunnels, as in Node. */
function proxyOfFetch(env, { protocol, hostname, port }) {
  const proxy = proxyOf(env, protocol) ?? (protocol === 'https:' ? proxyOf(env, 'http:') : undefined);
  if (proxy === undefined || !proxy.isUsedFor(hostname.replace(/^\[(.*)\]$/, '$1'), port || PORTS[protocol])) return undefined;
  return { url: proxy.url, headers: [['Proxy-Connection', 'keep-alive']], isTunnel: true };
}

/** Sets the proxies of the global agents and of `fetch`. Returns a function that undoes it. */
function setGlobalProxyFromEnv(proxyEnv = require('process').env) {
  require('internal/validators').validateObject(proxyEnv, 'proxyEnv');
  requireURLs(proxyEnv, (text) => {
    if (!(URL.parse(text)?.protocol in PORTS)) throw new ERR_PROXY_INVALID_CONFIG(`Invalid proxy URL: ${text}`);
  });
  const modules = [require('http'), require('https')];
  const agents = modules.map((module) => module.globalAgent);
  const previous = setGlobalEnv(proxyEnv);
  for (const module of modules) module.globalAgent = makeGlobalAgent(module.Agent);
  return function restore() {
    setGlobalEnv(previous);
    modules.forEach((module, index) => { module.globalAgent = agents[index]; });
  };
}

module.exports = { proxyOf, proxyOfFetch, requireURLs, setGlobalProxyFromEnv };
