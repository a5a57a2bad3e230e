// One stream as two: the Streams Standard's ReadableStreamDefaultTee. In: slots of a stream that
// nobody reads. Out: slots of two, each with every chunk; the first is cancelled when both are.
// Absent: byte streams (byte_tee.js).
'use strict';

const core = require('web/streams/readable_core');
const { then, resolved, deferred } = require('web/streams/webidl_utils');

function tee(stream) {
  const { makeStream } = require('web/streams/readable');
  const reader = core.acquireReader(stream);
  let isReading = false;
  let readAgain = false;
  const cancelled = [false, false];
  const reasons = [undefined, undefined];
  const cancelling = deferred();
  const branches = [];

  const each = (call) => {
    for (const index of [0, 1]) {
      if (!cancelled[index]) {
        call(branches[index].controller);
      }
    }
  };
  const pull = () => {
    if (isReading) {
      readAgain = true;
      return undefined;
    }
    isReading = true;
    core.read(reader, {
      chunk(chunk) {
        // In a microtask: an error that was there with the chunk comes first.
        then(resolved, () => {
          readAgain = false;
          each((controller) => controller.enqueue(chunk));
          isReading = false;
          if (readAgain) {
            pull();
          }
        });
      },
      close() {
        isReading = false;
        each((controller) => controller.close());
        if (!cancelled[0] || !cancelled[1]) {
          cancelling.resolve();
        }
      },
      error() {
        isReading = false;
      },
    });
    return undefined;
  };
  const source = (index) => ({
    pull,
    cancel(reason) {
      cancelled[index] = true;
      reasons[index] = reason;
      if (cancelled[1 - index]) {
        cancelling.resolve(core.cancel(stream, reasons));
      }
      return cancelling.promise;
    },
  });
  branches.push(makeStream(source(0)), makeStream(source(1)));
  then(reader.closed.promise, undefined, (reason) => {
    branches[0].controller.error(reason);
    branches[1].controller.error(reason);
    if (!cancelled[0] || !cancelled[1]) {
      cancelling.resolve();
    }
  });
  return branches;
}

module.exports = { tee };
