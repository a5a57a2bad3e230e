// Abstract operations of readable streams and their default controllers: the Streams Standard 4.9
// and 4.10.4. In: internal slots of streams, readers, controllers; read requests, which are objects
// with `chunk`, `close` and `error`. Out: the same, changed as the standard says. A public object
// is made only when a program can see it. Absent: byte controllers (byte_controller.js), arguments.
'use strict';

const {
  apply, promiseThen, resolvedPromise, promiseResolvedWith, newPromiseResolvedWith,
  promiseRejectedWith, nop, LazyPromise, Fifo, QueueWithSizes, invalidState,
} = require('web/streams/webidl_utils');

/** Internal slots of a stream: [[state]] and so on. */
class ReadableStreamSlots {
  state = 'readable';
  reader = undefined;
  controller = undefined;
  storedError = undefined;
  disturbed = false;
  /** The ReadableStream, if it was made. */
  object = undefined;
  /** Promise of the stream's end, for Node's `finished`. */
  isClosedPromise = undefined;
}

const isReadableStreamLocked = (stream) => stream.reader !== undefined;

function readableStreamClose(stream) {
  stream.state = 'closed';
  stream.isClosedPromise?.resolve();
  const { reader } = stream;
  if (reader === undefined) {
    return;
  }
  reader.closed.resolve();
  if (!reader.isByob) {
    for (const request of reader.readRequests.drain()) {
      request.close();
    }
  }
}

function readableStreamError(stream, reason) {
  stream.state = 'errored';
  stream.storedError = reason;
  stream.isClosedPromise?.reject(reason);
  const { reader } = stream;
  if (reader !== undefined) {
    reader.closed.reject(reason);
    errorReadRequests(reader, reason);
  }
}

function errorReadRequests(reader, reason) {
  for (const request of reader.readRequests.drain()) {
    request.error(reason);
  }
}

/** Returns a promise. */
function readableStreamCancel(stream, reason) {
  stream.disturbed = true;
  if (stream.state === 'closed') {
    return promiseResolvedWith(undefined);
  }
  if (stream.state === 'errored') {
    return promiseRejectedWith(stream.storedError);
  }
  readableStreamClose(stream);
  const { reader } = stream;
  if (reader !== undefined && reader.isByob) {
    for (const request of reader.readRequests.drain()) {
      request.close(undefined);
    }
  }
  return promiseThen(stream.controller.cancelSteps(reason), nop);
}

// --- readers

/** Internal slots of a reader of either kind. Read requests of BYOB readers take views. */
class ReadableStreamGenericReader {
  closed = new LazyPromise();
  readRequests = new Fifo();
  isByob;
  stream;
  object = undefined;

  constructor(stream, isByob) {
    this.isByob = isByob;
    this.stream = stream;
    stream.reader = this;
    if (stream.state === 'closed') {
      this.closed.resolve();
    } else if (stream.state === 'errored') {
      this.closed.reject(stream.storedError);
    }
  }
}

function acquireReadableStreamDefaultReader(stream) {
  if (isReadableStreamLocked(stream)) {
    throw invalidState('ReadableStream is locked');
  }
  return new ReadableStreamGenericReader(stream, false);
}

function acquireReadableStreamBYOBReader(stream) {
  if (isReadableStreamLocked(stream)) {
    throw invalidState('ReadableStream is locked');
  }
  if (!stream.controller.isByte) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('stream', stream.object, 'must be a byte stream');
  }
  return new ReadableStreamGenericReader(stream, true);
}

function readableStreamReaderRelease(reader) {
  const { stream } = reader;
  const releasedError = invalidState('Reader released');
  if (stream.state === 'readable') {
    reader.closed.reject(releasedError);
  } else {
    reader.closed = new LazyPromise();
    reader.closed.reject(releasedError);
  }
  stream.controller.releaseSteps();
  stream.reader = undefined;
  reader.stream = undefined;
  errorReadRequests(reader, releasedError);
}

function readableStreamDefaultReaderRead(reader, request) {
  const { stream } = reader;
  stream.disturbed = true;
  if (stream.state === 'closed') {
    request.close();
  } else if (stream.state === 'errored') {
    request.error(stream.storedError);
  } else {
    stream.controller.pullSteps(request);
  }
}

// --- the default controller

class DefaultController {
  stream;
  source;
  size;
  highWaterMark;
  queue = new QueueWithSizes();
  closeRequested = false;
  started = false;
  pulling = false;
  pullAgain = false;
  isByte = false;
  object = undefined;
  onPullFulfilled = undefined;
  onPullRejected = undefined;

  /**
   * `source`: `pull` and `cancel`, which return promises or undefined; `size` and `highWaterMark`
   * are the queuing strategy.
   */
  constructor(stream, source, size, highWaterMark) {
    this.stream = stream;
    this.source = source;
    this.size = size;
    this.highWaterMark = highWaterMark;
    stream.controller = this;
  }

