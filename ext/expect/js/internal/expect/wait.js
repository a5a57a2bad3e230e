// `vi.waitFor`, `vi.waitUntil` and `expect.poll`: a function is called until it succeeds. In: the
// function, an interval and a timeout in milliseconds. Out: a promise of its result. The clock and
// the timer are the engine's, not those of fake timers.
'use strict';

const INTERVAL_MS = 50;
const TIMEOUT_MS = 1000;

const { realClock } = require('internal/expect/fake_timers');

function optionsOf(options) {
  return typeof options === 'number' ? { interval: INTERVAL_MS, timeout: options } : { interval: INTERVAL_MS, timeout: TIMEOUT_MS, ...options };
}

/** An error that has the stack of the caller of `above`. */
function traceOf(above) {
  const trace = new Error();
  Error.captureStackTrace(trace, above);
  return trace;
}

/** An error of this library was made after a wait: its stack becomes that of the call. */
function atCall(error, trace) {
  if (trace === undefined || !Error.isError(error)) return error;
  const { stack } = trace;
  error.stack = `${error.name}: ${error.message}${stack.slice(stack.indexOf('\n'))}`;
  return error;
}

/**
 * Repeats until `attempt` does not throw; then its error is thrown. `trace`: of the call, if a
 * matcher or this library makes the error.
 */
async function waitFor(attempt, options, trace) {
  const { interval, timeout } = optionsOf(options);
  const { now, setTimeout } = realClock;
  const end = now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (now() >= end) throw atCall(error, trace);
      await new Promise((resolve) => { setTimeout(resolve, interval); });
    }
  }
}

/** Repeats until the result is truthy. */
function waitUntil(callback, options) {
  const trace = traceOf(waitUntil);
  return waitFor(async () => {
    const result = await callback();
    if (!result) throw atCall(new Error('Timed out in waitUntil!'), trace);
    return result;
  }, options);
}

module.exports = { traceOf, waitFor, waitUntil };
