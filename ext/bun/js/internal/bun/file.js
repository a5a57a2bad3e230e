// Files as values: `Bun.file`, and the standard streams in that form. In: a path, an URL or a
// descriptor. Out: a Blob that reads when it is asked to, and that can be written. Absent: its own
// bytes; they are the disk's.
'use strict';

const { Blob } = require('internal/blob');
const { codes } = require('internal/errors');
const { invalidArgType } = require('internal/bun/environment');
const { typeOf, typeOfPath } = require('internal/bun/mime');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** What a stream gives at once, in bytes. */
const PIECE = 256 * 1024;
const sync = () => require('internal/fs/sync');
const later = () => require('fs/promises');

class FileRef extends Blob {
  /** A path or a descriptor. */
  #place;
  #type;
  #begin;
  /** Infinity: as far as the file goes. */
  #end;

  constructor(place, type, begin = 0, end = Infinity) {
    super();
    this.#place = place;
    this.#type = type;
    this.#begin = begin;
    this.#end = end;
  }

  static is(value) { return typeof value === 'object' && value !== null && #place in value; }
  static targetOf(file) { return file.#place; }
  /** Whether it stands for all of its file. */
  static isWholeFile(file) { return file.#begin === 0 && file.#end === Infinity; }

  /** What it stands for, at once. */
  static readSync(file) {
    const { closeSync, openSync, readSync } = { ...sync(), ...require('internal/fs/read_write') };
    const isOwn = typeof file.#place === 'string';
    const fd = isOwn ? openSync(file.#place, 'r') : file.#place;
    try {
      const bytes = new Uint8Array(file.size);
      let at = 0;
      for (let count = -1; at < bytes.length && count !== 0; at += count) count = readSync(fd, bytes, at, bytes.length - at, isOwn ? file.#begin + at : null);
      return bytes.subarray(0, at);
    } finally {
      if (isOwn) closeSync(fd);
    }
  }

  get name() { return typeof this.#place === 'string' ? this.#place : undefined; }
  get type() { return this.#type ?? typeOfPath(this.name ?? ''); }

  get size() {
    const stats = this.#look();
    if (stats === undefined) return 0;
    if (!stats.isFile()) return this.#end - this.#begin;
    return Math.max(0, Math.min(this.#end, stats.size) - Math.min(this.#begin, stats.size));
  }

  get lastModified() { return Math.trunc(this.#look()?.mtimeMs ?? 0); }

  #look() {
    try {
      return typeof this.#place === 'number' ? sync().fstatSync(this.#place) : sync().statSync(this.#place);
    } catch {
      return undefined;
    }
  }

  async exists() { return this.#look()?.isFile() ?? false; }
  async stat() { return typeof this.#place === 'number' ? sync().fstatSync(this.#place) : later().stat(this.#place); }

  async bytes() {
    if (FileRef.isWholeFile(this)) return new Uint8Array(await readWhole(this.#place));
    const pieces = [];
    for await (const piece of this.#pieces()) pieces.push(piece);
    return require('internal/bun/bytes').concatArrayBuffers(pieces, Infinity, true);
  }

  async arrayBuffer() { return exactly(await this.bytes()); }
  async text() { return new (require('web/encoding').TextDecoder)().decode(await this.bytes()); }
  async json() { return JSON.parse(await this.text()); }
  async formData() { return new (globalThis.Response)(await this.bytes(), { headers: { 'content-type': this.type } }).formData(); }

  stream() {
    const pieces = this.#pieces();
    const { ReadableStream } = require('web/streams');
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() { await pieces.return(); },
    }, { highWaterMark: 0 });
  }

  async* #pieces() {
    const isOwn = typeof this.#place === 'string';
    const { open, read, close } = promised();
    const fd = isOwn ? await open(this.#place, 'r') : this.#place;
    // A descriptor of somebody else's goes on where it is.
    let at = isOwn ? this.#begin : null;
    let left = this.#end - this.#begin;
    try {
      while (left > 0) {
        const piece = new Uint8Array(Math.min(PIECE, left));
        const count = await read(fd, piece, 0, piece.length, at);
        if (count === 0) return;
        left -= count;
        if (at !== null) at += count;
        yield piece.subarray(0, count);
      }
    } finally {
      if (isOwn) await close(fd);
    }
  }

  slice(begin, end, type) {
    if (typeof begin === 'string') [begin, end, type] = [0, undefined, begin];
    if (typeof end === 'string') [end, type] = [undefined, end];
    const needsSize = begin < 0 || end < 0;
    const size = needsSize ? this.size : this.#end - this.#begin;
    const place = (index, usual) => {
      if (index === undefined) return usual;
      const whole = Math.trunc(Number(index)) || 0;
      return whole < 0 ? Math.max(size + whole, 0) : Math.min(whole, size);
    };
    const from = place(begin, 0);
    const to = Math.max(from, place(end, needsSize ? size : Infinity));
    const stop = Math.min(this.#begin + to, this.#end);
    return new FileRef(this.#place, type === undefined ? this.#type : typeOf(`${type}`), this.#begin + from, stop);
  }

  write(data, options) { return require('internal/bun/write').write(this, data, options); }
  writer(options) { return new (require('internal/bun/file_sink').FileSink)(this.#place, options); }
  async unlink() { await later().unlink(this.#path()); }
  async delete() { await later().unlink(this.#path()); }

  #path() {
    if (typeof this.#place === 'string') return this.#place;
    throw invalidArgType('Is not possible to unlink a file descriptor');
  }

  [kInspect]() {
    const place = typeof this.#place === 'number' ? `fd: ${this.#place}` : `"${this.#place}"`;
    const offset = this.#begin > 0 ? `,\n  offset: ${this.#begin}\n` : '';
    return `FileRef (${place}) {\n  type: "${this.type}"${offset}\n}`;
  }
}
// To programs it is a Blob.
delete FileRef.prototype.constructor;

/** `fs` with promises of numbers; a FileHandle would be watched over. */
function promised() {
  const { promisify } = require('util');
  const fs = require('fs');
  return {
    open: promisify(fs.open),
    close: promisify(fs.close),
    read: (...given) => new Promise((done, fail) => fs.read(...given, (error, count) => (error ? fail(error) : done(count)))),
  };
}

function readWhole(place) {
  return new Promise((done, fail) => require('fs').readFile(place, (error, bytes) => (error ? fail(error) : done(bytes))));
}

/** The buffer of a view, and no more than the view shows. */
function exactly(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

/** A path or a descriptor; throws for what is neither. */
function placeOf(value) {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1) {
      throw new codes.ERR_OUT_OF_RANGE('fd', '>= 0 && <= 2147483647', value);
    }
    return value;
  }
  if (value instanceof URL && value.protocol !== 'file:') {
    const error = new TypeError('URL must be a non-empty "file:" path');
    error.code = 'ERR_INVALID_URL_SCHEME';
    throw error;
  }
  const isPath = typeof value === 'string' || value instanceof URL || ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  if (!isPath) return undefined;
  const path = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  const found = require('internal/fs/utils').getValidatedPath(path);
  return typeof found === 'string' ? found : require('buffer').Buffer.from(found.buffer, found.byteOffset, found.byteLength).toString();
}

function file(path, options) {
  if (FileRef.is(path)) return path;
  const place = placeOf(path);
  if (place === undefined) throw invalidArgType('Expected file path string or file descriptor');
  const type = options?.type;
  return new FileRef(place, typeof type === 'string' ? typeOf(type) || undefined : undefined);
}

const standard = [0, 1, 2].map((fd) => new FileRef(fd));

module.exports = { FileRef, file, placeOf, stdin: standard[0], stdout: standard[1], stderr: standard[2] };
