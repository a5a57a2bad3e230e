// A signal that ends a stream. In: an AbortSignal and a stream, of Node's or of the web. Out: the
// stream, which is destroyed (or errored) with an AbortError when the signal aborts. Absent: making
// signals.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isNodeStream, isWebStream, controllerError } = require('internal/streams/utils');

function addAbortSignal(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return addAbortSignalNoValidate(signal, stream);
}

function addAbortSignalNoValidate(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    return stream;
  }
  const abort = () => {
    const error = new AbortError(undefined, { cause: signal.reason });
    if (isNodeStream(stream)) {
      stream.destroy(error);
    } else {
      stream[controllerError](error);
    }
  };
  if (signal.aborted) {
    abort();
  } else {
    const stop = onAbort(signal, abort);
    require('internal/streams/end-of-stream').eos(stream, stop);
  }
  return stream;
}

/** Calls `listener` when the signal aborts; gives what takes it back. */
function onAbort(signal, listener) {
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

module.exports = { addAbortSignal, addAbortSignalNoValidate, onAbort };
