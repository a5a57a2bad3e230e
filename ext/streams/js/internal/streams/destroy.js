// How a stream comes to its end other than by its data: destroyed, errored, and what must be known
// of one that is still being constructed. In: a stream of ours as `this`. Out: its marks set, then
// 'error' and 'close', each once. Absent: who calls.
'use strict';

const process = require('process');
const { aggregateTwoErrors, AbortError, codes: { ERR_MULTIPLE_CALLBACK } } = require('internal/errors');
const { isDestroyed, isFinished, isServerRequest, isRequest, isDestroyedMark } = require('internal/streams/utils');

const waitsDestroy = Symbol('kDestroy');
const waitsConstruct = Symbol('kConstruct');

/** Sets one member of whichever states there are. */
function mark(stream, name) {
  const { _readableState: reading, _writableState: writing } = stream;
  if (writing) {
    writing[name] = true;
  }
  if (reading) {
    reading[name] = true;
  }
}

/**
 * The first error stays. Its stack is asked for now: while it is not, it holds on to what its
 * frames saw.
 */
function note(stream, error) {
  if (!error) {
    return;
  }
  error.stack; // eslint-disable-line no-unused-expressions
  const { _readableState: reading, _writableState: writing } = stream;
  if (writing && !writing.errored) {
    writing.errored = error;
  }
  if (reading && !reading.errored) {
    reading.errored = error;
  }
}

/** `destroy` of streams. @this {any} */
function destroy(error, callback) {
  const { _readableState: reading, _writableState: writing } = this;
  if (writing?.destroyed || reading?.destroyed) {
    if (typeof callback === 'function') {
      callback();
    }
    return this;
  }
  note(this, error);
  mark(this, 'destroyed');
  if ((writing || reading).constructed) {
    takeApart(this, error, callback);
  } else {
    this.once(waitsDestroy, (other) => takeApart(this, aggregateTwoErrors(other, error), callback));
  }
  return this;
}

function takeApart(stream, error, callback) {
  let isDone = false;
  const done = (failure) => {
    if (isDone) {
      return;
    }
    isDone = true;
    note(stream, failure);
    mark(stream, 'closed');
    if (typeof callback === 'function') {
      callback(failure);
    }
    if (failure) {
      process.nextTick(tellErrorAndClose, stream, failure);
    } else {
      process.nextTick(tellClose, stream);
    }
  };
  try {
    stream._destroy(error || null, done);
  } catch (failure) {
    done(failure);
  }
}

function tellErrorAndClose(stream, error) {
  tellError(stream, error);
  tellClose(stream);
}

function tellClose(stream) {
  mark(stream, 'closeEmitted');
  if (stream._writableState?.emitClose || stream._readableState?.emitClose) {
    stream.emit('close');
  }
}

function tellError(stream, error) {
  if (stream._writableState?.errorEmitted || stream._readableState?.errorEmitted) {
    return;
  }
  mark(stream, 'errorEmitted');
  stream.emit('error', error);
}

/** As new: sockets are used again. @this {any} */
function undestroy() {
  const { _readableState: reading, _writableState: writing } = this;
  for (const state of [reading, writing]) {
    if (state) {
      Object.assign(state, { constructed: true, closed: false, closeEmitted: false, destroyed: false, errored: null, errorEmitted: false });
    }
  }
  if (reading) {
    reading.reading = false;
    reading.ended = reading.endEmitted = reading.readable === false;
  }
  if (writing) {
    writing.finalCalled = false;
    writing.prefinished = false;
    writing.ended = writing.ending = writing.finished = writing.writable === false;
  }
}

/**
 * Where a stream destroys itself it is destroyed, else it only tells. `isSync`: the caller is in
 * the middle of something.
 */
function errorOrDestroy(stream, error, isSync) {
  const { _readableState: reading, _writableState: writing } = stream;
  if (writing?.destroyed || reading?.destroyed) {
    return;
  }
  if (reading?.autoDestroy || writing?.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    note(stream, error);
    if (isSync) {
      process.nextTick(tellError, stream, error);
    } else {
      tellError(stream, error);
    }
  }
}

/** Begins `_construct`, if there is one; a duplex asks for both its sides, and begins once. */
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
  stream.once(waitsConstruct, done);
  if (stream.listenerCount(waitsConstruct) === 1) {
    process.nextTick(runConstruct, stream);
  }
}

function runConstruct(stream) {
  let isDone = false;
  const done = (error) => {
    if (isDone) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    isDone = true;
    mark(stream, 'constructed');
    const state = stream._writableState || stream._readableState;
    if (state.destroyed) {
      stream.emit(waitsDestroy, error);
    } else if (error) {
      errorOrDestroy(stream, error, true);
    } else {
      // At once: what is written from here on comes behind what has waited.
      tellConstruct(stream);
    }
  };
  try {
    stream._construct((error) => process.nextTick(done, error));
  } catch (error) {
    process.nextTick(done, error);
  }
}

function tellConstruct(stream) {
  stream.emit(waitsConstruct);
}

/** Destroys a stream of any make. */
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
    stream[isDestroyedMark] = true;
  }
}

module.exports = { construct, destroyer, destroy, undestroy, errorOrDestroy };
