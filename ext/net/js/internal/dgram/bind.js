// Binding a datagram socket: `socket.bind`. In: the arguments of `bind` in any of their forms. Out:
// a bound socket and 'listening', or 'error'. Absent: sockets shared by cluster workers; each
// worker binds its own.
'use strict';

const {
  ErrnoException, ExceptionWithHostPort,
  codes: { ERR_INVALID_FD_TYPE, ERR_SOCKET_ALREADY_BOUND, ERR_SOCKET_BAD_BUFFER_SIZE, ERR_SOCKET_BUFFER_SIZE },
} = require('internal/errors');
const { isInt32 } = require('internal/validators');
const active = require('internal/process/active_resources');
const { kStateSymbol } = require('internal/dgram');
const { ADDRESS_SHARED, PORT_SHARED, SIX_ONLY } = require('internal/dgram/handle');

const UNBOUND = 0;
const BINDING = 1;
const BOUND = 2;

const EVERYWHERE = { udp4: '0.0.0.0', udp6: '::' };

function bind(socket, given) {
  const state = socket[kStateSymbol];
  if (state.bindState !== UNBOUND) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = BINDING;
  const callback = given.at(-1);
  if (typeof callback === 'function') tellOnce(socket, callback);
  const [first, second] = given;
  const isObject = typeof first === 'object' && first !== null;
  if (isObject && typeof first.recvStart === 'function') {
    replaceHandle(socket, first);
    listen(socket);
  } else if (isObject && isInt32(first.fd) && first.fd > 0) {
    bindFd(socket, first.fd);
  } else if (isObject) {
    at(socket, first.address, first.port);
  } else {
    at(socket, typeof second === 'function' ? '' : second, first);
  }
}

/** Called when it listens, unless it fails before. */
function tellOnce(socket, callback) {
  const stop = () => socket.removeListener('error', stop).removeListener('listening', listening);
  function listening() {
    stop();
    Reflect.apply(callback, socket, []);
  }
  socket.on('error', stop);
  socket.on('listening', listening);
}

/** A handle that somebody bound before. */
function replaceHandle(socket, handle) {
  const state = socket[kStateSymbol];
  const before = state.handle;
  if (!before.hasRef()) handle.unref?.();
  handle.lookup = before.lookup;
  active.remove(before);
  before.close();
  state.handle = handle;
  active.add(handle, 'UDPWrap', socket);
}

function bindFd(socket, fd) {
  const kind = internalBinding('stream_handle').kind(fd);
  if (kind !== 'UDP') throw new ERR_INVALID_FD_TYPE(typeof kind === 'string' ? kind : 'UNKNOWN');
  const errno = socket[kStateSymbol].handle.open(fd);
  if (errno !== 0) throw new ErrnoException(errno, 'open');
  listen(socket);
}

function at(socket, host, port) {
  const state = socket[kStateSymbol];
  const fail = (error) => {
    state.bindState = UNBOUND;
    socket.emit('error', error);
  };
  state.handle.lookup(host || EVERYWHERE[socket.type], (error, address) => {
    // It was closed meanwhile.
    if (!state.handle) return;
    if (error) {
      fail(error);
      return;
    }
    const flags = (state.reuseAddr ? ADDRESS_SHARED : 0) | (state.ipv6Only ? SIX_ONLY : 0) | (state.reusePort ? PORT_SHARED : 0);
    const errno = state.handle.bind(address, port || 0, flags);
    if (errno === 0) listen(socket);
    else fail(new ExceptionWithHostPort(errno, 'bind', address, port));
  });
}

/** It has its place: what comes there is its own. */
function listen(socket) {
  const state = socket[kStateSymbol];
  state.handle.onmessage = (count, handle, message, sender) => take(socket, count, message, sender);
  state.handle.recvStart();
  state.receiving = true;
  state.bindState = BOUND;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, true);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, false);
  socket.emit('listening');
}

function take(socket, count, message, sender) {
  if (count < 0) {
    socket.emit('error', new ErrnoException(count, 'recvmsg'));
  } else if (!socket[kStateSymbol].receiveBlockList?.check(sender.address, sender.family.toLowerCase())) {
    socket.emit('message', message, sender);
  }
}

/** Of the kernel's buffer; `size` 0: as it is. */
function bufferSize(socket, size, isReceive) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const context = {};
  const found = socket[kStateSymbol].handle.bufferSize(size, isReceive, context);
  if (found === undefined) throw new ERR_SOCKET_BUFFER_SIZE(context);
  return found;
}

module.exports = { BOUND, UNBOUND, bind, bufferSize };
