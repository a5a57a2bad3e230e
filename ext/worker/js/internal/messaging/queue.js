// Messages of ports that wait for the loop to look outside. In: callbacks, and whether the program
// goes on for them. Out: the loop calls one after the other, each a job of its own.
'use strict';

const { Fifo } = require('internal/messaging/fifo');

const waiting = new Fifo();
const { counter: { MESSAGES, REF_IMMEDIATES }, messages } = internalBinding('queues');
const { words } = messages;
messages.run = () => {
  const { callback, keepsGoing } = waiting.shift();
  words[MESSAGES]--;
  if (keepsGoing) words[REF_IMMEDIATES]--;
  callback();
};

/** `count`: so many times. */
function post(callback, keepsGoing, count = 1) {
  const entry = { callback, keepsGoing };
  for (let i = 0; i < count; i++) waiting.push(entry);
  words[MESSAGES] += count;
  if (keepsGoing) words[REF_IMMEDIATES] += count;
}

module.exports = { post };
