// Runs of `node:vm` that have an end: after a time, by SIGINT. In: what the native half says of
// such a run. Out: what the run gave, or Node's error.
'use strict';

const {
  codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_SCRIPT_EXECUTION_INTERRUPTED, ERR_SCRIPT_EXECUTION_TIMEOUT },
} = require('internal/errors');

/** @param given what the run gave, in an array; or how it ended */
function answer(given, timeout) {
  if (given === 'late') throw new ERR_SCRIPT_EXECUTION_TIMEOUT(timeout);
  if (given === 'endless') throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('timeout of node:vm');
  if (given === 'interrupted') throw new ERR_SCRIPT_EXECUTION_INTERRUPTED();
  return given[0];
}

/** Calls a function of ours. */
function call(callback, { timeout, breakOnSigint }) {
  if (timeout === undefined && !breakOnSigint) return callback();
  return answer(internalBinding('vm').callWithin(callback, timeout, breakOnSigint), timeout);
}

module.exports = { answer, call };
