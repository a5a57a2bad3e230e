// `tee` of byte streams: the standard's ReadableByteStreamTee. In: internal slots of an unlocked
// byte stream. Out: slots of two byte streams; a view that the reader of one branch passed is
// filled, and the other branch gets a copy. Absent: streams of other chunks (tee.js).
'use strict';

const core = require('web/streams/readable_core');
const { ByteController } = require('web/streams/byte_controller');
const { readableStreamBYOBReaderRead } = require('web/streams/byte_interfaces');
const { promiseThen, resolvedPromise, createDeferredPromise } = require('web/streams/webidl_utils');

/** State of both branches. */
class ByteTee {
  isReading = false;
  readAgain = [false, false];
  cancelled = [false, false];
  reasons = [undefined, undefined];
  cancelPromise = createDeferredPromise();

  constructor(stream) {
    this.stream = stream;
    this.reader = core.acquireReadableStreamDefaultReader(stream);
    this.branches = [this.createBranch(0), this.createBranch(1)];
    this.forwardReaderError(this.reader);
  }

  createBranch(index) {
    const slots = new core.ReadableStreamSlots();
    new ByteController(slots, {
      pull: () => this.pull(index),
      cancel: (reason) => this.cancel(index, reason),
    }, 0, undefined);
    slots.controller.start(undefined);
    return slots;
  }

  /** Errors both branches when the stream fails, while `reader` is the current one. */
  forwardReaderError(reader) {
    promiseThen(reader.closed.promise, undefined, (reason) => {
      if (reader !== this.reader) {
        return;
      }
      this.branches[0].controller.error(reason);
      this.branches[1].controller.error(reason);
      this.resolveCancelPromise();
    });
  }

  resolveCancelPromise() {
    if (!this.cancelled[0] || !this.cancelled[1]) {
      this.cancelPromise.resolve();
    }
  }

  cancel(index, reason) {
    this.cancelled[index] = true;
    this.reasons[index] = reason;
    if (this.cancelled[1 - index]) {
      this.cancelPromise.resolve(core.readableStreamCancel(this.stream, this.reasons));
    }
    return this.cancelPromise.promise;
  }

  pull(index) {
    if (this.isReading) {
      this.readAgain[index] = true;
      return undefined;
    }
    this.isReading = true;
    const { currentByobRequest } = this.branches[index].controller;
    if (currentByobRequest === null) {
      this.pullWithDefaultReader();
    } else {
      this.pullWithBYOBReader(currentByobRequest.view, index);
    }
    return undefined;
  }

  finishRead() {
    this.isReading = false;
    if (this.readAgain[0]) {
      this.pull(0);
    } else if (this.readAgain[1]) {
      this.pull(1);
    }
  }

  /**
   * Returns a copy for the other branch. Without memory: errors both branches and returns
   * undefined.
   */
  cloneChunk(chunk) {
    try {
      return new Uint8Array(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength));
    } catch (error) {
      this.branches[0].controller.error(error);
      this.branches[1].controller.error(error);
      this.cancelPromise.resolve(core.readableStreamCancel(this.stream, error));
      return undefined;
    }
  }

  pullWithDefaultReader() {
    if (this.reader.isByob) {
      core.readableStreamReaderRelease(this.reader);
      this.reader = core.acquireReadableStreamDefaultReader(this.stream);
      this.forwardReaderError(this.reader);
    }
    core.readableStreamDefaultReaderRead(this.reader, {
      chunk: (chunk) => promiseThen(resolvedPromise, () => {
        this.readAgain = [false, false];
        let second = chunk;
        if (!this.cancelled[0] && !this.cancelled[1]) {
          second = this.cloneChunk(chunk);
          if (second === undefined) {
            return;
          }
        }
        if (!this.cancelled[0]) {
          this.branches[0].controller.enqueue(chunk);
        }
        if (!this.cancelled[1]) {
          this.branches[1].controller.enqueue(second);
        }
        this.finishRead();
      }),
      close: () => {
        this.isReading = false;
        for (const index of [0, 1]) {
          if (!this.cancelled[index]) {
            this.branches[index].controller.close();
          }
        }
        for (const { controller } of this.branches) {
          if (controller.pendingPullIntos.length > 0) {
            controller.respond(0);
          }
        }
        this.resolveCancelPromise();
      },
      error: () => {
        this.isReading = false;
      },
    });
  }

  pullWithBYOBReader(view, index) {
    if (!this.reader.isByob) {
      core.readableStreamReaderRelease(this.reader);
      this.reader = core.acquireReadableStreamBYOBReader(this.stream);
      this.forwardReaderError(this.reader);
    }
    const byobBranch = this.branches[index].controller;
    const otherBranch = this.branches[1 - index].controller;
    readableStreamBYOBReaderRead(this.stream, view, 1, {
      chunk: (chunk) => promiseThen(resolvedPromise, () => {
        this.readAgain = [false, false];
        const byobCancelled = this.cancelled[index];
        if (!this.cancelled[1 - index]) {
          const cloneChunk = this.cloneChunk(chunk);
          if (cloneChunk === undefined) {
            return;
          }
          if (!byobCancelled) {
            byobBranch.respondWithNewView(chunk);
          }
          otherBranch.enqueue(cloneChunk);
        } else if (!byobCancelled) {
          byobBranch.respondWithNewView(chunk);
        }
        this.finishRead();
      }),
      close: (chunk) => {
        this.isReading = false;
        const byobCancelled = this.cancelled[index];
        const otherCancelled = this.cancelled[1 - index];
        if (!byobCancelled) {
          byobBranch.close();
        }
        if (!otherCancelled) {
          otherBranch.close();
        }
        if (chunk !== undefined) {
          if (!byobCancelled) {
            byobBranch.respondWithNewView(chunk);
          }
          if (!otherCancelled && otherBranch.pendingPullIntos.length > 0) {
            otherBranch.respond(0);
          }
        }
        if (!byobCancelled || !otherCancelled) {
          this.cancelPromise.resolve();
        }
      },
      error: () => {
        this.isReading = false;
      },
    });
  }
}

const tee = (stream) => new ByteTee(stream).branches;

module.exports = { tee };
