// Signal events of `process`, as in Node's lib/internal/process/signal.js. In: added and removed
// listeners. Out: a signal handler in the event loop while there are listeners, and events. A
// signal handler does not keep the event loop alive, as in Node.

'use strict';

const { signals } = require('internal/os/constants');

/** Signal handlers by the signal's name. */
const handlers = new Map();

const isSignal = (name) => typeof name === 'string' && name.startsWith('SIG') && Object.hasOwn(signals, name);

function startListening(process, name) {
  if (!isSignal(name) || handlers.has(name)) {
    return;
  }
  const number = signals[name];
  const handler = internalBinding('process').onSignal(number, () => process.emit(name, name, number));
  if (typeof handler === 'number') {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(handler, 'uv_signal_start');
  }
  handlers.set(name, handler);
}

function stopListening(process, name) {
  const handler = handlers.get(name);
  if (handler !== undefined && process.listenerCount(name) === 0) {
    handlers.delete(name);
    internalBinding('process').closeSignalHandler(handler);
  }
}

function installSignalEvents(process) {
  process.on('newListener', (name) => startListening(process, name));
  process.on('removeListener', (name) => stopListening(process, name));
}

module.exports = { installSignalEvents };
