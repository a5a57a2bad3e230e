// What the two sides of a cluster say to each other beside the program's own messages, in Node's
// words, so that either may be node's. In: an act, a question. Out: the same at the other side; the
// answer to a question, told once.
'use strict';

const CLUSTER = 'NODE_CLUSTER';

/** Who waits for an answer to which message. */
const waiting = new Map();
let lastNumber = 0;

/**
 * `onAnswer` is called with the answer, `handle` goes along. False: nobody is there, or much waits.
 */
function send(target, message, onAnswer, handle) {
  if (!target.connected) return false;
  const seq = lastNumber++;
  if (onAnswer !== undefined) waiting.set(seq, onAnswer);
  return target.send({ cmd: CLUSTER, ...message, seq }, handle);
}

/** A listener of 'internalMessage'. An answer to nothing is a message as any. */
function listener(onMessage) {
  return (message, handle) => {
    if (message.cmd !== CLUSTER) return;
    const onAnswer = waiting.get(message.ack);
    waiting.delete(message.ack);
    (onAnswer ?? onMessage)(message, handle);
  };
}

module.exports = { listener, send };
