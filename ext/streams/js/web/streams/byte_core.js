// The Streams Standard's byte controllers, 4.7 and 4.10.11. In: slots of a stream; views to fill.
// Out: bytes, each buffer handed from one owner to the next, so that nobody writes into what
// another reads. Absent: views and arguments as programs give them (byte_faces.js).
'use strict';

const { Fifo, invalidState, rangeError, typeError } = require('web/streams/webidl_utils');
const { Entry, PullInto, ByobRequest, transfer, viewClass, viewOf } = require('web/streams/byte_views');
const { begin, callPull, callCancel, close, error } = require('web/streams/readable_core');

class ByteController {
  stream;
  source;
  mark;
  autoAllocateChunkSize;
  queue = new Fifo();
  queueTotal = 0;
  pullIntos = [];
  byobRequest = null;
  closeRequested = false;
  started = false;
  pulling = false;
  pullAgain = false;
  isByte = true;
  object = undefined;
  onPulled = undefined;
  onPullFailed = undefined;

  constructor(stream, source, mark, autoAllocateChunkSize) {
    this.stream = stream;
    this.source = source;
    this.mark = mark;
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    stream.controller = this;
  }

  start(result) {
    begin(this, result);
  }

  get desiredSize() {
    const { state } = this.stream;
    return state === 'errored' ? null : state === 'closed' ? 0 : this.mark - this.queueTotal;
  }

