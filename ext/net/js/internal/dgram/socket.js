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
const { BOUND, UNBOUND, bind, bufferSize } = require('internal/dgram/bind');
const { SendWrap } = require('internal/dgram/handle');
const { readConnected, readUnconnected } = require('internal/dgram/message');
const { kStateSymbol, newHandle } = require('internal/dgram');

const DISCONNECTED = 0;
const CONNECTING = 1;
const CONNECTED = 2;

class Socket extends EventEmitter {
  constructor(type, listener) {
    super();
    const options = typeof type === 'object' && type !== null ? type : {};
    const own = options === type ? options.type : type;
    const settings = settingsOf(options);
    const handle = newHandle(own, options.lookup);
    active.add(handle, 'UDPWrap', this);
    this.type = own;
    if (typeof listener === 'function') this.on('message', listener);
    this[kStateSymbol] = { handle, receiving: false, bindState: UNBOUND, connectState: DISCONNECTED, queue: undefined, ...settings };
    if (options.signal !== undefined) closeAt(this, options.signal);
    const { channel } = require('diagnostics_channel');
    const made = channel('udp.socket');
    if (made.hasSubscribers) made.publish({ socket: this });
  }

  bind(...given) {
    running(this);
    bind(this, given);
    return this;
  }

  connect(port, address, callback) {
    const number = validatePort(port, 'Port', false);
    const [host, told] = typeof address === 'function' ? ['', address] : [address ?? '', callback];
    if (address === null) validateString(address, 'address');
    validateString(host, 'address');
    const state = this[kStateSymbol];
    if (state.connectState !== DISCONNECTED) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
    state.connectState = CONNECTING;
    if (state.bindState === UNBOUND) this.bind({ port: 0, exclusive: true }, null);
    whenBound(this, () => connect(this, number, host, told));
  }

  disconnect() {
    const state = this[kStateSymbol];
    if (state.connectState !== CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    check(state.handle.disconnect(), 'connect');
    state.connectState = DISCONNECTED;
  }

  sendto(buffer, offset, length, port, address, callback) {
    validateNumber(offset, 'offset');
    validateNumber(length, 'length');
    validateNumber(port, 'port');
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  }

  send(...given) {
    const state = this[kStateSymbol];
    const message = state.connectState === CONNECTED ? readConnected(given) : readUnconnected(given);
    running(this);
    if (state.bindState === UNBOUND) this.bind({ port: 0, exclusive: true }, null);
    whenBound(this, () => send(this, message));
  }

  close(callback) {
    const state = this[kStateSymbol];
    if (typeof callback === 'function') this.on('close', callback);
    if (state.queue !== undefined) {
      state.queue.push(() => this.close());
      return this;
    }
    running(this);
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
    check(running(this).getsockname(out), 'getsockname');
    return out;
  }

  remoteAddress() {
    const handle = running(this);
    if (this[kStateSymbol].connectState !== CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    const out = {};
    check(handle.getpeername(out), 'getpeername');
    return out;
  }

  setBroadcast(isAllowed) {
    check(this[kStateSymbol].handle.setBroadcast(Boolean(isAllowed)), 'setBroadcast');
  }

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    check(this[kStateSymbol].handle.setTTL(ttl), 'setTTL');
    return ttl;
  }

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    check(this[kStateSymbol].handle.setMulticastTTL(ttl), 'setMulticastTTL');
    return ttl;
  }

  setMulticastLoopback(isWanted) {
    check(this[kStateSymbol].handle.setMulticastLoopback(Boolean(isWanted)), 'setMulticastLoopback');
    return isWanted;
  }

