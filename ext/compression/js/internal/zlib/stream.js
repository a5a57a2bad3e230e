// Transform streams of zlib, Brotli and Zstandard (Node's ZlibBase, Zlib, Brotli, Zstd). In:
// chunks, flushes between them. Out: chunks of at most `chunkSize` bytes, each made on the thread
// pool when the reader has room for it. Absent: the checks of options (internal/zlib/options),
// whole buffers (internal/zlib/convenience_methods).
'use strict';

const Transform = require('internal/streams/transform');
const { eos } = require('internal/streams/end-of-stream');
const { codes: { ERR_INTERNAL_ASSERTION, ERR_TRAILING_JUNK_AFTER_STREAM_END } } = require('internal/errors');
const { deprecateInstantiation } = require('internal/util');
const { FastBuffer } = require('internal/buffer');
const { Handle } = require('internal/zlib/handle');
const { checkLevel, checkStrategy, normalizeOptions } = require('internal/zlib/options');
const { constants } = require('internal/zlib/constants');

const { Z_BLOCK, Z_FINISH, Z_FULL_FLUSH, Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH } = constants;

/** The flush mode of an empty chunk that requests a flush. */
const kFlushFlag = Symbol('kFlushFlag');
/** The function that continues when the reader has room for more output. */
const kResume = Symbol('kResume');

/** Flush modes from the weakest to the strongest. */
const FLUSH_ORDER = [Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH];
const maxFlush = (one, other) => (FLUSH_ORDER.indexOf(one) > FLUSH_ORDER.indexOf(other) ? one : other);

/** Options of Transform: a stream of bytes, without an encoding. */
function transformOptions(options) {
  const result = { autoDestroy: true, ...options };
  if (result.encoding || result.objectMode || result.writableObjectMode) {
    result.encoding = null;
    result.objectMode = false;
    result.writableObjectMode = false;
  }
  return result;
}

function ZlibBase(options, settings) {
  Transform.call(this, transformOptions(options));
  this.bytesWritten = 0;
  this._handle = new Handle(settings);
  this._handle.owner = this;
  this._chunkSize = settings.chunkSize;
  this._defaultFlushFlag = settings.flush;
  this._finishFlushFlag = settings.finishFlush;
  this._defaultFullFlushFlag = settings.fullFlush;
  this._info = settings.info;
  this._maxOutputLength = settings.maxOutputLength;
  this._rejectGarbageAfterEnd = settings.rejectGarbageAfterEnd;
  this[kResume] = null;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

function requireHandle(stream) {
  if (!stream._handle) throw new ERR_INTERNAL_ASSERTION('zlib binding closed');
  return stream._handle;
}

function closeHandle(stream) {
  // By the property: programs replace `close` to keep the handle open.
  stream._handle?.close();
  stream._handle = null;
}

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null, configurable: true, enumerable: true, get() { return !this._handle; },
});

// For programs that call the handle's writeSync: made on first use.
ZlibBase.prototype._outOffset = 0;
for (const [name, make] of [['_outBuffer', (stream) => new FastBuffer(stream._chunkSize)], ['_writeState', () => new Uint32Array(2)]]) {
  const define = (stream, value) => Object.defineProperty(stream, name, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
  Object.defineProperty(ZlibBase.prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      const value = make(this);
      define(this, value);
      return value;
    },
    set(value) { define(this, value); },
  });
}

ZlibBase.prototype.reset = function() {
  requireHandle(this).reset();
};

/** Called after the last chunk. */
ZlibBase.prototype._flush = function(callback) {
  this._transform(new FastBuffer(), '', callback);
};

// The work is done on `prefinish`, which follows.
ZlibBase.prototype._final = function(callback) {
  callback();
};

ZlibBase.prototype.flush = function(kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    const chunk = new FastBuffer();
    chunk[kFlushFlag] = kind;
    this.write(chunk, '', callback);
  }
};

