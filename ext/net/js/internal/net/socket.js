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
const { lengthOf, members } = require('internal/net/members');
const { kSettings, kTimeout, kWriting } = require('internal/net/symbols');

/**
 * A connection that was lost has no end to tell of, and a pipe tells by being closed: ENOTCONN,
 * ENOTSOCK.
 */
const WITHOUT_END = [-107, -88];
const REFUSED_OPTIONS = ['objectMode', 'readableObjectMode', 'writableObjectMode'];
const MILLISECONDS = 1000;

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  const own = typeof options === 'number' ? { fd: options } : { ...options };
  const refused = REFUSED_OPTIONS.find((name) => own[name]);
  if (refused !== undefined) throw new ERR_INVALID_ARG_VALUE(`options.${refused}`, own[refused], 'is not supported');
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
  this[kWriting] = undefined;
  this[kTimeout] = null;
  this[kSettings] = {
    noDelay: Boolean(own.noDelay),
    keepAlive: Boolean(own.keepAlive),
    keepAliveSeconds: Math.max(~~(own.keepAliveInitialDelay / MILLISECONDS), 0),
    trafficClass: own.typeOfService,
    bytesRead: 0,
    onread: readInto(own.onread),
    isReset: false,
    blockList: own.blockList,
  };
  const handle = own.handle ?? (own.fd === undefined ? null : handleOf(own.fd));
  // `close` is emitted after the handle is closed; strings are not decoded before they are written.
  Reflect.apply(Duplex, this, [{ ...own, allowHalfOpen: Boolean(own.allowHalfOpen), emitClose: false, autoDestroy: true, decodeStrings: false }]);
  this.on('end', refuseWrites);
  if (handle) takeHandle(this, handle);
  if (handle && own.readable !== false && !own.manualStart) initReading(this, own);
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

function handleOf(fd) {
  validateInt32(fd, 'fd', 0);
  const binding = internalBinding('stream_handle');
  const kind = binding.kind(fd);
  if (kind !== 'PIPE' && kind !== 'TCP') throw new ERR_INVALID_FD_TYPE(typeof kind === 'number' ? 'INVALID' : kind);
  const own = binding.open(fd, false);
  if (typeof own === 'number') throw new ErrnoException(own, 'open');
  return SocketHandle.fromNative(own, kind === 'PIPE');
}

/** The option `onread`: a buffer and a callback that get the bytes instead of the stream. */
function readInto(onread) {
  if (onread === null || typeof onread !== 'object' || typeof onread.callback !== 'function') return undefined;
  const { buffer, callback } = onread;
  if (typeof buffer !== 'function' && !ArrayBuffer.isView(buffer)) return undefined;
  return { next: typeof buffer === 'function' ? buffer : () => buffer, callback, buffer: undefined };
}

/** No more is read at once than the program's buffer holds. */
function nextBuffer(socket) {
  const { onread } = socket[kSettings];
  onread.buffer = onread.next();
  socket._handle.readMax = onread.buffer.byteLength;
}

/** Sets the handle of the socket. */
function takeHandle(socket, handle) {
  socket._undestroy();
  socket._handle = handle;
  socket._sockname = undefined;
  socket._peername = undefined;
  socket._bytesDispatched = 0;
  const settings = socket[kSettings];
  settings.bytesRead = 0;
  if (settings.onread !== undefined) nextBuffer(socket);
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
    // A stream whose end was seen before is done now.
    if (!socket._readableState.endEmitted) {
      socket.push(null);
      socket.read(0);
    }
    return;
  }
  const settings = socket[kSettings];
  settings.bytesRead += value.byteLength;
  if (socket.destroyed) return;
  if (settings.onread !== undefined) {
    readIntoBuffer(socket, value);
  } else if (!socket.push(require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength))) {
    socket._handle?.readStop();
  }
}

function readIntoBuffer(socket, bytes) {
  const { callback, buffer } = socket[kSettings].onread;
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes);
  const goesOn = Reflect.apply(callback, socket, [bytes.byteLength, buffer]);
  if (socket._handle === null) return;
  if (goesOn === false) socket._handle.readStop();
  nextBuffer(socket);
}

