// `Bun.file`, `Bun.stdin`, `Bun.stdout`, `Bun.stderr`: lazy Blobs over files. In: a path, a URL or
// a file descriptor. Out: a Blob that reads the file on demand, and can write it.
'use strict';

const { Blob, kParts } = require('internal/blob');
const { codes } = require('internal/errors');
const { invalidArgType } = require('internal/bun/environment');
const { typeOf, typeOfPath } = require('internal/bun/mime');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** Size of a stream's chunks, in bytes. */
const CHUNK_BYTES = 256 * 1024;
const sync = () => require('internal/fs/sync');
const fsPromises = () => require('fs/promises');

class FileRef extends Blob {
  /** A path or a file descriptor. */
  #target;
  #type;
  #begin;
  /** Infinity: the end of the file. */
  #end;

  constructor(target, type, begin = 0, end = Infinity) {
    super();
    this.#target = target;
    this.#type = type;
    this.#begin = begin;
    this.#end = end;
  }

  static is(value) { return typeof value === 'object' && value !== null && #target in value; }
  static targetOf(file) { return file.#target; }
  /** Whether it is not a slice. */
  static isWholeFile(file) { return file.#begin === 0 && file.#end === Infinity; }

  /** What a server sends of it: offsets; `end` may be Infinity. */
  static rangeOf(file) { return { target: file.#target, begin: file.#begin, end: file.#end }; }

  /** The content. */
  static readSync(file) {
    const { closeSync, openSync, readSync } = { ...sync(), ...require('internal/fs/read_write') };
    const opensFile = typeof file.#target === 'string';
    const fd = opensFile ? openSync(file.#target, 'r') : file.#target;
    try {
      const bytes = new Uint8Array(file.size);
      let at = 0;
      for (let count = -1; at < bytes.length && count !== 0; at += count) count = readSync(fd, bytes, at, bytes.length - at, opensFile ? file.#begin + at : null);
      return bytes.subarray(0, at);
    } finally {
      if (opensFile) closeSync(fd);
    }
  }

  get name() { return typeof this.#target === 'string' ? this.#target : undefined; }
  get type() { return this.#type ?? typeOfPath(this.name ?? ''); }

  get size() {
    const stats = this.#stat();
    if (stats === undefined) return 0;
    if (!stats.isFile()) return this.#end - this.#begin;
    return Math.max(0, Math.min(this.#end, stats.size) - Math.min(this.#begin, stats.size));
  }

  get lastModified() { return Math.trunc(this.#stat()?.mtimeMs ?? 0); }

  #stat() {
    try {
      return typeof this.#target === 'number' ? sync().fstatSync(this.#target) : sync().statSync(this.#target);
    } catch {
      return undefined;
    }
  }

  async exists() { return this.#stat()?.isFile() ?? false; }
  async stat() { return typeof this.#target === 'number' ? sync().fstatSync(this.#target) : fsPromises().stat(this.#target); }

  async bytes() {
    if (FileRef.isWholeFile(this)) return new Uint8Array(await readFile(this.#target));
    const chunks = [];
    for await (const chunk of this.#chunks()) chunks.push(chunk);
    return require('internal/bun/bytes').concatArrayBuffers(chunks, Infinity, true);
  }

  async arrayBuffer() { return toArrayBuffer(await this.bytes()); }
  async text() { return new (require('web/encoding').TextDecoder)().decode(await this.bytes()); }
  async formData() { return new (globalThis.Response)(await this.bytes(), { headers: { 'content-type': this.type } }).formData(); }

  stream() {
    const chunks = this.#chunks();
    const { ReadableStream } = require('web/streams');
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() { await chunks.return(); },
    }, { highWaterMark: 0 });
  }

  async* #chunks() {
    const opensFile = typeof this.#target === 'string';
    const { open, read, close } = promisifiedFs();
    const fd = opensFile ? await open(this.#target, 'r') : this.#target;
    // A caller's descriptor is read from its current position.
    let at = opensFile ? this.#begin : null;
    let remaining = this.#end - this.#begin;
    try {
      while (remaining > 0) {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, remaining));
        const count = await read(fd, chunk, 0, chunk.length, at);
        if (count === 0) return;
        remaining -= count;
        if (at !== null) at += count;
        yield chunk.subarray(0, count);
      }
    } finally {
      if (opensFile) await close(fd);
    }
  }

  /** As a part of another Blob or of a form. */
  [kParts]() {
    if (typeof this.#target === 'number') return [FileRef.readSync(this)];
    const slice = require('internal/fs/file_slice').FileSlice.open(this.#target);
    const [begin, end] = [Math.min(this.#begin, slice.length), Math.min(this.#end, slice.length)];
    return [slice.subarray(begin, Math.max(begin, end))];
  }

  slice(begin, end, type) {
    if (typeof begin === 'string') [begin, end, type] = [0, undefined, begin];
    if (typeof end === 'string') [end, type] = [undefined, end];
    const needsSize = begin < 0 || end < 0;
    const size = needsSize ? this.size : this.#end - this.#begin;
    const toOffset = (index, defaultOffset) => {
      if (index === undefined) return defaultOffset;
      const integer = Math.trunc(Number(index)) || 0;
      return integer < 0 ? Math.max(size + integer, 0) : Math.min(integer, size);
    };
    const start = toOffset(begin, 0);
    const to = Math.max(start, toOffset(end, needsSize ? size : Infinity));
    const fileEnd = Math.min(this.#begin + to, this.#end);
    return new FileRef(this.#target, type === undefined ? this.#type : typeOf(`${type}`), this.#begin + start, fileEnd);
  }

  write(data, options) { return require('internal/bun/write').write(this, data, options); }
  writer(options) { return new (require('internal/bun/file_sink').FileSink)(this.#target, options); }
  async unlink() { await fsPromises().unlink(this.#path()); }
  async delete() { await fsPromises().unlink(this.#path()); }

  #path() {
    if (typeof this.#target === 'string') return this.#target;
    throw invalidArgType('Is not possible to unlink a file descriptor');
  }

  [kInspect]() {
    const target = typeof this.#target === 'number' ? `fd: ${this.#target}` : `"${this.#target}"`;
    const offset = this.#begin > 0 ? `,\n  offset: ${this.#begin}\n` : '';
    return `FileRef (${target}) {\n  type: "${this.type}"${offset}\n}`;
  }
}
// The visible constructor is Blob's.
delete FileRef.prototype.constructor;

/** Functions of `fs` with promises. A FileHandle would warn when it is collected. */
function promisifiedFs() {
  const { promisify } = require('util');
  const fs = require('fs');
  return {
    open: promisify(fs.open),
    close: promisify(fs.close),
    read: (...args) => new Promise((resolve, reject) => fs.read(...args, (error, count) => (error ? reject(error) : resolve(count)))),
  };
}

function readFile(target) {
  return new Promise((resolve, reject) => require('fs').readFile(target, (error, bytes) => (error ? reject(error) : resolve(bytes))));
}

/** An ArrayBuffer with exactly the bytes of a view. */
function toArrayBuffer(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

/** A path or a file descriptor; undefined for values of other types. */
function targetOf(value) {
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
  const validPath = require('internal/fs/utils').getValidatedPath(path);
  return typeof validPath === 'string' ? validPath : require('buffer').Buffer.from(validPath.buffer, validPath.byteOffset, validPath.byteLength).toString();
}

function file(path, options) {
  if (FileRef.is(path)) return path;
  const target = targetOf(path);
  if (target === undefined) throw invalidArgType('Expected file path string or file descriptor');
  const type = options?.type;
  return new FileRef(target, typeof type === 'string' ? typeOf(type) || undefined : undefined);
}

const standard = [0, 1, 2].map((fd) => new FileRef(fd));

module.exports = { FileRef, file, targetOf, stdin: standard[0], stdout: standard[1], stderr: standard[2] };
