// File streams, as Node's lib/internal/fs/streams.js. In: a path, a file descriptor or a
// FileHandle, and a range. Out: ReadStream and WriteStream. They call the public functions of `fs`,
// or those in `options.fs`, so programs can replace them. Absent: buffering (the base classes).
'use strict';

const { nextTick } = internalBinding('queues');
const { Readable, Writable, finished } = require('stream');
const { errorOrDestroy } = require('internal/streams/destroy');
const { codes, aggregateTwoErrors } = require('internal/errors');
const { copyObject, getOptions, getValidatedFd, getValidatedPath, isURL } = require('internal/fs/utils');
const { validateBoolean, validateFunction, validateInteger } = require('internal/validators');

const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kIoDone = Symbol('kIoDone');
const kIsPerformingIO = Symbol('kIsPerformingIO');

/** Retries of a write that failed with EAGAIN. */
const kMaxRetries = 5;

// --- common

/** Sets `fd`, or `path`, `flags` and `mode`. */
function importPathOrFd(stream, path, options, flags) {
  if (options.fd == null) {
    stream.fd = null;
    stream[kFs] = options.fs || require('fs');
    validateFunction(stream[kFs].open, 'options.fs.open');
    stream.path = path !== null && typeof path === 'object' && isURL(path) ? require('url').fileURLToPath(path) : path;
    stream.flags = options.flags === undefined ? flags : options.flags;
    stream.mode = options.mode === undefined ? 0o666 : options.mode;
    getValidatedPath(stream.path);
  } else {
    stream.fd = getValidatedFd(importFd(stream, options));
  }
}

function importFd(stream, options) {
  if (typeof options.fd === 'number') {
    stream[kFs] = options.fs || require('fs');
    return options.fd;
  }
  if (typeof options.fd === 'object') {
    const { FileHandle } = require('internal/fs/file_handle');
    if (options.fd instanceof FileHandle) {
      if (options.fs) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
      return importHandle(stream, options.fd);
    }
  }
  throw new codes.ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], options.fd);
}

function importHandle(stream, handle) {
  const { kRef, kUnref } = require('internal/fs/file_handle');
  stream[kHandle] = handle;
  stream[kFs] = fileHandleOperations(handle, kUnref);
  handle[kRef]();
  handle.on('close', Writable.prototype.isPrototypeOf(stream) ? stream.close.bind(stream) : stream.close.bind(stream, undefined));
  return handle.fd;
}

/** The functions of `fs` that streams call, on a FileHandle. */
function fileHandleOperations(handle, kUnref) {
  return {
    open(path, flags, mode, callback) { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('open()'); },
    close(fd, callback) {
      handle[kUnref]();
      handle.close().then(() => callback(), callback);
    },
    fsync(fd, callback) { handle.sync().then(() => callback(), callback); },
    read(fd, buffer, offset, length, position, callback) {
      handle.read(buffer, offset, length, position).then((result) => callback(null, result.bytesRead, result.buffer),
                                                         (error) => callback(error, 0, buffer));
    },
    write(fd, buffer, offset, length, position, callback) {
      handle.write(buffer, offset, length, position).then((result) => callback(null, result.bytesWritten, result.buffer),
                                                          (error) => callback(error, 0, buffer));
    },
    writev(fd, buffers, position, callback) {
      handle.writev(buffers, position).then((result) => callback(null, result.bytesWritten, result.buffers),
                                            (error) => callback(error, 0, buffers));
    },
  };
}

/** Opens the file. As in Node, a subclass with an `open` method opens it by that (deprecated). */
function _construct(callback) {
  const stream = this;
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  if (typeof stream.open === 'function') {
    const { emit } = stream;
    stream.emit = function(...args) {
      if (args[0] === 'open') {
        this.emit = emit;
        callback();
      } else if (args[0] === 'error') {
        this.emit = emit;
        callback(args[1]);
        return undefined;
      }
      return Reflect.apply(emit, this, args);
    };
    stream.open();
    return;
  }
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
    } else {
      stream.fd = fd;
      callback();
      stream.emit('open', stream.fd);
      stream.emit('ready');
    }
  });
}

function _destroy(error, callback) {
  // A pending operation uses the descriptor, so it is closed afterwards.
  if (this[kIsPerformingIO]) this.once(kIoDone, (other) => closeFile(this, error || other, callback));
  else closeFile(this, error, callback);
}

function closeFile(stream, error, callback) {
  if (!stream.fd) {
    callback(error);
  } else if (stream.flush) {
    stream[kFs].fsync(stream.fd, (failed) => closeFd(stream, error || failed, callback));
  } else {
    closeFd(stream, error, callback);
  }
}

function closeFd(stream, error, callback) {
  stream[kFs].close(stream.fd, (failed) => callback(aggregateTwoErrors(failed, error)));
  stream.fd = null;
}

function getState(stream, name, Class) {
  const state = stream[name];
  if (state === undefined) throw new codes.ERR_INVALID_THIS(Class.name);
  return state;
}

function defineCommon(Class, stateName) {
  Object.defineProperty(Class.prototype, 'autoClose', {
    __proto__: null,
    configurable: true,
    get() { return getState(this, stateName, Class).autoDestroy; },
    set(value) { getState(this, stateName, Class).autoDestroy = value; },
  });
  Class.prototype._construct = _construct;
}

// --- reading

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = copyObject(getOptions(options, {}));
  if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
  importPathOrFd(this, path, options, 'r');
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  validateFunction(this[kFs].read, 'options.fs.read');
  if (options.autoDestroy) validateFunction(this[kFs].close, 'options.fs.close');
  this.start = options.start;
  this.end = options.end;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end === undefined) {
    this.end = Infinity;
  } else if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);
