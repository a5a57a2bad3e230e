// The stream of Node's first days, which all others inherit from. In: events 'data', 'end',
// 'close'. Out: `pipe`. Absent: buffers.
'use strict';

const EventEmitter = require('events');

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

/**
 * The usual names are there from the beginning (in Node's order, which programs see), without
 * listeners.
 */
Stream.prototype.eventNames = function () {
  const { _events: events } = this;
  return Reflect.ownKeys(events).filter((name) => events[name] !== undefined);
};

Stream.prototype.pipe = function (target, options) {
  const source = this;
  const ondata = (chunk) => {
    if (target.writable && target.write(chunk) === false && source.pause) {
      source.pause();
    }
  };
  const ondrain = () => {
    if (source.readable && source.resume) {
      source.resume();
    }
  };
  let isOver = false;
  const onend = () => {
    if (!isOver) {
      isOver = true;
      target.end();
    }
  };
  const onclose = () => {
    if (!isOver) {
      isOver = true;
      if (typeof target.destroy === 'function') {
        target.destroy();
      }
    }
  };
  // Removed first, so that the emitter throws where nobody else listens.
  function onerror(error) {
    part();
    if (EventEmitter.prototype.listenerCount.call(this, 'error') === 0) {
      this.emit('error', error);
    }
  }
  const part = () => {
    source.removeListener('data', ondata);
    target.removeListener('drain', ondrain);
    source.removeListener('end', onend);
    source.removeListener('close', onclose);
    source.removeListener('error', onerror);
    target.removeListener('error', onerror);
    source.removeListener('end', part);
    source.removeListener('close', part);
    target.removeListener('close', part);
  };

  source.on('data', ondata);
  target.on('drain', ondrain);
  // Standard output and error outlive whatever is written to them.
  if (!target._isStdio && (!options || options.end !== false)) {
    source.on('end', onend);
    source.on('close', onclose);
  }
  prependListener(source, 'error', onerror);
  prependListener(target, 'error', onerror);
  source.on('end', part);
  source.on('close', part);
  target.on('close', part);
  target.emit('pipe', source);
  return target;
};

/** Also for emitters of other makes, whose listeners lie in `_events` at best. */
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const there = emitter._events?.[event];
  if (!there) {
    emitter.on(event, listener);
  } else if (Array.isArray(there)) {
    there.unshift(listener);
  } else {
    emitter._events[event] = [listener, there];
  }
}

module.exports = { Stream, prependListener };
