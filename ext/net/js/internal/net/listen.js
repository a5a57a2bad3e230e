// How a server comes to its place. In: the arguments of `listen` in any of their forms. Out: a
// handle that listens, and 'listening', or an error; each in a turn of its own.
'use strict';

const { nextTick } = require('process');
const {
  UVExceptionWithHostPort,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE, ERR_SERVER_ALREADY_LISTEN },
} = require('internal/errors');
const { validateInt32, validatePort } = require('internal/validators');
const { isPath, normalize, toNumber } = require('internal/net/arguments');
const { LOCAL, PORT_SHARED, Pipe, SIX_ONLY, SocketHandle, TCP } = require('internal/net/handle');

/** So many may wait to be let in, unless the program says otherwise. */
const BACKLOG = 511;
const BAD_ARGUMENT = -22;
const LINK_LOCAL = /^fe[89ab][0-9a-f]:/i;

const isLocal = (handle) => handle instanceof Pipe;

/** @param {import('net').Server} server */
function listen(server, given) {
  const [wanted, callback] = normalize(given);
  const backlog = toNumber(given.length > 1 && given[1]) || toNumber(given.length > 2 && given[2]);
  if (server._handle) throw new ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) server.once('listening', callback);
  const options = wanted._handle || wanted.handle || wanted;
  const flags = (wanted.ipv6Only ? SIX_ONLY : 0) | (wanted.reusePort ? PORT_SHARED : 0);
  if (options instanceof SocketHandle) {
    over(server, options, backlog);
    return;
  }
  if (wanted.signal !== undefined) require('internal/net/server').closeAt(server, wanted.signal);
  if (typeof options.fd === 'number' && options.fd >= 0) {
    overDescriptor(server, options.fd, backlog);
    return;
  }
  const isAnyPort = given.length === 0 || typeof given[0] === 'function' || (options.port === undefined && 'port' in options) || options.port === null;
  const port = isAnyPort ? 0 : options.port;
  if (typeof port === 'number' || typeof port === 'string') {
    validatePort(port, 'options.port');
    const place = { port: port | 0, flags, backlog: options.backlog || backlog };
    // The kernel shares ports among those that say so.
    const isOwn = Boolean(options.exclusive || wanted.reusePort) || !isShared();
    if (options.host) atHost(server, options.host, place, isOwn);
    else if (isOwn) everywhere(server, place);
    else together(server, { address: null, addressType: 4, ...place });
    return;
  }
  if (options.path && isPath(options.path)) {
    if (options.exclusive || !isShared()) atPath(server, options, options.backlog || backlog);
    else together(server, { address: options.path, port: -1, addressType: -1, flags: 0, backlog: options.backlog || backlog });
    return;
  }
  refuse(options);
}

function refuse(options) {
  if (!('port' in options || 'path' in options)) throw new ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  throw new ERR_INVALID_ARG_VALUE('options', options);
}

/** A handle that was bound before, of another server or socket too. */
function over(server, handle, backlog) {
  settle(server, handle, handle.listen(backlog || BACKLOG), { address: '', port: -1 });
}

function overDescriptor(server, fd, backlog) {
  validateInt32(fd, 'fd', 0);
  const binding = internalBinding('stream_handle');
  const kind = binding.kind(fd);
  if (kind !== 'TCP' && kind !== 'PIPE') {
    later(server, BAD_ARGUMENT, { address: null, port: null });
    return;
  }
  const own = binding.open(fd, false);
  if (typeof own === 'number') {
    later(server, own, { address: null, port: null });
    return;
  }
  const handle = SocketHandle.over(own, kind === 'PIPE');
  settle(server, handle, handle.listen(backlog || BACKLOG), { address: null, port: null });
}

/** Whether this program is a worker, whose servers listen with those of others. */
function isShared() {
  return internalBinding('builtins').has('node/cluster') && require('cluster').isWorker === true;
}

/** Where the primary says. */
function together(server, { address, port, addressType, flags, backlog }) {
  const id = server._listeningId;
  require('cluster')._getServer(server, { address, port, addressType, fd: undefined, flags, backlog: backlog || BACKLOG }, (errno, handle) => {
    if (server._listeningId !== id) {
      handle?.close();
      return;
    }
    if (errno !== 0) later(server, errno, { address: address ?? (errno === IN_USE ? null : '0.0.0.0'), port });
    else settle(server, handle, handle.listen(backlog || BACKLOG), { address, port });
  });
}

function atHost(server, host, place, isOwn) {
  const id = server._listeningId;
  require('dns').lookup(host, { all: true }, (error, found) => {
    // It was closed meanwhile.
    if (server._listeningId !== id) return;
    if (error) {
      server.emit('error', error);
    } else {
      // One that holds for an interface says nothing without it.
      const { address, family } = found.find(({ address: each }) => !LINK_LOCAL.test(each)) ?? found[0];
      if (isOwn) at(server, { ...place, address, family: address ? family : 4 });
      else together(server, { ...place, address, addressType: address ? family : 4 });
    }
  });
}

/**
 * By the newer protocol, which takes the older along; by the older one where the machine does not
 * have it.
 */
function everywhere(server, place) {
  const six = new TCP();
  if (six.open(6) === 0) {
    const errno = six.bind('::', place.port, place.flags);
    if (errno === 0) {
      settle(server, six, six.listen(place.backlog || BACKLOG), { address: '::', port: place.port });
      return;
    }
    six.close();
    if (errno === IN_USE) {
      later(server, errno, { address: '::', port: place.port });
      return;
    }
  }
  at(server, { ...place, address: '0.0.0.0', family: 4 });
}

const IN_USE = -98;

function at(server, { address, family, port, flags, backlog }) {
  const handle = new TCP();
  const errno = handle.open(family) || handle.bind(address, port, flags) || handle.listen(backlog || BACKLOG);
  settle(server, handle, errno, { address, port });
}

function atPath(server, { path, readableAll, writableAll }, backlog) {
  const handle = new Pipe();
  const errno = handle.open(LOCAL) || handle.bind(path) || handle.listen(backlog || BACKLOG);
  settle(server, handle, errno, { address: path, port: -1 });
  if (errno !== 0 || !(readableAll || writableAll)) return;
  // Whoever connects must be able to write; to be readable for all means nothing more here.
  const { chmodSync, statSync } = require('fs');
  chmodSync(path, statSync(path).mode | (readableAll ? 0o444 : 0) | (writableAll ? 0o222 : 0));
}

function settle(server, handle, errno, place) {
  if (errno !== 0) {
    handle.close();
    later(server, errno, place);
    return;
  }
  require('internal/net/server').begin(server, handle);
  server._connectionKey = `${isLocal(handle) ? -1 : place.address?.includes(':') ? 6 : 4}:${place.address}:${place.port}`;
  nextTick(() => { if (server._handle === handle) server.emit('listening'); });
}

function later(server, errno, { address, port }) {
  const error = new UVExceptionWithHostPort(errno, 'listen', address, port);
  server._handle = null;
  nextTick(() => server.emit('error', error));
}

module.exports = { isLocal, listen };
