// `node:zlib` in browsers: streams and functions with callbacks, by CompressionStream and
// DecompressionStream. Absent: Brotli, Zstandard, levels and dictionaries, functions that answer at
// once.
'use strict';

const { Buffer } = require('buffer');
const { Transform } = require('stream');

const constants = {
  Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5, Z_TREES: 6,
  Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6,
  Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1,
  Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3, Z_FIXED: 4, Z_DEFAULT_STRATEGY: 0,
  Z_MIN_WINDOWBITS: 8, Z_MAX_WINDOWBITS: 15, Z_DEFAULT_WINDOWBITS: 15, Z_MIN_CHUNK: 64, Z_MAX_CHUNK: Infinity, Z_DEFAULT_CHUNK: 16384,
  Z_MIN_MEMLEVEL: 1, Z_MAX_MEMLEVEL: 9, Z_DEFAULT_MEMLEVEL: 8, Z_MIN_LEVEL: -1, Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1,
};

/** Bytes pass through a stream of the browser, which is made at the first of them. */
class Zlib extends Transform {
  #make;
  #writer;
  #output;

  constructor(make, options) {
    super(options);
    this.#make = make;
    this.bytesWritten = 0;
  }

  #begin(first) {
    const { readable, writable } = this.#make(first);
    this.#writer = writable.getWriter();
    this.#output = this.#read(readable.getReader());
    // The errors of reading and writing are one.
    this.#output.catch(() => {});
  }

  async #read(reader) {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  }

  _transform(chunk, encoding, callback) {
    if (this.#writer === undefined) this.#begin(chunk);
    this.bytesWritten += chunk.length;
    this.#writer.write(chunk).then(() => callback(), (error) => callback(dataError(error)));
  }

  _flush(callback) {
    if (this.#writer === undefined) this.#begin(new Uint8Array(0));
    this.#writer.close().catch(() => {});
    this.#output.then(() => callback(), (error) => callback(dataError(error)));
  }

  close(callback) {
    if (callback !== undefined) this.once('close', callback);
    this.destroy();
  }
}

function dataError(cause) {
  return Object.assign(new Error('incorrect data', { cause }), { code: 'Z_DATA_ERROR', errno: constants.Z_DATA_ERROR });
}

const FORMATS = { Gzip: 'gzip', Deflate: 'deflate', DeflateRaw: 'deflate-raw', Gunzip: 'gzip', Inflate: 'deflate', InflateRaw: 'deflate-raw' };
const KINDS = {};
for (const [name, format] of Object.entries(FORMATS)) {
  const isCompression = !name.startsWith('Gun') && !name.startsWith('In');
  KINDS[name] = isCompression ? () => new CompressionStream(format) : () => new DecompressionStream(format);
}
/** The first byte of gzip is known. */
KINDS.Unzip = (first) => new DecompressionStream(first[0] === 0x1f ? 'gzip' : 'deflate');

function runWith(stream, input, callback) {
  const chunks = [];
  stream.on('data', (chunk) => { chunks.push(chunk); });
  stream.on('error', callback);
  stream.on('end', () => callback(null, Buffer.concat(chunks)));
  stream.end(typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.buffer ?? input, input.byteOffset, input.byteLength));
}

const zlib = { constants, codes: {}, ...constants };
for (const [name, make] of Object.entries(KINDS)) {
  const method = name[0].toLowerCase() + name.slice(1);
  const kind = class extends Zlib {
    constructor(options) { super(make, options); }
  };
  Object.defineProperty(kind, 'name', { value: name });
  zlib[name] = kind;
  zlib[`create${name}`] = (options) => new kind(options);
  zlib[method] = (input, options, callback = options) => { runWith(new kind(), input, callback); };
  zlib[`${method}Sync`] = () => { throw new Error(`zlib.${method}Sync is not supported in browsers, use zlib.${method}`); };
}
for (const name of ['Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR', 'Z_MEM_ERROR', 'Z_BUF_ERROR', 'Z_VERSION_ERROR']) {
  zlib.codes[name] = constants[name];
  zlib.codes[constants[name]] = name;
}
module.exports = zlib;
