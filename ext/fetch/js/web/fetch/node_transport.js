// HTTP exchange over `node:http`, `node:https` and `node:http2`: by a Unix socket, a proxy, or with
// TLS options. In and out: as the Exchange of transport.js, whose members these are. Connections
// are reused by requests of a session alone.
'use strict';

const { genericNodeError } = require('internal/errors');

const DECODERS = {
  '__proto__': null, 'gzip': 'createGunzip', 'x-gzip': 'createGunzip', 'deflate': 'createInflate', 'br': 'createBrotliDecompress', 'zstd': 'createZstdDecompress',
};
/** Protocols that are offered in the handshake, by the one that is asked for. */
const OFFERED = { '__proto__': null, 'http2': ['h2'], 'http1.1': ['http/1.1'] };
const ANY = ['h2', 'http/1.1'];
/** The server speaks none of those that are offered. */
const NO_PROTOCOL = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
/** What HTTP/2 says by its frames (RFC 9113, 8.2.2), or in another field. */
const NOT_IN_HTTP2 = ['host', 'connection', 'transfer-encoding', 'upgrade', 'keep-alive', 'proxy-connection'];
/** Codings of one body. */
const CODINGS_MAX = 5;

class NodeExchange {
  #head = Promise.withResolvers();
  #request;
  #socket;
  /** What is read: the response, or its decoder. */
  #body;
  #waiter;
  #hasEnded = false;
  #error;
  #queue = [];
  #isClosed = false;

  constructor({ method, isSecure, host, port, target, headers, body, decompress, options, url }) {
    this.#head.promise.catch(() => {});
    const settings = { host, port, path: target, method, headers: toFields(headers, body, url), agent: false, setDefaultHeaders: false };
    if (isSecure) Object.assign(settings, tlsOptions(options.tls, host));
    useAgent(settings, options, isSecure);
    this.#start({ settings, isSecure, options, url, body, decompress }).catch((error) => this.#end(error));
  }

  /** `{ status, reason, headers }`, headers as alternating names and values. */
  get head() { return this.#head.promise; }

  async #start({ settings, isSecure, options, url, body, decompress }) {
    const { unix, proxy } = options;
    let isHttp2 = false;
    if (settings.agent !== false) {
      if (unix !== undefined) settings.socketPath = unix;
    } else if (isSecure) {
      const socket = await this.#connect(settings, options, url);
      isHttp2 = socket.alpnProtocol === 'h2';
      // An agent would make its own.
      Object.assign(settings, { agent: undefined, createConnection: () => socket });
    } else {
      if (options.protocol === 'http2') throw http2Unsupported();
      if (unix !== undefined) settings.socketPath = unix;
      if (proxy?.isTunnel) {
        const socket = await openTunnel(proxy, url, options.tls);
        Object.assign(settings, { agent: undefined, createConnection: () => socket });
      } else if (proxy !== undefined) {
        Object.assign(settings, proxyTarget(proxy), { path: `${url.origin}${settings.path}` });
        Object.assign(settings.headers, proxyFields(proxy));
      }
    }
    if (this.#isClosed) {
      this.#socket?.destroy();
      return;
    }
    this.#request = isHttp2 ? this.#requestHttp2(settings, url, body, decompress) : this.#requestHttp1(settings, isSecure, proxy, decompress);
    this.#request.on('error', (error) => this.#end(error));
    if (body === undefined) this.#request.end();
    else if (typeof body !== 'number') this.#request.end(body);
    for (const write of this.#queue.splice(0)) write();
  }

  /** A connection to the server, by a socket or a tunnel if there is one, after its handshake. */
  async #connect(settings, { unix, proxy, tls, protocol }, url) {
    const below = proxy === undefined ? undefined : await openTunnel(proxy, url, tls);
    const socket = unix === undefined ? below : require('net').connect({ path: unix });
    const secure = require('tls').connect({ ALPNProtocols: OFFERED[protocol] ?? ANY, ...settings, path: undefined, socket });
    this.#socket = secure;
    if (this.#isClosed) secure.destroy();
    await new Promise((resolve, reject) => {
      const refused = (error) => reject(protocol === 'http2' && error.code === NO_PROTOCOL ? http2Unsupported() : error);
      secure.once('secureConnect', resolve).once('error', refused);
      secure.once('close', () => reject(otherSideClosed()));
      socket?.once('error', reject);
    });
    if (protocol === 'http2' && secure.alpnProtocol !== 'h2') {
      secure.destroy();
      throw http2Unsupported();
    }
    return secure;
  }

  #requestHttp1(settings, isSecure, proxy, decompress) {
    const isProxySecure = proxy !== undefined && !isSecure && !proxy.isTunnel && proxy.url.protocol === 'https:';
    const request = require(isSecure || isProxySecure ? 'https' : 'http').request(settings);
    return request.on('response', (response) => {
      const { statusCode: status, statusMessage: reason, rawHeaders, headers } = response;
      this.#receive(response, { status, reason, headers: rawHeaders }, headers, decompress);
    });
  }

