// The module that the program began with. In: the loader sets `value`. Out: `require.main`,
// `process.mainModule`.
'use strict';

module.exports = {
  /** Of CommonJS. */
  value: undefined,
  /** Of a module, absolute. */
  path: undefined,
  /** The directory at the beginning, and what the command line named there. */
  script: undefined,
  /** The record of a module that the program began with, and its text where it is no file. */
  record: undefined,
  text: undefined,
  /** Whether an `await` outside of functions still waits. */
  isPending: false,
  /** Whether hooks were ever registered. */
  isHooked: false,
  /** Traces of node:diagnostics_channel, when that is loaded (internal/channels.js). */
  tracing: undefined,
  /** Of internal/worker/child.js, where this thread is a worker's. */
  worker: undefined,
};
