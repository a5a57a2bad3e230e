// Utf8Stream: lines for a log, gathered and written in few calls. In: a file or a descriptor, and
// when to write. Out: a stream of strings (or of bytes, if `contentMode` says so) that tells ready,
// write, drain, drop, error, finish, close. Absent: everything else of a Writable.
'use strict';

const { nextTick } = internalBinding('queues');
const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { SymbolDispose } = require('internal/util');
const {
  validateBoolean, validateFunction, validateInteger, validateObject, validateOneOf, validateUint32,
} = require('internal/validators');
const { dirname } = require('path');

/** Beyond so much that waits, `write` says that it is enough. */
const kHighWater = 16387;
const kWriteMax = 16 * 1024;
/** How long to wait when a file is busy. */
const kBusyMs = 100;

const isBusy = (error) => error.code === 'EAGAIN' || error.code === 'EBUSY';

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
  /** What waits, in pieces of at most one write; the first one may be under way. */
  #pieces = [];
  #current;
  #length = 0;
  #isWriting = false;
  #isEnding = false;
  #isOpening = false;
  #isReopening = false;
  #isOver = false;
  #isFlushing = false;
  #tellsDrain = false;
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
    this.#current = this.#nothing();
    if (typeof fd === 'number') {
      this.#fd = fd;
      nextTick(() => this.emit('ready'));
    } else if (typeof dest === 'string') {
      this.#open(dest);
    } else {
      throw new codes.ERR_INVALID_ARG_VALUE('options.dest', dest, 'must be a file, or options.fd a descriptor');
    }
    this.on('newListener', (name) => {
      if (name === 'drain') this.#tellsDrain = false;
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
    this.#check();
    const isBytes = this.#settings.contentMode === 'buffer';
    if (isBytes && !ArrayBuffer.isView(data)) data = require('buffer').Buffer.from(data);
    else if (!isBytes) data = `${data}`;
    const { maxLength, maxWrite, minLength } = this.#settings;
    const length = this.#length + data.length;
    if (maxLength && length > maxLength) {
      this.emit('drop', data);
      return this.#length < kHighWater;
    }
    const last = this.#pieces.length - 1;
    if (last < 0 || (maxWrite > 0 && this.#pieces[last].length + data.length > maxWrite)) this.#pieces.push(data);
    else this.#pieces[last] = isBytes ? require('buffer').Buffer.concat([this.#pieces[last], data]) : this.#pieces[last] + data;
    this.#length = length;
    if (!this.#isWriting && this.#length >= minLength) this.#writeNext();
    return this.#length < kHighWater;
  }

  flush(callback) {
    if (callback != null) validateFunction(callback, 'cb');
    if (this.#isOver) {
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
    if (this.#pieces.length === 0) this.#pieces.push(this.#nothing());
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
    this.#check();
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Invalid file descriptor');
    if (!this.#isWriting && this.#current.length > 0) {
      this.#pieces.unshift(this.#current);
      this.#current = this.#nothing();
    }
    while (this.#pieces.length > 0) {
      const piece = this.#pieces[0];
      if (piece.length === 0) {
        this.#pieces.shift();
        continue;
      }
      try {
        this.#pieces[0] = this.#rest(piece, this.#writeSync(piece));
      } catch (error) {
        if (!isBusy(error) || !this.#retry(error, piece.length, this.#length - piece.length)) throw error;
        sleep(kBusyMs);
      }
    }
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch { /* not every file can be told to */ }
  }

  reopen(file) {
    this.#check();
    if (this.#isOpening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#isEnding) return;
    if (!this.#file) throw new codes.ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    if (file) this.#file = file;
    this.#isReopening = true;
    if (this.#isWriting) return;
    const before = this.#fd;
    this.once('ready', () => {
      if (before === this.#fd) return;
      this.#fs.close(before, (error) => {
        if (error) this.emit('error', error);
      });
    });
    this.#open(this.#file);
  }

  end() {
    this.#check();
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
    if (!this.#isOver) this.#close();
  }

  [SymbolDispose]() {
    this.destroy();
  }

  #check() {
    if (this.#isOver) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  #nothing() {
    return this.#settings.contentMode === 'buffer' ? require('buffer').Buffer.alloc(0) : '';
  }

  /** What is left of a piece when `written` bytes of it are; counted off what waits. */
  #rest(piece, written) {
    let units = written ?? piece.length;
    if (typeof piece === 'string' && written !== undefined) {
      const bytes = require('buffer').Buffer.from(piece);
      // A letter that is half written is written once more, whole.
      let end = written;
      while (end > 0 && (bytes[end] & 0xC0) === 0x80) end--;
      units = end < bytes.length ? bytes.toString('utf8', 0, end).length : piece.length;
    }
    this.#length = Math.max(this.#length - units, 0);
    return piece.slice(units);
  }

  #writeSync(piece) {
    return typeof piece === 'string' ? this.#fs.writeSync(this.#fd, piece, 'utf8') : this.#fs.writeSync(this.#fd, piece);
  }

  #writeNext() {
    this.#isWriting = true;
    if (this.#current.length === 0) this.#current = this.#pieces.shift() ?? this.#nothing();
    this.#writeCurrent();
  }

  #writeCurrent() {
    if (!this.#settings.sync) {
      const done = (error, written) => this.#ended(error, written);
      if (typeof this.#current === 'string') this.#fs.write(this.#fd, this.#current, 'utf8', done);
      else this.#fs.write(this.#fd, this.#current, done);
      return;
    }
    let written;
    try {
      written = this.#writeSync(this.#current);
    } catch (error) {
      this.#ended(error);
      return;
    }
    this.#ended(null, written);
  }

  #ended(error, written) {
    if (error) {
      this.#failed(error);
      return;
    }
    this.emit('write', written);
    this.#current = this.#rest(this.#current, written);
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
      this.#drained();
    }
  }

  #failed(error) {
    const isRetried = isBusy(error) && this.#retry(error, this.#current.length, this.#length - this.#current.length);
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

  #drained() {
    if (!this.#settings.sync) {
      this.emit('drain');
    } else if (!this.#tellsDrain) {
      this.#tellsDrain = true;
      nextTick(() => {
        if (this.listenerCount('drain') > 0) this.emit('drain');
        this.#tellsDrain = false;
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
        this.#opened(null, file, this.#fs.openSync(file, flags, mode));
      } catch (error) {
        this.#opened(error);
        throw error;
      }
      return;
    }
    const open = () => this.#fs.open(file, flags, mode ?? 0o666, (error, fd) => this.#opened(error, file, fd));
    if (!mkdir) {
      open();
      return;
    }
    this.#fs.mkdir(dirname(file), { recursive: true }, (error) => (error ? this.#opened(error) : open()));
  }

  #opened(error, file, fd) {
    this.#isReopening = false;
    this.#isOpening = false;
    this.#isWriting = false;
    const tell = this.#settings.sync ? (name, ...args) => nextTick(() => this.emit(name, ...args)) :
      (name, ...args) => this.emit(name, ...args);
    if (error) {
      if (this.listenerCount('error') > 0 || !this.#settings.sync) tell('error', error);
      return;
    }
    this.#fd = fd;
    this.#file = file;
    tell('ready');
    if (this.#isOver) return;
    if ((!this.#isWriting && this.#length > this.#settings.minLength) || this.#isFlushing) this.#writeNext();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#isOver = true;
    this.#pieces = [];
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
    // With `fsync` every write has been followed by one.
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
