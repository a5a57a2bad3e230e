// Who is called when other threads tell this one of a number. In: native ports and members,
// functions. Out: numbers, and the calls, when the loop looks outside.
'use strict';

const natives = internalBinding('message_port');
const { messages } = internalBinding('queues');

const listeners = new Map();
let lastNumber = 0;

messages.receive = () => {
  for (const number of natives.told()) listeners.get(number)?.();
};

/** A number that `listener` is called for. */
function enlist(listener) {
  listeners.set(++lastNumber, listener);
  return lastNumber;
}

function listen(port, listener) {
  const number = enlist(listener);
  natives.listen(port, number);
  return number;
}

function forget(number) { listeners.delete(number); }

module.exports = { enlist, forget, listen };
