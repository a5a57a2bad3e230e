// Tells when a stream is over. In: a stream of any make, which sides count, a callback. Out: the
// callback called once, with the error or with ERR_STREAM_PREMATURE_CLOSE where it was closed
// before its end; what takes all listeners away. Absent: destroying.
'use strict';

const process = require('process');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateObject, validateBoolean } = require('internal/validators');
const {
  isClosed, isReadable, isReadableNodeStream, isReadableStream, isReadableFinished, isReadableErrored,
  isWritable, isWritableNodeStream, isWritableStream, isWritableFinished, isWritableErrored,
  isNodeStream, isRequest, willEmitClose, isClosedPromise,
} = require('internal/streams/utils');

const nothing = () => {};
const once = (callback) => {
  let isCalled = false;
  return function (...args) {
    if (!isCalled) {
      isCalled = true;
      callback.apply(this, args);
    }
  };
};

function eos(stream, optionsGiven, callbackGiven) {
  let options = optionsGiven;
  let callback = callbackGiven;
  if (arguments.length === 2) {
    callback = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  callback = once(require('internal/async_context').bind(callback));
  if (isReadableStream(stream) || isWritableStream(stream)) {
    return webEnd(stream, options, callback);
  }
  if (!isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return watch(stream, options, callback);
}

/** A stream of Node's, with the listeners that its kind needs. */
function watch(stream, options, callback) {
  const readable = options.readable ?? isReadableNodeStream(stream);
  const writable = options.writable ?? isWritableNodeStream(stream);
  const { _writableState: writing, _readableState: reading } = stream;

  const onlegacyfinish = () => {
    if (!stream.writable) {
      onfinish();
    }
  };
  // A duplex that closes tells when both its sides are over; one that does not, the second side
  // tells.
  let willClose = willEmitClose(stream) &&
    isReadableNodeStream(stream) === readable && isWritableNodeStream(stream) === writable;
  let isFinishedWriting = isWritableFinished(stream, false);
  let isFinishedReading = isReadableFinished(stream, false);

  const onfinish = () => {
    isFinishedWriting = true;
    // Destroyed by its own `finish` or `end`: 'close' comes.
    if (stream.destroyed) {
      willClose = false;
    }
    if (willClose && (!stream.readable || readable)) {
      return;
    }
    if (!readable || isFinishedReading) {
      callback.call(stream);
    }
  };
  const onend = () => {
    isFinishedReading = true;
    if (stream.destroyed) {
      willClose = false;
    }
    if (willClose && (!stream.writable || writable)) {
      return;
    }
    if (!writable || isFinishedWriting) {
      callback.call(stream);
    }
  };
  const onerror = (error) => callback.call(stream, error);
  let isOver = isClosed(stream);
  const onclose = () => {
    isOver = true;
    const error = isWritableErrored(stream) || isReadableErrored(stream);
    if (error && typeof error !== 'boolean') {
      return callback.call(stream, error);
    }
    if (readable && !isFinishedReading && isReadableNodeStream(stream, true) && !isReadableFinished(stream, false)) {
      return callback.call(stream, new ERR_STREAM_PREMATURE_CLOSE());
    }
    if (writable && !isFinishedWriting && !isWritableFinished(stream, false)) {
      return callback.call(stream, new ERR_STREAM_PREMATURE_CLOSE());
    }
    return callback.call(stream);
  };
  const onclosed = () => {
    isOver = true;
    const error = isWritableErrored(stream) || isReadableErrored(stream);
    if (error && typeof error !== 'boolean') {
      return callback.call(stream, error);
    }
    return callback.call(stream);
  };
  const onrequest = () => stream.req.on('finish', onfinish);

  const listeners = [];
  const listen = (emitter, event, listener) => {
    listeners.push([emitter, event, listener]);
    emitter.on(event, listener);
  };
  if (isRequest(stream)) {
    listen(stream, 'complete', onfinish);
    if (!willClose) {
      listen(stream, 'abort', onclose);
    }
    if (stream.req) {
      onrequest();
    } else {
      listen(stream, 'request', onrequest);
    }
  } else if (writable && !writing) {
    listen(stream, 'end', onlegacyfinish);
    listen(stream, 'close', onlegacyfinish);
  }
  // Those that tell by 'aborted' alone.
  if (!willClose && typeof stream.aborted === 'boolean') {
    listen(stream, 'aborted', onclose);
  }
  listen(stream, 'end', onend);
  listen(stream, 'finish', onfinish);
  if (options.error !== false) {
    listen(stream, 'error', onerror);
  }
  listen(stream, 'close', onclose);

  if (isOver) {
    process.nextTick(onclose);
  } else if (writing?.errorEmitted || reading?.errorEmitted) {
    if (!willClose) {
      process.nextTick(onclosed);
    }
  } else if (!readable && (!willClose || isReadable(stream)) && (isFinishedWriting || isWritable(stream) === false) &&
      (writing == null || writing.pendingcb === undefined || writing.pendingcb === 0)) {
    process.nextTick(onclosed);
  } else if (!writable && (!willClose || isWritable(stream)) && (isFinishedReading || isReadable(stream) === false)) {
    process.nextTick(onclosed);
  } else if (reading && stream.req && stream.aborted) {
    process.nextTick(onclosed);
  }

  let result = callback;
  const part = () => {
    callback = nothing;
    for (const [emitter, event, listener] of listeners) {
      emitter.removeListener(event, listener);
    }
    stream.req?.removeListener?.('finish', onfinish);
  };
  if (options.signal && !isOver) {
    result = callback;
    const abort = () => {
      part();
      result.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const stop = require('internal/streams/add-abort-signal').onAbort(options.signal, abort);
      const inner = callback;
      callback = once(function (...args) {
        stop();
        inner.apply(stream, args);
      });
    }
  }
  return part;
}

function webEnd(stream, options, callbackGiven) {
  let isAborted = false;
  let abort = nothing;
  let callback = callbackGiven;
  if (options.signal) {
    abort = () => {
      isAborted = true;
      callbackGiven.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const stop = require('internal/streams/add-abort-signal').onAbort(options.signal, abort);
      callback = once((...args) => {
        stop();
        callbackGiven.apply(stream, args);
      });
    }
  }
  const settled = (...args) => {
    if (!isAborted) {
      process.nextTick(() => callback.apply(stream, args));
    }
  };
  stream[isClosedPromise].promise.then(() => settled(), settled);
  return nothing;
}

/** `finished` of `stream/promises`. */
function finished(stream, options) {
  let isCleaning = false;
  if (options === null || options === undefined) {
    options = {};
  }
  if (options.cleanup) {
    validateBoolean(options.cleanup, 'cleanup');
    isCleaning = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const part = eos(stream, options, (error) => {
      if (isCleaning) {
        part();
      }
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

module.exports = { eos, finished };
