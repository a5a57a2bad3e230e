// Abstract operations of writable streams: the Streams Standard 5.5. In: internal slots of streams,
// writers, controllers. Out: the same, changed as the standard says. A write of a pipe makes no
// promise. Absent: arguments, public objects (writable.js).
'use strict';

const {
  promiseThen, resolvedPromise, promiseResolvedWith, newPromiseResolvedWith, promiseRejectedWith,
  createDeferredPromise, nop, LazyPromise, Fifo, QueueWithSizes, invalidState,
} = require('web/streams/webidl_utils');

/** The close sentinel of the standard, in a controller's queue. */
const CLOSE_SENTINEL = Symbol('close');
/** Write request without a promise, for pipes. */
const NO_PROMISE = { resolve: nop, reject: nop };

class WritableStreamSlots {
  state = 'writable';
  storedError = undefined;
  writer = undefined;
  controller = undefined;
  writeRequests = new Fifo();
  inFlightWriteRequest = undefined;
  closeRequest = undefined;
  inFlightCloseRequest = undefined;
  pendingAbortRequest = undefined;
  backpressure = false;
  object = undefined;
  /** Promise of the stream's end, for Node's `finished`. */
  isClosedPromise = undefined;
}

const writableStreamCloseQueuedOrInFlight = (stream) => stream.closeRequest !== undefined || stream.inFlightCloseRequest !== undefined;

function writableStreamAbort(stream, reason) {
  if (stream.state === 'closed' || stream.state === 'errored') {
    return promiseResolvedWith(undefined);
  }
  stream.controller.signalAbort(reason);
  const { state } = stream;
  if (state === 'closed' || state === 'errored') {
    return promiseResolvedWith(undefined);
  }
  if (stream.pendingAbortRequest !== undefined) {
    return stream.pendingAbortRequest.promise;
  }
  const wasErroring = state === 'erroring';
  if (wasErroring) {
    reason = undefined;
  }
  stream.pendingAbortRequest = { ...createDeferredPromise(), reason, wasErroring };
  const { promise } = stream.pendingAbortRequest;
  if (!wasErroring) {
    writableStreamStartErroring(stream, reason);
  }
  return promise;
}

function writableStreamClose(stream) {
  const { state } = stream;
  if (state === 'closed' || state === 'errored') {
    return promiseRejectedWith(invalidState(`WritableStream is ${state}`));
  }
  stream.closeRequest = createDeferredPromise();
  const { promise } = stream.closeRequest;
  if (stream.writer !== undefined && stream.backpressure && state === 'writable') {
    stream.writer.ready.resolve();
  }
  stream.controller.close();
  return promise;
}

function writableStreamStartErroring(stream, reason) {
  const { controller, writer } = stream;
  stream.state = 'erroring';
  stream.storedError = reason;
  if (writer !== undefined) {
    ensureReadyPromiseRejected(writer, reason);
  }
  if (!hasOperationInFlight(stream) && controller.started) {
    writableStreamFinishErroring(stream);
  }
}

const hasOperationInFlight = (stream) => stream.inFlightWriteRequest !== undefined || stream.inFlightCloseRequest !== undefined;

function writableStreamFinishErroring(stream) {
  stream.state = 'errored';
  stream.controller.errorSteps();
  const reason = stream.storedError;
  for (const request of stream.writeRequests.drain()) {
    request.reject(reason);
  }
  const { pendingAbortRequest } = stream;
  if (pendingAbortRequest === undefined) {
    rejectCloseAndClosedPromise(stream);
    return;
  }
  stream.pendingAbortRequest = undefined;
  if (pendingAbortRequest.wasErroring) {
    pendingAbortRequest.reject(reason);
    rejectCloseAndClosedPromise(stream);
    return;
  }
  promiseThen(stream.controller.abortSteps(pendingAbortRequest.reason), () => {
    pendingAbortRequest.resolve();
    rejectCloseAndClosedPromise(stream);
  }, (abortError) => {
    pendingAbortRequest.reject(abortError);
    rejectCloseAndClosedPromise(stream);
  });
}

function rejectCloseAndClosedPromise(stream) {
  if (stream.closeRequest !== undefined) {
    stream.closeRequest.reject(stream.storedError);
    stream.closeRequest = undefined;
  }
  stream.isClosedPromise?.reject(stream.storedError);
  stream.writer?.closed.reject(stream.storedError);
}

function writableStreamDealWithRejection(stream, reason) {
  if (stream.state === 'writable') {
    writableStreamStartErroring(stream, reason);
  } else {
    writableStreamFinishErroring(stream);
  }
}

function ensureReadyPromiseRejected(writer, reason) {
  if (writer.ready.state !== 'pending') {
    writer.ready = new LazyPromise();
  }
  writer.ready.reject(reason);
}

