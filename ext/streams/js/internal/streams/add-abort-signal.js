// `addAbortSignal`: an AbortSignal destroys a stream. In: an AbortSignal and a Node or web stream.
// Out: the stream, destroyed (or errored) with an AbortError when the signal aborts. Absent:
// signals themselves.
'use strict';

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/utils');

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
  const onAbort = () => {
    const error = new AbortError(undefined, { cause: signal.reason });
    if (isNodeStream(stream)) {
      stream.destroy(error);
    } else {
      stream[kControllerErrorFunction](error);
    }
  };
  if (signal.aborted) {
    onAbort();
  } else {
    const removeListener = addAbortHandler(signal, onAbort);
    require('internal/streams/end-of-stream').eos(stream, removeListener);
  }
  return stream;
}

/** Calls `listener` when the signal aborts. Returns a function that removes the listener. */
function addAbortHandler(signal, listener) {
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

module.exports = { addAbortSignal, addAbortSignalNoValidate, addAbortHandler };