  /** `result`: what the source's `start` returned. */
  start(result) {
    startController(this, result);
  }

  get desiredSize() {
    const { state } = this.stream;
    return state === 'errored' ? null : state === 'closed' ? 0 : this.highWaterMark - this.queue.totalSize;
  }

  get canCloseOrEnqueue() {
    return !this.closeRequested && this.stream.state === 'readable';
  }

  shouldPull() {
    const { stream } = this;
    if (!this.canCloseOrEnqueue || !this.started) {
      return false;
    }
    return (stream.reader !== undefined && stream.reader.readRequests.length > 0) || this.highWaterMark - this.queue.totalSize > 0;
  }

  callPullIfNeeded() {
    if (!this.shouldPull()) {
      return;
    }
    if (this.pulling) {
      this.pullAgain = true;
      return;
    }
    this.pulling = true;
    callPullAlgorithm(this);
  }

  clearAlgorithms() {
    this.source = undefined;
    this.size = undefined;
  }

  close() {
    if (!this.canCloseOrEnqueue) {
      return;
    }
    this.closeRequested = true;
    if (this.queue.length === 0) {
      this.clearAlgorithms();
      readableStreamClose(this.stream);
    }
  }

  enqueue(chunk) {
    if (!this.canCloseOrEnqueue) {
      return;
    }
    const { reader } = this.stream;
    if (reader !== undefined && reader.readRequests.length > 0) {
      reader.readRequests.shift().chunk(chunk);
    } else {
      try {
        // The size algorithm may end the stream.
        const { size } = this;
        this.queue.push(chunk, size(chunk));
      } catch (reason) {
        this.error(reason);
        throw reason;
      }
    }
    this.callPullIfNeeded();
  }

  error(reason) {
    if (this.stream.state !== 'readable') {
      return;
    }
    this.queue.clear();
    this.clearAlgorithms();
    readableStreamError(this.stream, reason);
  }

  cancelSteps(reason) {
    this.queue.clear();
    const result = callCancelAlgorithm(this.source, reason);
    this.clearAlgorithms();
    return result;
  }

  pullSteps(request) {
    if (this.queue.length === 0) {
      this.stream.reader.readRequests.push(request);
      this.callPullIfNeeded();
      return;
    }
    const chunk = this.queue.shift();
    if (this.closeRequested && this.queue.length === 0) {
      this.clearAlgorithms();
      readableStreamClose(this.stream);
    } else {
      this.callPullIfNeeded();
    }
    request.chunk(chunk);
  }

  releaseSteps() {}
}

// --- start, pull and cancel algorithms of both controllers

function startController(controller, result) {
  promiseThen(result === undefined ? resolvedPromise : newPromiseResolvedWith(result), () => {
    controller.started = true;
    controller.callPullIfNeeded();
  }, (reason) => controller.error(reason));
}

function callPullAlgorithm(controller) {
  controller.onPullFulfilled ??= () => {
    controller.pulling = false;
    if (controller.pullAgain) {
      controller.pullAgain = false;
      controller.callPullIfNeeded();
    }
  };
  controller.onPullRejected ??= (reason) => controller.error(reason);
  let result;
  try {
    result = controller.source.pull();
  } catch (reason) {
    promiseThen(promiseRejectedWith(reason), undefined, controller.onPullRejected);
    return;
  }
  // Most sources return undefined: then no promise is made for it.
  promiseThen(result === undefined ? resolvedPromise : promiseResolvedWith(result), controller.onPullFulfilled, controller.onPullRejected);
}

function callCancelAlgorithm(source, reason) {
  try {
    return promiseResolvedWith(source.cancel(reason));
  } catch (thrown) {
    return promiseRejectedWith(thrown);
  }
}

/** A program's underlying source. Its functions are called with it as `this`. */
class UnderlyingSource {
  object;
  controllerOf;
  pullFunction;
  cancelFunction;

  constructor(object, controllerOf, pull, readableStreamCancel) {
    this.object = object;
    this.controllerOf = controllerOf;
    this.pullFunction = pull;
    this.cancelFunction = readableStreamCancel;
  }

  pull() {
    const { pullFunction } = this;
    return pullFunction === undefined ? undefined : apply(pullFunction, this.object, [this.controllerOf()]);
  }

  cancel(reason) {
    const { cancelFunction } = this;
    return cancelFunction === undefined ? undefined : apply(cancelFunction, this.object, [reason]);
  }
}

module.exports = {
  ReadableStreamSlots, ReadableStreamGenericReader, DefaultController, UnderlyingSource,
  isReadableStreamLocked, readableStreamClose, readableStreamError, readableStreamCancel,
  acquireReadableStreamDefaultReader, acquireReadableStreamBYOBReader, readableStreamReaderRelease,
  readableStreamDefaultReaderRead, startController, callPullAlgorithm, callCancelAlgorithm,
};
