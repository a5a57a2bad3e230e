// What a child writes. In: a handle of our end of its pipe. Out: a stream for whoever asks for it. It is read ahead, so that a child which
// nobody listens to comes to its end; from the first read on, what nobody takes waits in the kernel, and the child with it.
'use strict';

const { Handle } = require('internal/stdio/handle');

/** Bytes that are kept for who has not begun to read. A child that writes more waits. */
const UNREAD_MAX = 256 * 1024 * 1024;
/** Bytes that are kept beyond what was asked for. */
const AHEAD_MAX = 256 * 1024;

class Output {
  #handle;
  #pieces = [];
  #kept = 0;
  #keptMax = UNREAD_MAX;
  #written = 0;
  #isOver = false;
  #failure;
  #stream;
  /** Who waits for a piece. */
  #waiting;
  #bytesMax;
  #tooMuch;

  /** `tooMuch` is called once when more than `bytesMax` bytes came; nothing is read behind them. */
  constructor(own, { isLazy, bytesMax = Infinity, tooMuch }) {
    this.#handle = new Handle(own, 'PipeWrap');
    this.#bytesMax = bytesMax;
    this.#tooMuch = tooMuch;
    this.#handle.onread = (value) => this.#take(value);
    if (!isLazy) this.#handle.readStart();
  }

  get stream() {
    if (this.#stream === undefined) {
      const { ReadableStream } = require('web/streams');
      this.#stream = new ReadableStream({
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      }, { highWaterMark: 0 });
    }
    return this.#stream;
  }

  #take(value) {
    if (value === null || typeof value === 'number') {
      if (value !== null) this.#failure = require('internal/bun/spawn_failure').systemFailure(value, 'read');
      this.#end();
    } else {
      this.#pieces.push(value);
      this.#kept += value.length;
      this.#written += value.length;
      if (this.#written > this.#bytesMax) {
        this.#end();
        this.#tooMuch();
      } else if (this.#kept >= this.#keptMax) {
        this.#handle.readStop();
      }
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  #end() {
    this.#isOver = true;
    this.#handle.close();
  }

  async #pull(controller) {
    this.#keptMax = AHEAD_MAX;
    if (this.#pieces.length === 0 && !this.#isOver) {
      if (!this.#handle.reading) this.#handle.readStart();
      await new Promise((resolve) => { this.#waiting = resolve; });
    }
    if (this.#pieces.length > 0) {
      const piece = this.#pieces.shift();
      this.#kept -= piece.length;
      controller.enqueue(piece);
    } else if (this.#failure !== undefined) {
      controller.error(this.#failure);
    } else {
      controller.close();
    }
  }

  setRef(isRef) {
    if (isRef) this.#handle.ref();
    else this.#handle.unref();
  }
}

module.exports = { Output };
