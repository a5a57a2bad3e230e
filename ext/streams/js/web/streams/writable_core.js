// The Streams Standard's writable streams without their faces: 5.5. In: slots of streams, writers,
// controllers. Out: the same, changed as the standard says. A write whose promise nobody is to see
// makes none. Absent: arguments, public objects (writable.js).
'use strict';

const {
  then, resolved, resolvedWith, newlyResolved, rejectedWith, deferred, nothing, Later, Fifo, SizedQueue, invalidState,
} = require('web/streams/webidl_utils');

/** What stands in a queue for the end of a stream. */
const END = Symbol('close');
/** A write that nobody waits for. */
const quiet = { resolve: nothing, reject: nothing };

class Writable {
  state = 'writable';
  storedError = undefined;
  writer = undefined;
  controller = undefined;
  writes = new Fifo();
  writeUnderWay = undefined;
  closeAsked = undefined;
  closeUnderWay = undefined;
  abortAsked = undefined;
  backpressure = false;
  object = undefined;
  /** Whether it ended, for Node's `finished`. */
  ended = undefined;
}

const isClosing = (stream) => stream.closeAsked !== undefined || stream.closeUnderWay !== undefined;

function abort(stream, reasonGiven) {
  let reason = reasonGiven;
  if (stream.state === 'closed' || stream.state === 'errored') {
    return resolvedWith(undefined);
  }
  stream.controller.abortSignal(reason);
  const { state } = stream;
  if (state === 'closed' || state === 'errored') {
    return resolvedWith(undefined);
  }
  if (stream.abortAsked !== undefined) {
    return stream.abortAsked.promise;
  }
  const wasErroring = state === 'erroring';
  if (wasErroring) {
    reason = undefined;
  }
  stream.abortAsked = { ...deferred(), reason, wasErroring };
  const { promise } = stream.abortAsked;
  if (!wasErroring) {
    startErroring(stream, reason);
  }
  return promise;
}

function close(stream) {
  const { state } = stream;
  if (state === 'closed' || state === 'errored') {
    return rejectedWith(invalidState(`WritableStream is ${state}`));
  }
  stream.closeAsked = deferred();
  const { promise } = stream.closeAsked;
  if (stream.writer !== undefined && stream.backpressure && state === 'writable') {
    stream.writer.ready.resolve();
  }
  stream.controller.close();
  return promise;
}

function startErroring(stream, reason) {
  const { controller, writer } = stream;
  stream.state = 'erroring';
  stream.storedError = reason;
  if (writer !== undefined) {
    rejectReady(writer, reason);
  }
  if (!isUnderWay(stream) && controller.started) {
    finishErroring(stream);
  }
}

const isUnderWay = (stream) => stream.writeUnderWay !== undefined || stream.closeUnderWay !== undefined;

function finishErroring(stream) {
  stream.state = 'errored';
  stream.controller.errorSteps();
  const reason = stream.storedError;
  for (const request of stream.writes.drain()) {
    request.reject(reason);
  }
  const { abortAsked } = stream;
  if (abortAsked === undefined) {
    rejectCloseAndClosed(stream);
    return;
  }
  stream.abortAsked = undefined;
  if (abortAsked.wasErroring) {
    abortAsked.reject(reason);
    rejectCloseAndClosed(stream);
    return;
  }
  then(stream.controller.abortSteps(abortAsked.reason), () => {
    abortAsked.resolve();
    rejectCloseAndClosed(stream);
  }, (failure) => {
    abortAsked.reject(failure);
    rejectCloseAndClosed(stream);
  });
}

function rejectCloseAndClosed(stream) {
  if (stream.closeAsked !== undefined) {
    stream.closeAsked.reject(stream.storedError);
    stream.closeAsked = undefined;
  }
  stream.ended?.reject(stream.storedError);
  stream.writer?.closed.reject(stream.storedError);
}

function dealWithRejection(stream, reason) {
  if (stream.state === 'writable') {
    startErroring(stream, reason);
  } else {
    finishErroring(stream);
  }
}

function rejectReady(writer, reason) {
  if (writer.ready.state !== 'pending') {
    writer.ready = new Later();
  }
  writer.ready.reject(reason);
}

function updateBackpressure(stream, backpressure) {
  const { writer } = stream;
  if (writer !== undefined && backpressure !== stream.backpressure) {
    if (backpressure) {
      writer.ready = new Later();
    } else {
      writer.ready.resolve();
      writer.onReady?.();
    }
  }
  stream.backpressure = backpressure;
}

// --- writers

class Writer {
  ready = new Later();
  closed = new Later();
  /** What a pipe does when there is room again. */
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
      if (isClosing(stream) || !stream.backpressure) {
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
    const gone = invalidState('Writer has been released');
    rejectReady(this, gone);
    if (this.closed.state !== 'pending') {
      this.closed = new Later();
    }
    this.closed.reject(gone);
    stream.writer = undefined;
    this.stream = undefined;
  }

