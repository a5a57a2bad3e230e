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

/** Repeats until `attempt` does not throw; then its error is thrown. */
async function waitFor(attempt, options) {
  const { interval, timeout } = optionsOf(options);
  const { now, setTimeout } = realClock;
  const end = now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (now() >= end) throw error;
      await new Promise((resolve) => { setTimeout(resolve, interval); });
    }
  }
}

/** Repeats until the result is truthy. */
function waitUntil(callback, options) {
  return waitFor(async () => {
    const result = await callback();
    if (!result) throw new Error('Timed out in waitUntil!');
    return result;
  }, options);
}

module.exports = { waitFor, waitUntil };
