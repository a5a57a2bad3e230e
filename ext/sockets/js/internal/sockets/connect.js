// `Bun.connect`. In: an address, handlers, TLS options. Out: a promise of a socket.
'use strict';

const { call, checkOptions } = require('internal/sockets/handlers');
const { TCPSocket, TLSSocket, attach, reportHandshake } = require('internal/sockets/socket');
const { invalidArgType } = require('internal/bun/environment');

function connect(options) {
  const handlers = checkOptions(options);
  const target = targetOf(options);
  const group = { handlers };
  const { promise, resolve, reject } = Promise.withResolvers();
  const isSecure = Boolean(options.tls);
  const fail = (cause) => {
    const first = cause.errors?.[0] ?? cause;
    const error = isSecure && first.syscall === undefined ? first : Object.assign(new Error('Failed to connect'), { code: first.code, errno: first.errno, syscall: 'connect' });
    if (handlers.connectError !== undefined) {
      promise.catch(() => {});
      call(handlers, 'connectError', undefined, error);
    }
    reject(error);
  };
  let socket;
  try {
    socket = openSocket(target, options, group);
  } catch (cause) {
    if (target.fd === undefined) throw cause;
    fail({ code: 'EBADF', errno: cause.errno });
    return promise;
  }
  socket.once('error', fail);
  const succeed = () => {
    socket.removeListener('error', fail);
    const made = attach(isSecure ? TLSSocket : TCPSocket, socket, group, options.data);
    if (isSecure) reportHandshake(made, socket, group);
    else call(handlers, 'open', made);
    resolve(made);
  };
  if (target.fd !== undefined && !isSecure) require('process').nextTick(succeed);
  else socket.once(isSecure ? 'secureConnect' : 'connect', succeed);
  return promise;
}

function openSocket(target, { tls, allowHalfOpen = false }, group) {
  const net = require('net');
  if (target.fd === undefined) return tls ? secureClient(target, tls, group) : net.connect({ ...target, allowHalfOpen: Boolean(allowHalfOpen) });
  const socket = new net.Socket({ ...target, allowHalfOpen: Boolean(allowHalfOpen) });
  return tls ? secureClient({ socket }, tls, group) : socket;
}

/** Of a socket that is connected already. */
function checkFd(fd) {
  if (typeof fd !== 'number') throw invalidArgType('SocketOptions.fd must be a number');
  if (Number.isInteger(fd)) return fd;
  throw Object.assign(new RangeError(`SocketOptions.fd must be an integer (received ${fd})`), { code: 'ERR_OUT_OF_RANGE' });
}

function targetOf({ fd, hostname, port, unix }) {
  if (fd !== undefined && fd !== null) return { fd: checkFd(fd) };
  if (typeof unix === 'string' && unix !== '') return { path: unix };
  if (typeof hostname !== 'string' || hostname === '') throw invalidArgType('Expected either "hostname" or "unix"');
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: checkPort(port) };
}

function checkPort(value) {
  if (value === undefined || value === null) throw invalidArgType('Missing "port"');
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw Object.assign(new RangeError(`SocketOptions.port must be in the range [0, 65535] (received ${value})`), { code: 'ERR_OUT_OF_RANGE' });
}

/** A client of `node:tls`. A `handshake` handler decides about certificates by itself. */
function secureClient(target, tls, { handlers }) {
  const options = serverOptions(tls);
  const { host } = target;
  if (host !== undefined && options.servername === undefined && !require('net').isIP(host)) options.servername = host;
  const rejectUnauthorized = options.rejectUnauthorized ?? handlers.handshake === undefined;
  return require('tls').connect({ ...options, ...target, rejectUnauthorized });
}

/** bun's TLS options as those of `node:tls`. */
function serverOptions(tls) {
  if (tls === true) return {};
  if (typeof tls !== 'object' || tls === null) throw invalidArgType('Expected "tls" to be an object or a boolean');
  const { serverName, ALPNProtocols, ...rest } = require('internal/bun/tls_options').readFiles(tls);
  const options = { ...rest };
  if (serverName !== undefined) options.servername ??= serverName;
  if (ALPNProtocols !== undefined) options.ALPNProtocols = typeof ALPNProtocols === 'string' ? [ALPNProtocols] : ALPNProtocols;
  return options;
}

module.exports = { checkPort, connect, secureClient, serverOptions };