  setMulticastInterface(interfaceAddress) {
    const handle = running(this);
    validateString(interfaceAddress, 'interfaceAddress');
    check(handle.setMulticastInterface(interfaceAddress), 'setMulticastInterface');
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

/** What options say beside the type. */
function settingsOf(options) {
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

function closeAt(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  const close = () => { if (socket[kStateSymbol].handle) socket.close(); };
  if (signal.aborted) {
    close();
    return;
  }
  const listening = require('internal/events/abort_listener').addAbortListener(signal, close);
  socket.once('close', () => listening[Symbol.dispose]());
}

/** The handle, which a socket has until it is closed. */
function running(socket) {
  const { handle } = socket[kStateSymbol];
  if (!handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
  return handle;
}

function check(errno, syscall) {
  if (errno) throw new ErrnoException(errno, syscall);
}

function setMembership(socket, name, group, own) {
  const handle = running(socket);
  if (!group) throw new ERR_MISSING_ARGS('multicastAddress');
  check(handle[name](group, own), name);
}

function setSourceMembership(socket, name, [source, group, own]) {
  const handle = running(socket);
  validateString(source, 'sourceAddress');
  validateString(group, 'groupAddress');
  check(handle[name](source, group, own), name);
}

/**
 * Calls `then` once the socket has its place, in the order in which it was asked for; never if it
 * gets none.
 */
function whenBound(socket, then) {
  const state = socket[kStateSymbol];
  if (state.bindState === BOUND) {
    then();
    return;
  }
  const bound = require('internal/async_context').bind(then);
  if (state.queue !== undefined) {
    state.queue.push(bound);
    return;
  }
  state.queue = [bound];
  const fail = () => {
    socket.removeListener('listening', go);
    state.queue = undefined;
  };
  const go = () => {
    socket.removeListener(EventEmitter.errorMonitor, fail);
    const { queue } = state;
    state.queue = undefined;
    for (const next of queue) next();
  };
  socket.once(EventEmitter.errorMonitor, fail);
  socket.once('listening', go);
}

const isBlocked = (list, address) => list?.check(address, `ipv${require('internal/net/kinds').isIP(address)}`);

function connect(socket, port, host, callback) {
  const state = socket[kStateSymbol];
  // It was closed meanwhile.
  if (!state.handle) return;
  if (callback) socket.once('connect', callback);
  state.handle.lookup(host, (error, address) => {
    if (!state.handle) return;
    const failure = error || connectTo(state, { address, host, port });
    state.connectState = failure ? DISCONNECTED : CONNECTED;
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

/** What went wrong. */
function connectTo(state, { address, host, port }) {
  if (isBlocked(state.sendBlockList, address)) return new ERR_IP_BLOCKED(address);
  const errno = state.handle.connect(address, port);
  return errno ? new ExceptionWithHostPort(errno, 'connect', host, port) : undefined;
}

function send(socket, message) {
  const state = socket[kStateSymbol];
  // It was closed meanwhile.
  if (!state.handle) return;
  if (message.port === undefined) {
    sendTo(state, message, undefined);
    return;
  }
  state.handle.lookup(message.address, (error, address) => {
    if (!error) {
      if (state.handle) sendTo(state, message, address);
    } else if (message.callback) {
      nextTick(message.callback, error);
    } else {
      nextTick(() => socket.emit('error', error));
    }
  });
}

/** `where`: unless the socket is connected. Whoever gave no callback hears of no error. */
function sendTo(state, { list, port, address, callback }, where) {
  if (where && isBlocked(state.sendBlockList, where)) {
    if (callback) nextTick(callback, new ERR_IP_BLOCKED(where));
    return;
  }
  const failure = (errno) => new ExceptionWithHostPort(errno, 'send', address, port);
  const request = new SendWrap();
  if (callback) request.oncomplete = (errno, bytes) => (errno ? callback(failure(errno)) : callback(null, bytes));
  const bytes = list.length === 1 ? list[0] : require('buffer').Buffer.concat(list);
  const answer = state.handle.send(request, bytes, port, where);
  if (answer > 0) {
    if (callback) nextTick(callback, null, answer - 1);
  } else if (answer < 0 && callback) {
    nextTick(callback, failure(answer));
  }
}

module.exports = { Socket };
