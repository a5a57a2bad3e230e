// `FileSink` of files: `Bun.file(path).writer()`. In: strings and bytes. Out: writes to the file,
// at the high-water mark, on flush, and after the current callbacks. Writing begins at the start of
// the file and does not truncate it.
'use strict';

const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** Default high-water mark, in bytes. */
const HIGH_WATER_MARK = 16 * 1024;

class FileSink {
  #fd;
  #closesFd;
  #highWaterMark = HIGH_WATER_MARK;
  #buffered = [];
  #size = 0;
  #timer;

  constructor(target, options) {
    this.#closesFd = typeof target === 'string';
    const { O_WRONLY, O_CREAT } = require('internal/fs/utils').constants;
    this.#fd = this.#closesFd ? require('internal/fs/sync').openSync(target, O_WRONLY | O_CREAT) : target;
    this.start(options);
  }

  start(options) {
    const highWaterMark = options?.highWaterMark;
    if (typeof highWaterMark === 'number' && highWaterMark > 0) this.#highWaterMark = highWaterMark;
  }

  /** Returns the chunk's length in bytes. */
  write(chunk) {
    const view = typeof chunk === 'string' ? new (require('web/encoding').TextEncoder)().encode(chunk) : toUint8Array(chunk);
    if (view === undefined) throw invalidArgType('write() expects a string, ArrayBufferView, or ArrayBuffer');
    if (this.#fd === undefined) return true;
    // Copied, because the program may change its bytes later.
    this.#buffered.push(typeof chunk === 'string' ? view : view.slice());
    this.#size += view.length;
    if (this.#size >= this.#highWaterMark) this.#flushBuffer();
    else this.#timer ??= require('timers').setImmediate(() => this.#flushBuffer());
    return view.length;
  }

  #flushBuffer() {
    require('timers').clearImmediate(this.#timer);
    this.#timer = undefined;
    const [chunks, size] = [this.#buffered, this.#size];
    if (size === 0) return 0;
    [this.#buffered, this.#size] = [[], 0];
    const { writeSync } = require('internal/fs/read_write');
    const bytes = chunks.length === 1 ? chunks[0] : require('internal/bun/bytes').concatArrayBuffers(chunks, Infinity, true);
    for (let at = 0; at < size;) at += writeSync(this.#fd, bytes, at, size - at);
    return size;
  }

  flush() { return this.#flushBuffer(); }

  end() {
    if (this.#fd === undefined) return 0;
    const count = this.#flushBuffer();
    const fd = this.#fd;
    this.#fd = undefined;
    if (this.#closesFd) require('internal/fs/sync').closeSync(fd);
    return count;
  }

  close() { this.end(); }
  // The immediate that flushes the buffer keeps the event loop alive.
  ref() {}
  unref() {}
}
Object.defineProperty(FileSink.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'FileSink' });

module.exports = { FileSink };