  #requestHttp2({ headers, method, path, createConnection }, url, body, decompress) {
    const session = require('http2').connect(url.origin, { createConnection });
    session.on('error', (error) => this.#end(error));
    const fields = { ':method': method, ':path': path, ':scheme': 'https', ':authority': headers.Host };
    for (const [name, value] of Object.entries(headers)) {
      if (!NOT_IN_HTTP2.includes(name.toLowerCase())) fields[name.toLowerCase()] = value;
    }
    const stream = session.request(fields, { endStream: body === undefined });
    stream.on('close', () => {
      session.close();
      if (this.#body === undefined) this.#end(otherSideClosed());
    });
    return stream.on('response', (received, flags, flat) => {
      const visible = [];
      for (let index = 0; index < flat.length; index += 2) {
        if (!flat[index].startsWith(':')) visible.push(flat[index], flat[index + 1]);
      }
      this.#receive(stream, { status: received[':status'], reason: '', headers: visible }, received, decompress);
    });
  }

  #receive(response, head, headers, decompress) {
    let body = response;
    const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase()).filter((coding) => coding !== '');
    if (decompress && codings.length <= CODINGS_MAX && codings.every((coding) => coding in DECODERS)) {
      for (const coding of codings.reverse()) {
        const decoder = require('zlib')[DECODERS[coding]]();
        body.on('error', (error) => decoder.destroy(error));
        body = body.pipe(decoder);
      }
    }
    this.#body = body;
    body.on('readable', () => this.#settle());
    body.on('end', () => this.#end(undefined));
    body.on('error', (error) => this.#end(error));
    response.on('aborted', () => this.#end(otherSideClosed()));
    this.#head.resolve(head);
  }

  #end(error) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#error = error;
    if (error !== undefined) this.#head.reject(error);
    this.#settle();
  }

  #settle() {
    if (this.#waiter === undefined) return;
    const chunk = this.#body?.read() ?? null;
    if (chunk === null && !this.#hasEnded) return;
    const { resolve, reject } = this.#waiter;
    this.#waiter = undefined;
    if (chunk !== null) resolve(new Uint8Array(chunk));
    else if (this.#error === undefined) resolve(undefined);
    else reject(this.#error);
  }

  /** The next chunk of the body; undefined at the end. */
  read() {
    this.#waiter = Promise.withResolvers();
    const { promise } = this.#waiter;
    this.#settle();
    return promise;
  }

  /** Writes a chunk of the request's body; resolves when the next can be written. */
  write(bytes) {
    if (this.#hasEnded) return undefined;
    return new Promise((resolve) => { this.#run(() => this.#request.write(bytes, () => resolve())); });
  }

  endBody() {
    this.#run(() => this.#request.end());
  }

  #run(write) {
    if (this.#request === undefined) this.#queue.push(write);
    else write();
  }

  close(error) {
    this.#isClosed = true;
    this.#end(error);
    this.#request?.destroy();
    this.#body?.destroy();
    this.#socket?.destroy();
  }
}

/** Fields as an object; values of the same name are lists. */
function toFields(flat, body, url) {
  const fields = { Host: url.host };
  for (let index = 0; index < flat.length; index += 2) {
    const [name, value] = [flat[index], flat[index + 1]];
    const known = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
    if (known === undefined) fields[name] = value;
    else if (known === 'Host') fields.Host = value;
    else fields[known] = [].concat(fields[known], value);
  }
  if (typeof body === 'number' && body < 0) fields['Transfer-Encoding'] = 'chunked';
  else if (body !== undefined) fields['Content-Length'] = `${typeof body === 'number' ? body : body.byteLength}`;
  fields.Connection = 'close';
  return fields;
}

/** A session has connections for later requests, of HTTP/1.1 and without a proxy. */
function useAgent(settings, { session, proxy, protocol, isLast }, isSecure) {
  const agent = proxy === undefined && protocol !== 'http2' && !isLast ? session?.agentFor(isSecure) : undefined;
  if (agent === undefined) return;
  Object.assign(settings, { agent, ALPNProtocols: OFFERED['http1.1'] });
  delete settings.headers.Connection;
}

function tlsOptions(tls, host) {
  const { serverName, ...rest } = tls === undefined ? {} : require('internal/bun/tls_options').readFiles(tls);
  const servername = serverName ?? rest.servername ?? (require('net').isIP(host) ? '' : host);
  return { ...rest, servername };
}

const otherSideClosed = () => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

const http2Unsupported = () => genericNodeError('the server does not speak HTTP/2', { code: 'HTTP2Unsupported' });

function proxyFields({ url, headers }) {
  const fields = {};
  if (url.username !== '' || url.password !== '') {
    const text = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    fields['Proxy-Authorization'] = `Basic ${Buffer.from(text).toString('base64')}`;
  }
  for (const [name, value] of headers) {
    const known = Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());
    fields[known ?? name] = value;
  }
  return fields;
}

const proxyTarget = ({ url }) => ({
  host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
});

/** CONNECT: RFC 9110, 9.3.6. */
function openTunnel(proxy, url, tls) {
  const isSecure = proxy.url.protocol === 'https:';
  const target = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  const to = proxyTarget(proxy);
  const settings = { ...to, method: 'CONNECT', path: target, agent: false, headers: { Host: proxy.isTunnel ? url.host : target, ...proxyFields(proxy) } };
  if (isSecure) Object.assign(settings, tlsOptions(tls, to.host));
  return new Promise((resolve, reject) => {
    const request = require(isSecure ? 'https' : 'http').request(settings);
    request.on('connect', (response, socket) => {
      const { statusCode: status, statusMessage: statusText, rawHeaders } = response;
      if (status >= 200 && status <= 299) return resolve(socket);
      socket.destroy();
      const headers = new Headers();
      for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index], rawHeaders[index + 1]);
      reject(Object.assign(new Error(`the proxy has answered with ${status}`), { code: 'ERR_PROXY_TUNNEL', status, statusText, headers }));
    });
    request.on('error', reject);
    request.end();
  });
}

module.exports = { NodeExchange };
