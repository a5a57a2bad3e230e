// Utf8Stream: buffered log writer, as Node's lib/internal/streams/fast-utf8-stream.js (SonicBoom).
// In: a file or a file descriptor, buffering options. Out: a stream of strings, or of bytes with
// `contentMode: 'buffer'`, that emits ready, write, drain, drop, error, finish, close. Absent: the
// rest of Writable.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { SymbolDispose } = require('internal/util');
const {
  validateBoolean, validateFunction, validateInteger, validateObject, validateOneOf, validateUint32,
} = require('internal/validators');
const { dirname } = require('path');

/** From this buffered length on, `write` returns false. */
const kHighWaterMark = 16387;
const kWriteMax = 16 * 1024;
/** Delay before a retry on EAGAIN or EBUSY. */
const kBusyMs = 100;

const isBusyError = (error) => error.code === 'EAGAIN' || error.code === 'EBUSY';

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function validate(options) {
  const { fd, minLength, maxLength, maxWrite, periodicFlush, sync, append, mkdir, fsync, contentMode, retryEAGAIN, fs } = options;
  if (fd !== undefined) validateUint32(fd, 'options.fd');
  validateInteger(minLength, 'options.minLength', 0);
  validateInteger(maxLength, 'options.maxLength', 0);
  validateInteger(maxWrite, 'options.maxWrite', 0);
  validateInteger(periodicFlush, 'options.periodicFlush', 0);
  validateBoolean(sync, 'options.sync');
  validateBoolean(append, 'options.append');
  validateBoolean(mkdir, 'options.mkdir');
  validateBoolean(fsync, 'options.fsync');
  validateOneOf(contentMode, 'options.contentMode', ['utf8', 'buffer']);
  if (retryEAGAIN !== undefined) validateFunction(retryEAGAIN, 'options.retryEAGAIN');
  if (fs !== undefined) validateObject(fs, 'options.fs');
  for (const name of ['write', 'writeSync', 'fsync', 'fsyncSync', 'close', 'open', 'openSync', 'mkdir', 'mkdirSync']) {
    if (fs?.[name] !== undefined) validateFunction(fs[name], `options.fs.${name}`);
  }
}

class Utf8Stream extends EventEmitter {
  #fs;
  #fd = -1;
  #file;
  #settings;
  #retry;
  /** Buffered chunks, each at most one write. */
  #chunks = [];
  #current;
  #length = 0;
  #isWriting = false;
  #isEnding = false;
  #isOpening = false;
  #isReopening = false;
  #isDestroyed = false;
  #isFlushing = false;
  #isDrainScheduled = false;
  #timer;

