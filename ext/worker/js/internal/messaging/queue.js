// Messages of ports that wait for the loop to look outside. In: callbacks, and whether the program
// goes on for them. Out: the loop calls one after the other, each a job of its own.
'use strict';

const { Fifo } = require('internal/messaging/fifo');

const waiting = new Fifo();
const { counter: { MESSAGES, REF_IMMEDIATES }, messages } = internalBinding('queues');
const { counters } = messages;
messages.run = () => {
  const { callback, keepsGoing } = waiting.shift();
  counters[MESSAGES]--;
  if (keepsGoing) counters[REF_IMMEDIATES]--;
  callback();
};

/** `count`: so many times. */
function post(callback, keepsGoing, count = 1) {
  const entry = { callback, keepsGoing };
  for (let i = 0; i < count; i++) waiting.push(entry);
  counters[MESSAGES] += count;
  if (keepsGoing) counters[REF_IMMEDIATES] += count;
}

module.exports = { post };
