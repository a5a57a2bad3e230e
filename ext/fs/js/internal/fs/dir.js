// `fs.Dir`: an open directory that is read in batches, as Node's lib/internal/fs/dir.js. In: a
// path. Out: Dir, with callbacks, promises, synchronous reads and async iteration. Entries are in
// the order of the file system; a batch is one `getdents64`. Absent: readdir (sync.js,
// callbacks.js).
'use strict';

const { nextTick } = internalBinding('queues');
const { codes } = require('internal/errors');
const { SymbolAsyncDispose, SymbolDispose } = require('internal/util');
const { binding, getOptions, getValidatedPath, makeCallback, toBuffer } = require('internal/fs/utils');
const { getDirents, namesAreUtf8 } = require('internal/fs/stats');
const { validateFunction, validateUint32 } = require('internal/validators');

let finalizationRegistry;

class Dir {
  #fd;
  #path;
  #options;
  #entries = [];
  #next = 0;
  #isClosed = false;
  /** Operations queued behind the current one; null if there is none. */
  #queue = null;
  /** Of a recursive Dir: subdirectories not read yet. */
  #subdirectories = [];

  constructor(fd, path, options) {
    if (typeof fd !== 'number') throw new codes.ERR_MISSING_ARGS('handle');
    this.#fd = fd;
    this.#path = path;
    this.#options = { encoding: 'utf8', ...options };
    validateUint32(this.#options.bufferSize ?? 32, 'options.bufferSize', true);
    finalizationRegistry ??= new FinalizationRegistry(closeOnCollection);
    finalizationRegistry.register(this, fd, this);
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  read(callback) {
    if (arguments.length === 0) return new Promise((resolve, reject) => this.#read(promiseCallback(resolve, reject), true));
    validateFunction(callback, 'callback');
    this.#read(makeCallback(callback), false);
    return undefined;
  }

  #read(callback, isPromise) {
    if (this.#isClosed) {
      const error = new codes.ERR_DIR_CLOSED();
      if (isPromise) return callback(error);
      throw error;
    }
    if (this.#queue !== null) {
      this.#queue.push(() => this.#read(callback, isPromise));
      return undefined;
    }
    if (this.#next < this.#entries.length) {
      const entry = this.#shiftEntry();
      nextTick(callback, null, entry);
      return undefined;
    }
    this.#queue = [];
    this.#readBatch((error) => {
      nextTick(() => {
        const queue = this.#queue;
        this.#queue = null;
        for (const operation of queue) operation();
      });
      if (error) callback(error);
      else callback(null, this.#shiftEntry());
    });
    return undefined;
  }

  #shiftEntry() {
    const entry = this.#entries[this.#next++];
    if (entry === undefined) return null;
    if (this.#options.recursive && entry.isDirectory()) this.#subdirectories.push(this.#joinEntryPath(entry));
    return entry;
  }

  #joinEntryPath(entry) {
    return require('path').join(toPathString(entry.parentPath), toPathString(entry.name));
  }

  #setEntries(raw, path) {
    this.#entries = raw === undefined ? [] : getDirents(raw, path, this.#options.encoding);
    this.#next = 0;
  }

  /** Reads the next batch; of a recursive Dir, then those of its subdirectories. */
  #readBatch(done) {
    binding.readBatch(this.#fd, !namesAreUtf8(this.#options.encoding), (error, raw) => {
      if (error) return done(error);
      this.#setEntries(raw, this.#path);
      if (raw !== undefined) return done();
      return this.#readSubdirectory(done);
    });
  }

  #readSubdirectory(done) {
    const subdirectory = this.#subdirectories.shift();
    if (subdirectory === undefined) return done();
    binding.readdir(subdirectory, true, !namesAreUtf8(this.#options.encoding), (error, raw) => {
      if (error) return done(error);
      this.#setEntries(raw, subdirectory);
      return this.#entries.length > 0 ? done() : this.#readSubdirectory(done);
    });
    return undefined;
  }

  readSync() {
    if (this.#isClosed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    if (this.#next >= this.#entries.length) {
      const asBytes = !namesAreUtf8(this.#options.encoding);
      this.#setEntries(binding.readBatch(this.#fd, asBytes), this.#path);
      while (this.#entries.length === 0 && this.#subdirectories.length > 0) {
        const subdirectory = this.#subdirectories.shift();
        this.#setEntries(binding.readdir(subdirectory, true, asBytes), subdirectory);
      }
    }
    return this.#shiftEntry();
  }

  close(callback) {
    if (callback === undefined) {
      if (this.#isClosed) return Promise.reject(new codes.ERR_DIR_CLOSED());
      return new Promise((resolve, reject) => this.#close(promiseCallback(resolve, reject)));
    }
    validateFunction(callback, 'callback');
    callback = makeCallback(callback);
    if (this.#isClosed) {
      nextTick(callback, new codes.ERR_DIR_CLOSED());
      return undefined;
    }
    this.#close(callback);
    return undefined;
  }

  #close(callback) {
    if (this.#queue !== null) {
      this.#queue.push(() => this.#close(callback));
      return;
    }
    this.#isClosed = true;
    finalizationRegistry.unregister(this);
    binding.close(this.#fd, callback);
  }

  closeSync() {
    if (this.#isClosed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    this.#isClosed = true;
    finalizationRegistry.unregister(this);
    binding.close(this.#fd);
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await this.close();
    }
  }

  [SymbolDispose]() {
    if (!this.#isClosed) this.closeSync();
  }

  async [SymbolAsyncDispose]() {
    if (!this.#isClosed) await this.close();
  }
}

Object.defineProperties(Dir.prototype, {
  [Symbol.asyncIterator]: { __proto__: null, value: Dir.prototype.entries, writable: true, enumerable: false, configurable: true },
});

function toPathString(name) {
  return typeof name === 'string' ? name : toBuffer(name).toString();
}

function promiseCallback(resolve, reject) {
  return (error, value) => {
    if (error) reject(error);
    else resolve(value);
  };
}

function closeOnCollection(fd) {
  if (binding.runs() !== true) return;
  const { emitWarning } = require('process');
  emitWarning('Closing directory handle on garbage collection');
  try {
    binding.close(fd);
  } catch (error) {
    emitWarning(error);
  }
}

const DEFAULTS = Object.freeze({ __proto__: null, encoding: 'utf8' });

function opendir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  options = getOptions(options, DEFAULTS);
  validateUint32(options.bufferSize ?? 32, 'options.bufferSize', true);
  binding.opendir(path, (error, fd) => {
    if (error) callback(error);
    else callback(null, new Dir(fd, path, options));
  });
}

function opendirSync(path, options) {
  path = getValidatedPath(path);
  options = getOptions(options, DEFAULTS);
  const { bufferSize } = options;
  if (bufferSize !== undefined) validateUint32(bufferSize, 'options.bufferSize', true);
  return new Dir(binding.opendir(path), path, options);
}

module.exports = { Dir, opendir, opendirSync };
