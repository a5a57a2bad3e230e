// Internal IPC messages of a cluster, as Node's internal/cluster/utils: compatible with Node's, so
// that either side may be Node. In: a message. Out: the message at the other side; the reply to a
// request, passed to its callback once.
'use strict';

const CLUSTER_COMMAND = 'NODE_CLUSTER';

/** Callbacks of requests by sequence number. */
const callbacks = new Map();
let nextSeq = 0;

/**
 * Sends a message and a handle; `callback` gets the reply. Returns false if the channel is closed
 * or its queue is long.
 */
function send(target, message, callback, handle) {
  if (!target.connected) return false;
  const seq = nextSeq++;
  if (callback !== undefined) callbacks.set(seq, callback);
  return target.send({ cmd: CLUSTER_COMMAND, ...message, seq }, handle);
}

/**
 * A listener of 'internalMessage'. Calls the callback of a request for its reply, else `onMessage`.
 */
function listener(onMessage) {
  return (message, handle) => {
    if (message.cmd !== CLUSTER_COMMAND) return;
    const callback = callbacks.get(message.ack);
    callbacks.delete(message.ack);
    (callback ?? onMessage)(message, handle);
  };
}

module.exports = { listener, send };
