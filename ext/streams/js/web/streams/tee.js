// `tee` of default streams: the standard's ReadableStreamDefaultTee. In: internal slots of an
// unlocked stream. Out: slots of two branches, each with every chunk; the stream is cancelled when
// both branches are. Absent: byte streams (byte_tee.js).
'use strict';

const core = require('web/streams/readable_core');
const { promiseThen, resolvedPromise, createDeferredPromise } = require('web/streams/webidl_utils');

function tee(stream) {
  const { createReadableStream } = require('web/streams/readable');
  const reader = core.acquireReadableStreamDefaultReader(stream);
  let isReading = false;
  let readAgain = false;
  const cancelled = [false, false];
  const reasons = [undefined, undefined];
  const cancelPromise = createDeferredPromise();
  const branches = [];

  const forEachActiveBranch = (callback) => {
    for (const index of [0, 1]) {
      if (!cancelled[index]) {
        callback(branches[index].controller);
      }
    }
  };
  const pull = () => {
    if (isReading) {
      readAgain = true;
      return undefined;
    }
    isReading = true;
    core.readableStreamDefaultReaderRead(reader, {
      chunk(chunk) {
        // In a microtask: an error that the source raised with the chunk comes first.
        promiseThen(resolvedPromise, () => {
          readAgain = false;
          forEachActiveBranch((controller) => controller.enqueue(chunk));
          isReading = false;
          if (readAgain) {
            pull();
          }
        });
      },
      close() {
        isReading = false;
        forEachActiveBranch((controller) => controller.close());
        if (!cancelled[0] || !cancelled[1]) {
          cancelPromise.resolve();
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
        cancelPromise.resolve(core.readableStreamCancel(stream, reasons));
      }
      return cancelPromise.promise;
    },
  });
  branches.push(createReadableStream(source(0)), createReadableStream(source(1)));
  promiseThen(reader.closed.promise, undefined, (reason) => {
    branches[0].controller.error(reason);
    branches[1].controller.error(reason);
    if (!cancelled[0] || !cancelled[1]) {
      cancelPromise.resolve();
    }
  });
  return branches;
}

module.exports = { tee };
