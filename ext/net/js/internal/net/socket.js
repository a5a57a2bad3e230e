// `net.Socket`: a duplex stream over a connection. In: a handle, a file descriptor, or options of
// `connect`. Out: the stream, its addresses, its socket options. Connecting: connect.js; idle
// timeout: timeout.js. Absent: servers.
'use strict';

const { Duplex } = require('stream');
const { nextTick } = require('process');
const active = require('internal/process/active_resources');
const { Pipe: StdioPipe } = require('internal/io/pipe');
const {
  ErrnoException,
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE, ERR_INVALID_HANDLE_TYPE, ERR_MISSING_ARGS, ERR_SOCKET_CLOSED, ERR_SOCKET_CLOSED_BEFORE_CONNECTION },
} = require('internal/errors');
const { validateInt32 } = require('internal/validators');
const { Pipe: PipeHandle, SocketHandle, TCP } = require('internal/net/handle');
const { lengthOf, properties } = require('internal/net/socket_properties');
const { kSocketOptions, kTimeout } = require('internal/net/symbols');

/**
 * Ignored by shutdown: ENOTCONN of a lost connection; ENOTSOCK of a pipe, which has no shutdown.
 */
const SHUTDOWN_ERRNOS_IGNORED = [-107, -88];
const UNSUPPORTED_OPTIONS = ['objectMode', 'readableObjectMode', 'writableObjectMode'];
const MILLISECONDS = 1000;

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  options = typeof options === 'number' ? { fd: options } : { ...options };
  const unsupported = UNSUPPORTED_OPTIONS.find((name) => options[name]);
  if (unsupported !== undefined) throw new ERR_INVALID_ARG_VALUE(`options.${unsupported}`, options[unsupported], 'is not supported');
  this.connecting = false;
  this._hadError = false;
  this._handle = null;
  this._parent = null;
  this._host = null;
  this._peername = undefined;
  this._sockname = undefined;
  this.server = null;
  this._server = null;
  this.timeout = 0;
  this._bytesDispatched = 0;
  this._pendingData = null;
  this._pendingEncoding = '';
  this[kTimeout] = null;
  this[kSocketOptions] = {
    noDelay: Boolean(options.noDelay),
    keepAlive: Boolean(options.keepAlive),
    keepAliveSeconds: Math.max(~~(options.keepAliveInitialDelay / MILLISECONDS), 0),
    trafficClass: options.typeOfService,
    bytesRead: 0,
    onread: parseOnread(options.onread),
    isReset: false,
    blockList: options.blockList,
  };
  const handle = options.handle ?? (options.fd === undefined ? null : openFd(options.fd));
  // `close` is emitted after the handle is closed; strings are not decoded before they are written.
  Reflect.apply(Duplex, this, [{ ...options, allowHalfOpen: Boolean(options.allowHalfOpen), emitClose: false, autoDestroy: true, decodeStrings: false }]);
  this.on('end', rejectWrites);
  if (handle) setHandle(this, handle);
  if (handle && options.readable !== false && !options.manualStart) initReading(this, options);
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);
// Standard streams and pipes to child processes are instances of net.Socket, too.
Object.defineProperty(Socket, Symbol.hasInstance, {
  configurable: true,
  value(object) {
    return Function.prototype[Symbol.hasInstance].call(this, object) || (this === Socket && object instanceof StdioPipe);
  },
});

/** Starts reading, or pauses a socket made with `pauseOnCreate`. */
function initReading(socket, options) {
  if (options.pauseOnCreate) {
    socket._handle.readStop();
    socket.readableFlowing = false;
  } else {
    socket.read(0);
  }
}

function openFd(fd) {
  validateInt32(fd, 'fd', 0);
  const binding = internalBinding('stream_handle');
  const kind = binding.kind(fd);
  if (kind !== 'PIPE' && kind !== 'TCP') throw new ERR_INVALID_FD_TYPE(typeof kind === 'number' ? 'INVALID' : kind);
  const native = binding.open(fd, false);
  if (typeof native === 'number') throw new ErrnoException(native, 'open');
  return SocketHandle.fromNative(native, kind === 'PIPE');
}

