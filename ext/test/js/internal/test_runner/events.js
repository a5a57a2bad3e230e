// What happens in a run, as a stream of objects `{ type, data }`, each also an event of its own.
// In: the harness's calls. Out: what reporters read.
'use strict';

const { Readable } = require('stream');

class TestsStream extends Readable {
  #held = [];
  #canPush = true;

  constructor() { super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER }); }

  _read() {
    this.#canPush = true;
    while (this.#held.length > 0 && this.#canPush) this.#canPush = this.push(this.#held.shift());
  }

  emitEvent(kind, data) {
    const type = `test:${kind}`;
    const own = { __proto__: null, ...data };
    this.emit(type, own);
    this.#give({ type, data: own });
  }

  end() { this.#give(null); }

  #give(entry) {
    if (this.#canPush && this.#held.length === 0) this.#canPush = this.push(entry);
    else this.#held.push(entry);
  }
}

module.exports = { TestsStream };
