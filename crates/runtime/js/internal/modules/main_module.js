// State of the main module. In: the loader sets it. Out: `require.main`, `process.mainModule`,
// `import.meta.main`.
'use strict';

module.exports = {
  /** The CommonJS module. */
  value: undefined,
  /** Absolute path of an ES module. */
  path: undefined,
  /** [the current directory at start, the file name on the command line] */
  script: undefined,
  /** The record of the main ES module, and its source if it is no file. */
  record: undefined,
  source: undefined,
  /** Whether its evaluation waits at a top-level `await`. */
  isPending: false,
  /** Whether hooks were ever registered. */
  isHooked: false,
  /** The tracing channels of node:diagnostics_channel, once that is loaded. */
  tracing: undefined,
  /** The test runner's handler of errors that the program does not handle: true for them. */
  runnerHandler: undefined,
  /** The exports of internal/main/worker_thread.js, on a worker thread. */
  worker: undefined,
};