/** The option `onread`: a buffer and a callback that get the bytes instead of the stream. */
function parseOnread(onread) {
  if (onread === null || typeof onread !== 'object' || typeof onread.callback !== 'function') return undefined;
  const { buffer, callback } = onread;
  if (typeof buffer !== 'function' && !ArrayBuffer.isView(buffer)) return undefined;
  return { next: typeof buffer === 'function' ? buffer : () => buffer, callback, buffer: undefined };
}

/** Takes the next buffer of `onread` and limits the next read to its size. */
function nextBuffer(socket) {
  const { onread } = socket[kSocketOptions];
  onread.buffer = onread.next();
  socket._handle.readMax = onread.buffer.byteLength;
}

/** Sets the handle of the socket. */
function setHandle(socket, handle) {
  socket._undestroy();
  socket._handle = handle;
  socket._sockname = undefined;
  socket._peername = undefined;
  socket._bytesDispatched = 0;
  const options = socket[kSocketOptions];
  options.bytesRead = 0;
  if (options.onread !== undefined) nextBuffer(socket);
  active.add(handle, handle.name, socket);
  handle.onread = (value) => onRead(socket, value);
}

function onRead(socket, value) {
  if (typeof value === 'number') {
    socket.destroy(new ErrnoException(value, 'read'));
    return;
  }
  socket._unrefTimer();
  if (value === null) {
    // The stream may have ended already.
    if (!socket._readableState.endEmitted) {
      socket.push(null);
      socket.read(0);
    }
    return;
  }
  const options = socket[kSocketOptions];
  options.bytesRead += value.byteLength;
  if (socket.destroyed) return;
  if (options.onread !== undefined) {
    readIntoBuffer(socket, value);
  } else if (!socket.push(require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength))) {
    socket._handle?.readStop();
  }
}

function readIntoBuffer(socket, bytes) {
  const { callback, buffer } = socket[kSocketOptions].onread;
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes);
  const shouldContinue = Reflect.apply(callback, socket, [bytes.byteLength, buffer]);
  if (socket._handle === null) return;
  if (shouldContinue === false) socket._handle.readStop();
  nextBuffer(socket);
}

/** After the peer has ended, writes fail unless the socket may be half-open. */
function rejectWrites() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

function writeAfterEnd(chunk, encoding, callback) {
  if (this.writableEnded) {
    const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    const done = typeof encoding === 'function' ? encoding : callback;
    if (typeof done === 'function') nextTick(done, error);
    this.destroy(error);
    return false;
  }
  return Duplex.prototype.write.call(this, chunk, encoding, callback);
}

Socket.prototype.connect = function connect(...args) {
  const { normalize } = require('internal/net/arguments');
  const [options, callback] = normalize(args);
  if (options.port === undefined && options.path == null) throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (this.write !== Socket.prototype.write) this.write = Socket.prototype.write;
  if (this.destroyed) this._undestroy();
  if (this._handle === null) setHandle(this, createHandle(options));
  if (callback !== null) this.once('connect', callback);
  require('internal/net/connect').connect(this, options);
  return this;
};

const createHandle = ({ path }) => (path ? new PipeHandle() : new TCP());

Socket.prototype._read = function _read(count) {
  if (this.connecting || !this._handle) {
    this.once('connect', () => this._read(count));
  } else if (!this._handle.reading) {
    startReading(this);
  }
};

function startReading(socket) {
  const errno = socket._handle.readStart();
  if (errno < 0) socket.destroy(new ErrnoException(errno, 'read'));
}

/** Whether `onread` is used: pause and resume then stop and start reading synchronously. */
const readsIntoBuffer = (socket) => socket[kSocketOptions].onread !== undefined && !socket.connecting && socket._handle !== null;

Socket.prototype.pause = function pause() {
  if (readsIntoBuffer(this) && this._handle.reading) this._handle.readStop();
  return Duplex.prototype.pause.call(this);
};

Socket.prototype.resume = function resume() {
  if (readsIntoBuffer(this) && !this._handle.reading) startReading(this);
  return Duplex.prototype.resume.call(this);
};

