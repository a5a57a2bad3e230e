// Destruction and construction of streams: `destroy`, `errorOrDestroy`, `_construct`. In: a stream
// of ours, as `this` or as an argument. Out: its state flags set, then 'error' and 'close', each
// once. Follows Node's lib/internal/streams/destroy.js. Absent: when a stream destroys itself.
'use strict';

const process = require('process');
const { aggregateTwoErrors, AbortError, codes: { ERR_MULTIPLE_CALLBACK } } = require('internal/errors');
const { isDestroyed, isFinished, isServerRequest, isRequest, kIsDestroyed } = require('internal/streams/utils');

const kDestroy = Symbol('kDestroy');
const kConstruct = Symbol('kConstruct');

/** Sets one flag in the stream's readable and writable state. */
function setStateFlag(stream, name) {
  const { _readableState: rState, _writableState: wState } = stream;
  if (wState) {
    wState[name] = true;
  }
  if (rState) {
    rState[name] = true;
  }
}

/**
 * Stores the first error in both states. Its stack is read now, because an unread stack retains
 * what its frames refer to.
 */
function storeError(stream, error) {
  if (!error) {
    return;
  }
  error.stack; // eslint-disable-line no-unused-expressions
  const { _readableState: rState, _writableState: wState } = stream;
  if (wState && !wState.errored) {
    wState.errored = error;
  }
  if (rState && !rState.errored) {
    rState.errored = error;
  }
}

/** `destroy` of streams. @this {any} */
function destroy(error, callback) {
  const { _readableState: rState, _writableState: wState } = this;
  if (wState?.destroyed || rState?.destroyed) {
    if (typeof callback === 'function') {
      callback();
    }
    return this;
  }
  storeError(this, error);
  setStateFlag(this, 'destroyed');
  if ((wState || rState).constructed) {
    _destroy(this, error, callback);
  } else {
    this.once(kDestroy, (other) => _destroy(this, aggregateTwoErrors(other, error), callback));
  }
  return this;
}

function _destroy(stream, error, callback) {
  let called = false;
  const onDestroy = (err) => {
    if (called) {
      return;
    }
    called = true;
    storeError(stream, err);
    setStateFlag(stream, 'closed');
    if (typeof callback === 'function') {
      callback(err);
    }
    if (err) {
      process.nextTick(emitErrorCloseNT, stream, err);
    } else {
      process.nextTick(emitCloseNT, stream);
    }
  };
  try {
    stream._destroy(error || null, onDestroy);
  } catch (err) {
    onDestroy(err);
  }
}

function emitErrorCloseNT(stream, error) {
  emitErrorNT(stream, error);
  emitCloseNT(stream);
}

function emitCloseNT(stream) {
  setStateFlag(stream, 'closeEmitted');
  if (stream._writableState?.emitClose || stream._readableState?.emitClose) {
    stream.emit('close');
  }
}

function emitErrorNT(stream, error) {
  if (stream._writableState?.errorEmitted || stream._readableState?.errorEmitted) {
    return;
  }
  setStateFlag(stream, 'errorEmitted');
  stream.emit('error', error);
}

/** Resets the state: sockets are reused. */
function undestroy() {
  const { _readableState: rState, _writableState: wState } = this;
  for (const state of [rState, wState]) {
    if (state) {
      Object.assign(state, { constructed: true, closed: false, closeEmitted: false, destroyed: false, errored: null, errorEmitted: false });
    }
  }
  if (rState) {
    rState.reading = false;
    rState.ended = rState.endEmitted = rState.readable === false;
  }
  if (wState) {
    wState.finalCalled = false;
    wState.prefinished = false;
    wState.ended = wState.ending = wState.finished = wState.writable === false;
  }
}

/**
 * Destroys a stream with `autoDestroy`; otherwise only emits 'error'. `isSync`: the caller is
 * within `write`, `end` or `_construct`, so the event waits for the next tick.
 */
function errorOrDestroy(stream, error, isSync) {
  const { _readableState: rState, _writableState: wState } = stream;
  if (wState?.destroyed || rState?.destroyed) {
    return;
  }
  if (rState?.autoDestroy || wState?.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    storeError(stream, error);
    if (isSync) {
      process.nextTick(emitErrorNT, stream, error);
    } else {
      emitErrorNT(stream, error);
    }
  }
}

/** Schedules `_construct`, if there is one. Both sides of a duplex call this; it runs once. */
function construct(stream, done) {
  if (typeof stream._construct !== 'function') {
    return;
  }
  if (stream._readableState) {
    stream._readableState.constructed = false;
  }
  if (stream._writableState) {
    stream._writableState.constructed = false;
  }
  stream.once(kConstruct, done);
  if (stream.listenerCount(kConstruct) === 1) {
    process.nextTick(constructNT, stream);
  }
}

function constructNT(stream) {
  let called = false;
  const onConstruct = (error) => {
    if (called) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    setStateFlag(stream, 'constructed');
    const state = stream._writableState || stream._readableState;
    if (state.destroyed) {
      stream.emit(kDestroy, error);
    } else if (error) {
      errorOrDestroy(stream, error, true);
    } else {
      // Synchronously: later writes must come after the buffered ones.
      emitConstructNT(stream);
    }
  };
  try {
    stream._construct((error) => process.nextTick(onConstruct, error));
  } catch (error) {
    process.nextTick(onConstruct, error);
  }
}

function emitConstructNT(stream) {
  stream.emit(kConstruct);
}

/** Destroys any stream: of Node, an old-style one, or one of http. */
function destroyer(stream, reason) {
  if (!stream || isDestroyed(stream)) {
    return;
  }
  const error = reason || isFinished(stream) ? reason : new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(error);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else if (error) {
    process.nextTick(() => {
      stream.emit('error', error);
      process.nextTick(() => stream.emit('close'));
    });
  } else {
    process.nextTick(() => stream.emit('close'));
  }
  if (!stream.destroyed) {
    stream[kIsDestroyed] = true;
  }
}

module.exports = { construct, destroyer, destroy, undestroy, errorOrDestroy };
