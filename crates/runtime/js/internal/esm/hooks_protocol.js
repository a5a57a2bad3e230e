// What a program and the thread of its hooks say to each other: a number of the question first,
// then a kind. Out: the kinds.
'use strict';

module.exports = {
  // To the hooks.
  REGISTER: 0,
  RESOLVE: 1,
  LOAD: 2,
  // To the program.
  ANSWERED: 0,
  FAILED: 1,
  /** Nothing keeps the thread going but questions, of which this was the last; no number. */
  IDLE: 2,
  /** The thread ends the program, with a code. */
  ENDED: 3,
  /** An uncaught error on the hooks thread. */
  BROKEN: 4,
};
