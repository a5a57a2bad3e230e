// `dgram.Socket`. In: a type or options; messages and their destinations. Out: 'message' events
// with the sender; a callback for each sent message. Messages that are sent before the socket is
// bound are queued. Binding: bind.js; argument parsing: message.js.
'use strict';

const EventEmitter = require('events');
const { nextTick } = require('process');
const {
  ErrnoException, ExceptionWithHostPort,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_IP_BLOCKED, ERR_MISSING_ARGS, ERR_SOCKET_DGRAM_IS_CONNECTED, ERR_SOCKET_DGRAM_NOT_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_RUNNING,
  },
} = require('internal/errors');
const { validateAbortSignal, validateNumber, validatePort, validateString, validateUint32 } = require('internal/validators');
const active = require('internal/process/active_resources');
const { BIND_STATE_BOUND, BIND_STATE_UNBOUND, bind, bufferSize } = require('internal/dgram/bind');
const { SendWrap } = require('internal/dgram/handle');
const { parseConnected, parseUnconnected } = require('internal/dgram/message');
const { kStateSymbol, newHandle } = require('internal/dgram');

const CONNECT_STATE_DISCONNECTED = 0;
const CONNECT_STATE_CONNECTING = 1;
const CONNECT_STATE_CONNECTED = 2;

class Socket extends EventEmitter {
  constructor(type, listener) {
    super();
    const options = typeof type === 'object' && type !== null ? type : {};
    const socketType = options === type ? options.type : type;
    const settings = readOptions(options);
    const handle = newHandle(socketType, options.lookup);
    active.add(handle, 'UDPWrap', this);
    this.type = socketType;
    if (typeof listener === 'function') this.on('message', listener);
    this[kStateSymbol] = { handle, receiving: false, bindState: BIND_STATE_UNBOUND, connectState: CONNECT_STATE_DISCONNECTED, queue: undefined, ...settings };
    if (options.signal !== undefined) closeOnAbort(this, options.signal);
    const { channel } = require('diagnostics_channel');
    const socketChannel = channel('udp.socket');
    if (socketChannel.hasSubscribers) socketChannel.publish({ socket: this });
  }

  bind(...args) {
    healthCheck(this);
    bind(this, args);
    return this;
  }

  connect(port, address, callback) {
    const portNumber = validatePort(port, 'Port', false);
    const [host, listener] = typeof address === 'function' ? ['', address] : [address ?? '', callback];
    if (address === null) validateString(address, 'address');
    validateString(host, 'address');
    const state = this[kStateSymbol];
    if (state.connectState !== CONNECT_STATE_DISCONNECTED) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
    state.connectState = CONNECT_STATE_CONNECTING;
    if (state.bindState === BIND_STATE_UNBOUND) this.bind({ port: 0, exclusive: true }, null);
    enqueue(this, () => doConnect(this, portNumber, host, listener));
  }

  disconnect() {
    const state = this[kStateSymbol];
    if (state.connectState !== CONNECT_STATE_CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    throwOnError(state.handle.disconnect(), 'connect');
    state.connectState = CONNECT_STATE_DISCONNECTED;
  }

  sendto(buffer, offset, length, port, address, callback) {
    validateNumber(offset, 'offset');
    validateNumber(length, 'length');
    validateNumber(port, 'port');
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  }

  send(...args) {
    const state = this[kStateSymbol];
    const message = state.connectState === CONNECT_STATE_CONNECTED ? parseConnected(args) : parseUnconnected(args);
    healthCheck(this);
    if (state.bindState === BIND_STATE_UNBOUND) this.bind({ port: 0, exclusive: true }, null);
    enqueue(this, () => doSend(this, message));
  }

  close(callback) {
    const state = this[kStateSymbol];
    if (typeof callback === 'function') this.on('close', callback);
    if (state.queue !== undefined) {
      state.queue.push(() => this.close());
      return this;
    }
    healthCheck(this);
    if (state.receiving) state.handle.recvStop();
    state.receiving = false;
    active.remove(state.handle);
    state.handle.close();
    state.handle = null;
    nextTick(() => this.emit('close'));
    return this;
  }

  async [Symbol.asyncDispose]() {
    if (this[kStateSymbol].handle) await new Promise((resolve) => { this.close(resolve); });
  }

  address() {
    const out = {};
    throwOnError(healthCheck(this).getsockname(out), 'getsockname');
    return out;
  }

  remoteAddress() {
    const handle = healthCheck(this);
    if (this[kStateSymbol].connectState !== CONNECT_STATE_CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    const out = {};
    throwOnError(handle.getpeername(out), 'getpeername');
    return out;
  }

  setBroadcast(isAllowed) {
    throwOnError(this[kStateSymbol].handle.setBroadcast(Boolean(isAllowed)), 'setBroadcast');
  }

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    throwOnError(this[kStateSymbol].handle.setTTL(ttl), 'setTTL');
    return ttl;
  }

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    throwOnError(this[kStateSymbol].handle.setMulticastTTL(ttl), 'setMulticastTTL');
    return ttl;
  }

