// `Blob` and blob URLs, as in the File API. In: strings, bytes, other blobs. Out: immutable bytes
// in parts that slices share; a part may be a range of a file, which is read on demand. Absent:
// snapshots of files.
'use strict';

const { codes } = require('internal/errors');
const { validateDictionary, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { kClone, kSerialize } = require('internal/messaging/symbols');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** Of a lazy blob over a file (`Bun.file`): its parts, when it becomes a part of another blob. */
const kParts = Symbol('kParts');
const CHUNK_BYTES = 65536;
const TYPE = /[^\u{0020}-\u{007e}]/u;
const urls = new Map();
// Access to private members for the functions below.
const internals = {};

class Blob {
  #parts;
  #size;
  #type;

  constructor(sources = [], options = undefined) {
    if (sources === null || typeof sources[Symbol.iterator] !== 'function' || typeof sources === 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('sources', 'a sequence', sources);
    }
    validateDictionary(options, 'options');
    // Web IDL reads and converts the members of a dictionary in the order of their names.
    let { endings = 'transparent' } = options ?? {};
    endings = `${endings}`;
    let { type = '' } = options ?? {};
    type = `${type}`;
    if (endings !== 'transparent' && endings !== 'native') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.endings', endings);
    }
    this.#parts = [];
    this.#size = 0;
    for (const source of sources) this.#add(source, endings);
    if (this.#size > require('buffer').kMaxLength) throw new codes.ERR_BUFFER_TOO_LARGE(this.#size);
    this.#type = TYPE.test(type) ? '' : type.toLowerCase();
  }

  #add(source, endings) {
    if (Blob.#is(source)) {
      for (const part of source[kParts]?.() ?? source.#parts) {
        this.#parts.push(part);
        this.#size += part.length;
      }
      return;
    }
    let bytes;
    if (isAnyArrayBuffer(source)) {
      bytes = new Uint8Array(source).slice();
    } else if (isArrayBufferView(source)) {
      bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
    } else {
      let text = `${source}`;
      if (endings === 'native') text = text.replace(/\r\n|\r/g, '\n');
      bytes = new (require('web/encoding').TextEncoder)().encode(text);
    }
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#size += bytes.length;
  }

  static #is(value) {
    return typeof value === 'object' && value !== null && #parts in value;
  }

  static #of(blob) {
    if (!Blob.#is(blob)) throw new codes.ERR_INVALID_THIS('Blob');
    return blob;
  }

  static {
    internals.isBlob = Blob.#is;
    internals.bytes = (blob) => blob.#bytes();
    internals.hasFiles = (blob) => blob.#hasFiles();
    internals.ofFile = (part, type) => {
      const blob = new Blob();
      blob.#parts = [part];
      blob.#size = part.length;
      blob.#type = type;
      return blob;
    };
  }

  [kInspect](depth, options) {
    if (depth < 0) return `[${this.constructor.name}]`;
    const { inspect } = require('internal/util/inspect');
    return `Blob ${inspect({ size: this.size, type: this.type }, {
      ...options, depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }

  get type() { return Blob.#of(this).#type; }
  get size() { return Blob.#of(this).#size; }

  slice(start = 0, end = Blob.#of(this).#size, type = '') {
    Blob.#of(this);
    const size = this.#size;
    const clampIndex = (index) => (index < 0 ? Math.max(size + index, 0) : Math.min(index, size));
    start = clampIndex(Math.trunc(Number(start)) || 0);
    end = clampIndex(Math.trunc(Number(end)) || 0);
    type = `${type}`;
    const part = new Blob([], { type });
    let begin = 0;
    for (const bytes of this.#parts) {
      const [from, to] = [Math.max(start - begin, 0), Math.min(end - begin, bytes.length)];
      if (from < to) {
        part.#parts.push(bytes.subarray(from, to));
        part.#size += to - from;
      }
      begin += bytes.length;
    }
    return part;
  }

  /** A clone shares the bytes, because they are immutable. */
  [kClone]() {
    if (!Blob.#is(this)) return undefined;
    this.#checkCloneable();
    return this.slice(0, this.#size, this.#type);
  }

  #checkCloneable() {
    if (this.#hasFiles()) throw Object.assign(new TypeError('Invalid state: File-backed Blobs are not cloneable'), { code: 'ERR_INVALID_STATE' });
  }

  [kSerialize]() {
    if (!Blob.#is(this)) return undefined;
    this.#checkCloneable();
    return { type: 'Blob', data: { bytes: this.#bytes(), type: this.#type } };
  }

  #hasFiles() {
    return this.#parts.some((part) => !(part instanceof Uint8Array));
  }

  #bytes() {
    return concatenate(this.#size, this.#parts.map((part) => (part instanceof Uint8Array ? part : part.readSync())));
  }

  async #read() {
    if (!this.#hasFiles()) return this.#bytes();
    const parts = [];
    for (const part of this.#parts) parts.push(part instanceof Uint8Array ? part : await part.read(0, part.length));
    return concatenate(this.#size, parts);
  }

  async arrayBuffer() { return (await Blob.#of(this).#read()).buffer; }
  async bytes() { return Blob.#of(this).#read(); }
  async text() {
    return new (require('web/encoding').TextDecoder)().decode(await Blob.#of(this).#read());
  }

  // The next two are of bun, as the methods of a body.
  async json() { return JSON.parse(await this.text()); }
  async formData() {
    Blob.#of(this);
    return new (require('web/fetch/response').Response)(this).formData();
  }

  stream() {
    Blob.#of(this);
    const { ReadableStream } = require('web/streams');
    const chunks = this.#chunks();
    return new ReadableStream({
      type: 'bytes',
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }, { highWaterMark: 0 });
  }

  // Copies, because the reader of a stream may transfer its chunks.
  async* #chunks() {
    for (const part of this.#parts) {
      const isFile = !(part instanceof Uint8Array);
      // An empty range of a file is read, too, so that a changed file is an error.
      if (isFile && part.length === 0) await part.read(0, 0);
      for (let at = 0; at < part.length; at += CHUNK_BYTES) {
        yield isFile ? part.read(at, Math.min(at + CHUNK_BYTES, part.length)) : part.slice(at, at + CHUNK_BYTES);
      }
    }
  }
}

function concatenate(size, parts) {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

for (const name of ['size', 'type', 'slice', 'stream', 'text', 'arrayBuffer', 'bytes', 'json', 'formData']) {
  Object.defineProperty(Blob.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(Blob.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Blob' });

/** A blob of a file: `fs.openAsBlob`. */
function openAsBlob(path, type) {
  return internals.ofFile(require('internal/fs/file_slice').FileSlice.open(path), type);
}

function createObjectURL(blob) {
  if (!internals.isBlob(blob)) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'Blob', blob);
  const id = newId();
  urls.set(id, blob);
  return `blob:nodedata:${id}`;
}

// Formatted as a UUID. Only this process resolves it, so it need not be unguessable.
function newId() {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
}

function idOf(url) {
  return /^blob:nodedata:([^:?#]*)(?:[?#].*)?$/s.exec(`${url}`)?.[1];
}

function revokeObjectURL(url) {
  urls.delete(idOf(url));
}

function resolveObjectURL(url) {
  const blob = urls.get(idOf(url));
  return blob?.slice(0, blob.size, blob.type);
}

/** Whether a URL of an object is registered. */
const hasUrls = () => urls.size > 0;

module.exports = {
  hasUrls,
  Blob, bytesOf: internals.bytes, createObjectURL, hasFiles: internals.hasFiles, isBlob: internals.isBlob, kParts, openAsBlob, resolveObjectURL, revokeObjectURL,
};
