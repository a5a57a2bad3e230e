// Execution limits of `node:vm`: `timeout` and `breakOnSigint`. In: the binding's result of a
// limited run. Out: the script's result, or Node's error.
'use strict';

const {
  codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_SCRIPT_EXECUTION_INTERRUPTED, ERR_SCRIPT_EXECUTION_TIMEOUT },
} = require('internal/errors');

const { limit: { TIMED_OUT, INTERRUPTED, UNSUPPORTED } } = internalBinding('vm');

/** @param outcome an array with the result, or the limit that was reached */
function resultOf(outcome, timeout) {
  if (outcome === TIMED_OUT) throw new ERR_SCRIPT_EXECUTION_TIMEOUT(timeout);
  if (outcome === UNSUPPORTED) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('timeout of node:vm');
  if (outcome === INTERRUPTED) throw new ERR_SCRIPT_EXECUTION_INTERRUPTED();
  return outcome[0];
}

/** Calls a function within the limits. */
function call(callback, { timeout, breakOnSigint }) {
  if (timeout === undefined && !breakOnSigint) return callback();
  return resultOf(internalBinding('vm').callWithLimits(callback, timeout, breakOnSigint), timeout);
}

module.exports = { call, resultOf };
