// Clock of `performance`: milliseconds since the process started, in workers too. In: the native
// clock. Out: `now`, and the time origin as Unix time.

'use strict';

const binding = internalBinding('process');
const fields = binding.clock();
const read = binding.readClock;
const [seconds, nanoseconds, timeOrigin, threadStart] = binding.origin();

function now() {
  read();
  return (fields[1] * 0x100000000 + fields[0] - seconds) * 1e3 + (fields[2] - nanoseconds) / 1e6;
}

module.exports = {
  /** When this thread started, in milliseconds since the time origin. */
  threadStart,
  now,
  timeOrigin,
};
