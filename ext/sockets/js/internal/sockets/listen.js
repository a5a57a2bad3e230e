// `Bun.listen`. In: an address, handlers, TLS options. Out: a Listener, which accepts connections
// when the call returns. Absent: the sockets (socket.js).
'use strict';

const { call, checkHandlers, checkOptions } = require('internal/sockets/handlers');
const { TCPSocket, TLSSocket, attach, reportHandshake } = require('internal/sockets/socket');
const { checkPort, serverOptions } = require('internal/sockets/connect');
const { invalidArgType } = require('internal/bun/environment');

const BACKLOG = 511;
const UV_EADDRNOTAVAIL = -99;

class Listener {
  #server;
  #group;
  #sockets = new Set();
  #hostname;
  #port;
  #unix;

  constructor(options) {
    const handlers = checkOptions(options);
    this.data = options.data;
    this.#group = { handlers, listener: this, remove: (socket) => { this.#sockets.delete(socket); } };
    const { handle, hostname, unix } = open(options);
    this.#hostname = hostname;
    this.#unix = unix;
    const isSecure = Boolean(options.tls);
    const allowHalfOpen = Boolean(options.allowHalfOpen);
    this.#server = isSecure ? require('tls').createServer({ ...serverOptions(options.tls), allowHalfOpen }) : require('net').createServer({ allowHalfOpen });
    this.#server.on(isSecure ? 'secureConnection' : 'connection', (socket) => this.#accept(socket, isSecure));
    if (isSecure) this.#server.on('tlsClientError', () => {});
    this.#server.on('error', (error) => call(this.#group.handlers, 'error', undefined, error));
    this.#server.listen(handle);
    if (unix === undefined) ({ port: this.#port } = this.#server.address());
  }

  #accept(socket, isSecure) {
    const made = attach(isSecure ? TLSSocket : TCPSocket, socket, this.#group, this.data);
    this.#sockets.add(made);
    if (isSecure) reportHandshake(made, socket, this.#group);
    else call(this.#group.handlers, 'open', made);
  }

  get hostname() { return this.#hostname; }
  get port() { return this.#port; }
  get unix() { return this.#unix; }
  get fd() { return this.#server._handle?.fd ?? -1; }

  getsockname(target) {
    const address = this.#server.address();
    if (typeof address === 'object') Object.assign(target, address);
  }

  stop(closeActiveConnections = false) {
    this.#server.close();
    if (closeActiveConnections) for (const socket of [...this.#sockets]) socket.terminate();
  }

  reload(options) {
    if (typeof options?.socket !== 'object' || options.socket === null) throw invalidArgType('Expected "socket" option');
    // Also for the sockets that are open.
    this.#group.handlers = checkHandlers(options.socket);
  }

  ref() { this.#server.ref(); }
  unref() { this.#server.unref(); }
  [Symbol.dispose]() { this.stop(true); }
}

Object.defineProperty(Listener.prototype, Symbol.toStringTag, { __proto__: null, value: 'Listener', configurable: true });

/** A handle that listens. */
function open(options) {
  const { Pipe, TCP } = require('internal/net/handle');
  const { bindFlag: { IPV6ONLY, REUSEPORT }, family: { IPV4, IPV6, UNIX } } = internalBinding('net');
  const { hostname, unix } = options;
  if (typeof unix === 'string' && unix !== '') {
    const handle = new Pipe();
    finish(handle, handle.open(UNIX) || handle.bind(unix) || handle.listen(BACKLOG), unix);
    return { handle, unix };
  }
  if (typeof hostname !== 'string' || hostname === '') throw invalidArgType('Expected either "hostname" or "unix"');
  const port = checkPort(options.port);
  const address = addressOf(hostname);
  const flags = (options.ipv6Only ? IPV6ONLY : 0) | (options.reusePort ? REUSEPORT : 0);
  const handle = new TCP();
  finish(handle, handle.open(address.includes(':') ? IPV6 : IPV4) || handle.bind(address, port, flags) || handle.listen(BACKLOG), hostname);
  return { handle, hostname };
}

/** The first address of a name: the call returns when it listens, so that it waits for it. */
function addressOf(hostname) {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost') return '127.0.0.1';
  if (require('net').isIP(bare)) return bare;
  const address = internalBinding('dns').resolveNow(bare);
  if (address === undefined) throw listenError(UV_EADDRNOTAVAIL, hostname);
  return address;
}

function finish(handle, errno, where) {
  if (errno === 0) return;
  handle.close();
  throw listenError(errno, where);
}

function listenError(errno, where) {
  const code = require('util').getSystemErrorName(errno);
  return Object.assign(new Error(`Failed to listen at ${where}`), { code, errno, syscall: 'listen' });
}

function listen(options) {
  return new Listener(options);
}

module.exports = { listen };
