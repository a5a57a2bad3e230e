// End of stream: `finished`, for streams of any kind. In: a stream, which sides count, a callback.
// Out: the callback called once, with the error or with ERR_STREAM_PREMATURE_CLOSE if the stream
// was closed before its end; a function that removes all listeners. Follows Node's
// lib/internal/streams/end-of-stream.js. Absent: destruction.
'use strict';

const process = require('process');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateObject, validateBoolean } = require('internal/validators');
const {
  isClosed, isReadable, isReadableNodeStream, isReadableStream, isReadableFinished, isReadableErrored,
  isWritable, isWritableNodeStream, isWritableStream, isWritableFinished, isWritableErrored,
  isNodeStream, isRequest, willEmitClose: _willEmitClose, kIsClosedPromise,
} = require('internal/streams/utils');

const nop = () => {};
const once = (callback) => {
  let isCalled = false;
  return function (...args) {
    if (!isCalled) {
      isCalled = true;
      callback.apply(this, args);
    }
  };
};

function eos(stream, options, callback) {
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
    return eosWeb(stream, options, callback);
  }
  if (!isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return eosNode(stream, options, callback);
}

/** Watches a Node stream, with the listeners that its kind needs. */
function eosNode(stream, options, callback) {
  const readable = options.readable ?? isReadableNodeStream(stream);
  const writable = options.writable ?? isWritableNodeStream(stream);
  const { _writableState: wState, _readableState: rState } = stream;

  const onlegacyfinish = () => {
    if (!stream.writable) {
      onfinish();
    }
  };
  // If 'close' will be emitted, it ends the wait; otherwise the event of the second side does.
  let willEmitClose = _willEmitClose(stream) &&
    isReadableNodeStream(stream) === readable && isWritableNodeStream(stream) === writable;
  let writableFinished = isWritableFinished(stream, false);
  let readableFinished = isReadableFinished(stream, false);

  const onfinish = () => {
    writableFinished = true;
    // Destroyed by its own `finish` or `end`: 'close' follows.
    if (stream.destroyed) {
      willEmitClose = false;
    }
    if (willEmitClose && (!stream.readable || readable)) {
      return;
    }
    if (!readable || readableFinished) {
      callback.call(stream);
    }
  };
  const onend = () => {
    readableFinished = true;
    if (stream.destroyed) {
      willEmitClose = false;
    }
    if (willEmitClose && (!stream.writable || writable)) {
      return;
    }
    if (!writable || writableFinished) {
      callback.call(stream);
    }
  };
  const onerror = (error) => callback.call(stream, error);
  let closed = isClosed(stream);
  const onclose = () => {
    closed = true;
    const error = isWritableErrored(stream) || isReadableErrored(stream);
    if (error && typeof error !== 'boolean') {
      return callback.call(stream, error);
    }
    if (readable && !readableFinished && isReadableNodeStream(stream, true) && !isReadableFinished(stream, false)) {
      return callback.call(stream, new ERR_STREAM_PREMATURE_CLOSE());
    }
    if (writable && !writableFinished && !isWritableFinished(stream, false)) {
      return callback.call(stream, new ERR_STREAM_PREMATURE_CLOSE());
    }
    return callback.call(stream);
  };
  const onclosed = () => {
    closed = true;
    const error = isWritableErrored(stream) || isReadableErrored(stream);
    if (error && typeof error !== 'boolean') {
      return callback.call(stream, error);
    }
    return callback.call(stream);
  };
  const onrequest = () => stream.req.on('finish', onfinish);

  const listeners = [];
  const addListener = (emitter, event, listener) => {
    listeners.push([emitter, event, listener]);
    emitter.on(event, listener);
  };
  if (isRequest(stream)) {
    addListener(stream, 'complete', onfinish);
    if (!willEmitClose) {
      addListener(stream, 'abort', onclose);
    }
    if (stream.req) {
      onrequest();
    } else {
      addListener(stream, 'request', onrequest);
    }
  } else if (writable && !wState) {
    addListener(stream, 'end', onlegacyfinish);
    addListener(stream, 'close', onlegacyfinish);
  }
  // Streams that emit only 'aborted'.
  if (!willEmitClose && typeof stream.aborted === 'boolean') {
    addListener(stream, 'aborted', onclose);
  }
  addListener(stream, 'end', onend);
  addListener(stream, 'finish', onfinish);
  if (options.error !== false) {
    addListener(stream, 'error', onerror);
  }
  addListener(stream, 'close', onclose);

  if (closed) {
    process.nextTick(onclose);
  } else if (wState?.errorEmitted || rState?.errorEmitted) {
    if (!willEmitClose) {
      process.nextTick(onclosed);
    }
  } else if (!readable && (!willEmitClose || isReadable(stream)) && (writableFinished || isWritable(stream) === false) &&
      (wState == null || wState.pendingcb === undefined || wState.pendingcb === 0)) {
    process.nextTick(onclosed);
  } else if (!writable && (!willEmitClose || isWritable(stream)) && (readableFinished || isReadable(stream) === false)) {
    process.nextTick(onclosed);
  } else if (rState && stream.req && stream.aborted) {
    process.nextTick(onclosed);
  }

  let result = callback;
  const cleanup = () => {
    callback = nop;
    for (const [emitter, event, listener] of listeners) {
      emitter.removeListener(event, listener);
    }
    stream.req?.removeListener?.('finish', onfinish);
  };
  if (options.signal && !closed) {
    result = callback;
    const abort = () => {
      cleanup();
      result.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const removeAbortListener = require('internal/streams/add-abort-signal').addAbortHandler(options.signal, abort);
      const originalCallback = callback;
      callback = once(function (...args) {
        removeAbortListener();
        originalCallback.apply(stream, args);
      });
    }
  }
  return cleanup;
}

function eosWeb(stream, options, originalCallback) {
  let isAborted = false;
  let abort = nop;
  let callback = originalCallback;
  if (options.signal) {
    abort = () => {
      isAborted = true;
      originalCallback.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const removeAbortListener = require('internal/streams/add-abort-signal').addAbortHandler(options.signal, abort);
      callback = once((...args) => {
        removeAbortListener();
        originalCallback.apply(stream, args);
      });
    }
  }
  const resolverFn = (...args) => {
    if (!isAborted) {
      process.nextTick(() => callback.apply(stream, args));
    }
  };
  stream[kIsClosedPromise].promise.then(() => resolverFn(), resolverFn);
  return nop;
}

/** `finished` of `stream/promises`. */
function finished(stream, options) {
  let autoCleanup = false;
  if (options === null || options === undefined) {
    options = {};
  }
  if (options.cleanup) {
    validateBoolean(options.cleanup, 'cleanup');
    autoCleanup = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const cleanup = eos(stream, options, (error) => {
      if (autoCleanup) {
        cleanup();
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
