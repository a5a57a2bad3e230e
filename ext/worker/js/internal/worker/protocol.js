// What a worker and the one who started it say to each other beside the program's own messages: a
// list each, a kind first. Out: the kinds; a message read, or refused.
'use strict';

const KINDS = {
  // To the one who started it.
  ONLINE: 0,
  FAILURE: 1,
  /** A number, and what was asked for. */
  ANSWER: 2,
  // To the worker.
  ASK: 3,
  // Either way. A stream's name; its bytes in pieces, null at the end.
  BYTES: 4,
  /** A stream's name: its reader takes more. */
  MORE: 5,
  /** For a thread by its number (internal/worker/threads.js). */
  TO_THREAD: 6,
  FROM_THREAD: 7,
  NEW_THREAD: 8,
  LOST_THREAD: 9,
  /** What it did not catch could not even be shown. */
  UNTELLABLE: 10,
};
const known = new Set(Object.values(KINDS));

/** The list of a message. Whoever has the port may write what is none. */
function read(message) {
  const list = Array.isArray(message) ? message : [message?.type];
  if (known.has(list[0])) return list;
  const { codes: { ERR_INTERNAL_ASSERTION } } = require('internal/errors');
  throw new ERR_INTERNAL_ASSERTION(`Unknown worker message type ${String(list[0])}`);
}

module.exports = { ...KINDS, read };