function writableStreamUpdateBackpressure(stream, backpressure) {
  const { writer } = stream;
  if (writer !== undefined && backpressure !== stream.backpressure) {
    if (backpressure) {
      writer.ready = new LazyPromise();
    } else {
      writer.ready.resolve();
      writer.onReady?.();
    }
  }
  stream.backpressure = backpressure;
}

// --- writers

class DefaultWriter {
  ready = new LazyPromise();
  closed = new LazyPromise();
  /** Called when the back-pressure of a pipe's destination ends. */
  onReady = undefined;
  stream;

  constructor(stream) {
    if (stream.writer !== undefined) {
      throw invalidState('WritableStream is locked');
    }
    this.stream = stream;
    stream.writer = this;
    const { state } = stream;
    if (state === 'writable') {
      if (writableStreamCloseQueuedOrInFlight(stream) || !stream.backpressure) {
        this.ready.resolve();
      }
    } else if (state === 'erroring') {
      this.ready.reject(stream.storedError);
    } else if (state === 'closed') {
      this.ready.resolve();
      this.closed.resolve();
    } else {
      this.ready.reject(stream.storedError);
      this.closed.reject(stream.storedError);
    }
  }

  get desiredSize() {
    const { stream } = this;
    if (stream.state === 'errored' || stream.state === 'erroring') {
      return null;
    }
    return stream.state === 'closed' ? 0 : stream.controller.desiredSize;
  }

  release() {
    const { stream } = this;
    const releasedError = invalidState('Writer has been released');
    ensureReadyPromiseRejected(this, releasedError);
    if (this.closed.state !== 'pending') {
      this.closed = new LazyPromise();
    }
    this.closed.reject(releasedError);
    stream.writer = undefined;
    this.stream = undefined;
  }

  /** Returns a promise; with `withoutPromise`, undefined. */
  write(chunk, withoutPromise = false) {
    const { stream } = this;
    const { controller } = stream;
    const size = controller.getChunkSize(chunk);
    if (stream !== this.stream) {
      return rejectWrite(withoutPromise, () => invalidState('Mismatching WritableStreams'));
    }
    const { state } = stream;
    if (state === 'errored') {
      return rejectWrite(withoutPromise, () => stream.storedError);
    }
    if (writableStreamCloseQueuedOrInFlight(stream) || state === 'closed') {
      return rejectWrite(withoutPromise, () => invalidState('WritableStream is closed'));
    }
    if (state === 'erroring') {
      return rejectWrite(withoutPromise, () => stream.storedError);
    }
    const request = withoutPromise ? NO_PROMISE : createDeferredPromise();
    stream.writeRequests.push(request);
    controller.write(chunk, size);
    return request.promise;
  }

  /** WritableStreamDefaultWriterCloseWithErrorPropagation: a closed stream is no error. */
  closeWithErrorPropagation() {
    const { stream } = this;
    if (writableStreamCloseQueuedOrInFlight(stream) || stream.state === 'closed') {
      return promiseResolvedWith(undefined);
    }
    return stream.state === 'errored' ? promiseRejectedWith(stream.storedError) : writableStreamClose(stream);
  }
}

const rejectWrite = (withoutPromise, reason) => (withoutPromise ? undefined : promiseRejectedWith(reason()));

// --- the controller

class WritableDefaultController {
  stream;
  sink;
  size;
  highWaterMark;
  queue = new QueueWithSizes();
  started = false;
  abortController = undefined;
  abortRequest = undefined;
  handleWriteFulfilled = undefined;
  handleWriteRejected = undefined;
  object = undefined;

  /** `sink`: `write`, `close` and `abort`, which return promises or undefined. */
  constructor(stream, sink, size, highWaterMark) {
    this.stream = stream;
    this.sink = sink;
    this.size = size;
    this.highWaterMark = highWaterMark;
    stream.controller = this;
    stream.backpressure = this.hasBackpressure;
  }

  get desiredSize() {
    return this.highWaterMark - this.queue.totalSize;
  }

  get hasBackpressure() {
    return this.highWaterMark - this.queue.totalSize <= 0;
  }

  start(result) {
    writableStreamUpdateBackpressure(this.stream, this.hasBackpressure);
    const markStarted = () => {
      this.started = true;
    };
    promiseThen(result === undefined ? resolvedPromise : newPromiseResolvedWith(result), () => {
      markStarted();
      this.advanceQueueIfNeeded();
    }, (reason) => {
      markStarted();
      writableStreamDealWithRejection(this.stream, reason);
    });
  }

  /** `controller.signal`, made at first use. */
  get signal() {
    this.abortController ??= new AbortController();
    return this.abortController.signal;
  }

  signalAbort(reason) {
    this.abortRequest = { reason };
    this.abortController?.abort(reason);
  }

