// TestsStream: the events of a run as a stream of `{ type, data }`; each is also emitted. In: calls
// of the harness. Out: what reporters read.
'use strict';

const { Readable } = require('stream');

class TestsStream extends Readable {
  #buffer = [];
  #canPush = true;

  constructor() { super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER }); }

  _read() {
    this.#canPush = true;
    while (this.#buffer.length > 0 && this.#canPush) this.#canPush = this.push(this.#buffer.shift());
  }

  emitEvent(name, fields) {
    const type = `test:${name}`;
    const data = { __proto__: null, ...fields };
    this.emit(type, data);
    this.#tryPush({ type, data });
  }

  end() { this.#tryPush(null); }

  #tryPush(entry) {
    if (this.#canPush && this.#buffer.length === 0) this.#canPush = this.push(entry);
    else this.#buffer.push(entry);
  }
}

module.exports = { TestsStream };
