// Directories read entry by entry. In: a path. Out: Dir, with its forms of reading: callback,
// promise, synchronous, iteration. Entries come in the order of the file system, as many at once as
// the kernel gives. Absent: all names at once, which is readdir.
'use strict';

const { nextTick } = internalBinding('queues');
const { codes } = require('internal/errors');
const { SymbolAsyncDispose, SymbolDispose } = require('internal/util');
const { binding, getOptions, getValidatedPath, makeCallback, toBuffer } = require('internal/fs/utils');
const { direntsOf, namesAreText } = require('internal/fs/stats');
const { validateFunction, validateUint32 } = require('internal/validators');

let forgotten;

class Dir {
  #fd;
  #path;
  #options;
  #entries = [];
  #next = 0;
  #isClosed = false;
  /** Operations that wait for the one under way; null when there is none. */
  #queue = null;
  /** Directories that are still to be read, where all are wanted. */
  #folders = [];

  constructor(fd, path, options) {
    if (typeof fd !== 'number') throw new codes.ERR_MISSING_ARGS('handle');
    this.#fd = fd;
    this.#path = path;
    this.#options = { encoding: 'utf8', ...options };
    validateUint32(this.#options.bufferSize ?? 32, 'options.bufferSize', true);
    forgotten ??= new FinalizationRegistry(closeForgotten);
    forgotten.register(this, fd, this);
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  read(callback) {
    if (arguments.length === 0) return new Promise((resolve, reject) => this.#read(settle(resolve, reject), true));
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
      const entry = this.#take();
      nextTick(callback, null, entry);
      return undefined;
    }
    this.#queue = [];
    this.#fill((error) => {
      nextTick(() => {
        const queue = this.#queue;
        this.#queue = null;
        for (const operation of queue) operation();
      });
      if (error) callback(error);
      else callback(null, this.#take());
    });
    return undefined;
  }

  #take() {
    const entry = this.#entries[this.#next++];
    if (entry === undefined) return null;
    if (this.#options.recursive && entry.isDirectory()) this.#folders.push(this.#join(entry));
    return entry;
  }

  #join(entry) {
    return require('path').join(text(entry.parentPath), text(entry.name));
  }

  #set(raw, path) {
    this.#entries = raw === undefined ? [] : direntsOf(raw, path, this.#options.encoding);
    this.#next = 0;
  }

  /**
   * The next entries of the directory; then, where all are wanted, those of the directories in it.
   */
  #fill(done) {
    binding.readBatch(this.#fd, !namesAreText(this.#options.encoding), (error, raw) => {
      if (error) return done(error);
      this.#set(raw, this.#path);
      if (raw !== undefined) return done();
      return this.#fillBelow(done);
    });
  }

  #fillBelow(done) {
    const folder = this.#folders.shift();
    if (folder === undefined) return done();
    binding.readdir(folder, true, !namesAreText(this.#options.encoding), (error, raw) => {
      if (error) return done(error);
      this.#set(raw, folder);
      return this.#entries.length > 0 ? done() : this.#fillBelow(done);
    });
    return undefined;
  }

  readSync() {
    if (this.#isClosed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    if (this.#next >= this.#entries.length) {
      const asBytes = !namesAreText(this.#options.encoding);
      this.#set(binding.readBatch(this.#fd, asBytes), this.#path);
      while (this.#entries.length === 0 && this.#folders.length > 0) {
        const folder = this.#folders.shift();
        this.#set(binding.readdir(folder, true, asBytes), folder);
      }
    }
    return this.#take();
  }

  close(callback) {
    if (callback === undefined) {
      if (this.#isClosed) return Promise.reject(new codes.ERR_DIR_CLOSED());
      return new Promise((resolve, reject) => this.#close(settle(resolve, reject)));
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
    forgotten.unregister(this);
    binding.close(this.#fd, callback);
  }

  closeSync() {
    if (this.#isClosed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    this.#isClosed = true;
    forgotten.unregister(this);
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

function text(name) {
  return typeof name === 'string' ? name : toBuffer(name).toString();
}

function settle(resolve, reject) {
  return (error, value) => {
    if (error) reject(error);
    else resolve(value);
  };
}

function closeForgotten(fd) {
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