  /** Gives a promise; with `isQuiet` none. */
  write(chunk, isQuiet = false) {
    const { stream } = this;
    const { controller } = stream;
    const size = controller.chunkSize(chunk);
    if (stream !== this.stream) {
      return refuse(isQuiet, () => invalidState('Mismatching WritableStreams'));
    }
    const { state } = stream;
    if (state === 'errored') {
      return refuse(isQuiet, () => stream.storedError);
    }
    if (isClosing(stream) || state === 'closed') {
      return refuse(isQuiet, () => invalidState('WritableStream is closed'));
    }
    if (state === 'erroring') {
      return refuse(isQuiet, () => stream.storedError);
    }
    const request = isQuiet ? quiet : deferred();
    stream.writes.push(request);
    controller.write(chunk, size);
    return request.promise;
  }

  /** For pipes: closed already is as good. */
  closeOrGiveError() {
    const { stream } = this;
    if (isClosing(stream) || stream.state === 'closed') {
      return resolvedWith(undefined);
    }
    return stream.state === 'errored' ? rejectedWith(stream.storedError) : close(stream);
  }
}

const refuse = (isQuiet, reason) => (isQuiet ? undefined : rejectedWith(reason()));

// --- the controller

class Controller {
  stream;
  sink;
  size;
  mark;
  queue = new SizedQueue();
  started = false;
  aborter = undefined;
  aborted = undefined;
  onWritten = undefined;
  onFailed = undefined;
  object = undefined;

  /** `sink`: `write`, `close`, `abort`, which give promises or undefined. */
  constructor(stream, sink, size, mark) {
    this.stream = stream;
    this.sink = sink;
    this.size = size;
    this.mark = mark;
    stream.controller = this;
    stream.backpressure = this.isFull;
  }

  get desiredSize() {
    return this.mark - this.queue.total;
  }

  get isFull() {
    return this.mark - this.queue.total <= 0;
  }

  start(result) {
    updateBackpressure(this.stream, this.isFull);
    const begun = () => {
      this.started = true;
    };
    then(result === undefined ? resolved : newlyResolved(result), () => {
      begun();
      this.advance();
    }, (reason) => {
      begun();
      dealWithRejection(this.stream, reason);
    });
  }

  /** The signal of a program's sink, made when it is asked for. */
  get signal() {
    this.aborter ??= new AbortController();
    return this.aborter.signal;
  }

  abortSignal(reason) {
    this.aborted = { reason };
    this.aborter?.abort(reason);
  }

  clear() {
    this.sink = undefined;
    this.size = undefined;
  }

  abortSteps(reason) {
    const result = promiseOf(() => this.sink.abort(reason));
    this.clear();
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
    this.clear();
    startErroring(stream, reason);
  }

  chunkSize(chunk) {
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
    if (!isClosing(stream) && stream.state === 'writable') {
      updateBackpressure(stream, this.isFull);
    }
    this.advance();
  }

  close() {
    this.queue.push(END, 0);
    this.advance();
  }

  advance() {
    const { stream } = this;
    if (!this.started || stream.writeUnderWay !== undefined) {
      return;
    }
    if (stream.state === 'erroring') {
      finishErroring(stream);
      return;
    }
    if (this.queue.length === 0) {
      return;
    }
    const chunk = this.queue.peek();
    if (chunk === END) {
      this.processClose();
    } else {
      this.processWrite(chunk);
    }
  }

  processClose() {
    const { stream } = this;
    stream.closeUnderWay = stream.closeAsked;
    stream.closeAsked = undefined;
    this.queue.shift();
    const { sink } = this;
    const promise = promiseOf(() => sink.close());
    this.clear();
    then(promise, () => finishClose(stream), (reason) => {
      stream.closeUnderWay.reject(reason);
      stream.closeUnderWay = undefined;
      if (stream.abortAsked !== undefined) {
        stream.abortAsked.reject(reason);
        stream.abortAsked = undefined;
      }
      dealWithRejection(stream, reason);
    });
  }

  processWrite(chunk) {
    const { stream } = this;
    stream.writeUnderWay = stream.writes.shift();
    this.onWritten ??= () => this.written();
    this.onFailed ??= (reason) => this.failed(reason);
    let result;
    try {
      result = this.sink.write(chunk);
    } catch (reason) {
      then(rejectedWith(reason), undefined, this.onFailed);
      return;
    }
    then(result === undefined ? resolved : resolvedWith(result), this.onWritten, this.onFailed);
  }

  written() {
    const { stream } = this;
    stream.writeUnderWay.resolve();
    stream.writeUnderWay = undefined;
    const { state } = stream;
    this.queue.shift();
    if (!isClosing(stream) && state === 'writable') {
      updateBackpressure(stream, this.isFull);
    }
    this.advance();
  }

  failed(reason) {
    const { stream } = this;
    if (stream.state === 'writable') {
      this.clear();
    }
    stream.writeUnderWay.reject(reason);
    stream.writeUnderWay = undefined;
    dealWithRejection(stream, reason);
  }
}

function finishClose(stream) {
  stream.closeUnderWay.resolve();
  stream.closeUnderWay = undefined;
  if (stream.state === 'erroring') {
    stream.storedError = undefined;
    if (stream.abortAsked !== undefined) {
      stream.abortAsked.resolve();
      stream.abortAsked = undefined;
    }
  }
  stream.state = 'closed';
  stream.ended?.resolve();
  stream.writer?.closed.resolve();
}

function promiseOf(call) {
  try {
    return resolvedWith(call());
  } catch (error) {
    return rejectedWith(error);
  }
}

module.exports = { Writable, Writer, Controller, isClosing, abort, close, promiseOf };
