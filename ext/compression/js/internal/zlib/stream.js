// Streams that pack and unpack. In: chunks, flushes between them. Out: pieces of at most
// `chunkSize` bytes, each made on another thread when there is room for it. Absent: what an option
// may be (internal/zlib/options), whole strings at once (internal/zlib/whole).
'use strict';

const Transform = require('internal/streams/transform');
const { eos } = require('internal/streams/end-of-stream');
const { codes: { ERR_INTERNAL_ASSERTION } } = require('internal/errors');
const { deprecateInstantiation } = require('internal/util');
const { FastBuffer } = require('internal/buffer');
const { Handle } = require('internal/zlib/handle');
const { checkLevel, checkStrategy, settingsOf } = require('internal/zlib/options');
const { constants } = require('internal/zlib/constants');

const { Z_BLOCK, Z_FINISH, Z_FULL_FLUSH, Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH } = constants;

/** Of an empty chunk that stands for a flush. */
const flushMark = Symbol('flush');
/** What goes on when there is room for more output. */
const waiting = Symbol('waiting');

/** From the weakest to the strongest. */
const STRENGTHS = [Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH];
const stronger = (one, other) => (STRENGTHS.indexOf(one) > STRENGTHS.indexOf(other) ? one : other);

/** How a stream of bytes is to be, whatever a program says of objects and encodings. */
function streamOptions(options) {
  const own = { autoDestroy: true, ...options };
  if (own.encoding || own.objectMode || own.writableObjectMode) {
    own.encoding = null;
    own.objectMode = false;
    own.writableObjectMode = false;
  }
  return own;
}

function ZlibBase(options, settings) {
  Transform.call(this, streamOptions(options));
  this.bytesWritten = 0;
  this._handle = new Handle(settings);
  this._handle.owner = this;
  this._chunkSize = settings.chunkSize;
  this._defaultFlushFlag = settings.flush;
  this._finishFlushFlag = settings.finishFlush;
  this._defaultFullFlushFlag = settings.fullFlush;
  this._info = settings.info;
  this._maxOutputLength = settings.maxOutputLength;
  this[waiting] = null;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

function openHandle(stream) {
  if (!stream._handle) throw new ERR_INTERNAL_ASSERTION('zlib binding closed');
  return stream._handle;
}

function closeHandle(stream) {
  // Somebody may have put their own `close` there to keep it open.
  stream._handle?.close();
  stream._handle = null;
}

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null, configurable: true, enumerable: true, get() { return !this._handle; },
});

// What whoever takes steps by the handle puts output into, and how far each came; nobody else does.
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
  openHandle(this).reset();
};

/** The last call: nothing more comes. */
ZlibBase.prototype._flush = function(callback) {
  this._transform(new FastBuffer(), '', callback);
};

// Behind it `prefinish` does what is to be done.
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
    const mark = new FastBuffer();
    mark[flushMark] = kind;
    this.write(mark, '', callback);
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
  if (typeof chunk[flushMark] === 'number') {
    flush = chunk[flushMark];
  } else if (this.writableEnded && this.writableLength === chunk.byteLength) {
    flush = stronger(flush, this._finishFlushFlag);
  }
  feed(this, chunk, flush, callback);
};

ZlibBase.prototype._read = function(size) {
  const goOn = this[waiting];
  if (goOn) {
    this[waiting] = null;
    goOn();
  } else {
    Transform.prototype._read.call(this, size);
  }
};

ZlibBase.prototype._processChunk = function(chunk, flush, callback) {
  if (typeof callback === 'function') return feed(this, chunk, flush, callback);
  return feedSync(this, chunk, flush);
};

/** A chunk piece by piece, as there is room for what comes out. */
function feed(stream, chunk, flush, callback) {
  const handle = stream._handle;
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  const room = stream._chunkSize;
  const then = (error, read, left, output) => {
    if (stream.destroyed) return callback();
    if (error) return stream.destroy(error);
    stream.bytesWritten += read;
    const hasRoom = output.length === 0 || stream.push(output);
    // Who was given the output may have closed the stream.
    if (stream.destroyed) return callback();
    if (output.length === room) {
      const goOn = () => handle.write(flush, undefined, room, then);
      if (hasRoom) goOn();
      else stream[waiting] = goOn;
    } else {
      // There was room, and it wanted no more: what is left does not belong to it.
      if (left > 0) stream.push(null);
      callback();
    }
  };
  handle.write(flush, chunk, room, then);
}

function feedSync(stream, chunk, flush) {
  let done;
  try {
    done = openHandle(stream).wholeSync(flush, chunk, stream._maxOutputLength);
  } catch (error) {
    // It is thrown, so nobody need listen.
    stream.on('error', () => {});
    stream.destroy(error);
    throw error;
  }
  stream.bytesWritten = done.read;
  closeHandle(stream);
  return done.output;
}

function Zlib(options, mode) {
  const settings = settingsOf(options, mode);
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
  // What was written so far is packed as it was meant to be.
  this.flush(Z_SYNC_FLUSH, (error) => {
    if (error) {
      callback?.(error);
      return;
    }
    openHandle(this).params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    callback?.();
  });
};

/** A class of streams, callable without `new`, as they always were. */
function zlibClass(name, mode) {
  const own = function(options) {
    if (!(this instanceof own)) return deprecateInstantiation(own, 'DEP0184', options);
    Zlib.call(this, options, mode);
  };
  Object.defineProperty(own, 'name', { __proto__: null, value: name, configurable: true });
  Object.setPrototypeOf(own.prototype, Zlib.prototype);
  Object.setPrototypeOf(own, Zlib);
  Object.defineProperty(own.prototype, 'constructor', { __proto__: null, value: own, writable: true, configurable: true });
  return own;
}

module.exports = { zlibClass };
