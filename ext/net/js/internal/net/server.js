// `net.Server`: what listens. In: options, where at. Out: 'listening', 'connection' with a socket
// for each who comes, 'drop' for each who was sent away, 'close' when it is closed and all of them
// are gone. How it comes to its place: listen.js.
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
  checkKeepAlive(options);
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

function checkKeepAlive({ keepAlive, keepAliveInitialDelay, noDelay }) {
  if (keepAlive !== undefined) validateBoolean(keepAlive, 'options.keepAlive');
  if (noDelay !== undefined) validateBoolean(noDelay, 'options.noDelay');
  if (keepAliveInitialDelay !== undefined) validateNumber(keepAliveInitialDelay, 'options.keepAliveInitialDelay');
}

Server.prototype.listen = function listen(...given) {
  require('internal/net/listen').listen(this, given);
  return this;
};

/** The server is at its place, over that handle. */
function begin(server, handle) {
  server._handle = handle;
  handle.isServer = true;
  active.add(handle, handle.name, server);
  handle.onconnection = (errno, client) => onConnection(server, errno, client);
  if (server._unref) handle.unref();
}

function onConnection(server, errno, handle) {
  if (errno !== 0) {
    server.emit('error', new ErrnoException(errno, 'accept'));
    return;
  }
  const isFull = server.maxConnections != null && server._connections >= server.maxConnections;
  const ends = isFull || server.blockList !== undefined ? endsOf(handle) : undefined;
  if (isFull) {
    drop(server, handle, ends);
    return;
  }
  if (server.blockList !== undefined && ends.remoteAddress !== undefined) {
    if (server.blockList.check(ends.remoteAddress, ends.remoteFamily.toLowerCase())) {
      drop(server, handle, ends);
      return;
    }
  }
  welcome(server, handle);
}

function endsOf(handle) {
  const [own, peer] = [handle.ownPlace(), handle.peerPlace()];
  const ends = {};
  if (typeof own === 'object') Object.assign(ends, { localAddress: own.address, localPort: own.port, localFamily: own.family });
  if (typeof peer === 'object') Object.assign(ends, { remoteAddress: peer.address, remotePort: peer.port, remoteFamily: peer.family });
  return ends;
}

function drop(server, handle, ends) {
  handle.close();
  server.emit('drop', Object.keys(ends).length > 0 ? ends : undefined);
}

function welcome(server, handle) {
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

/** One of its sockets is gone. */
function leave(server) {
  server._connections -= 1;
  server._emitCloseIfDrained();
}

Object.defineProperties(Server.prototype, {
  listening: { configurable: true, enumerable: true, get() { return Boolean(this._handle); } },
});

Server.prototype.address = function address() {
  const found = this._handle?.ownPlace?.();
  if (typeof found === 'number') throw new ErrnoException(found, 'address');
  return found ?? null;
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

Server.prototype[Symbol.for('nodejs.rejection')] = function captured(error, event, socket) {
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

function closeAt(server, signal) {
  validateAbortSignal(signal, 'options.signal');
  if (signal.aborted) {
    nextTick(() => server.close());
    return;
  }
  const { addAbortListener } = require('events');
  const disposable = addAbortListener(signal, () => server.close());
  server.once('close', disposable[Symbol.dispose]);
}

module.exports = { Server, begin, closeAt, leave };
