// The standard streams of a worker, between two threads. In: a function that sends, names. Out: a
// stream to write to at one end, one to read from at the other. As many pieces are under way as the
// reader has asked for: one list of them. Absent: descriptors; a worker has none of its own.
'use strict';

const { Readable, Writable } = require('stream');
const { BYTES, MORE } = require('internal/worker/protocol');

/** What is written here is read in the other thread. */
class Outgoing extends Writable {
  #send;
  #keep;
  #name;
  #done;

  /** `keep(step)`: what is under way keeps this thread going. */
  constructor(name, send, keep) {
    super({ decodeStrings: true });
    this.#name = name;
    this.#send = send;
    this.#keep = keep;
  }

  _writev(chunks, callback) {
    this.#send([BYTES, this.#name, chunks.map(({ chunk }) => chunk)]);
    this.#done = callback;
    this.#keep(1);
  }

  _write(chunk, encoding, callback) { this._writev([{ chunk, encoding }], callback); }

  _final(callback) {
    this.#send([BYTES, this.#name, null]);
    callback();
  }

  /** The reader takes more, or will never. */
  proceed() {
    const done = this.#done;
    if (done === undefined) return;
    this.#done = undefined;
    this.#keep(-1);
    done();
  }
}

/** What is read here was written in the other thread. */
class Incoming extends Readable {
  #send;
  #keep;
  #name;
  #isKeeping = false;

  constructor(name, send, keep) {
    super();
    this.#name = name;
    this.#send = send;
    this.#keep = keep;
  }

  _read() {
    this.#hold(true);
    this.#send([MORE, this.#name]);
  }

  #hold(isKeeping) {
    if (this.#isKeeping === isKeeping) return;
    this.#isKeeping = isKeeping;
    this.#keep(isKeeping ? 1 : -1);
  }

  _destroy(error, callback) {
    this.#hold(false);
    callback(error);
  }

  take(pieces) {
    if (pieces === null) {
      this.#hold(false);
      this.push(null);
      return;
    }
    let wantsMore = false;
    for (const piece of pieces) wantsMore = this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (wantsMore) this.#send([MORE, this.#name]);
  }

  end() {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }
}

/** What a worker writes goes to where the program writes, whoever reads there. */
function passOn(stream, name) {
  stream.on('data', (bytes) => { require('process')[name].write(bytes); });
}

module.exports = { Incoming, Outgoing, passOn };
