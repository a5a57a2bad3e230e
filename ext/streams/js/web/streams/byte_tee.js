// One byte stream as two: the Streams Standard's ReadableByteStreamTee. In: slots of a byte stream
// that nobody reads. Out: slots of two byte streams; where a reader of one brought a view, it is
// filled and the other gets a copy. Absent: streams of other chunks (tee.js).
'use strict';

const core = require('web/streams/readable_core');
const { ByteController } = require('web/streams/byte_core');
const { readView } = require('web/streams/byte_interfaces');
const { then, resolved, deferred } = require('web/streams/webidl_utils');

/** All that both branches know. */
class ByteTee {
  isReading = false;
  readAgain = [false, false];
  cancelled = [false, false];
  reasons = [undefined, undefined];
  cancelling = deferred();

  constructor(stream) {
    this.stream = stream;
    this.reader = core.acquireReader(stream);
    this.branches = [this.branch(0), this.branch(1)];
    this.forward(this.reader);
  }

  branch(index) {
    const slots = new core.Readable();
    new ByteController(slots, {
      pull: () => this.pull(index),
      cancel: (reason) => this.cancel(index, reason),
    }, 0, undefined);
    slots.controller.start(undefined);
    return slots;
  }

  /** Errors of the stream, as long as this reader is the one. */
  forward(reader) {
    then(reader.closed.promise, undefined, (reason) => {
      if (reader !== this.reader) {
        return;
      }
      this.branches[0].controller.error(reason);
      this.branches[1].controller.error(reason);
      this.settle();
    });
  }

  settle() {
    if (!this.cancelled[0] || !this.cancelled[1]) {
      this.cancelling.resolve();
    }
  }

  cancel(index, reason) {
    this.cancelled[index] = true;
    this.reasons[index] = reason;
    if (this.cancelled[1 - index]) {
      this.cancelling.resolve(core.cancel(this.stream, this.reasons));
    }
    return this.cancelling.promise;
  }

  pull(index) {
    if (this.isReading) {
      this.readAgain[index] = true;
      return undefined;
    }
    this.isReading = true;
    const { request } = this.branches[index].controller;
    if (request === null) {
      this.pullAny();
    } else {
      this.pullInto(request.view, index);
    }
    return undefined;
  }

  again() {
    this.isReading = false;
    if (this.readAgain[0]) {
      this.pull(0);
    } else if (this.readAgain[1]) {
      this.pull(1);
    }
  }

  /** A copy for the other one; undefined, and all ended, where there is no memory for it. */
  copy(chunk) {
    try {
      return new Uint8Array(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.byteLength));
    } catch (error) {
      this.branches[0].controller.error(error);
      this.branches[1].controller.error(error);
      this.cancelling.resolve(core.cancel(this.stream, error));
      return undefined;
    }
  }

  pullAny() {
    if (this.reader.isByob) {
      core.release(this.reader);
      this.reader = core.acquireReader(this.stream);
      this.forward(this.reader);
    }
    core.read(this.reader, {
      chunk: (chunk) => then(resolved, () => {
        this.readAgain = [false, false];
        let second = chunk;
        if (!this.cancelled[0] && !this.cancelled[1]) {
          second = this.copy(chunk);
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
        this.again();
      }),
      close: () => {
        this.isReading = false;
        for (const index of [0, 1]) {
          if (!this.cancelled[index]) {
            this.branches[index].controller.close();
          }
        }
        for (const { controller } of this.branches) {
          if (controller.pullIntos.length > 0) {
            controller.respond(0);
          }
        }
        this.settle();
      },
      error: () => {
        this.isReading = false;
      },
    });
  }

  pullInto(view, index) {
    if (!this.reader.isByob) {
      core.release(this.reader);
      this.reader = core.acquireByobReader(this.stream);
      this.forward(this.reader);
    }
    const mine = this.branches[index].controller;
    const other = this.branches[1 - index].controller;
    readView(this.stream, view, 1, {
      chunk: (chunk) => then(resolved, () => {
        this.readAgain = [false, false];
        const isMineOver = this.cancelled[index];
        if (!this.cancelled[1 - index]) {
          const copy = this.copy(chunk);
          if (copy === undefined) {
            return;
          }
          if (!isMineOver) {
            mine.respondWithNewView(chunk);
          }
          other.enqueue(copy);
        } else if (!isMineOver) {
          mine.respondWithNewView(chunk);
        }
        this.again();
      }),
      close: (chunk) => {
        this.isReading = false;
        const isMineOver = this.cancelled[index];
        const isOtherOver = this.cancelled[1 - index];
        if (!isMineOver) {
          mine.close();
        }
        if (!isOtherOver) {
          other.close();
        }
        if (chunk !== undefined) {
          if (!isMineOver) {
            mine.respondWithNewView(chunk);
          }
          if (!isOtherOver && other.pullIntos.length > 0) {
            other.respond(0);
          }
        }
        if (!isMineOver || !isOtherOver) {
          this.cancelling.resolve();
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
