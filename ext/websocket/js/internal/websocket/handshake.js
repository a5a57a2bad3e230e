// Opening handshake of a client: RFC 6455, 4.1, over `node:http` and `node:https`, by a proxy where
// one is given. In: checked options. Out: a socket, or an error. Absent: frames.
'use strict';

const binding = internalBinding('websocket');

/** Without `client_max_window_bits`: a server may not ask for a window that zlib cannot make. */
const OFFER = 'permessage-deflate';
const KEY_BYTES = 16;

/**
 * `onOpen` gets { socket, head, protocol, extensions }, `onError` an error. Out: `abort`, after
 * which neither is called.
 */
function connect(options, { onOpen, onError }) {
  let isOver = false;
  let request;
  const finish = (callback) => (value) => {
    if (isOver) return;
    isOver = true;
    callback(value);
  };
  const state = { onOpen: finish(onOpen), onError: finish(onError), setRequest(made) { request = made; } };
  const start = () => {
    if (options.proxy === undefined) sendRequest(options, undefined, state);
    else openTunnel(options, state);
  };
  // Events come after the constructor has returned.
  require('process').nextTick(() => {
    if (isOver) return;
    try {
      start();
    } catch (error) {
      state.onError(error);
    }
  });
  return {
    abort() {
      isOver = true;
      request?.destroy();
    },
  };
}

/** `tunnel`: a connection through a proxy. */
function sendRequest({ url, protocols, headers, compresses, tls }, tunnel, state) {
  const key = require('crypto').randomBytes(KEY_BYTES).toString('base64');
  const isSecure = url.protocol === 'wss:';
  const host = bareHost(url);
  const request = require(isSecure ? 'https' : 'http').request({
    // A field Host says nothing about the certificate.
    ...(isSecure ? { servername: require('net').isIP(host) ? '' : host, ...tlsOptions(tls) } : {}),
    host,
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    agent: false,
    headers: requestHeaders({ url, protocols, headers, compresses, key }),
    ...(tunnel === undefined ? {} : { createConnection: () => (isSecure ? secure(tunnel, url, tls) : tunnel) }),
  });
  state.setRequest(request);
  request.on('upgrade', (response, socket, head) => {
    try {
      state.onOpen({ socket, head, ...checkResponse(response, { key, protocols, compresses }) });
    } catch (error) {
      socket.destroy();
      state.onError(error);
    }
  });
  request.on('response', (response) => {
    response.destroy();
    state.onError(new Error(`Expected 101 status code: ${response.statusCode}`));
  });
  request.on('error', (error) => state.onError(connectError(error)));
  request.end();
}

function requestHeaders({ url, protocols, headers, compresses, key }) {
  const fields = {
    'Host': url.host,
    'Connection': 'Upgrade',
    'Upgrade': 'websocket',
    'Sec-WebSocket-Version': '13',
    ...(compresses ? { 'Sec-WebSocket-Extensions': OFFER } : {}),
    'Sec-WebSocket-Key': key,
    ...(protocols.length === 0 ? {} : { 'Sec-WebSocket-Protocol': protocols.join(', ') }),
    ...(url.username === '' && url.password === '' ? {} : { Authorization: basic(url) }),
  };
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  for (const [name, value] of headers) {
    const known = names.get(name.toLowerCase());
    if (known === undefined) fields[name] = fields[name] === undefined ? value : [].concat(fields[name], value);
    else if (known === 'Host' || known === 'Authorization') fields[known] = value;
  }
  return fields;
}

const basic = ({ username, password }) =>
  `Basic ${require('buffer').Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;

const bareHost = ({ hostname }) => (hostname[0] === '[' ? hostname.slice(1, -1) : hostname);

/** bun's names of TLS options beside Node's; files are read. */
function tlsOptions(tls) {
  if (typeof tls !== 'object' || tls === null) return {};
  const { serverName, ...options } = tls;
  if (serverName !== undefined) options.servername ??= serverName;
  return require('internal/bun/tls_options').readFiles(options);
}

function secure(socket, url, tls) {
  const host = bareHost(url);
  return require('tls').connect({ servername: require('net').isIP(host) ? '' : host, ...tlsOptions(tls), socket, host });
}

/** TLS options of the server for its proxy, too: without what is about the server's name. */
function sharedTls(tls) {
  if (typeof tls !== 'object' || tls === null) return tls;
  const { serverName, servername, checkServerIdentity, ...shared } = tls;
  return shared;
}

/** CONNECT: RFC 9110, 9.3.6. */
function openTunnel(options, state) {
  const { proxy, url } = options;
  const isSecure = proxy.url.protocol === 'https:';
  const port = url.port || (url.protocol === 'wss:' ? 443 : 80);
  const target = `${url.hostname}:${port}`;
  const headers = { Host: target };
  if (proxy.url.username !== '' || proxy.url.password !== '') headers['Proxy-Authorization'] = basic(proxy.url);
  for (const [name, value] of proxy.headers) headers[name] = value;
  const tls = proxy.tls === undefined || proxy.tls === false ? sharedTls(options.tls) : proxy.tls;
  const request = require(isSecure ? 'https' : 'http').request({
    ...(isSecure ? tlsOptions(tls) : {}),
    host: bareHost(proxy.url),
    port: proxy.url.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path: target,
    agent: false,
    headers,
  });
  state.setRequest(request);
  request.on('connect', (response, socket) => {
    if (response.statusCode === 200) return sendRequest(options, socket, state);
    socket.destroy();
    const isDenied = response.statusCode === 407;
    state.onError(new Error(isDenied ? 'Proxy authentication required' : `Proxy connection failed: ${response.statusCode}`));
  });
  request.on('response', (response) => {
    response.destroy();
    state.onError(new Error(`Proxy connection failed: ${response.statusCode}`));
  });
  request.on('error', (error) => state.onError(connectError(error)));
  request.end();
}

/** What the server has agreed to: RFC 6455, 4.1. */
function checkResponse({ headers, statusCode }, { key, protocols, compresses }) {
  if (statusCode !== 101) throw new Error(`Expected 101 status code: ${statusCode}`);
  if (headers.upgrade?.toLowerCase() !== 'websocket') throw new Error('Invalid Upgrade header');
  const tokens = (headers.connection ?? '').split(',').map((token) => token.trim().toLowerCase());
  if (!tokens.includes('upgrade')) throw new Error('Invalid Connection header');
  if (headers['sec-websocket-accept'] !== binding.acceptOf(key)) throw new Error('Mismatch websocket accept header');
  const protocol = headers['sec-websocket-protocol'] ?? '';
  if (protocol !== '' && !protocols.includes(protocol)) throw new Error('Mismatch client protocol');
  const extensions = headers['sec-websocket-extensions'] ?? '';
  if (extensions !== '' && !compresses) throw new Error('Invalid Sec-WebSocket-Extensions header');
  return { protocol, extensions };
}

function connectError(error) {
  const code = error.code ?? error.errors?.[0]?.code;
  const isNetwork = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  const made = new Error(isNetwork ? 'Failed to connect' : error.message, { cause: error });
  if (code !== undefined) made.code = code;
  return made;
}

module.exports = { connect };