  get request() {
    if (this.byobRequest === null && this.pullIntos.length > 0) {
      const first = this.pullIntos[0];
      const view = new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled, first.byteLength - first.bytesFilled);
      this.byobRequest = new ByobRequest(this, view);
    }
    return this.byobRequest;
  }

  shouldPull() {
    const { stream } = this;
    if (stream.state !== 'readable' || this.closeRequested || !this.started) {
      return false;
    }
    return (stream.reader !== undefined && stream.reader.requests.length > 0) || this.desiredSize > 0;
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
  }

  resetQueue() {
    this.queue.drain();
    this.queueTotal = 0;
  }

  invalidateRequest() {
    const { byobRequest } = this;
    if (byobRequest !== null) {
      byobRequest.controller = undefined;
      byobRequest.view = null;
      this.byobRequest = null;
    }
  }

  dropPullIntos() {
    this.invalidateRequest();
    this.pullIntos = [];
  }

  close() {
    const { stream } = this;
    if (this.closeRequested || stream.state !== 'readable') {
      return;
    }
    if (this.queueTotal > 0) {
      this.closeRequested = true;
      return;
    }
    const first = this.pullIntos[0];
    if (first !== undefined && first.bytesFilled % first.elementSize !== 0) {
      const failure = invalidState('Partial read');
      this.error(failure);
      throw failure;
    }
    this.clear();
    close(stream);
  }

  error(reason) {
    if (this.stream.state !== 'readable') {
      return;
    }
    this.dropPullIntos();
    this.resetQueue();
    this.clear();
    error(this.stream, reason);
  }

  enqueue(chunk) {
    const { stream } = this;
    if (this.closeRequested || stream.state !== 'readable') {
      return;
    }
    const { buffer, byteOffset, byteLength } = chunk;
    if (buffer.detached) {
      throw invalidState('chunk buffer is detached');
    }
    const taken = transfer(buffer);
    const first = this.pullIntos[0];
    if (first !== undefined) {
      if (first.buffer.detached) {
        throw invalidState('Destination buffer is detached');
      }
      this.invalidateRequest();
      first.buffer = transfer(first.buffer);
      if (first.reader === 'none') {
        this.enqueueDetached(first);
      }
    }
    const { reader } = stream;
    if (reader !== undefined && !reader.isByob) {
      this.serveRequests(reader);
      if (reader.requests.length === 0) {
        this.push(taken, byteOffset, byteLength);
      } else {
        if (this.pullIntos.length > 0) {
          this.shiftPullInto();
        }
        reader.requests.shift().chunk(new Uint8Array(taken, byteOffset, byteLength));
      }
    } else if (reader !== undefined) {
      this.push(taken, byteOffset, byteLength);
      for (const filled of this.fillPullIntos()) {
        this.commit(filled);
      }
    } else {
      this.push(taken, byteOffset, byteLength);
    }
    this.pullIfNeeded();
  }

  push(buffer, byteOffset, byteLength) {
    this.queue.push(new Entry(buffer, byteOffset, byteLength));
    this.queueTotal += byteLength;
  }

  pushCopy(buffer, byteOffset, byteLength) {
    let copy;
    try {
      copy = buffer.slice(byteOffset, byteOffset + byteLength);
    } catch (reason) {
      this.error(reason);
      throw reason;
    }
    this.push(copy, 0, byteLength);
  }

  /** What a reader that is gone had been given already is for the next. */
  enqueueDetached(into) {
    if (into.bytesFilled > 0) {
      this.pushCopy(into.buffer, into.byteOffset, into.bytesFilled);
    }
    this.shiftPullInto();
  }

  shiftPullInto() {
    return this.pullIntos.shift();
  }

  serveRequests(reader) {
    while (reader.requests.length > 0 && this.queueTotal > 0) {
      this.serveFromQueue(reader.requests.shift());
    }
  }

  serveFromQueue(request) {
    const entry = this.queue.shift();
    this.queueTotal -= entry.byteLength;
    this.afterDrain();
    request.chunk(new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength));
  }

  afterDrain() {
    if (this.queueTotal === 0 && this.closeRequested) {
      this.clear();
      close(this.stream);
    } else {
      this.pullIfNeeded();
    }
  }

  /** Fills from the queue; says whether it is enough. */
  fillFromQueue(into) {
    const most = Math.min(this.queueTotal, into.byteLength - into.bytesFilled);
    const filled = into.bytesFilled + most;
    const aligned = filled - (filled % into.elementSize);
    let left = most;
    let isReady = false;
    if (aligned >= into.minimumFill) {
      left = aligned - into.bytesFilled;
      isReady = true;
    }
    while (left > 0) {
      const head = this.queue.peek();
      const count = Math.min(left, head.byteLength);
      new Uint8Array(into.buffer).set(new Uint8Array(head.buffer, head.byteOffset, count), into.byteOffset + into.bytesFilled);
      if (head.byteLength === count) {
        this.queue.shift();
      } else {
        head.byteOffset += count;
        head.byteLength -= count;
      }
      this.queueTotal -= count;
      into.bytesFilled += count;
      left -= count;
    }
    return isReady;
  }

  /** Those that could be filled. */
  fillPullIntos() {
    const filled = [];
    while (this.pullIntos.length > 0 && this.queueTotal > 0) {
      const first = this.pullIntos[0];
      if (this.fillFromQueue(first)) {
        this.shiftPullInto();
        filled.push(first);
      }
    }
    return filled;
  }

  /** Hands a filled view to who reads. */
  commit(into) {
    const { stream } = this;
    const isDone = stream.state === 'closed';
    const view = viewOf(into);
    const request = stream.reader.requests.shift();
    if (into.reader === 'default') {
      request.chunk(view);
    } else if (isDone) {
      request.close(view);
    } else {
      request.chunk(view);
    }
  }

  // --- what readers ask

  cancelSteps(reason) {
    this.dropPullIntos();
    this.resetQueue();
    const result = callCancel(this.source, reason);
    this.clear();
    return result;
  }

  pullSteps(request) {
    const { reader } = this.stream;
    if (this.queueTotal > 0) {
      this.serveFromQueue(request);
      return;
    }
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (reason) {
        request.error(reason);
        return;
      }
      this.pullIntos.push(new PullInto(buffer, 0, size, 1, 1, Uint8Array, 'default'));
    }
    reader.requests.push(request);
    this.pullIfNeeded();
  }

  releaseSteps() {
    if (this.pullIntos.length > 0) {
      const first = this.pullIntos[0];
      first.reader = 'none';
      this.pullIntos = [first];
    }
  }

  /** `read(view, { min })`. */
  pullInto(view, min, request) {
    const { stream } = this;
    const View = viewClass(view) ?? DataView;
    const elementSize = View.BYTES_PER_ELEMENT ?? 1;
    const { byteOffset, byteLength } = view;
    let buffer;
    try {
      buffer = transfer(view.buffer);
    } catch (reason) {
      request.error(reason);
      return;
    }
    const into = new PullInto(buffer, byteOffset, byteLength, min * elementSize, elementSize, View, 'byob');
    if (this.pullIntos.length > 0) {
      this.pullIntos.push(into);
      stream.reader.requests.push(request);
      return;
    }
    if (stream.state === 'closed') {
      request.close(new View(into.buffer, into.byteOffset, 0));
      return;
    }
    if (this.queueTotal > 0) {
      if (this.fillFromQueue(into)) {
        const filled = viewOf(into);
        this.afterDrain();
        request.chunk(filled);
        return;
      }
      if (this.closeRequested) {
        const failure = invalidState('Partial read');
        this.error(failure);
        request.error(failure);
        return;
      }
    }
    this.pullIntos.push(into);
    stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  // --- answers of programs

  respond(bytesWritten) {
    const first = this.pullIntos[0];
    if (this.stream.state === 'closed') {
      if (bytesWritten !== 0) {
        throw typeError('ERR_INVALID_ARG_VALUE', 'bytesWritten must be 0 when the stream is closed');
      }
    } else {
      if (bytesWritten === 0) {
        throw typeError('ERR_INVALID_ARG_VALUE', 'bytesWritten must be more than 0 while the stream is readable');
      }
      if (first.bytesFilled + bytesWritten > first.byteLength) {
        throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'bytesWritten' is invalid. Received ${bytesWritten}`);
      }
    }
    first.buffer = transfer(first.buffer);
    this.respondInside(bytesWritten);
  }

  respondWithNewView(view) {
    const first = this.pullIntos[0];
    if (this.stream.state === 'closed') {
      if (view.byteLength !== 0) {
        throw typeError('ERR_INVALID_STATE', 'Invalid state: View is not zero-length');
      }
    } else if (view.byteLength === 0) {
      throw typeError('ERR_INVALID_STATE', 'Invalid state: View is zero-length');
    }
    if (first.byteOffset + first.bytesFilled !== view.byteOffset) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'view' is invalid: its place is not that of the request`);
    }
    if (first.bufferByteLength !== view.buffer.byteLength || first.bytesFilled + view.byteLength > first.byteLength) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'view' is invalid: its size is not that of the request`);
    }
    const { byteLength } = view;
    first.buffer = transfer(view.buffer);
    this.respondInside(byteLength);
  }

  respondInside(bytesWritten) {
    const first = this.pullIntos[0];
    this.invalidateRequest();
    if (this.stream.state === 'closed') {
      this.respondClosed(first);
    } else {
      this.respondReadable(bytesWritten, first);
    }
    this.pullIfNeeded();
  }

  respondClosed(first) {
    if (first.reader === 'none') {
      this.shiftPullInto();
    }
    const { reader } = this.stream;
    if (reader !== undefined && reader.isByob) {
      const filled = [];
      while (filled.length < reader.requests.length) {
        filled.push(this.shiftPullInto());
      }
      for (const into of filled) {
        this.commit(into);
      }
    }
  }

  respondReadable(bytesWritten, into) {
    into.bytesFilled += bytesWritten;
    if (into.reader === 'none') {
      this.enqueueDetached(into);
      for (const filled of this.fillPullIntos()) {
        this.commit(filled);
      }
      return;
    }
    if (into.bytesFilled < into.minimumFill) {
      return;
    }
    this.shiftPullInto();
    const rest = into.bytesFilled % into.elementSize;
    if (rest > 0) {
      const end = into.byteOffset + into.bytesFilled;
      this.pushCopy(into.buffer, end - rest, rest);
    }
    into.bytesFilled -= rest;
    const filled = this.fillPullIntos();
    this.commit(into);
    for (const other of filled) {
      this.commit(other);
    }
  }
}

module.exports = { ByteController };
