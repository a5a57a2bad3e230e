// What can be told of a stream from outside. In: anything, ours, of an old library, of the web or
// of http. Out: yes, no, or null where it cannot be told. Old streams have no state objects, so
// every question asks for members. Absent: changing anything.
'use strict';

const isDestroyedMark = Symbol.for('nodejs.stream.destroyed');
const isErroredMark = Symbol.for('nodejs.stream.errored');
const isReadableMark = Symbol.for('nodejs.stream.readable');
const isWritableMark = Symbol.for('nodejs.stream.writable');
const isDisturbedMark = Symbol.for('nodejs.stream.disturbed');
const isClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const controllerError = Symbol.for('nodejs.webstream.controllerErrorFunction');

const isMethod = (object, name) => typeof object[name] === 'function';

// --- which kind

function isReadableNodeStream(object, isStrict = false) {
  return !!(object && isMethod(object, 'pipe') && isMethod(object, 'on') &&
    (!isStrict || (isMethod(object, 'pause') && isMethod(object, 'resume'))) &&
    (!object._writableState || (object._readableState && object._readableState.readable !== false)));
}

function isWritableNodeStream(object) {
  return !!(object && isMethod(object, 'write') && isMethod(object, 'on') &&
    (!object._readableState || object._writableState?.writable !== false));
}

function isDuplexNodeStream(object) {
  return !!(object && isMethod(object, 'pipe') && object._readableState && isMethod(object, 'on') && isMethod(object, 'write'));
}

function isNodeStream(object) {
  return !!object && !!(object._readableState || object._writableState ||
    (isMethod(object, 'on') && (isMethod(object, 'write') || isMethod(object, 'pipe'))));
}

function isReadableStream(object) {
  return !!(object && !isNodeStream(object) &&
    isMethod(object, 'pipeThrough') && isMethod(object, 'getReader') && isMethod(object, 'cancel'));
}

function isWritableStream(object) {
  return !!(object && !isNodeStream(object) && isMethod(object, 'getWriter') && isMethod(object, 'abort'));
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
  const hasAsync = isMethod(object, Symbol.asyncIterator);
  const hasSync = isMethod(object, Symbol.iterator);
  return isAsync === true ? hasAsync : isAsync === false ? hasSync : hasAsync || hasSync;
}

// --- how far it is

function isDestroyed(stream) {
  if (!isNodeStream(stream)) {
    return null;
  }
  const state = stream._writableState || stream._readableState;
  return !!(stream.destroyed || stream[isDestroyedMark] || state?.destroyed);
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

/** Not strict: what has been ended and has nothing left counts before its event came. */
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
  if (stream && stream[isReadableMark] != null) {
    return stream[isReadableMark];
  }
  if (typeof stream?.readable !== 'boolean') {
    return null;
  }
  return !isDestroyed(stream) && isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[isWritableMark] != null) {
    return stream[isWritableMark];
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
  const { _writableState: writing, _readableState: reading } = stream;
  if (typeof writing?.closed === 'boolean' || typeof reading?.closed === 'boolean') {
    return writing?.closed || reading?.closed;
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
  return !!(stream && (stream[isDisturbedMark] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  return !!(stream && (stream[isErroredMark] ?? stream.readableErrored ?? stream.writableErrored ??
    stream._readableState?.errorEmitted ?? stream._writableState?.errorEmitted ??
    stream._readableState?.errored ?? stream._writableState?.errored));
}

// --- those of http, known by what only they have

function isOutgoingMessage(stream) {
  return typeof stream._closed === 'boolean' && typeof stream._defaultKeepAlive === 'boolean' &&
    typeof stream._removedConnection === 'boolean' && typeof stream._removedContLen === 'boolean';
}

const isServerResponse = (stream) => typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);

function isServerRequest(stream) {
  return typeof stream._consuming === 'boolean' && typeof stream._dumped === 'boolean' && stream.req?.upgradeOrConnect === undefined;
}

/** A request that a client sends. */
const isRequest = (stream) => !!stream && stream.setHeader && typeof stream.abort === 'function';

module.exports = {
  isDestroyedMark, isErroredMark, isReadableMark, isWritableMark, isDisturbedMark, isClosedPromise, controllerError,
  isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isNodeStream,
  isReadableStream, isWritableStream, isTransformStream, isWebStream, isIterable,
  isDestroyed, isWritableEnded, isWritableFinished, isReadableEnded, isReadableFinished, isReadable, isWritable, isFinished,
  isReadableErrored, isWritableErrored, isClosed, willEmitClose, isDisturbed, isErrored,
  isServerResponse, isServerRequest, isRequest,
};
