// `net.Server`: accepts connections on a listening socket. In: options. Out: 'listening';
// 'connection' with a socket for each accepted connection; 'drop' for each that is refused; 'close'
// when the server and all its connections are closed. How it binds and listens: listen.js.
'use strict';

const EventEmitter = require('events');
const { nextTick } = require('process');
const active = require('internal/process/active_resources');
const {
  ErrnoException, codes: { ERR_INVALID_ARG_TYPE, ERR_SERVER_NOT_RUNNING },
} = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateNumber } = require('internal/validators');
const { Socket } = require('internal/net/socket');

const MILLISECONDS = 1000;

function Server(options, onConnection) {
  if (!(this instanceof Server)) return new Server(options, onConnection);
  Reflect.apply(EventEmitter, this, []);
  if (typeof options === 'function') {
    onConnection = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else if (typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  this._connections = 0;
  this._handle = null;
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen ?? false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / MILLISECONDS);
  validateKeepAlive(options);
  if (options.highWaterMark !== undefined) validateNumber(options.highWaterMark, 'options.highWaterMark');
  this.highWaterMark = options.highWaterMark >= 0 ? options.highWaterMark : require('stream').getDefaultHighWaterMark();
  if (options.blockList) {
    const { BlockList } = require('internal/net/block_list');
    if (!BlockList.isBlockList(options.blockList)) throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    this.blockList = options.blockList;
  }
  if (onConnection != null) {
    if (typeof onConnection !== 'function') throw new ERR_INVALID_ARG_TYPE('connectionListener', 'Function', onConnection);
    this.on('connection', onConnection);
  }
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function validateKeepAlive({ keepAlive, keepAliveInitialDelay, noDelay }) {
  if (keepAlive !== undefined) validateBoolean(keepAlive, 'options.keepAlive');
  if (noDelay !== undefined) validateBoolean(noDelay, 'options.noDelay');
  if (keepAliveInitialDelay !== undefined) validateNumber(keepAliveInitialDelay, 'options.keepAliveInitialDelay');
}

Server.prototype.listen = function listen(...args) {
  require('internal/net/listen').listen(this, args);
  return this;
};

/** Makes the server accept connections of a listening handle. */
function setupListenHandle(server, handle) {
  server._handle = handle;
  handle.isServer = true;
  // Node has one class for pipes and their servers.
  active.add(handle, handle.name === 'PipeServerWrap' ? 'PipeWrap' : handle.name, server);
  handle.onconnection = (errno, client) => onconnection(server, errno, client);
  if (server._unref) handle.unref();
}

function onconnection(server, errno, handle) {
  if (errno !== 0) {
    server.emit('error', new ErrnoException(errno, 'accept'));
    return;
  }
  const isFull = server.maxConnections != null && server._connections >= server.maxConnections;
  const addresses = isFull || server.blockList !== undefined ? socketAddresses(handle) : undefined;
  if (isFull) {
    drop(server, handle, addresses);
    return;
  }
  if (server.blockList !== undefined && addresses.remoteAddress !== undefined) {
    if (server.blockList.check(addresses.remoteAddress, addresses.remoteFamily.toLowerCase())) {
      drop(server, handle, addresses);
      return;
    }
  }
  acceptConnection(server, handle);
}

function socketAddresses(handle) {
  const [local, peer] = [handle.getsockname(), handle.getpeername()];
  const addresses = {};
  if (typeof local === 'object') Object.assign(addresses, { localAddress: local.address, localPort: local.port, localFamily: local.family });
  if (typeof peer === 'object') Object.assign(addresses, { remoteAddress: peer.address, remotePort: peer.port, remoteFamily: peer.family });
  return addresses;
}

function drop(server, handle, addresses) {
  handle.close();
  server.emit('drop', Object.keys(addresses).length > 0 ? addresses : undefined);
}

function acceptConnection(server, handle) {
  const { noDelay, keepAlive, keepAliveInitialDelay, highWaterMark } = server;
  if (noDelay) handle.setNoDelay(true);
  if (keepAlive) handle.setKeepAlive(true, keepAliveInitialDelay);
  const socket = new Socket({
    handle,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: highWaterMark,
    writableHighWaterMark: highWaterMark,
    noDelay,
    keepAlive,
    keepAliveInitialDelay: keepAliveInitialDelay * MILLISECONDS,
  });
  server._connections += 1;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket);
  const channel = require('internal/net/channels').serverSocket;
  if (channel.hasSubscribers) channel.publish({ socket });
}

/** A connection of the server was closed. */
function removeConnection(server) {
  server._connections -= 1;
  server._emitCloseIfDrained();
}

Object.defineProperties(Server.prototype, {
  listening: { configurable: true, enumerable: true, get() { return Boolean(this._handle); } },
});

Server.prototype.address = function address() {
  const address = this._handle?.getsockname?.();
  if (typeof address === 'number') throw new ErrnoException(address, 'address');
  return address ?? null;
};

Server.prototype.getConnections = function getConnections(callback) {
  validateFunction(callback, 'callback');
  nextTick(callback, null, this._connections);
  return this;
};

Server.prototype.close = function close(callback) {
  if (typeof callback === 'function') {
    if (this._handle) this.once('close', callback);
    else this.once('close', () => callback(new ERR_SERVER_NOT_RUNNING()));
  }
  if (this._handle) {
    active.remove(this._handle);
    this._handle.close();
    this._handle = null;
  }
  this._listeningId += 1;
  this._emitCloseIfDrained();
  return this;
};

Server.prototype._emitCloseIfDrained = function _emitCloseIfDrained() {
  if (this._handle || this._connections > 0) return;
  nextTick(() => this.emit('close'));
};

Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  if (!this._handle) return;
  await require('util').promisify(this.close).call(this);
};

Server.prototype[Symbol.for('nodejs.rejection')] = function captureRejection(error, event, socket) {
  if (event === 'connection') socket.destroy(error);
  else this.emit('error', error);
};

Server.prototype.ref = function ref() {
  this._unref = false;
  this._handle?.ref();
  return this;
};

Server.prototype.unref = function unref() {
  this._unref = true;
  this._handle?.unref();
  return this;
};

function closeOnAbort(server, signal) {
  validateAbortSignal(signal, 'options.signal');
  if (signal.aborted) {
    nextTick(() => server.close());
    return;
  }
  const { addAbortListener } = require('events');
  const disposable = addAbortListener(signal, () => server.close());
  server.once('close', disposable[Symbol.dispose]);
}

module.exports = { Server, setupListenHandle, closeOnAbort, removeConnection };
