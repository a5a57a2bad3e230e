// Predicates on streams: kind and state. In: any value: a stream of ours, of an old library, of the
// web or of http. Out: true, false, or null if it is unknown. Old streams have no state objects, so
// every predicate tests members. Absent: changes of a stream.
'use strict';

const kIsDestroyed = Symbol.for('nodejs.stream.destroyed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = Symbol.for('nodejs.webstream.controllerErrorFunction');

const hasMethod = (object, name) => typeof object[name] === 'function';

// --- kind

function isReadableNodeStream(object, isStrict = false) {
  return !!(object && hasMethod(object, 'pipe') && hasMethod(object, 'on') &&
    (!isStrict || (hasMethod(object, 'pause') && hasMethod(object, 'resume'))) &&
    (!object._writableState || (object._readableState && object._readableState.readable !== false)));
}

function isWritableNodeStream(object) {
  return !!(object && hasMethod(object, 'write') && hasMethod(object, 'on') &&
    (!object._readableState || object._writableState?.writable !== false));
}

function isDuplexNodeStream(object) {
  return !!(object && hasMethod(object, 'pipe') && object._readableState && hasMethod(object, 'on') && hasMethod(object, 'write'));
}

function isNodeStream(object) {
  return !!object && !!(object._readableState || object._writableState ||
    (hasMethod(object, 'on') && (hasMethod(object, 'write') || hasMethod(object, 'pipe'))));
}

function isReadableStream(object) {
  return !!(object && !isNodeStream(object) &&
    hasMethod(object, 'pipeThrough') && hasMethod(object, 'getReader') && hasMethod(object, 'cancel'));
}

function isWritableStream(object) {
  return !!(object && !isNodeStream(object) && hasMethod(object, 'getWriter') && hasMethod(object, 'abort'));
}

function isTransformStream(object) {
  return !!(object && !isNodeStream(object) && typeof object.readable === 'object' && typeof object.writable === 'object');
}

const isWebStream = (object) => isReadableStream(object) || isWritableStream(object) || isTransformStream(object);

/** `isAsync`: true or false for one kind of iterator, undefined for either. */
function isIterable(object, isAsync) {
  if (object === null || object === undefined) {
    return false;
  }
  const hasAsync = hasMethod(object, Symbol.asyncIterator);
  const hasSync = hasMethod(object, Symbol.iterator);
  return isAsync === true ? hasAsync : isAsync === false ? hasSync : hasAsync || hasSync;
}

// --- state

function isDestroyed(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  const state = stream._writableState || stream._readableState;
  return !!(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) {
    return null;
  }
  if (stream.writableEnded === true) {
    return true;
  }
  const state = stream._writableState;
  if (state?.errored) {
    return false;
  }
  return typeof state?.ended === 'boolean' ? state.ended : null;
}

/** Not strict: a stream that was ended and has nothing left counts before 'finish' is emitted. */
function isWritableFinished(stream, isStrict) {
  if (!isWritableNodeStream(stream)) {
    return null;
  }
  if (stream.writableFinished === true) {
    return true;
  }
  const state = stream._writableState;
  if (state?.errored) {
    return false;
  }
  if (typeof state?.finished !== 'boolean') {
    return null;
  }
  return state.finished || (isStrict === false && state.ended === true && state.length === 0);
}

function isReadableEnded(stream) {
  if (!isReadableNodeStream(stream)) {
    return null;
  }
  if (stream.readableEnded === true) {
    return true;
  }
  const state = stream._readableState;
  if (!state || state.errored) {
    return false;
  }
  return typeof state.ended === 'boolean' ? state.ended : null;
}

function isReadableFinished(stream, isStrict) {
  if (!isReadableNodeStream(stream)) {
    return null;
  }
  const state = stream._readableState;
  if (state?.errored) {
    return false;
  }
  if (typeof state?.endEmitted !== 'boolean') {
    return null;
  }
  return state.endEmitted || (isStrict === false && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  if (stream && stream[kIsReadable] != null) {
    return stream[kIsReadable];
  }
  if (typeof stream?.readable !== 'boolean') {
    return null;
  }
  return !isDestroyed(stream) && isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[kIsWritable] != null) {
    return stream[kIsWritable];
  }
  if (typeof stream?.writable !== 'boolean') {
    return null;
  }
  return !isDestroyed(stream) && isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, { readable, writable } = {}) {
  if (!isNodeStream(stream)) {
    return null;
  }
  return !!isDestroyed(stream) ||
    ((readable === false || !isReadable(stream)) && (writable === false || !isWritable(stream)));
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  return stream.readableErrored ? stream.readableErrored : stream._readableState?.errored ?? null;
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  return stream.writableErrored ? stream.writableErrored : stream._writableState?.errored ?? null;
}

function isClosed(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  if (typeof stream.closed === 'boolean') {
    return stream.closed;
  }
  const { _writableState: wState, _readableState: rState } = stream;
  if (typeof wState?.closed === 'boolean' || typeof rState?.closed === 'boolean') {
    return wState?.closed || rState?.closed;
  }
  return typeof stream._closed === 'boolean' && isOutgoingMessage(stream) ? stream._closed : null;
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  const state = stream._writableState || stream._readableState;
  return (!state && isServerResponse(stream)) || !!(state?.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  return !!(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  return !!(stream && (stream[kIsErrored] ?? stream.readableErrored ?? stream.writableErrored ??
    stream._readableState?.errorEmitted ?? stream._writableState?.errorEmitted ??
    stream._readableState?.errored ?? stream._writableState?.errored));
}

// --- messages of http, recognized by members that only they have

function isOutgoingMessage(stream) {
  return typeof stream._closed === 'boolean' && typeof stream._defaultKeepAlive === 'boolean' &&
    typeof stream._removedConnection === 'boolean' && typeof stream._removedContLen === 'boolean';
}

const isServerResponse = (stream) => typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);

function isServerRequest(stream) {
  return typeof stream._consuming === 'boolean' && typeof stream._dumped === 'boolean' && stream.req?.upgradeOrConnect === undefined;
}

/** A client's request (OutgoingMessage, or one of an old library). */
const isRequest = (stream) => !!stream && stream.setHeader && typeof stream.abort === 'function';

module.exports = {
  kIsDestroyed, kIsErrored, kIsReadable, kIsWritable, kIsDisturbed, kIsClosedPromise, kControllerErrorFunction,
  isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isNodeStream,
  isReadableStream, isWritableStream, isTransformStream, isWebStream, isIterable,
  isDestroyed, isWritableEnded, isWritableFinished, isReadableEnded, isReadableFinished, isReadable, isWritable, isFinished,
  isReadableErrored, isWritableErrored, isClosed, willEmitClose, isDisturbed, isErrored,
  isServerResponse, isServerRequest, isRequest,
};
