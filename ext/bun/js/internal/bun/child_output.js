// What a child writes. In: our end of its pipe, and what was read of it. Out: a stream for whoever
// asks for it. It is read ahead, so that a child which nobody listens to comes to its end; from the
// first read on, what nobody takes waits in the kernel, and the child with it.
'use strict';

const { Handle } = require('internal/io/stream_handle');

/**
 * Bytes that are kept for who has not begun to read, the same in
 * src/natives/child_process/ahead.rs. A child that writes more waits.
 */
const UNREAD_MAX = 256 * 1024 * 1024;
/** Bytes that are kept beyond what was asked for. */
const AHEAD_MAX = 256 * 1024;

const ASKED = { isLazy: true, tooMuch: undefined };

class Output {
  /** Absent where nothing is to come. */
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
    this.#bytesMax = bytesMax;
    this.#tooMuch = tooMuch;
    this.#listen(own);
    if (!isLazy) this.#handle.readStart();
  }

  /** Of an output that the native half has read so far: a pipe or `null`, an errno or 0, pieces. */
  static of([own, errno, ...pieces]) {
    const output = new Output(own, ASKED);
    output.#pieces = pieces;
    for (const { length } of pieces) output.#kept += length;
    output.#written = output.#kept;
    if (errno < 0) output.#take(errno);
    else if (own !== null && output.#kept < UNREAD_MAX) output.#handle.readStart();
    return output;
  }

  #listen(own) {
    if (own === null) {
      this.#isOver = true;
      return;
    }
    this.#handle = new Handle(own, 'PipeWrap');
    this.#handle.onread = (value) => this.#take(value);
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
    this.#handle?.close();
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
    if (isRef) this.#handle?.ref();
    else this.#handle?.unref();
  }
}

module.exports = { Output };