  constructor(options = {}) {
    super();
    validateObject(options, 'options');
    options = {
      minLength: 0, maxLength: 0, maxWrite: kWriteMax, periodicFlush: 0, sync: false, append: true, mkdir: false, fsync: false,
      contentMode: 'utf8', ...options,
    };
    validate(options);
    const { fd, dest, fs, retryEAGAIN, minLength, maxWrite, periodicFlush } = options;
    this.#settings = options;
    this.#fs = { ...require('fs'), ...fs };
    this.#retry = retryEAGAIN ?? (() => true);
    if (maxWrite > 0 && minLength >= maxWrite) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.minLength', minLength, `should be smaller than maxWrite (${maxWrite})`);
    }
    this.#current = this.#emptyChunk();
    if (typeof fd === 'number') {
      this.#fd = fd;
      nextTick(() => this.emit('ready'));
    } else if (typeof dest === 'string') {
      this.#open(dest);
    } else {
      throw new codes.ERR_INVALID_ARG_VALUE('options.dest', dest, 'must be a file, or options.fd a descriptor');
    }
    this.on('newListener', (name) => {
      if (name === 'drain') this.#isDrainScheduled = false;
    });
    if (periodicFlush > 0) {
      this.#timer = setInterval(() => this.flush(), periodicFlush);
      this.#timer.unref();
    }
  }

  get mode() { return this.#settings.mode; }
  get file() { return this.#file; }
  get fd() { return this.#fd; }
  get minLength() { return this.#settings.minLength; }
  get maxLength() { return this.#settings.maxLength; }
  get writing() { return this.#isWriting; }
  get sync() { return this.#settings.sync; }
  get fsync() { return this.#settings.fsync; }
  get append() { return this.#settings.append; }
  get periodicFlush() { return this.#settings.periodicFlush; }
  get contentMode() { return this.#settings.contentMode; }
  get mkdir() { return this.#settings.mkdir; }

  write(data) {
    this.#assertNotDestroyed();
    const isBytes = this.#settings.contentMode === 'buffer';
    if (isBytes && !ArrayBuffer.isView(data)) data = require('buffer').Buffer.from(data);
    else if (!isBytes) data = `${data}`;
    const { maxLength, maxWrite, minLength } = this.#settings;
    const length = this.#length + data.length;
    if (maxLength && length > maxLength) {
      this.emit('drop', data);
      return this.#length < kHighWaterMark;
    }
    const last = this.#chunks.length - 1;
    if (last < 0 || (maxWrite > 0 && this.#chunks[last].length + data.length > maxWrite)) this.#chunks.push(data);
    else this.#chunks[last] = isBytes ? require('buffer').Buffer.concat([this.#chunks[last], data]) : this.#chunks[last] + data;
    this.#length = length;
    if (!this.#isWriting && this.#length >= minLength) this.#writeNext();
    return this.#length < kHighWaterMark;
  }

  flush(callback) {
    if (callback != null) validateFunction(callback, 'cb');
    if (this.#isDestroyed) {
      const error = new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
      if (!callback) throw error;
      callback(error);
      return;
    }
    if (this.#settings.minLength <= 0) {
      callback?.();
      return;
    }
    if (callback) this.#callOnDrain(callback);
    if (this.#isWriting) return;
    if (this.#chunks.length === 0) this.#chunks.push(this.#emptyChunk());
    this.#writeNext();
  }

  #callOnDrain(callback) {
    this.#isFlushing = true;
    const onDrain = () => {
      this.off('error', onError);
      if (this.#settings.fsync) {
        this.#isFlushing = false;
        callback();
        return;
      }
      try {
        this.#fs.fsync(this.#fd, (error) => {
          this.#isFlushing = false;
          callback(error);
        });
      } catch (error) {
        callback(error);
      }
    };
    const onError = (error) => {
      this.#isFlushing = false;
      this.off('drain', onDrain);
      callback(error);
    };
    this.once('drain', onDrain);
    this.once('error', onError);
  }

  flushSync() {
    this.#assertNotDestroyed();
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Invalid file descriptor');
    if (!this.#isWriting && this.#current.length > 0) {
      this.#chunks.unshift(this.#current);
      this.#current = this.#emptyChunk();
    }
    while (this.#chunks.length > 0) {
      const chunk = this.#chunks[0];
      if (chunk.length === 0) {
        this.#chunks.shift();
        continue;
      }
      try {
        this.#chunks[0] = this.#takeWritten(chunk, this.#writeSync(chunk));
      } catch (error) {
        if (!isBusyError(error) || !this.#retry(error, chunk.length, this.#length - chunk.length)) throw error;
        sleep(kBusyMs);
      }
    }
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch { /* not every file supports fsync */ }
  }

  reopen(file) {
    this.#assertNotDestroyed();
    if (this.#isOpening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#isEnding) return;
    if (!this.#file) throw new codes.ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    if (file) this.#file = file;
    this.#isReopening = true;
    if (this.#isWriting) return;
    const previousFd = this.#fd;
    this.once('ready', () => {
      if (previousFd === this.#fd) return;
      this.#fs.close(previousFd, (error) => {
        if (error) this.emit('error', error);
      });
    });
    this.#open(this.#file);
  }

  end() {
    this.#assertNotDestroyed();
    if (this.#isOpening) {
      this.once('ready', () => this.end());
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#isWriting) return;
    if (this.#length > 0 && this.#fd >= 0) this.#writeNext();
    else this.#close();
  }

  destroy() {
    if (!this.#isDestroyed) this.#close();
  }

  [SymbolDispose]() {
    this.destroy();
  }

  #assertNotDestroyed() {
    if (this.#isDestroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  #emptyChunk() {
    return this.#settings.contentMode === 'buffer' ? require('buffer').Buffer.alloc(0) : '';
  }

  /** The rest of a chunk of which `written` bytes are written; reduces the buffered length. */
  #takeWritten(chunk, written) {
    let units = written ?? chunk.length;
    if (typeof chunk === 'string' && written !== undefined) {
      const bytes = require('buffer').Buffer.from(chunk);
      // A character that is partly written is written again completely.
      let end = written;
      while (end > 0 && (bytes[end] & 0xC0) === 0x80) end--;
      units = end < bytes.length ? bytes.toString('utf8', 0, end).length : chunk.length;
    }
    this.#length = Math.max(this.#length - units, 0);
    return chunk.slice(units);
  }

  #writeSync(chunk) {
    return typeof chunk === 'string' ? this.#fs.writeSync(this.#fd, chunk, 'utf8') : this.#fs.writeSync(this.#fd, chunk);
  }

  #writeNext() {
    this.#isWriting = true;
    if (this.#current.length === 0) this.#current = this.#chunks.shift() ?? this.#emptyChunk();
    this.#writeCurrent();
  }

  #writeCurrent() {
    if (!this.#settings.sync) {
      const done = (error, written) => this.#onWritten(error, written);
      if (typeof this.#current === 'string') this.#fs.write(this.#fd, this.#current, 'utf8', done);
      else this.#fs.write(this.#fd, this.#current, done);
      return;
    }
    let written;
    try {
      written = this.#writeSync(this.#current);
    } catch (error) {
      this.#onWritten(error);
      return;
    }
    this.#onWritten(null, written);
  }

  #onWritten(error, written) {
    if (error) {
      this.#onWriteError(error);
      return;
    }
    this.emit('write', written);
    this.#current = this.#takeWritten(this.#current, written);
    if (this.#current.length > 0) {
      this.#writeCurrent();
      return;
    }
    if (this.#settings.fsync) this.#fs.fsyncSync(this.#fd);
    if (this.#isReopening) {
      this.#isWriting = false;
      this.#isReopening = false;
      this.reopen();
    } else if (this.#length > this.#settings.minLength || (this.#isEnding && this.#length > 0)) {
      this.#writeNext();
    } else if (this.#isEnding) {
      this.#isWriting = false;
      this.#close();
    } else {
      this.#isWriting = false;
      this.#emitDrain();
    }
  }

  #onWriteError(error) {
    const isRetried = isBusyError(error) && this.#retry(error, this.#current.length, this.#length - this.#current.length);
    if (!isRetried) {
      this.#isWriting = false;
      this.emit('error', error);
    } else if (this.#settings.sync) {
      sleep(kBusyMs);
      this.#writeCurrent();
    } else {
      setTimeout(() => this.#writeCurrent(), kBusyMs);
    }
  }

  #emitDrain() {
    if (!this.#settings.sync) {
      this.emit('drain');
    } else if (!this.#isDrainScheduled) {
      this.#isDrainScheduled = true;
      nextTick(() => {
        if (this.listenerCount('drain') > 0) this.emit('drain');
        this.#isDrainScheduled = false;
      });
    }
  }

  #open(file) {
    this.#isOpening = true;
    this.#isWriting = true;
    const { sync, append, mkdir, mode } = this.#settings;
    const flags = append ? 'a' : 'w';
    if (sync) {
      try {
        if (mkdir) this.#fs.mkdirSync(dirname(file), { recursive: true });
        this.#onOpen(null, file, this.#fs.openSync(file, flags, mode));
      } catch (error) {
        this.#onOpen(error);
        throw error;
      }
      return;
    }
    const open = () => this.#fs.open(file, flags, mode ?? 0o666, (error, fd) => this.#onOpen(error, file, fd));
    if (!mkdir) {
      open();
      return;
    }
    this.#fs.mkdir(dirname(file), { recursive: true }, (error) => (error ? this.#onOpen(error) : open()));
  }

  #onOpen(error, file, fd) {
    this.#isReopening = false;
    this.#isOpening = false;
    this.#isWriting = false;
    const emit = this.#settings.sync ? (name, ...args) => nextTick(() => this.emit(name, ...args)) :
      (name, ...args) => this.emit(name, ...args);
    if (error) {
      if (this.listenerCount('error') > 0 || !this.#settings.sync) emit('error', error);
      return;
    }
    this.#fd = fd;
    this.#file = file;
    emit('ready');
    if (this.#isDestroyed) return;
    if ((!this.#isWriting && this.#length > this.#settings.minLength) || this.#isFlushing) this.#writeNext();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#isDestroyed = true;
    this.#chunks = [];
    const closed = (error) => {
      if (error) {
        this.emit('error', error);
        return;
      }
      if (this.#isEnding && !this.#isWriting) this.emit('finish');
      this.emit('close');
    };
    const close = () => {
      if (this.#fd === 1 || this.#fd === 2) setImmediate(closed);
      else this.#fs.close(this.#fd, closed);
    };
    // With the `fsync` option, every write was followed by one.
    if (this.#settings.fsync) {
      close();
      return;
    }
    try {
      this.#fs.fsync(this.#fd, close);
    } catch (error) {
      this.emit('error', error);
    }
  }
}

module.exports = { Utf8Stream };