ZlibBase.prototype.close = function(callback) {
  if (callback) eos(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function(error, callback) {
  closeHandle(this);
  callback(error);
};

ZlibBase.prototype._transform = function(chunk, encoding, callback) {
  let flush = this._defaultFlushFlag;
  if (typeof chunk[kFlushFlag] === 'number') {
    flush = chunk[kFlushFlag];
  } else if (this.writableEnded && this.writableLength === chunk.byteLength) {
    flush = maxFlush(flush, this._finishFlushFlag);
  }
  processChunk(this, chunk, flush, callback);
};

ZlibBase.prototype._read = function(size) {
  const resume = this[kResume];
  if (resume) {
    this[kResume] = null;
    resume();
  } else {
    Transform.prototype._read.call(this, size);
  }
};

ZlibBase.prototype._processChunk = function(chunk, flush, callback) {
  if (typeof callback === 'function') return processChunk(this, chunk, flush, callback);
  return processChunkSync(this, chunk, flush);
};

/** Writes a chunk to the handle, step by step as the reader has room for the output. */
function processChunk(stream, chunk, flush, callback) {
  const handle = stream._handle;
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  const outputSize = stream._chunkSize;
  const onStep = (error, read, left, output) => {
    if (stream.destroyed) return callback();
    if (error) return stream.destroy(error);
    stream.bytesWritten += read;
    const hasRoom = output.length === 0 || stream.push(output);
    // The reader may have destroyed the stream.
    if (stream.destroyed) return callback();
    if (output.length === outputSize) {
      const resume = () => handle.write(flush, undefined, outputSize, onStep);
      if (hasRoom) resume();
      else stream[kResume] = resume;
    } else {
      // Input that is left although the output had room is after the end of the compressed data.
      if (left > 0) {
        if (stream._rejectGarbageAfterEnd) return stream.destroy(new ERR_TRAILING_JUNK_AFTER_STREAM_END());
        stream.push(null);
      }
      callback();
    }
  };
  handle.write(flush, chunk, outputSize, onStep);
}

function processChunkSync(stream, chunk, flush) {
  let result;
  try {
    result = requireHandle(stream).convertSync(flush, chunk, stream._maxOutputLength);
  } catch (error) {
    // The error is thrown, so a missing listener is no error.
    stream.on('error', () => {});
    stream.destroy(error);
    throw error;
  }
  stream.bytesWritten = result.read;
  closeHandle(stream);
  return result.output;
}

function Zlib(options, mode) {
  const settings = normalizeOptions(options, mode);
  ZlibBase.call(this, options, settings);
  this._level = settings.level;
  this._strategy = settings.strategy;
  this._mode = mode;
}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);

Zlib.prototype.params = function(level, strategy, callback) {
  level = checkLevel(level, 'level');
  strategy = checkStrategy(strategy, 'strategy');
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  // The data written so far is compressed with the previous parameters.
  this.flush(Z_SYNC_FLUSH, (error) => {
    if (error) {
      callback?.(error);
      return;
    }
    requireHandle(this).params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    callback?.();
  });
};

function Brotli(options, mode) {
  ZlibBase.call(this, options, normalizeOptions(options, mode));
}
Object.setPrototypeOf(Brotli.prototype, Zlib.prototype);
Object.setPrototypeOf(Brotli, Zlib);

/** A stream class of `Parent`, callable without `new` (deprecated). */
function makeStreamClass(Parent, name, mode) {
  const StreamClass = function(options) {
    if (!(this instanceof StreamClass)) return deprecateInstantiation(StreamClass, 'DEP0184', options);
    Parent.call(this, options, mode);
  };
  Object.defineProperty(StreamClass, 'name', { __proto__: null, value: name, configurable: true });
  Object.setPrototypeOf(StreamClass.prototype, Parent.prototype);
  Object.setPrototypeOf(StreamClass, Parent);
  Object.defineProperty(StreamClass.prototype, 'constructor', { __proto__: null, value: StreamClass, writable: true, configurable: true });
  return StreamClass;
}

const makeZlibClass = (name, mode) => makeStreamClass(Zlib, name, mode);
const makeBrotliClass = (name, mode) => makeStreamClass(Brotli, name, mode);

/** A stream class of Zstandard, which needs `new`. */
function makeZstdClass(name, mode) {
  const StreamClass = function(options) {
    if (new.target === undefined) throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
    ZlibBase.call(this, options, normalizeOptions(options, mode));
  };
  Object.defineProperty(StreamClass, 'name', { __proto__: null, value: name, configurable: true });
  Object.setPrototypeOf(StreamClass.prototype, ZlibBase.prototype);
  Object.setPrototypeOf(StreamClass, ZlibBase);
  Object.defineProperty(StreamClass.prototype, 'constructor', { __proto__: null, value: StreamClass, writable: true, configurable: true });
  return StreamClass;
}

module.exports = { makeBrotliClass, makeZlibClass, makeZstdClass };
