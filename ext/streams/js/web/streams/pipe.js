// `pipeTo`: the standard's ReadableStreamPipeTo. In: internal slots of both streams, the options.
// Out: a promise of the end. A chunk costs a microtask and no promise except the sink's own.
// Absent: the arguments of `pipeTo`, except its options.
'use strict';

const core = require('web/streams/readable_core');
const { DefaultWriter, writableStreamCloseQueuedOrInFlight, writableStreamAbort } = require('web/streams/writable_core');
const {
  promiseThen, resolvedPromise, promiseResolvedWith, createDeferredPromise, convertDictionary,
  isObject, invalidState, wrongType,
} = require('web/streams/webidl_utils');

function pipeOptions(value) {
  const options = convertDictionary(value, 'options');
  if (options === undefined) {
    return { preventAbort: false, preventCancel: false, preventClose: false, signal: undefined };
  }
  const preventAbort = !!options.preventAbort;
  const preventCancel = !!options.preventCancel;
  const preventClose = !!options.preventClose;
  const { signal } = options;
  if (signal !== undefined && !(isObject(signal) && signal instanceof AbortSignal)) {
    throw wrongType('options.signal', 'AbortSignal', signal);
  }
  return { preventAbort, preventCancel, preventClose, signal };
}

class PipeTo {
  shuttingDown = false;
  /** true while a chunk that was read waits for its microtask. */
  hasChunk = false;
  chunkValue = undefined;
  onChunkWritten = undefined;
  onAbort = undefined;
  source;
  dest;
  options;
  reader;
  writer;
  writeChunk;
  pipeStep = this.pipeStep.bind(this);
  result = createDeferredPromise();

  constructor(source, dest, options) {
    this.source = source;
    this.dest = dest;
    this.options = options;
    this.reader = core.acquireReadableStreamDefaultReader(source);
    this.writer = new DefaultWriter(dest);
    source.disturbed = true;
    this.writeChunk = () => {
      const chunk = this.chunkValue;
      this.chunkValue = undefined;
      this.hasChunk = false;
      this.writer.write(chunk, true);
      this.onChunkWritten?.();
      this.pipeStep();
    };
  }

  run() {
    const { signal } = this.options;
    if (signal !== undefined) {
      this.onAbort = () => this.abort(toDOMException(signal.reason));
      if (signal.aborted) {
        this.onAbort();
        return this.result.promise;
      }
      signal.addEventListener('abort', this.onAbort);
    }
    this.watchEnds();
    this.pipeStep();
    return this.result.promise;
  }

  abort(reason) {
    const { source, dest, options } = this;
    this.shutdownWithAction(() => {
      const actions = [];
      if (!options.preventAbort) {
        actions.push(dest.state === 'writable' ? writableStreamAbort(dest, reason) : resolvedPromise);
      }
      if (!options.preventCancel) {
        actions.push(source.state === 'readable' ? core.readableStreamCancel(source, reason) : resolvedPromise);
      }
      return waitForAll(actions);
    }, { reason });
  }

  /** Reacts to errors and the close of both streams, in the standard's order. */
  watchEnds() {
    const { source, dest, reader, writer, options } = this;
    const onSourceErrored = (reason) =>
      this.shutdownWithAction(options.preventAbort ? undefined : () => writableStreamAbort(dest, reason), { reason });
    const onDestErrored = (reason) =>
      this.shutdownWithAction(options.preventCancel ? undefined : () => core.readableStreamCancel(source, reason), { reason });
    const onSourceClosed = () => this.shutdownWithAction(options.preventClose ? undefined : () => writer.closeWithErrorPropagation());
    if (source.state === 'errored') {
      onSourceErrored(source.storedError);
    } else {
      promiseThen(reader.closed.promise, undefined, onSourceErrored);
    }
    if (dest.state === 'errored') {
      onDestErrored(dest.storedError);
    } else {
      promiseThen(writer.closed.promise, undefined, onDestErrored);
    }
    if (source.state === 'closed') {
      onSourceClosed();
    } else {
      promiseThen(reader.closed.promise, onSourceClosed, () => {});
    }
    if (writableStreamCloseQueuedOrInFlight(dest) || dest.state === 'closed') {
      onDestErrored(invalidState('Destination WritableStream is closed'));
    }
  }

  pipeStep() {
    if (this.shuttingDown || this.dest.state !== 'writable') {
      return;
    }
    const { writer } = this;
    if (this.dest.backpressure) {
      writer.onReady = () => {
        writer.onReady = undefined;
        promiseThen(resolvedPromise, this.pipeStep);
      };
      return;
    }
    core.readableStreamDefaultReaderRead(this.reader, this);
  }

  // --- as a read request

  chunk(value) {
    this.hasChunk = true;
    this.chunkValue = value;
    // In a microtask: the code that enqueues must not call the sink synchronously.
    promiseThen(resolvedPromise, this.writeChunk);
  }

  close() {}

  error() {}

  /** `error`: { reason }, if the pipe fails. */
  shutdownWithAction(action, error) {
    if (this.shuttingDown) {
      return;
    }
    this.shuttingDown = true;
    const continuation = () => {
      if (action === undefined) {
        this.finalize(error);
      } else {
        promiseThen(action(), () => this.finalize(error), (reason) => this.finalize({ reason }));
      }
    };
    if (this.dest.state === 'writable' && !writableStreamCloseQueuedOrInFlight(this.dest)) {
      this.waitForWrites(continuation);
    } else {
      continuation();
    }
  }

  /** Calls `continuation` when every chunk that was read has been written. */
  waitForWrites(continuation) {
    const { dest } = this;
    const retry = require('internal/async_context').bind(() => promiseThen(resolvedPromise, () => this.waitForWrites(continuation)));
    if (this.hasChunk) {
      this.onChunkWritten = retry;
    } else if (dest.writeRequests.length > 0) {
      dest.writeRequests.replaceLast(continueWith(dest.writeRequests.last(), retry));
    } else if (dest.inFlightWriteRequest !== undefined) {
      dest.inFlightWriteRequest = continueWith(dest.inFlightWriteRequest, retry);
    } else {
      promiseThen(resolvedPromise, continuation);
    }
  }

  finalize(error) {
    this.writer.release();
    core.readableStreamReaderRelease(this.reader);
    if (this.onAbort !== undefined) {
      this.options.signal.removeEventListener('abort', this.onAbort);
    }
    if (error === undefined) {
      this.result.resolve();
    } else {
      this.result.reject(error.reason);
    }
  }
}

/** Node's AbortError becomes a DOMException of the same name. */
function toDOMException(reason) {
  const { AbortError } = require('internal/errors');
  if (!(reason instanceof AbortError)) {
    return reason;
  }
  const { DOMException } = require('web/dom_exception');
  return new DOMException(reason.message, 'AbortError');
}

/** Wraps a write request: it also calls `next` when it is settled. */
function continueWith(request, next) {
  return {
    promise: request.promise,
    resolve() {
      request.resolve();
      next();
    },
    reject(reason) {
      request.reject(reason);
      next();
    },
  };
}

/** Waits for all promises; rejects with the first rejection. */
function waitForAll(promises) {
  const result = createDeferredPromise();
  let remaining = promises.length;
  if (remaining === 0) {
    return promiseResolvedWith(undefined);
  }
  for (const promise of promises) {
    promiseThen(promise, () => {
      if (--remaining === 0) {
        result.resolve();
      }
    }, result.reject);
  }
  return result.promise;
}

const pipe = (source, dest, options) => new PipeTo(source, dest, options).run();

module.exports = { pipe, pipeOptions };
