// The legacy `Stream` class, the base of all others. In: events 'data', 'end', 'close'. Out:
// `pipe`. Absent: buffers.
'use strict';

const EventEmitter = require('events');

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

/**
 * The usual event names exist from the start (in Node's order, which programs see), without
 * listeners.
 */
Stream.prototype.eventNames = function () {
  const { _events: events } = this;
  return Reflect.ownKeys(events).filter((name) => events[name] !== undefined);
};

Stream.prototype.pipe = function (dest, options) {
  const source = this;
  const ondata = (chunk) => {
    if (dest.writable && dest.write(chunk) === false && source.pause) {
      source.pause();
    }
  };
  const ondrain = () => {
    if (source.readable && source.resume) {
      source.resume();
    }
  };
  let didOnEnd = false;
  const onend = () => {
    if (!didOnEnd) {
      didOnEnd = true;
      dest.end();
    }
  };
  const onclose = () => {
    if (!didOnEnd) {
      didOnEnd = true;
      if (typeof dest.destroy === 'function') {
        dest.destroy();
      }
    }
  };
  // Removed first: without another listener the emitter must throw.
  function onerror(error) {
    cleanup();
    if (EventEmitter.prototype.listenerCount.call(this, 'error') === 0) {
      this.emit('error', error);
    }
  }
  const cleanup = () => {
    source.removeListener('data', ondata);
    dest.removeListener('drain', ondrain);
    source.removeListener('end', onend);
    source.removeListener('close', onclose);
    source.removeListener('error', onerror);
    dest.removeListener('error', onerror);
    source.removeListener('end', cleanup);
    source.removeListener('close', cleanup);
    dest.removeListener('close', cleanup);
  };

  source.on('data', ondata);
  dest.on('drain', ondrain);
  // process.stdout and process.stderr stay open.
  if (!dest._isStdio && (!options || options.end !== false)) {
    source.on('end', onend);
    source.on('close', onclose);
  }
  prependListener(source, 'error', onerror);
  prependListener(dest, 'error', onerror);
  source.on('end', cleanup);
  source.on('close', cleanup);
  dest.on('close', cleanup);
  dest.emit('pipe', source);
  return dest;
};

/** Also for other emitter classes, which may have only `_events`. */
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const existing = emitter._events?.[event];
  if (!existing) {
    emitter.on(event, listener);
  } else if (Array.isArray(existing)) {
    existing.unshift(listener);
  } else {
    emitter._events[event] = [listener, existing];
  }
}

module.exports = { Stream, prependListener };
