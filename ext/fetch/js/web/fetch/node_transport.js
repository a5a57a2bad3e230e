// HTTP exchange over `node:http` and `node:https`: by a Unix socket, a proxy, or with TLS options.
// In and out: as the Exchange of transport.js, whose members these are. Connections are not reused.
'use strict';

const { genericNodeError } = require('internal/errors');

const DECODERS = {
  '__proto__': null, 'gzip': 'createGunzip', 'x-gzip': 'createGunzip', 'deflate': 'createInflate', 'br': 'createBrotliDecompress', 'zstd': 'createZstdDecompress',
};
/** Codings of one body. */
const CODINGS_MAX = 5;

class NodeExchange {
  #head = Promise.withResolvers();
  #request;
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
    this.#start({ settings, isSecure, options, url, body, decompress }).catch((error) => this.#end(error));
  }

  /** `{ status, reason, headers }`, headers as alternating names and values. */
  get head() { return this.#head.promise; }

  async #start({ settings, isSecure, options, url, body, decompress }) {
    const { unix, proxy, protocol } = options;
    if (protocol === 'http2') throw genericNodeError('HTTP/2 does not go with the options unix, proxy and tls', { code: 'HTTP2Unsupported' });
    if (unix !== undefined) Object.assign(settings, isSecure ? { createConnection: () => secure(require('net').connect({ path: unix }), settings) } : { socketPath: unix });
    if (proxy !== undefined && isSecure) {
      const tunnel = await openTunnel(proxy, url, options.tls);
      settings.createConnection = () => secure(tunnel, settings);
    } else if (proxy !== undefined) {
      Object.assign(settings, proxyTarget(proxy), { path: `${url.origin}${settings.path}` });
      Object.assign(settings.headers, proxyFields(proxy));
    }
    if (this.#isClosed) return;
    const isProxySecure = proxy !== undefined && !isSecure && proxy.url.protocol === 'https:';
    const request = require(isSecure || isProxySecure ? 'https' : 'http').request(settings);
    this.#request = request;
    request.on('error', (error) => this.#end(error));
    request.on('response', (response) => this.#receive(response, decompress));
    if (body === undefined) request.end();
    else if (typeof body !== 'number') request.end(body);
    for (const write of this.#queue.splice(0)) write();
  }

  #receive(response, decompress) {
    const { statusCode, statusMessage, rawHeaders, headers } = response;
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
    response.on('aborted', () => this.#end(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })));
    this.#head.resolve({ status: statusCode, reason: statusMessage, headers: rawHeaders });
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

function tlsOptions(tls, host) {
  const { serverName, ...rest } = tls === undefined ? {} : require('internal/bun/tls_options').readFiles(tls);
  const servername = serverName ?? rest.servername ?? (require('net').isIP(host) ? '' : host);
  return { ...rest, servername };
}

const secure = (socket, settings) => require('tls').connect({ ...settings, path: undefined, socket });

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
  const target = `${url.hostname}:${url.port || 443}`;
  const to = proxyTarget(proxy);
  const settings = { ...to, method: 'CONNECT', path: target, agent: false, headers: { Host: target, ...proxyFields(proxy) } };
  if (isSecure) Object.assign(settings, tlsOptions(tls, to.host));
  return new Promise((resolve, reject) => {
    const request = require(isSecure ? 'https' : 'http').request(settings);
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(Object.assign(new Error(`the proxy has answered with ${response.statusCode}`), { code: 'ERR_PROXY_TUNNEL' }));
    });
    request.on('error', reject);
    request.end();
  });
}

module.exports = { NodeExchange };