Socket.prototype.read = function read(count) {
  if (readsIntoBuffer(this) && !this._handle.reading) startReading(this);
  return Duplex.prototype.read.call(this, count);
};

/** Node's method for all writes, which interceptors of requests (msw) replace. */
Socket.prototype._writeGeneric = function _writeGeneric(isList, data, encoding, callback) {
  if (this.connecting) {
    writeAfterConnect(this, isList, data, encoding, callback);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = '';
  if (isList) {
    const { Buffer } = require('buffer');
    const buffers = data.map(({ chunk, encoding: own }) => (typeof chunk === 'string' ? Buffer.from(chunk, own) : chunk));
    writeChunk(this, Buffer.concat(buffers), 'buffer', callback);
  } else {
    writeChunk(this, data, encoding, callback);
  }
};

Socket.prototype._write = function _write(chunk, encoding, callback) {
  this._writeGeneric(false, chunk, encoding, callback);
};

Socket.prototype._writev = function _writev(chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

function writeChunk(socket, chunk, encoding, callback) {
  socket._unrefTimer();
  const handle = socket._handle;
  if (handle === null) {
    callback(new ERR_SOCKET_CLOSED());
    return;
  }
  // The binding writes strings as UTF-8.
  const isUtf8 = typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8';
  const bytes = isUtf8 ? chunk : require('buffer').Buffer.from(chunk, encoding);
  socket._bytesDispatched += lengthOf(bytes);
  handle.write(bytes, (errno) => {
    if (errno < 0) {
      callback(socket.destroyed ? null : new ErrnoException(errno, 'write'));
    } else {
      socket._unrefTimer();
      callback();
    }
  });
}

/** Writes when the socket is connected; fails if it never is. */
function writeAfterConnect(socket, isList, data, encoding, callback) {
  socket._pendingData = data;
  socket._pendingEncoding = encoding;
  const onClose = () => callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket.once('connect', () => {
    socket.off('close', onClose);
    socket._writeGeneric(isList, data, encoding, callback);
  });
  socket.once('close', onClose);
}

Socket.prototype._final = function _final(callback) {
  if (this.connecting) {
    this.once('connect', () => this._final(callback));
    return;
  }
  const errno = this._handle?.shutdown() ?? 0;
  // 1 is what a handle of Node returns that is shut down already.
  callback(errno === 0 || errno === 1 || SHUTDOWN_ERRNOS_IGNORED.includes(errno) ? null : new ErrnoException(errno, 'shutdown'));
};

Socket.prototype._destroy = function _destroy(error, callback) {
  const handle = this._handle;
  this.connecting = false;
  require('internal/net/timeout').stop(this);
  require('internal/net/connect').cancelConnect(this);
  const emitClose = () => this.emit('close', Boolean(error));
  if (handle === null) {
    callback(error);
    nextTick(emitClose);
  } else {
    this._handle = null;
    this._sockname = undefined;
    active.remove(handle);
    if (this[kSocketOptions].isReset) handle.reset();
    handle.close(emitClose);
    callback(error);
  }
  const server = this._server;
  if (server !== null) {
    this._server = null;
    require('internal/net/server').removeConnection(server);
  }
};

Socket.prototype.destroySoon = function destroySoon() {
  if (this.writable) this.end();
  if (this.writableFinished) this.destroy();
  else this.once('finish', this.destroy);
};

Socket.prototype.resetAndDestroy = function resetAndDestroy() {
  const reset = () => {
    this[kSocketOptions].isReset = true;
    this.destroy();
  };
  if (this._handle === null) this.destroy(new ERR_SOCKET_CLOSED());
  else if (!(this._handle instanceof TCP)) throw new ERR_INVALID_HANDLE_TYPE();
  else if (this.connecting) this.once('connect', reset);
  else reset();
  return this;
};

Object.assign(Socket.prototype, require('internal/net/timeout').methods);
Object.defineProperties(Socket.prototype, Object.getOwnPropertyDescriptors(properties));
require('internal/net/interception').setSocket(Socket);

module.exports = { Socket, setHandle };