  setMulticastLoopback(isEnabled) {
    throwOnError(this[kStateSymbol].handle.setMulticastLoopback(Boolean(isEnabled)), 'setMulticastLoopback');
    return isEnabled;
  }

  setMulticastInterface(interfaceAddress) {
    const handle = healthCheck(this);
    validateString(interfaceAddress, 'interfaceAddress');
    throwOnError(handle.setMulticastInterface(interfaceAddress), 'setMulticastInterface');
  }

  addMembership(multicastAddress, interfaceAddress) {
    setMembership(this, 'addMembership', multicastAddress, interfaceAddress);
  }

  dropMembership(multicastAddress, interfaceAddress) {
    setMembership(this, 'dropMembership', multicastAddress, interfaceAddress);
  }

  addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    setSourceMembership(this, 'addSourceSpecificMembership', [sourceAddress, groupAddress, interfaceAddress]);
  }

  dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    setSourceMembership(this, 'dropSourceSpecificMembership', [sourceAddress, groupAddress, interfaceAddress]);
  }

  ref() {
    this[kStateSymbol].handle?.ref();
    return this;
  }

  unref() {
    this[kStateSymbol].handle?.unref();
    return this;
  }

  setRecvBufferSize(size) { bufferSize(this, size, true); }
  setSendBufferSize(size) { bufferSize(this, size, false); }
  getRecvBufferSize() { return bufferSize(this, 0, true); }
  getSendBufferSize() { return bufferSize(this, 0, false); }
  getSendQueueSize() { return this[kStateSymbol].handle.getSendQueueSize(); }
  getSendQueueCount() { return this[kStateSymbol].handle.getSendQueueCount(); }
}

/** The validated options, without the type. */
function readOptions(options) {
  const { reuseAddr, reusePort, ipv6Only, recvBufferSize, sendBufferSize } = options;
  for (const name of ['recvBufferSize', 'sendBufferSize']) {
    if (options[name]) validateUint32(options[name], `options.${name}`);
  }
  const lists = {};
  for (const name of ['receiveBlockList', 'sendBlockList']) {
    const list = options[name];
    if (!list) continue;
    const { BlockList } = require('internal/net/block_list');
    if (!BlockList.isBlockList(list)) throw new ERR_INVALID_ARG_TYPE(`options.${name}`, 'net.BlockList', list);
    lists[name] = list;
  }
  return { reuseAddr, reusePort, ipv6Only, recvBufferSize, sendBufferSize, ...lists };
}

function closeOnAbort(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  const close = () => { if (socket[kStateSymbol].handle) socket.close(); };
  if (signal.aborted) {
    close();
    return;
  }
  const disposable = require('internal/events/abort_listener').addAbortListener(signal, close);
  socket.once('close', () => disposable[Symbol.dispose]());
}