  clearAlgorithms() {
    this.sink = undefined;
    this.size = undefined;
  }

  abortSteps(reason) {
    const result = callAsPromise(() => this.sink.abort(reason));
    this.clearAlgorithms();
    return result;
  }

  errorSteps() {
    this.queue.clear();
  }

  errorIfNeeded(reason) {
    if (this.stream.state === 'writable') {
      this.error(reason);
    }
  }

  error(reason) {
    const { stream } = this;
    this.clearAlgorithms();
    writableStreamStartErroring(stream, reason);
  }

  getChunkSize(chunk) {
    const { size } = this;
    if (size === undefined) {
      return 1;
    }
    try {
      return size(chunk);
    } catch (reason) {
      this.errorIfNeeded(reason);
      return 1;
    }
  }

  write(chunk, size) {
    try {
      this.queue.push(chunk, size);
    } catch (reason) {
      this.errorIfNeeded(reason);
      return;
    }
    const { stream } = this;
    if (!writableStreamCloseQueuedOrInFlight(stream) && stream.state === 'writable') {
      writableStreamUpdateBackpressure(stream, this.hasBackpressure);
    }
    this.advanceQueueIfNeeded();
  }

  close() {
    this.queue.push(CLOSE_SENTINEL, 0);
    this.advanceQueueIfNeeded();
  }

  advanceQueueIfNeeded() {
    const { stream } = this;
    if (!this.started || stream.inFlightWriteRequest !== undefined) {
      return;
    }
    if (stream.state === 'erroring') {
      writableStreamFinishErroring(stream);
      return;
    }
    if (this.queue.length === 0) {
      return;
    }
    const chunk = this.queue.peek();
    if (chunk === CLOSE_SENTINEL) {
      this.processClose();
    } else {
      this.processWrite(chunk);
    }
  }

  processClose() {
    const { stream } = this;
    stream.inFlightCloseRequest = stream.closeRequest;
    stream.closeRequest = undefined;
    this.queue.shift();
    const { sink } = this;
    const promise = callAsPromise(() => sink.close());
    this.clearAlgorithms();
    promiseThen(promise, () => writableStreamFinishInFlightClose(stream), (reason) => {
      stream.inFlightCloseRequest.reject(reason);
      stream.inFlightCloseRequest = undefined;
      if (stream.pendingAbortRequest !== undefined) {
        stream.pendingAbortRequest.reject(reason);
        stream.pendingAbortRequest = undefined;
      }
      writableStreamDealWithRejection(stream, reason);
    });
  }

  processWrite(chunk) {
    const { stream } = this;
    stream.inFlightWriteRequest = stream.writeRequests.shift();
    this.handleWriteFulfilled ??= () => this.onWriteFulfilled();
    this.handleWriteRejected ??= (reason) => this.onWriteRejected(reason);
    let result;
    try {
      result = this.sink.write(chunk);
    } catch (reason) {
      promiseThen(promiseRejectedWith(reason), undefined, this.handleWriteRejected);
      return;
    }
    promiseThen(result === undefined ? resolvedPromise : promiseResolvedWith(result), this.handleWriteFulfilled, this.handleWriteRejected);
  }

  onWriteFulfilled() {
    const { stream } = this;
    stream.inFlightWriteRequest.resolve();
    stream.inFlightWriteRequest = undefined;
    const { state } = stream;
    this.queue.shift();
    if (!writableStreamCloseQueuedOrInFlight(stream) && state === 'writable') {
      writableStreamUpdateBackpressure(stream, this.hasBackpressure);
    }
    this.advanceQueueIfNeeded();
  }

  onWriteRejected(reason) {
    const { stream } = this;
    if (stream.state === 'writable') {
      this.clearAlgorithms();
    }
    stream.inFlightWriteRequest.reject(reason);
    stream.inFlightWriteRequest = undefined;
    writableStreamDealWithRejection(stream, reason);
  }
}

function writableStreamFinishInFlightClose(stream) {
  stream.inFlightCloseRequest.resolve();
  stream.inFlightCloseRequest = undefined;
  if (stream.state === 'erroring') {
    stream.storedError = undefined;
    if (stream.pendingAbortRequest !== undefined) {
      stream.pendingAbortRequest.resolve();
      stream.pendingAbortRequest = undefined;
    }
  }
  stream.state = 'closed';
  stream.isClosedPromise?.resolve();
  stream.writer?.closed.resolve();
}

function callAsPromise(call) {
  try {
    return promiseResolvedWith(call());
  } catch (error) {
    return promiseRejectedWith(error);
  }
}

module.exports = {
  WritableStreamSlots, DefaultWriter, WritableDefaultController,
  writableStreamCloseQueuedOrInFlight, writableStreamAbort, writableStreamClose, callAsPromise,
};
