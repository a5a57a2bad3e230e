// `Bun.ArrayBufferSink`: collects chunks in memory. In: strings, views, buffers. Out: an
// ArrayBuffer or a Uint8Array at the end, or, with `stream`, at each flush.
'use strict';

const { Buffer } = require('buffer');
const { invalidArgType } = require('internal/bun/environment');

class ArrayBufferSink {
  #chunks = [];
  #written = 0;
  #options = {};

  start(options = {}) {
    this.#options = options ?? {};
    this.#take();
  }

  /** The number of bytes that were added. */
  write(chunk) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : copyOf(chunk);
    this.#chunks.push(bytes);
    this.#written += bytes.length;
    return bytes.length;
  }

  /** The bytes since the last flush with `stream`, else their number. */
  flush() {
    if (this.#options.stream) return this.#result();
    const written = this.#written;
    this.#written = 0;
    return written;
  }

  end() { return this.#result(); }

  close() { this.#take(); }

  ref() {}

  unref() {}

  #result() {
    const bytes = require('internal/bun/bytes').concatArrayBuffers(this.#take(), Infinity, true);
    return this.#options.asUint8Array ? bytes : bytes.buffer;
  }

  #take() {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#written = 0;
    return chunks;
  }
}

/** The caller may change its bytes after `write`. */
function copyOf(chunk) {
  const view = require('internal/bun/bytes').toUint8Array(chunk);
  if (view === undefined) throw invalidArgType('write() expects a string, ArrayBufferView, or ArrayBuffer');
  return view.slice();
}

Object.defineProperty(ArrayBufferSink.prototype, Symbol.toStringTag, { __proto__: null, value: 'ArrayBufferSink', configurable: true });

module.exports = { ArrayBufferSink };
