// Types of internal messages between a worker and its parent, as messageTypes in Node's
// lib/internal/worker/io.js. A message is a list that begins with its type. Out: the types; a
// parsed message, or an error.
'use strict';

const TYPES = {
  // To the parent.
  UP_AND_RUNNING: 0,
  ERROR_MESSAGE: 1,
  /** The request's number, and the result. */
  RESPONSE: 2,
  // To the worker.
  REQUEST: 3,
  // In both directions. A stream's name and a list of chunks, null at the end.
  STDIO_PAYLOAD: 4,
  /** A stream's name: its reader requests more. */
  STDIO_WANTS_MORE_DATA: 5,
  /** `postMessageToThread` (internal/worker/messaging.js). */
  SEND_MESSAGE_TO_WORKER: 6,
  MESSAGE_RESULT: 7,
  REGISTER_THREAD: 8,
  UNREGISTER_THREAD: 9,
  /** An uncaught error that could not even be inspected. */
  COULD_NOT_SERIALIZE_ERROR: 10,
};
const knownTypes = new Set(Object.values(TYPES));

/** Validates a message: programs can get the port and send other values. */
function parseMessage(message) {
  const list = Array.isArray(message) ? message : [message?.type];
  if (knownTypes.has(list[0])) return list;
  const { codes: { ERR_INTERNAL_ASSERTION } } = require('internal/errors');
  throw new ERR_INTERNAL_ASSERTION(`Unknown worker message type ${String(list[0])}`);
}

module.exports = { ...TYPES, parseMessage };
