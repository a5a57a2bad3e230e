// Writing piece by piece: what `Bun.file(x).writer()` gives. In: texts and bytes. Out: a file,
// written when enough is there, when it is asked for, and when what runs now has run. Writing
// begins at the start of the file and leaves what lies behind.
'use strict';

const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** Bytes that are kept before they are written. */
const KEPT = 16 * 1024;

class FileSink {
  #fd;
  #isOwn;
  #highWaterMark = KEPT;
  #kept = [];
  #size = 0;
  #timer;

  constructor(place, options) {
    this.#isOwn = typeof place === 'string';
    const { O_WRONLY, O_CREAT } = require('internal/fs/utils').constants;
    this.#fd = this.#isOwn ? require('internal/fs/sync').openSync(place, O_WRONLY | O_CREAT) : place;
    this.start(options);
  }

  start(options) {
    const wanted = options?.highWaterMark;
    if (typeof wanted === 'number' && wanted > 0) this.#highWaterMark = wanted;
  }

  /** How many bytes the piece has. */
  write(piece) {
    const view = typeof piece === 'string' ? new (require('web/encoding').TextEncoder)().encode(piece) : toUint8Array(piece);
    if (view === undefined) throw invalidArgType('write() expects a string, ArrayBufferView, or ArrayBuffer');
    if (this.#fd === undefined) return true;
    // What the program does to its bytes later is not to be written.
    this.#kept.push(typeof piece === 'string' ? view : view.slice());
    this.#size += view.length;
    if (this.#size >= this.#highWaterMark) this.#writeOut();
    else this.#timer ??= require('timers').setImmediate(() => this.#writeOut());
    return view.length;
  }

  #writeOut() {
    require('timers').clearImmediate(this.#timer);
    this.#timer = undefined;
    const [pieces, size] = [this.#kept, this.#size];
    if (size === 0) return 0;
    [this.#kept, this.#size] = [[], 0];
    const { writeSync } = require('internal/fs/read_write');
    const bytes = pieces.length === 1 ? pieces[0] : require('internal/bun/bytes').concatArrayBuffers(pieces, Infinity, true);
    for (let at = 0; at < size;) at += writeSync(this.#fd, bytes, at, size - at);
    return size;
  }

  flush() { return this.#writeOut(); }

  end() {
    if (this.#fd === undefined) return 0;
    const count = this.#writeOut();
    const fd = this.#fd;
    this.#fd = undefined;
    if (this.#isOwn) require('internal/fs/sync').closeSync(fd);
    return count;
  }

  close() { this.end(); }
  // What waits to be written keeps the program going by itself, and no longer than that.
  ref() {}
  unref() {}
}
Object.defineProperty(FileSink.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'FileSink' });

module.exports = { FileSink };
