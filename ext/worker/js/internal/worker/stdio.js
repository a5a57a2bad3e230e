// Standard streams of a worker, as in Node's lib/internal/worker/io.js. In: a function that sends
// messages, names. Out: a writable stream in one thread, a readable one in the other. The writer
// sends one batch of chunks and waits until the reader requests more. Absent: file descriptors.
'use strict';

const { Readable, Writable } = require('stream');
const { STDIO_PAYLOAD, STDIO_WANTS_MORE_DATA } = require('internal/worker/message_types');

/** Writes to the other thread. */
class WritableWorkerStdio extends Writable {
  #send;
  #updateRefCount;
  #name;
  #callback;

  /** `updateRefCount(step)`: a pending write keeps this thread's event loop alive. */
  constructor(name, send, updateRefCount) {
    super({ decodeStrings: true });
    this.#name = name;
    this.#send = send;
    this.#updateRefCount = updateRefCount;
  }

  _writev(chunks, callback) {
    this.#send([STDIO_PAYLOAD, this.#name, chunks.map(({ chunk }) => chunk)]);
    this.#callback = callback;
    this.#updateRefCount(1);
  }

  _write(chunk, encoding, callback) { this._writev([{ chunk, encoding }], callback); }

  _final(callback) {
    this.#send([STDIO_PAYLOAD, this.#name, null]);
    callback();
  }

  /** The reader requests more, or has ended. */
  onWantsMoreData() {
    const callback = this.#callback;
    if (callback === undefined) return;
    this.#callback = undefined;
    this.#updateRefCount(-1);
    callback();
  }
}

/** Reads from the other thread. */
class ReadableWorkerStdio extends Readable {
  #send;
  #updateRefCount;
  #name;
  #isRef = false;

  constructor(name, send, updateRefCount) {
    super();
    this.#name = name;
    this.#send = send;
    this.#updateRefCount = updateRefCount;
  }

  _read() {
    this.#setRef(true);
    this.#send([STDIO_WANTS_MORE_DATA, this.#name]);
  }

  #setRef(isRef) {
    if (this.#isRef === isRef) return;
    this.#isRef = isRef;
    this.#updateRefCount(isRef ? 1 : -1);
  }

  _destroy(error, callback) {
    this.#setRef(false);
    callback(error);
  }

  receive(chunks) {
    if (chunks === null) {
      this.#setRef(false);
      this.push(null);
      return;
    }
    let wantsMore = false;
    for (const chunk of chunks) wantsMore = this.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (wantsMore) this.#send([STDIO_WANTS_MORE_DATA, this.#name]);
  }

  end() {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }
}

/** Forwards a worker's output to this thread's stream. */
function forwardOutput(stream, name) {
  stream.on('data', (bytes) => { require('process')[name].write(bytes); });
}

module.exports = { ReadableWorkerStdio, WritableWorkerStdio, forwardOutput };
