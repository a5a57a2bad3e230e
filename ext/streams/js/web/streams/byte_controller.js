// Byte stream controllers: the Streams Standard 4.7 and 4.10.11. In: slots of a stream; views to
// fill. Out: bytes. Each buffer is transferred from one owner to the next, so that no owner writes
// into bytes that another reads. Absent: interfaces and arguments (byte_interfaces.js).
'use strict';

const { Fifo, invalidState, rangeError, typeError } = require('web/streams/webidl_utils');
const {
  ByteQueueEntry, PullIntoDescriptor, ByobRequestSlots, transferArrayBuffer, viewConstructorOf,
  convertPullIntoDescriptor,
} = require('web/streams/byte_views');
const {
  startController, callPullAlgorithm, callCancelAlgorithm, readableStreamClose, readableStreamError,
} = require('web/streams/readable_core');

class ByteController {
  stream;
  source;
  highWaterMark;
  autoAllocateChunkSize;
  queue = new Fifo();
  queueTotalSize = 0;
  pendingPullIntos = [];
  byobRequest = null;
  closeRequested = false;
  started = false;
  pulling = false;
  pullAgain = false;
  isByte = true;
  object = undefined;
  onPullFulfilled = undefined;
  onPullRejected = undefined;

  constructor(stream, source, highWaterMark, autoAllocateChunkSize) {
    this.stream = stream;
    this.source = source;
    this.highWaterMark = highWaterMark;
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    stream.controller = this;
  }

  start(result) {
    startController(this, result);
  }

  get desiredSize() {
    const { state } = this.stream;
    return state === 'errored' ? null : state === 'closed' ? 0 : this.highWaterMark - this.queueTotalSize;
  }

