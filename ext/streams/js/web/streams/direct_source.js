// Direct streams, an extension of bun: `new ReadableStream({ type: 'direct', pull(controller) })`.
// In: a source whose `pull` is called once and writes. Out: an underlying source of the standard.
// Bytes that are written in one turn are one chunk.
'use strict';

/** Bytes that are joined before a chunk is made of them. */
const JOINED_BYTES_MAX = 64 * 1024;

class DirectController {
  #target;
  #chunks = [];
  #bytes = 0;
  #isClosed = false;
  #isScheduled = false;
  /** Resolves when the consumer asks for more. */
  #demand;

  constructor(target) {
    this.#target = target;
  }

  /** Returns the number of bytes. */
  write(chunk) {
    if (this.#isClosed) return 0;
    const bytes = toBytes(chunk);
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= JOINED_BYTES_MAX) this.#enqueue();
    else this.#schedule();
    return bytes.length;
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#enqueue();
    });
  }

  #enqueue() {
    if (this.#bytes === 0 || this.#isClosed) return;
    const joined = new Uint8Array(this.#bytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    this.#chunks = [];
    this.#bytes = 0;
    this.#target.enqueue(joined);
  }

  /** A promise, if the consumer has not taken what is there. */
  flush() {
    if (this.#isClosed) return undefined;
    this.#enqueue();
    if (this.#target.desiredSize >= 0) return undefined;
    this.#demand ??= Promise.withResolvers();
    return this.#demand.promise;
  }

  end() {
    this.close();
  }

  close(error = undefined) {
    if (this.#isClosed) return;
    this.#enqueue();
    this.#isClosed = true;
    if (error === undefined) this.#target.close();
    else this.#target.error(error);
    this.#demand?.resolve();
  }

  /** The consumer asks for more. */
  static notify(controller) {
    const demand = controller.#demand;
    controller.#demand = undefined;
    demand?.resolve();
  }

  /** The consumer wants no more. */
  static cancel(controller) {
    controller.#isClosed = true;
    controller.#demand?.resolve();
  }
}

const { cancel, notify } = DirectController;
delete DirectController.cancel;
delete DirectController.notify;

function directSource(source) {
  let controller;
  return {
    pull(target) {
      if (controller !== undefined) return notify(controller);
      controller = new DirectController(target);
      run(source, controller);
    },
    cancel(reason) {
      if (controller !== undefined) cancel(controller);
      return source.cancel?.(reason);
    },
  };
}

async function run(source, controller) {
  try {
    await source.pull(controller);
  } catch (error) {
    controller.close(error ?? new Error('pull has thrown'));
  }
}

function toBytes(chunk) {
  const { Buffer } = require('buffer');
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (ArrayBuffer.isView(chunk)) return Buffer.from(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength));
  if (chunk instanceof ArrayBuffer) return Buffer.from(chunk.slice(0));
  throw new TypeError('write() expects a string, an ArrayBuffer or a view of one');
}

module.exports = { directSource };
