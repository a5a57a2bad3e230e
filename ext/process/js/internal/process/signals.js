// Signals as events of `process`. In: who begins and ends to listen. Out: a listener in the loop
// while somebody does, and events by name. A listener never keeps the loop going, as in Node.

'use strict';

const { signals } = require('internal/os/constants');

/** What listens, by name of the signal. */
const heard = new Map();

const isSignal = (name) => typeof name === 'string' && name.startsWith('SIG') && Object.hasOwn(signals, name);

function begin(process, name) {
  if (!isSignal(name) || heard.has(name)) {
    return;
  }
  const number = signals[name];
  const listener = internalBinding('process').listen(number, () => process.emit(name, name, number));
  if (typeof listener === 'number') {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(listener, 'uv_signal_start');
  }
  heard.set(name, listener);
}

function end(process, name) {
  const listener = heard.get(name);
  if (listener !== undefined && process.listenerCount(name) === 0) {
    heard.delete(name);
    internalBinding('process').unlisten(listener);
  }
}

function follow(process) {
  process.on('newListener', (name) => begin(process, name));
  process.on('removeListener', (name) => end(process, name));
}

module.exports = { follow };
