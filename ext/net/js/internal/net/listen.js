// `server.listen`: binds and listens. In: the arguments of `listen` in any of their forms. Out: a
// listening handle and 'listening', or 'error'; both are emitted in a later tick.
'use strict';

const { nextTick } = require('process');
const {
  UVExceptionWithHostPort,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE, ERR_SERVER_ALREADY_LISTEN },
} = require('internal/errors');
const { validateInt32, validatePort } = require('internal/validators');
const { isPath, normalize, toNumber } = require('internal/net/arguments');
const { Pipe, SocketHandle, TCP } = require('internal/net/handle');
const { bindFlag: { IPV6ONLY, REUSEPORT }, family: { IPV4, IPV6, UNIX } } = internalBinding('net');

/** The default backlog: connections that wait to be accepted. */
const BACKLOG = 511;
const UV_EINVAL = -22;
const UV_EADDRINUSE = -98;
const LINK_LOCAL = /^fe[89ab][0-9a-f]:/i;

const isPipe = (handle) => handle instanceof Pipe;

/** @param {import('net').Server} server */
function listen(server, args) {
  const [normalized, callback] = normalize(args);
  const backlog = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);
  if (server._handle) throw new ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) server.once('listening', callback);
  const options = normalized._handle || normalized.handle || normalized;
  const flags = (normalized.ipv6Only ? IPV6ONLY : 0) | (normalized.reusePort ? REUSEPORT : 0);
  if (options instanceof SocketHandle) {
    listenOnHandle(server, options, backlog);
    return;
  }
  if (normalized.signal !== undefined) require('internal/net/server').closeOnAbort(server, normalized.signal);
  if (typeof options.fd === 'number' && options.fd >= 0) {
    listenOnFd(server, options.fd, backlog);
    return;
  }
  const isAnyPort = args.length === 0 || typeof args[0] === 'function' || (options.port === undefined && 'port' in options) || options.port === null;
  const port = isAnyPort ? 0 : options.port;
  if (typeof port === 'number' || typeof port === 'string') {
    validatePort(port, 'options.port');
    const target = { port: port | 0, flags, backlog: options.backlog || backlog };
    // With SO_REUSEPORT the kernel shares the port; the primary is not needed.
    const isExclusive = Boolean(options.exclusive || normalized.reusePort) || !isClusterWorker();
    if (options.host) lookupAndListen(server, options.host, target, isExclusive);
    else if (isExclusive) listenUnspecified(server, target);
    else listenInCluster(server, { address: null, addressType: IPV4, ...target });
    return;
  }
  if (options.path && isPath(options.path)) {
    if (options.exclusive || !isClusterWorker()) listenOnPath(server, options, options.backlog || backlog);
    else listenInCluster(server, { address: options.path, port: -1, addressType: -1, flags: 0, backlog: options.backlog || backlog });
    return;
  }
  throwInvalidOptions(options);
}

function throwInvalidOptions(options) {
  if (!('port' in options || 'path' in options)) throw new ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  throw new ERR_INVALID_ARG_VALUE('options', options);
}

/** Listens on a handle that is bound already, possibly by another server or socket. */
function listenOnHandle(server, handle, backlog) {
  finishListen(server, handle, handle.listen(backlog || BACKLOG), { address: '', port: -1 });
}

function listenOnFd(server, fd, backlog) {
  validateInt32(fd, 'fd', 0);
  const binding = internalBinding('stream_handle');
  const kind = binding.kind(fd);
  if (kind !== 'TCP' && kind !== 'PIPE') {
    emitListenError(server, UV_EINVAL, { address: null, port: null });
    return;
  }
  const native = binding.open(fd, false);
  if (typeof native === 'number') {
    emitListenError(server, native, { address: null, port: null });
    return;
  }
  const handle = SocketHandle.fromNative(native, kind === 'PIPE');
  finishListen(server, handle, handle.listen(backlog || BACKLOG), { address: null, port: null });
}

