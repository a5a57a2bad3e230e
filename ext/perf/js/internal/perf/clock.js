// The time of `performance`: milliseconds since the program began, in its workers too. In: the
// native clock. Out: `now`, and when that was by the calendar.

'use strict';

const binding = internalBinding('process');
const words = binding.clock();
const read = binding.readClock;
const [seconds, nanoseconds, timeOrigin, begun] = binding.origin();

function now() {
  read();
  return (words[1] * 0x100000000 + words[0] - seconds) * 1e3 + (words[2] - nanoseconds) / 1e6;
}

module.exports = {
  /** When this thread began. */
  begun,
  now,
  timeOrigin,
};
