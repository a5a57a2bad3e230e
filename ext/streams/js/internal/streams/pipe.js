// `pipe` and `unpipe` of streams to read from. In: a source as `this`, a target that has `write`.
// Out: what the source gives is written, the source paused while any of its targets is full.
// Absent: errors carried on, and targets destroyed; that is `pipeline`.
'use strict';

const process = require('process');
const { prependListener } = require('internal/streams/legacy');
const { errorOrDestroy } = require('internal/streams/destroy');

/** @this {any} */
function pipe(target, options) {
  const source = this;
  const state = source._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(target);
  let isParted = false;
  let ondrain;

  const leave = () => source.unpipe(target);
  const onend = () => target.end();
  // Standard output and error outlive whatever is written to them.
  const isEnding = (!options || options.end !== false) && target !== process.stdout && target !== process.stderr;
  const atEnd = isEnding ? onend : leave;
  if (state.endEmitted) {
    process.nextTick(atEnd);
  } else {
    source.once('end', atEnd);
  }
  target.on('unpipe', onunpipe);

  function onunpipe(readable, how) {
    if (readable === source && how && how.hasUnpiped === false) {
      how.hasUnpiped = true;
      part();
    }
  }

  function part() {
    target.removeListener('close', onclose);
    target.removeListener('finish', onfinish);
    if (ondrain) {
      target.removeListener('drain', ondrain);
    }
    target.removeListener('error', onerror);
    target.removeListener('unpipe', onunpipe);
    source.removeListener('end', onend);
    source.removeListener('end', leave);
    source.removeListener('data', ondata);
    isParted = true;
    // A source that waits for this target waits in vain, where nobody else writes to it.
    if (ondrain && state.awaitDrainWriters && (!target._writableState || target._writableState.needDrain)) {
      ondrain();
    }
  }

  function pause() {
    // Whoever unpiped meanwhile is not to be waited for.
    if (!isParted) {
      if (state.pipes.length === 1 && state.pipes[0] === target) {
        state.awaitDrainWriters = target;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(target)) {
        state.awaitDrainWriters.add(target);
      }
      source.pause();
    }
    if (!ondrain) {
      // When it is full first: most targets never are.
      ondrain = () => drained(source, target);
      target.on('drain', ondrain);
    }
  }

  source.on('data', ondata);
  function ondata(chunk) {
    try {
      if (target.write(chunk) === false) {
        pause();
      }
    } catch (error) {
      target.destroy(error);
    }
  }

  function onerror(error) {
    leave();
    target.removeListener('error', onerror);
    if (target.listenerCount('error') === 0) {
      const { _writableState, _readableState } = target;
      const state = _writableState || _readableState;
      if (state && !state.errorEmitted) {
        errorOrDestroy(target, error);
      } else {
        target.emit('error', error);
      }
    }
  }
  prependListener(target, 'error', onerror);

  function onclose() {
    target.removeListener('finish', onfinish);
    leave();
  }
  target.once('close', onclose);

  function onfinish() {
    target.removeListener('close', onclose);
    leave();
  }
  target.once('finish', onfinish);

  target.emit('pipe', source);
  if (target.writableNeedDrain === true) {
    pause();
  } else if (!state.flowing) {
    source.resume();
  }
  return target;
}

function drained(source, target) {
  const state = source._readableState;
  if (state.awaitDrainWriters === target) {
    state.awaitDrainWriters = null;
  } else if (state.multiAwaitDrain) {
    state.awaitDrainWriters.delete(target);
  }
  if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) && source.listenerCount('data')) {
    source.resume();
  }
}

/** @this {any} */
function unpipe(target) {
  const state = this._readableState;
  if (state.pipes.length === 0) {
    return this;
  }
  if (!target) {
    const targets = state.pipes;
    state.pipes = [];
    this.pause();
    for (const each of targets) {
      each.emit('unpipe', this, { hasUnpiped: false });
    }
    return this;
  }
  const index = state.pipes.indexOf(target);
  if (index === -1) {
    return this;
  }
  state.pipes.splice(index, 1);
  if (state.pipes.length === 0) {
    this.pause();
  }
  target.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