/** Whether this process is a cluster worker, whose servers share their handles. */
function isClusterWorker() {
  return internalBinding('builtins').has('node/cluster') && require('cluster').isWorker === true;
}

/** Requests the listening handle from the primary. */
function listenInCluster(server, { address, port, addressType, flags, backlog }) {
  const id = server._listeningId;
  require('cluster')._getServer(server, { address, port, addressType, fd: undefined, flags, backlog: backlog || BACKLOG }, (errno, handle) => {
    if (server._listeningId !== id) {
      handle?.close();
      return;
    }
    if (errno !== 0) emitListenError(server, errno, { address: address ?? (errno === UV_EADDRINUSE ? null : '0.0.0.0'), port });
    else finishListen(server, handle, handle.listen(backlog || BACKLOG), { address, port });
  });
}

function lookupAndListen(server, host, target, isExclusive) {
  const id = server._listeningId;
  require('dns').lookup(host, { all: true }, (error, addresses) => {
    // The server was closed meanwhile.
    if (server._listeningId !== id) return;
    if (error) {
      server.emit('error', error);
    } else {
      // A link-local address needs a scope id, so any other address is preferred.
      const { address, family } = addresses.find(({ address: candidate }) => !LINK_LOCAL.test(candidate)) ?? addresses[0];
      if (isExclusive) listenOnAddress(server, { ...target, address, family: address ? family : IPV4 });
      else listenInCluster(server, { ...target, address, addressType: address ? family : IPV4 });
    }
  });
}

/**
 * Listens on the unspecified address: `::`, which accepts IPv4 too, or `0.0.0.0` if the host has
 * no IPv6.
 */
function listenUnspecified(server, target) {
  const handle = new TCP();
  handle.isServer = true;
  if (handle.open(IPV6) === 0) {
    const errno = handle.bind('::', target.port, target.flags);
    if (errno === 0) {
      finishListen(server, handle, handle.listen(target.backlog || BACKLOG), { address: '::', port: target.port });
      return;
    }
    handle.close();
    if (errno === UV_EADDRINUSE) {
      emitListenError(server, errno, { address: '::', port: target.port });
      return;
    }
  }
  listenOnAddress(server, { ...target, address: '0.0.0.0', family: IPV4 });
}

function listenOnAddress(server, { address, family, port, flags, backlog }) {
  const handle = new TCP();
  handle.isServer = true;
  const errno = handle.open(family) || handle.bind(address, port, flags) || handle.listen(backlog || BACKLOG);
  finishListen(server, handle, errno, { address, port });
}

function listenOnPath(server, { path, readableAll, writableAll }, backlog) {
  const handle = new Pipe();
  handle.isServer = true;
  const errno = handle.open(UNIX) || handle.bind(path) || handle.listen(backlog || BACKLOG);
  finishListen(server, handle, errno, { address: path, port: -1 });
  if (errno !== 0 || !(readableAll || writableAll)) return;
  // A client needs write permission to connect; read permission has no effect here.
  const { chmodSync, statSync } = require('fs');
  chmodSync(path, statSync(path).mode | (readableAll ? 0o444 : 0) | (writableAll ? 0o222 : 0));
}

function finishListen(server, handle, errno, target) {
  if (errno !== 0) {
    handle.close();
    emitListenError(server, errno, target);
    return;
  }
  require('internal/net/server').setupListenHandle(server, handle);
  server._connectionKey = `${isPipe(handle) ? -1 : target.address?.includes(':') ? 6 : 4}:${target.address}:${target.port}`;
  nextTick(() => { if (server._handle === handle) server.emit('listening'); });
}

function emitListenError(server, errno, { address, port }) {
  const error = new UVExceptionWithHostPort(errno, 'listen', address, port);
  server._handle = null;
  nextTick(() => server.emit('error', error));
}

module.exports = { isPipe, listen };
