// Queue of message tasks within a thread. In: callbacks, and whether they keep the event loop
// alive. Out: the loop runs each as a task of its own, followed by microtasks.
'use strict';

const { Fifo } = require('internal/messaging/fifo');

const tasks = new Fifo();
const { counter: { MESSAGES, REF_IMMEDIATES }, messages } = internalBinding('queues');
const { counters } = messages;
messages.run = () => {
  const { callback, isRef } = tasks.shift();
  counters[MESSAGES]--;
  if (isRef) counters[REF_IMMEDIATES]--;
  callback();
};

/** Queues the same task `count` times. */
function queueTask(callback, isRef, count = 1) {
  const task = { callback, isRef };
  for (let i = 0; i < count; i++) tasks.push(task);
  counters[MESSAGES] += count;
  if (isRef) counters[REF_IMMEDIATES] += count;
}

module.exports = { queueTask };
