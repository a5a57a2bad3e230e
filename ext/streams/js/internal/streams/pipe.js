// `pipe` and `unpipe` of readable streams. In: a source as `this`, a destination with a `write`
// method. Out: the source's chunks are written; the source is paused while any of its destinations
// is full. Absent: propagation of errors and destruction; that is `pipeline`.
'use strict';

const process = require('process');
const { prependListener } = require('internal/streams/legacy');
const { errorOrDestroy } = require('internal/streams/destroy');

/** @this {any} */
function pipe(dest, options) {
  const source = this;
  const state = source._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(dest);
  let cleanedUp = false;
  let ondrain;

  const unpipeDest = () => source.unpipe(dest);
  const onend = () => dest.end();
  // process.stdout and process.stderr stay open.
  const doEnd = (!options || options.end !== false) && dest !== process.stdout && dest !== process.stderr;
  const endFn = doEnd ? onend : unpipeDest;
  if (state.endEmitted) {
    process.nextTick(endFn);
  } else {
    source.once('end', endFn);
  }
  dest.on('unpipe', onunpipe);

  function onunpipe(readable, unpipeInfo) {
    if (readable === source && unpipeInfo && unpipeInfo.hasUnpiped === false) {
      unpipeInfo.hasUnpiped = true;
      cleanup();
    }
  }

  function cleanup() {
    dest.removeListener('close', onclose);
    dest.removeListener('finish', onfinish);
    if (ondrain) {
      dest.removeListener('drain', ondrain);
    }
    dest.removeListener('error', onerror);
    dest.removeListener('unpipe', onunpipe);
    source.removeListener('end', onend);
    source.removeListener('end', unpipeDest);
    source.removeListener('data', ondata);
    cleanedUp = true;
    // The source may wait for the 'drain' of this destination alone, which would never resume it
    // now.
    if (ondrain && state.awaitDrainWriters && (!dest._writableState || dest._writableState.needDrain)) {
      ondrain();
    }
  }

  function pause() {
    // Nothing waits for a destination that was unpiped meanwhile.
    if (!cleanedUp) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      }
      source.pause();
    }
    if (!ondrain) {
      // Added when the destination is full for the first time: most never are.
      ondrain = () => pipeOnDrain(source, dest);
      dest.on('drain', ondrain);
    }
  }

  source.on('data', ondata);
  function ondata(chunk) {
    try {
      if (dest.write(chunk) === false) {
        pause();
      }
    } catch (error) {
      dest.destroy(error);
    }
  }

  function onerror(error) {
    unpipeDest();
    dest.removeListener('error', onerror);
    if (dest.listenerCount('error') === 0) {
      const { _writableState, _readableState } = dest;
      const state = _writableState || _readableState;
      if (state && !state.errorEmitted) {
        errorOrDestroy(dest, error);
      } else {
        dest.emit('error', error);
      }
    }
  }
  prependListener(dest, 'error', onerror);

  function onclose() {
    dest.removeListener('finish', onfinish);
    unpipeDest();
  }
  dest.once('close', onclose);

  function onfinish() {
    dest.removeListener('close', onclose);
    unpipeDest();
  }
  dest.once('finish', onfinish);

  dest.emit('pipe', source);
  if (dest.writableNeedDrain === true) {
    pause();
  } else if (!state.flowing) {
    source.resume();
  }
  return dest;
}

function pipeOnDrain(source, dest) {
  const state = source._readableState;
  if (state.awaitDrainWriters === dest) {
    state.awaitDrainWriters = null;
  } else if (state.multiAwaitDrain) {
    state.awaitDrainWriters.delete(dest);
  }
  if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) && source.listenerCount('data')) {
    source.resume();
  }
}

/** @this {any} */
function unpipe(dest) {
  const state = this._readableState;
  if (state.pipes.length === 0) {
    return this;
  }
  if (!dest) {
    const dests = state.pipes;
    state.pipes = [];
    this.pause();
    for (const dest of dests) {
      dest.emit('unpipe', this, { hasUnpiped: false });
    }
    return this;
  }
  const index = state.pipes.indexOf(dest);
  if (index === -1) {
    return this;
  }
  state.pipes.splice(index, 1);
  if (state.pipes.length === 0) {
    this.pause();
  }
  dest.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
