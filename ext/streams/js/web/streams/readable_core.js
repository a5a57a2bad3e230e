// The Streams Standard's readable streams without their faces: 4.9 (streams, readers) and 4.10.4
// (default controllers). In: slots of streams, readers, controllers; requests, which are objects
// with `chunk`, `close` and `error`. Out: the same, changed as the standard says. A public object
// is made when somebody is to see it. Absent: byte controllers (byte_core.js), arguments.
'use strict';

const {
  apply, then, resolved, resolvedWith, newlyResolved, rejectedWith, nothing, Later, Fifo, SizedQueue, invalidState,
} = require('web/streams/webidl_utils');

/** A stream: [[state]] and its like. */
class Readable {
  state = 'readable';
  reader = undefined;
  controller = undefined;
  storedError = undefined;
  disturbed = false;
  /** The ReadableStream. */
  object = undefined;
  /** Whether it ended, for Node's `finished`. */
  ended = undefined;
}

const isLocked = (stream) => stream.reader !== undefined;

function close(stream) {
  stream.state = 'closed';
  stream.ended?.resolve();
  const { reader } = stream;
  if (reader === undefined) {
    return;
  }
  reader.closed.resolve();
  if (!reader.isByob) {
    for (const request of reader.requests.drain()) {
      request.close();
    }
  }
}

function error(stream, reason) {
  stream.state = 'errored';
  stream.storedError = reason;
  stream.ended?.reject(reason);
  const { reader } = stream;
  if (reader !== undefined) {
    reader.closed.reject(reason);
    failRequests(reader, reason);
  }
}

function failRequests(reader, reason) {
  for (const request of reader.requests.drain()) {
    request.error(reason);
  }
}

/** Gives a promise. */
function cancel(stream, reason) {
  stream.disturbed = true;
  if (stream.state === 'closed') {
    return resolvedWith(undefined);
  }
  if (stream.state === 'errored') {
    return rejectedWith(stream.storedError);
  }
  close(stream);
  const { reader } = stream;
  if (reader !== undefined && reader.isByob) {
    for (const request of reader.requests.drain()) {
      request.close(undefined);
    }
  }
  return then(stream.controller.cancelSteps(reason), nothing);
}

// --- readers

/** A reader of either kind; those of byte streams take views to fill. */
class Reader {
  closed = new Later();
  requests = new Fifo();
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

function acquireReader(stream) {
  if (isLocked(stream)) {
    throw invalidState('ReadableStream is locked');
  }
  return new Reader(stream, false);
}

function acquireByobReader(stream) {
  if (isLocked(stream)) {
    throw invalidState('ReadableStream is locked');
  }
  if (!stream.controller.isByte) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('stream', stream.object, 'must be a byte stream');
  }
  return new Reader(stream, true);
}

function release(reader) {
  const { stream } = reader;
  const gone = invalidState('Reader released');
  if (stream.state === 'readable') {
    reader.closed.reject(gone);
  } else {
    reader.closed = new Later();
    reader.closed.reject(gone);
  }
  stream.controller.releaseSteps();
  stream.reader = undefined;
  reader.stream = undefined;
  failRequests(reader, gone);
}

function read(reader, request) {
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
  mark;
  queue = new SizedQueue();
  closeRequested = false;
  started = false;
  pulling = false;
  pullAgain = false;
  isByte = false;
  object = undefined;
  onPulled = undefined;
  onPullFailed = undefined;

  /**
   * `source`: `pull` and `cancel`, which give promises or undefined; `size` and `mark` are the
   * strategy.
   */
  constructor(stream, source, size, mark) {
    this.stream = stream;
    this.source = source;
    this.size = size;
    this.mark = mark;
    stream.controller = this;
  }

  /** `result`: what the source's `start` gave. */
  start(result) {
    begin(this, result);
  }

  get desiredSize() {
    const { state } = this.stream;
    return state === 'errored' ? null : state === 'closed' ? 0 : this.mark - this.queue.total;
  }

  get mayEnqueue() {
    return !this.closeRequested && this.stream.state === 'readable';
  }

  shouldPull() {
    const { stream } = this;
    if (!this.mayEnqueue || !this.started) {
      return false;
    }
    return (stream.reader !== undefined && stream.reader.requests.length > 0) || this.mark - this.queue.total > 0;
  }

  pullIfNeeded() {
    if (!this.shouldPull()) {
      return;
    }
    if (this.pulling) {
      this.pullAgain = true;
      return;
    }
    this.pulling = true;
    callPull(this);
  }

  clear() {
    this.source = undefined;
    this.size = undefined;
  }

  close() {
    if (!this.mayEnqueue) {
      return;
    }
    this.closeRequested = true;
    if (this.queue.length === 0) {
      this.clear();
      close(this.stream);
    }
  }

  enqueue(chunk) {
    if (!this.mayEnqueue) {
      return;
    }
    const { reader } = this.stream;
    if (reader !== undefined && reader.requests.length > 0) {
      reader.requests.shift().chunk(chunk);
    } else {
      try {
        // The strategy's function may end the stream.
        const { size } = this;
        this.queue.push(chunk, size(chunk));
      } catch (reason) {
        this.error(reason);
        throw reason;
      }
    }
    this.pullIfNeeded();
  }

  error(reason) {
    if (this.stream.state !== 'readable') {
      return;
    }
    this.queue.clear();
    this.clear();
    error(this.stream, reason);
  }

  cancelSteps(reason) {
    this.queue.clear();
    const result = callCancel(this.source, reason);
    this.clear();
    return result;
  }

  pullSteps(request) {
    if (this.queue.length === 0) {
      this.stream.reader.requests.push(request);
      this.pullIfNeeded();
      return;
    }
    const chunk = this.queue.shift();
    if (this.closeRequested && this.queue.length === 0) {
      this.clear();
      close(this.stream);
    } else {
      this.pullIfNeeded();
    }
    request.chunk(chunk);
  }

  releaseSteps() {}
}

// --- what both controllers do with their source

function begin(controller, result) {
  then(result === undefined ? resolved : newlyResolved(result), () => {
    controller.started = true;
    controller.pullIfNeeded();
  }, (reason) => controller.error(reason));
}

function callPull(controller) {
  controller.onPulled ??= () => {
    controller.pulling = false;
    if (controller.pullAgain) {
      controller.pullAgain = false;
      controller.pullIfNeeded();
    }
  };
  controller.onPullFailed ??= (reason) => controller.error(reason);
  let result;
  try {
    result = controller.source.pull();
  } catch (reason) {
    then(rejectedWith(reason), undefined, controller.onPullFailed);
    return;
  }
  // Most sources give nothing: then no promise is made for it.
  then(result === undefined ? resolved : resolvedWith(result), controller.onPulled, controller.onPullFailed);
}

function callCancel(source, reason) {
  try {
    return resolvedWith(source.cancel(reason));
  } catch (thrown) {
    return rejectedWith(thrown);
  }
}

/** A program's source with its functions, which are called on it. */
class Source {
  object;
  controllerOf;
  pullFunction;
  cancelFunction;

  constructor(object, controllerOf, pull, cancel) {
    this.object = object;
    this.controllerOf = controllerOf;
    this.pullFunction = pull;
    this.cancelFunction = cancel;
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
  Readable, Reader, DefaultController, Source, isLocked, close, error, cancel, acquireReader, acquireByobReader, release, read,
  begin, callPull, callCancel,
};
