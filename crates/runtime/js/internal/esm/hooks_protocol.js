// Protocol between a program and its hooks thread: messages are arrays of a request id, a kind and
// values. Out: the kinds.
'use strict';

module.exports = {
  // Requests, to the hooks thread.
  REGISTER: 0,
  RESOLVE: 1,
  LOAD: 2,
  // Responses and notifications, to the program.
  RESOLVED: 0,
  FAILED: 1,
  /** Only requests keep the thread alive; the value is the id of the last one. */
  IDLE: 2,
  /** The hooks thread called `process.exit`, with this code. */
  EXITED: 3,
  /** An uncaught error on the hooks thread. */
  UNCAUGHT: 4,
};
