// Dispatch of notifications from other threads to ports and broadcast channels. In: native ports,
// listeners. Out: ids; the listeners are called in the event loop's message phase.
'use strict';

const binding = internalBinding('message_port');
const { messages } = internalBinding('queues');

const listeners = new Map();
let lastId = 0;

messages.receive = () => {
  for (const id of binding.takeNotified()) listeners.get(id)?.();
};

/** Returns the id of a listener. */
function addListener(listener) {
  listeners.set(++lastId, listener);
  return lastId;
}

function attach(port, listener) {
  const id = addListener(listener);
  binding.attach(port, id);
  return id;
}

function removeListener(id) { listeners.delete(id); }

module.exports = { addListener, attach, removeListener };