/**
 * The other end hears no more: what is written from now on is an error, unless the program wanted
 * halves.
 */
function refuseWrites() {
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

Socket.prototype.connect = function connect(...given) {
  const { normalize } = require('internal/net/arguments');
  const [options, callback] = normalize(given);
  if (options.port === undefined && options.path == null) throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (this.write !== Socket.prototype.write) this.write = Socket.prototype.write;
  if (this.destroyed) this._undestroy();
  if (this._handle === null) takeHandle(this, handleFor(options));
  if (callback !== null) this.once('connect', callback);
  require('internal/net/connect').connect(this, options);
  return this;
};

const handleFor = ({ path }) => (path ? new PipeHandle() : new TCP());

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

/** With `onread`, pause and resume stop and start reading at once. */
const readsAtOnce = (socket) => socket[kSettings].onread !== undefined && !socket.connecting && socket._handle !== null;

Socket.prototype.pause = function pause() {
  if (readsAtOnce(this) && this._handle.reading) this._handle.readStop();
  return Duplex.prototype.pause.call(this);
};

Socket.prototype.resume = function resume() {
  if (readsAtOnce(this) && !this._handle.reading) startReading(this);
  return Duplex.prototype.resume.call(this);
};

Socket.prototype.read = function read(count) {
  if (readsAtOnce(this) && !this._handle.reading) startReading(this);
  return Duplex.prototype.read.call(this, count);
};

Socket.prototype._write = function _write(chunk, encoding, callback) {
  writeOut(this, chunk, encoding, callback);
};

Socket.prototype._writev = function _writev(chunks, callback) {
  const { Buffer } = require('buffer');
  const pieces = chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk));
  writeOut(this, Buffer.concat(pieces), 'buffer', callback);
};

function writeOut(socket, chunk, encoding, callback) {
  if (socket.connecting) {
    writeLater(socket, chunk, encoding, callback);
    return;
  }
  socket._unrefTimer();
  const handle = socket._handle;
  if (handle === null) {
    callback(new ERR_SOCKET_CLOSED());
    return;
  }
  // The native half writes strings as UTF-8 itself.
  const isPlain = typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8';
  const bytes = isPlain ? chunk : require('buffer').Buffer.from(chunk, encoding);
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

/** Once it is connected; an error if it never is. */
function writeLater(socket, chunk, encoding, callback) {
  socket[kWriting] = { chunk, encoding };
  const onClose = () => callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket.once('connect', () => {
    socket.off('close', onClose);
    socket[kWriting] = undefined;
    writeOut(socket, chunk, encoding, callback);
  });
  socket.once('close', onClose);
}

Socket.prototype._final = function _final(callback) {
  if (this.connecting) {
    this.once('connect', () => this._final(callback));
    return;
  }
  const errno = this._handle?.shutdown() ?? 0;
  callback(errno === 0 || WITHOUT_END.includes(errno) ? null : new ErrnoException(errno, 'shutdown'));
};

Socket.prototype._destroy = function _destroy(error, callback) {
  const handle = this._handle;
  this.connecting = false;
  require('internal/net/timeout').stop(this);
  require('internal/net/connect').giveUp(this);
  const emitClose = () => this.emit('close', Boolean(error));
  if (handle === null) {
    callback(error);
    nextTick(emitClose);
  } else {
    this._handle = null;
    this._sockname = undefined;
    active.remove(handle);
    if (this[kSettings].isReset) handle.reset();
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
    this[kSettings].isReset = true;
    this.destroy();
  };
  if (this._handle === null) this.destroy(new ERR_SOCKET_CLOSED());
  else if (!(this._handle instanceof TCP)) throw new ERR_INVALID_HANDLE_TYPE();
  else if (this.connecting) this.once('connect', reset);
  else reset();
  return this;
};

Object.assign(Socket.prototype, require('internal/net/timeout').methods);
Object.defineProperties(Socket.prototype, Object.getOwnPropertyDescriptors(members));

module.exports = { Socket, takeHandle };
