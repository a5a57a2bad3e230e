// What a worker and the one who started it say to each other beside the program's own messages: a list each, a kind first. Out: the kinds.
'use strict';

module.exports = {
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
};
