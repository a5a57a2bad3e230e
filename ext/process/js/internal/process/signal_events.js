// Signal events of `process`, as in Node's lib/internal/process/signal.js. In: added and removed
// listeners. Out: a signal handler in the event loop while there are listeners, and events. A
// signal handler does not keep the event loop alive, as in Node.

'use strict';

const { signals } = require('internal/os/constants');

/** Handlers by the signal's number, with the names that have listeners: SIGIOT is SIGABRT, too. */
const handlers = new Map();

const isSignal = (name) => typeof name === 'string' && name.startsWith('SIG') && Object.hasOwn(signals, name);

function startListening(process, name) {
  if (!isSignal(name)) {
    return;
  }
  const number = signals[name];
  const started = handlers.get(number);
  if (started !== undefined) {
    started.names.add(name);
    return;
  }
  const names = new Set([name]);
  const handler = internalBinding('process').onSignal(number, () => {
    for (const listened of [...names]) {
      process.emit(listened, listened, number);
    }
  });
  if (typeof handler === 'number') {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(handler, 'uv_signal_start');
  }
  handlers.set(number, { handler, names });
}

function stopListening(process, name) {
  if (!isSignal(name) || process.listenerCount(name) !== 0) {
    return;
  }
  const started = handlers.get(signals[name]);
  if (started?.names.delete(name) && started.names.size === 0) {
    handlers.delete(signals[name]);
    internalBinding('process').closeSignalHandler(started.handler);
  }
}

function installSignalEvents(process) {
  process.on('newListener', (name) => startListening(process, name));
  process.on('removeListener', (name) => stopListening(process, name));
}

/** The signals that have listeners, one name of each number. */
function listenedSignals() { return [...handlers.values()].map(({ handler, names: [name] }) => ({ handler, name })); }

module.exports = { installSignalEvents, listenedSignals };