/** The handle; throws if the socket is closed. */
function healthCheck(socket) {
  const { handle } = socket[kStateSymbol];
  if (!handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
  return handle;
}

function throwOnError(errno, syscall) {
  if (errno) throw new ErrnoException(errno, syscall);
}

function setMembership(socket, name, group, interfaceAddress) {
  const handle = healthCheck(socket);
  if (!group) throw new ERR_MISSING_ARGS('multicastAddress');
  throwOnError(handle[name](group, interfaceAddress), name);
}

function setSourceMembership(socket, name, [source, group, interfaceAddress]) {
  const handle = healthCheck(socket);
  validateString(source, 'sourceAddress');
  validateString(group, 'groupAddress');
  throwOnError(handle[name](source, group, interfaceAddress), name);
}

/**
 * Calls `operation` now if the socket is bound, else queues it until then. The queue is dropped if
 * binding fails.
 */
function enqueue(socket, operation) {
  const state = socket[kStateSymbol];
  if (state.bindState === BIND_STATE_BOUND) {
    operation();
    return;
  }
  const queued = require('internal/async_context').bind(operation);
  if (state.queue !== undefined) {
    state.queue.push(queued);
    return;
  }
  state.queue = [queued];
  const onError = () => {
    socket.removeListener('listening', onListening);
    state.queue = undefined;
  };
  const onListening = () => {
    socket.removeListener(EventEmitter.errorMonitor, onError);
    const { queue } = state;
    state.queue = undefined;
    for (const next of queue) next();
  };
  socket.once(EventEmitter.errorMonitor, onError);
  socket.once('listening', onListening);
}

const isBlocked = (list, address) => list?.check(address, `ipv${require('internal/net/ip').isIP(address)}`);

function doConnect(socket, port, host, callback) {
  const state = socket[kStateSymbol];
  // The socket was closed meanwhile.
  if (!state.handle) return;
  if (callback) socket.once('connect', callback);
  state.handle.lookup(host, (error, address) => {
    if (!state.handle) return;
    const failure = error || connectHandle(state, { address, host, port });
    state.connectState = failure ? CONNECT_STATE_DISCONNECTED : CONNECT_STATE_CONNECTED;
    nextTick(() => {
      if (!failure) {
        socket.emit('connect');
      } else if (callback) {
        socket.removeListener('connect', callback);
        callback(failure);
      } else {
        socket.emit('error', failure);
      }
    });
  });
}

/** Returns an error or undefined. */
function connectHandle(state, { address, host, port }) {
  if (isBlocked(state.sendBlockList, address)) return new ERR_IP_BLOCKED(address);
  const errno = state.handle.connect(address, port);
  return errno ? new ExceptionWithHostPort(errno, 'connect', host, port) : undefined;
}

function doSend(socket, message) {
  const state = socket[kStateSymbol];
  // The socket was closed meanwhile.
  if (!state.handle) return;
  if (message.port === undefined) {
    sendMessage(state, message, undefined);
    return;
  }
  state.handle.lookup(message.address, (error, address) => {
    if (!error) {
      if (state.handle) sendMessage(state, message, address);
    } else if (message.callback) {
      nextTick(message.callback, error);
    } else {
      nextTick(() => socket.emit('error', error));
    }
  });
}

/**
 * `destination` is undefined if the socket is connected. Without a callback errors are ignored, as
 * in Node.
 */
function sendMessage(state, { list, port, address, callback }, destination) {
  if (destination && isBlocked(state.sendBlockList, destination)) {
    if (callback) nextTick(callback, new ERR_IP_BLOCKED(destination));
    return;
  }
  const toError = (errno) => new ExceptionWithHostPort(errno, 'send', address, port);
  const request = new SendWrap();
  if (callback) request.oncomplete = (errno, bytes) => (errno ? callback(toError(errno)) : callback(null, bytes));
  const bytes = list.length === 1 ? list[0] : require('buffer').Buffer.concat(list);
  const result = state.handle.send(request, bytes, port, destination);
  if (result > 0) {
    if (callback) nextTick(callback, null, result - 1);
  } else if (result < 0 && callback) {
    nextTick(callback, toError(result));
  }
}

module.exports = { Socket };
