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
const { bindFlag: { IPV6ONLY, REUSEADDR, REUSEPORT } } = internalBinding('udp');

const BIND_STATE_UNBOUND = 0;
const BIND_STATE_BINDING = 1;
const BIND_STATE_BOUND = 2;

const UNSPECIFIED_ADDRESS = { udp4: '0.0.0.0', udp6: '::' };

function bind(socket, args) {
  const state = socket[kStateSymbol];
  if (state.bindState !== BIND_STATE_UNBOUND) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = BIND_STATE_BINDING;
  const callback = args.at(-1);
  if (typeof callback === 'function') onceListening(socket, callback);
  const [first, second] = args;
  const isObject = typeof first === 'object' && first !== null;
  if (isObject && typeof first.recvStart === 'function') {
    replaceHandle(socket, first);
    startListening(socket);
  } else if (isObject && isInt32(first.fd) && first.fd > 0) {
    bindFd(socket, first.fd);
  } else if (isObject) {
    bindAddress(socket, first.address, first.port);
  } else {
    bindAddress(socket, typeof second === 'function' ? '' : second, first);
  }
}

/** Calls `callback` when the socket is bound, unless an error is emitted oldHandle. */
function onceListening(socket, callback) {
  const removeListeners = () => socket.removeListener('error', removeListeners).removeListener('listening', onListening);
  function onListening() {
    removeListeners();
    Reflect.apply(callback, socket, []);
  }
  socket.on('error', removeListeners);
  socket.on('listening', onListening);
}

/** Uses a handle that is bound already. */
function replaceHandle(socket, handle) {
  const state = socket[kStateSymbol];
  const oldHandle = state.handle;
  if (!oldHandle.hasRef()) handle.unref?.();
  handle.lookup = oldHandle.lookup;
  active.remove(oldHandle);
  oldHandle.close();
  state.handle = handle;
  active.add(handle, 'UDPWrap', socket);
}

function bindFd(socket, fd) {
  const kind = internalBinding('stream_handle').kind(fd);
  if (kind !== 'UDP') throw new ERR_INVALID_FD_TYPE(typeof kind === 'string' ? kind : 'UNKNOWN');
  const errno = socket[kStateSymbol].handle.open(fd);
  if (errno !== 0) throw new ErrnoException(errno, 'open');
  startListening(socket);
}

function bindAddress(socket, host, port) {
  const state = socket[kStateSymbol];
  const fail = (error) => {
    state.bindState = BIND_STATE_UNBOUND;
    socket.emit('error', error);
  };
  state.handle.lookup(host || UNSPECIFIED_ADDRESS[socket.type], (error, address) => {
    // The socket was closed meanwhile.
    if (!state.handle) return;
    if (error) {
      fail(error);
      return;
    }
    const flags = (state.reuseAddr ? REUSEADDR : 0) | (state.ipv6Only ? IPV6ONLY : 0) | (state.reusePort ? REUSEPORT : 0);
    const errno = state.handle.bind(address, port || 0, flags);
    if (errno === 0) startListening(socket);
    else fail(new ExceptionWithHostPort(errno, 'bind', address, port));
  });
}

/** Starts to receive messages on a bound handle. */
function startListening(socket) {
  const state = socket[kStateSymbol];
  state.handle.onmessage = (count, handle, message, sender) => onMessage(socket, count, message, sender);
  state.handle.recvStart();
  state.receiving = true;
  state.bindState = BIND_STATE_BOUND;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, true);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, false);
  socket.emit('listening');
}

function onMessage(socket, count, message, sender) {
  if (count < 0) {
    socket.emit('error', new ErrnoException(count, 'recvmsg'));
  } else if (!socket[kStateSymbol].receiveBlockList?.check(sender.address, sender.family.toLowerCase())) {
    socket.emit('message', message, sender);
  }
}

/** Sets the size of a kernel buffer; only queries it if `size` is 0. */
function bufferSize(socket, size, isReceive) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const context = {};
  const result = socket[kStateSymbol].handle.bufferSize(size, isReceive, context);
  if (result === undefined) throw new ERR_SOCKET_BUFFER_SIZE(context);
  return result;
}

module.exports = { BIND_STATE_BOUND, BIND_STATE_UNBOUND, bind, bufferSize };