  get currentByobRequest() {
    if (this.byobRequest === null && this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      const view = new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled, first.byteLength - first.bytesFilled);
      this.byobRequest = new ByobRequestSlots(this, view);
    }
    return this.byobRequest;
  }

  shouldPull() {
    const { stream } = this;
    if (stream.state !== 'readable' || this.closeRequested || !this.started) {
      return false;
    }
    return (stream.reader !== undefined && stream.reader.readRequests.length > 0) || this.desiredSize > 0;
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
  }

  resetQueue() {
    this.queue.drain();
    this.queueTotalSize = 0;
  }

  invalidateByobRequest() {
    const { byobRequest } = this;
    if (byobRequest !== null) {
      byobRequest.controller = undefined;
      byobRequest.view = null;
      this.byobRequest = null;
    }
  }

  clearPendingPullIntos() {
    this.invalidateByobRequest();
    this.pendingPullIntos = [];
  }

  close() {
    const { stream } = this;
    if (this.closeRequested || stream.state !== 'readable') {
      return;
    }
    if (this.queueTotalSize > 0) {
      this.closeRequested = true;
      return;
    }
    const first = this.pendingPullIntos[0];
    if (first !== undefined && first.bytesFilled % first.elementSize !== 0) {
      const partialReadError = invalidState('Partial read');
      this.error(partialReadError);
      throw partialReadError;
    }
    this.clearAlgorithms();
    readableStreamClose(stream);
  }

  error(reason) {
    if (this.stream.state !== 'readable') {
      return;
    }
    this.clearPendingPullIntos();
    this.resetQueue();
    this.clearAlgorithms();
    readableStreamError(this.stream, reason);
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
    const transferredBuffer = transferArrayBuffer(buffer);
    const first = this.pendingPullIntos[0];
    if (first !== undefined) {
      if (first.buffer.detached) {
        throw invalidState('Destination buffer is detached');
      }
      this.invalidateByobRequest();
      first.buffer = transferArrayBuffer(first.buffer);
      if (first.readerType === 'none') {
        this.enqueueDetachedPullInto(first);
      }
    }
    const { reader } = stream;
    if (reader !== undefined && !reader.isByob) {
      this.processReadRequests(reader);
      if (reader.readRequests.length === 0) {
        this.enqueueChunkToQueue(transferredBuffer, byteOffset, byteLength);
      } else {
        if (this.pendingPullIntos.length > 0) {
          this.shiftPendingPullInto();
        }
        reader.readRequests.shift().chunk(new Uint8Array(transferredBuffer, byteOffset, byteLength));
      }
    } else if (reader !== undefined) {
      this.enqueueChunkToQueue(transferredBuffer, byteOffset, byteLength);
      for (const filled of this.processPullIntos()) {
        this.commitPullInto(filled);
      }
    } else {
      this.enqueueChunkToQueue(transferredBuffer, byteOffset, byteLength);
    }
    this.callPullIfNeeded();
  }

  enqueueChunkToQueue(buffer, byteOffset, byteLength) {
    this.queue.push(new ByteQueueEntry(buffer, byteOffset, byteLength));
    this.queueTotalSize += byteLength;
  }

  enqueueClonedChunkToQueue(buffer, byteOffset, byteLength) {
    let copy;
    try {
      copy = buffer.slice(byteOffset, byteOffset + byteLength);
    } catch (reason) {
      this.error(reason);
      throw reason;
    }
    this.enqueueChunkToQueue(copy, 0, byteLength);
  }

  /** Bytes that were read for a released reader go to the next one. */
  enqueueDetachedPullInto(descriptor) {
    if (descriptor.bytesFilled > 0) {
      this.enqueueClonedChunkToQueue(descriptor.buffer, descriptor.byteOffset, descriptor.bytesFilled);
    }
    this.shiftPendingPullInto();
  }

  shiftPendingPullInto() {
    return this.pendingPullIntos.shift();
  }

  processReadRequests(reader) {
    while (reader.readRequests.length > 0 && this.queueTotalSize > 0) {
      this.fillReadRequestFromQueue(reader.readRequests.shift());
    }
  }

  fillReadRequestFromQueue(request) {
    const entry = this.queue.shift();
    this.queueTotalSize -= entry.byteLength;
    this.handleQueueDrain();
    request.chunk(new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength));
  }

  handleQueueDrain() {
    if (this.queueTotalSize === 0 && this.closeRequested) {
      this.clearAlgorithms();
      readableStreamClose(this.stream);
    } else {
      this.callPullIfNeeded();
    }
  }

  /** Fills a descriptor from the queue. Returns whether it is ready to commit. */
  fillPullIntoFromQueue(descriptor) {
    const most = Math.min(this.queueTotalSize, descriptor.byteLength - descriptor.bytesFilled);
    const filled = descriptor.bytesFilled + most;
    const aligned = filled - (filled % descriptor.elementSize);
    let left = most;
    let isReady = false;
    if (aligned >= descriptor.minimumFill) {
      left = aligned - descriptor.bytesFilled;
      isReady = true;
    }
    while (left > 0) {
      const head = this.queue.peek();
      const count = Math.min(left, head.byteLength);
      new Uint8Array(descriptor.buffer).set(new Uint8Array(head.buffer, head.byteOffset, count), descriptor.byteOffset + descriptor.bytesFilled);
      if (head.byteLength === count) {
        this.queue.shift();
      } else {
        head.byteOffset += count;
        head.byteLength -= count;
      }
      this.queueTotalSize -= count;
      descriptor.bytesFilled += count;
      left -= count;
    }
    return isReady;
  }

  /** Returns the descriptors that could be filled. */
  processPullIntos() {
    const filled = [];
    while (this.pendingPullIntos.length > 0 && this.queueTotalSize > 0) {
      const first = this.pendingPullIntos[0];
      if (this.fillPullIntoFromQueue(first)) {
        this.shiftPendingPullInto();
        filled.push(first);
      }
    }
    return filled;
  }

  /** Answers the read request of a filled descriptor. */
  commitPullInto(descriptor) {
    const { stream } = this;
    const isDone = stream.state === 'closed';
    const view = convertPullIntoDescriptor(descriptor);
    const request = stream.reader.readRequests.shift();
    if (descriptor.readerType === 'default') {
      request.chunk(view);
    } else if (isDone) {
      request.close(view);
    } else {
      request.chunk(view);
    }
  }

  // --- operations that readers call

  cancelSteps(reason) {
    this.clearPendingPullIntos();
    this.resetQueue();
    const result = callCancelAlgorithm(this.source, reason);
    this.clearAlgorithms();
    return result;
  }

  pullSteps(request) {
    const { reader } = this.stream;
    if (this.queueTotalSize > 0) {
      this.fillReadRequestFromQueue(request);
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
      this.pendingPullIntos.push(new PullIntoDescriptor(buffer, 0, size, 1, 1, Uint8Array, 'default'));
    }
    reader.readRequests.push(request);
    this.callPullIfNeeded();
  }

  releaseSteps() {
    if (this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      first.readerType = 'none';
      this.pendingPullIntos = [first];
    }
  }

  /** `read(view, { min })`. */
  pullInto(view, min, request) {
    const { stream } = this;
    const View = viewConstructorOf(view) ?? DataView;
    const elementSize = View.BYTES_PER_ELEMENT ?? 1;
    const { byteOffset, byteLength } = view;
    let buffer;
    try {
      buffer = transferArrayBuffer(view.buffer);
    } catch (reason) {
      request.error(reason);
      return;
    }
    const descriptor = new PullIntoDescriptor(buffer, byteOffset, byteLength, min * elementSize, elementSize, View, 'byob');
    if (this.pendingPullIntos.length > 0) {
      this.pendingPullIntos.push(descriptor);
      stream.reader.readRequests.push(request);
      return;
    }
    if (stream.state === 'closed') {
      request.close(new View(descriptor.buffer, descriptor.byteOffset, 0));
      return;
    }
    if (this.queueTotalSize > 0) {
      if (this.fillPullIntoFromQueue(descriptor)) {
        const filled = convertPullIntoDescriptor(descriptor);
        this.handleQueueDrain();
        request.chunk(filled);
        return;
      }
      if (this.closeRequested) {
        const partialReadError = invalidState('Partial read');
        this.error(partialReadError);
        request.error(partialReadError);
        return;
      }
    }
    this.pendingPullIntos.push(descriptor);
    stream.reader.readRequests.push(request);
    this.callPullIfNeeded();
  }

  // --- a program's responses

  respond(bytesWritten) {
    const first = this.pendingPullIntos[0];
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
    first.buffer = transferArrayBuffer(first.buffer);
    this.respondInternal(bytesWritten);
  }

  respondWithNewView(view) {
    const first = this.pendingPullIntos[0];
    if (this.stream.state === 'closed') {
      if (view.byteLength !== 0) {
        throw typeError('ERR_INVALID_STATE', 'Invalid state: View is not zero-length');
      }
    } else if (view.byteLength === 0) {
      throw typeError('ERR_INVALID_STATE', 'Invalid state: View is zero-length');
    }
    if (first.byteOffset + first.bytesFilled !== view.byteOffset) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'view' is invalid: its byteOffset is not that of the request`);
    }
    if (first.bufferByteLength !== view.buffer.byteLength || first.bytesFilled + view.byteLength > first.byteLength) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The argument 'view' is invalid: its size is not that of the request`);
    }
    const { byteLength } = view;
    first.buffer = transferArrayBuffer(view.buffer);
    this.respondInternal(byteLength);
  }

  respondInternal(bytesWritten) {
    const first = this.pendingPullIntos[0];
    this.invalidateByobRequest();
    if (this.stream.state === 'closed') {
      this.respondInClosedState(first);
    } else {
      this.respondInReadableState(bytesWritten, first);
    }
    this.callPullIfNeeded();
  }

  respondInClosedState(first) {
    if (first.readerType === 'none') {
      this.shiftPendingPullInto();
    }
    const { reader } = this.stream;
    if (reader !== undefined && reader.isByob) {
      const filled = [];
      while (filled.length < reader.readRequests.length) {
        filled.push(this.shiftPendingPullInto());
      }
      for (const descriptor of filled) {
        this.commitPullInto(descriptor);
      }
    }
  }

  respondInReadableState(bytesWritten, descriptor) {
    descriptor.bytesFilled += bytesWritten;
    if (descriptor.readerType === 'none') {
      this.enqueueDetachedPullInto(descriptor);
      for (const filled of this.processPullIntos()) {
        this.commitPullInto(filled);
      }
      return;
    }
    if (descriptor.bytesFilled < descriptor.minimumFill) {
      return;
    }
    this.shiftPendingPullInto();
    const remainder = descriptor.bytesFilled % descriptor.elementSize;
    if (remainder > 0) {
      const end = descriptor.byteOffset + descriptor.bytesFilled;
      this.enqueueClonedChunkToQueue(descriptor.buffer, end - remainder, remainder);
    }
    descriptor.bytesFilled -= remainder;
    const filled = this.processPullIntos();
    this.commitPullInto(descriptor);
    for (const other of filled) {
      this.commitPullInto(other);
    }
  }
}

module.exports = { ByteController };