defineCommon(ReadStream, '_readableState');

ReadStream.prototype._read = function(n) {
  n = Math.min(this.end - (this.pos ?? this.bytesRead) + 1, n);
  if (n <= 0) {
    this.push(null);
    return;
  }
  const buffer = require('buffer').Buffer.allocUnsafeSlow(n);
  this[kIsPerformingIO] = true;
  this[kFs].read(this.fd, buffer, 0, n, this.pos, (error, bytesRead, bytes) => {
    this[kIsPerformingIO] = false;
    if (this.destroyed) {
      this.emit(kIoDone, error);
    } else if (error) {
      errorOrDestroy(this, error);
    } else if (bytesRead > 0) {
      pushRead(this, bytes, bytesRead);
    } else {
      this.push(null);
    }
  });
};

function pushRead(stream, bytes, count) {
  if (stream.pos !== undefined) stream.pos += count;
  stream.bytesRead += count;
  if (count !== bytes.length) {
    // A short read must not retain the memory of a long one.
    const { Buffer } = require('buffer');
    const short = Buffer.allocUnsafeSlow(count);
    bytes.copy(short, 0, 0, count);
    bytes = short;
  }
  stream.push(bytes);
}

ReadStream.prototype._destroy = _destroy;

ReadStream.prototype.close = function(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

Object.defineProperty(ReadStream.prototype, 'pending', {
  __proto__: null,
  configurable: true,
  get() { return this.fd === null; },
});

// --- writing

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = copyObject(getOptions(options, {}));
  options.decodeStrings = true;
  importPathOrFd(this, path, options, 'w');
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  const { write, writev, close, fsync } = this[kFs];
  if (!write && !writev) throw new codes.ERR_INVALID_ARG_TYPE('options.fs.write', 'function', write);
  if (write) validateFunction(write, 'options.fs.write');
  if (writev) validateFunction(writev, 'options.fs.writev');
  if (options.autoDestroy) validateFunction(close, 'options.fs.close');
  const { flush } = options;
  if (flush == null) {
    this.flush = false;
  } else {
    validateBoolean(flush, 'options.flush');
    if (flush) validateFunction(fsync, 'options.fs.fsync');
    this.flush = flush;
  }
  // If one of the two is missing, the stream uses the other.
  if (!write) this._write = null;
  if (!writev) this._writev = null;
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);
defineCommon(WriteStream, '_writableState');

function writeAll(stream, bytes, size, position, callback, retries = 0) {
  stream[kFs].write(stream.fd, bytes, 0, size, position, (error, written, buffer) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      written = 0;
    }
    if (stream.destroyed || error) return callback(error || new codes.ERR_STREAM_DESTROYED('write'));
    stream.bytesWritten += written;
    retries = written ? 0 : retries + 1;
    size -= written;
    position += written;
    if (retries > kMaxRetries) return callback(new codes.ERR_SYSTEM_ERROR(eagainError('write')));
    if (size === 0) return callback();
    retry(retries, () => writeAll(stream, buffer.slice(written), size, position, callback, retries));
  });
}

function writevAll(stream, chunks, size, position, callback, retries = 0) {
  stream[kFs].writev(stream.fd, chunks, position ?? null, (error, written, buffers) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      written = 0;
    }
    if (stream.destroyed || error) return callback(error || new codes.ERR_STREAM_DESTROYED('writev'));
    stream.bytesWritten += written;
    retries = written ? 0 : retries + 1;
    size -= written;
    position += written;
    if (retries > kMaxRetries) return callback(new codes.ERR_SYSTEM_ERROR(eagainError('writev')));
    if (size === 0) return callback();
    const rest = [require('buffer').Buffer.concat(buffers).subarray(written)];
    retry(retries, () => writevAll(stream, rest, size, position, callback, retries));
  });
}

function eagainError(syscall) {
  return { code: 'EAGAIN', message: `${syscall} failed`, syscall, errno: -11 };
}

/** Retries at once if something was written, else after a delay. */
function retry(retries, write) {
  if (retries === 0) write();
  else setTimeout(write, retries * 10);
}

/** The callback of a write. A stream that was destroyed meanwhile waits for it. */
function onWriteDone(stream, callback) {
  return (error) => {
    stream[kIsPerformingIO] = false;
    if (stream.destroyed) {
      callback(error);
      stream.emit(kIoDone, error);
      return;
    }
    callback(error);
  };
}

WriteStream.prototype._write = function(bytes, encoding, callback) {
  this[kIsPerformingIO] = true;
  writeAll(this, bytes, bytes.length, this.pos, onWriteDone(this, callback));
  if (this.pos !== undefined) this.pos += bytes.length;
};

WriteStream.prototype._writev = function(pieces, callback) {
  const chunks = pieces.map(({ chunk }) => chunk);
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  this[kIsPerformingIO] = true;
  writevAll(this, chunks, size, this.pos, onWriteDone(this, callback));
  if (this.pos !== undefined) this.pos += size;
};

WriteStream.prototype._destroy = _destroy;

WriteStream.prototype.close = function(callback) {
  if (callback) {
    if (this.closed) {
      nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // Without `autoClose`, it is destroyed when everything is written.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

// There is no shutdown() for files.
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

Object.defineProperty(WriteStream.prototype, 'pending', {
  __proto__: null,
  configurable: true,
  get() { return this.fd === null; },
});

module.exports = { ReadStream, WriteStream };
