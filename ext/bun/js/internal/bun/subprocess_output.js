// Subprocess output: `stdout` and `stderr` as ReadableStreams. In: the parent's end of the pipe,
// and chunks that are read already. Out: a stream. Output is read ahead, so that a child whose
// output is not read comes to its end; from the program's first read on there is back-pressure.
'use strict';

const { Handle } = require('internal/io/stream_handle');

const { limits: { UNREAD_BYTES_MAX } } = internalBinding('child_process');

/** Bytes that are read ahead once the program has begun to read. */
const READ_AHEAD_BYTES_MAX = 256 * 1024;

const DEFAULTS = { isLazy: true, onMaxBuffer: undefined };

class SubprocessOutput {
  /** Undefined where the output has ended already. */
  #handle;
  #chunks = [];
  #bufferedBytes = 0;
  #bufferedBytesMax = UNREAD_BYTES_MAX;
  #totalBytes = 0;
  #isEnded = false;
  #error;
  #stream;
  /** Resolves a pending pull. */
  #resumePull;
  #maxBuffer;
  #onMaxBuffer;

  /** After more than `maxBuffer` bytes, reading ends and `onMaxBuffer` is called once. */
  constructor(native, { isLazy, maxBuffer = Infinity, onMaxBuffer }) {
    this.#maxBuffer = maxBuffer;
    this.#onMaxBuffer = onMaxBuffer;
    this.#listen(native);
    if (!isLazy) this.#handle.readStart();
  }

  /** From the binding's read-ahead buffer: a native handle or null, an errno or 0, chunks. */
  static fromBuffer([native, errno, ...chunks]) {
    const output = new SubprocessOutput(native, DEFAULTS);
    output.#chunks = chunks;
    for (const { length } of chunks) output.#bufferedBytes += length;
    output.#totalBytes = output.#bufferedBytes;
    if (errno < 0) output.#onread(errno);
    else if (native !== null && output.#bufferedBytes < UNREAD_BYTES_MAX) output.#handle.readStart();
    return output;
  }

  #listen(native) {
    if (native === null) {
      this.#isEnded = true;
      return;
    }
    this.#handle = new Handle(native, 'PipeWrap');
    this.#handle.onread = (value) => this.#onread(value);
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

  #onread(value) {
    if (value === null || typeof value === 'number') {
      if (value !== null) this.#error = require('internal/bun/spawn_error').systemError(value, 'read');
      this.#end();
    } else {
      this.#chunks.push(value);
      this.#bufferedBytes += value.length;
      this.#totalBytes += value.length;
      if (this.#totalBytes > this.#maxBuffer) {
        this.#end();
        this.#onMaxBuffer();
      } else if (this.#bufferedBytes >= this.#bufferedBytesMax) {
        this.#handle.readStop();
      }
    }
    const resumePull = this.#resumePull;
    this.#resumePull = undefined;
    resumePull?.();
  }

  #end() {
    this.#isEnded = true;
    this.#handle?.close();
  }

  async #pull(controller) {
    this.#bufferedBytesMax = READ_AHEAD_BYTES_MAX;
    if (this.#chunks.length === 0 && !this.#isEnded) {
      if (!this.#handle.reading) this.#handle.readStart();
      await new Promise((resolve) => { this.#resumePull = resolve; });
    }
    if (this.#chunks.length > 0) {
      const chunk = this.#chunks.shift();
      this.#bufferedBytes -= chunk.length;
      controller.enqueue(chunk);
    } else if (this.#error !== undefined) {
      controller.error(this.#error);
    } else {
      controller.close();
    }
  }

  setRef(isRef) {
    if (isRef) this.#handle?.ref();
    else this.#handle?.unref();
  }
}

module.exports = { SubprocessOutput };
