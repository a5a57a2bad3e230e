// The time of `performance`: milliseconds since the program began. In: the native clock. Out: `now`, and when that was by the calendar.

'use strict';

const binding = native('process');
const words = binding.clock();
const read = binding.readClock;
const [seconds, nanoseconds, timeOrigin] = binding.origin();

function now() {
  read();
  return (words[1] * 0x100000000 + words[0] - seconds) * 1e3 + (words[2] - nanoseconds) / 1e6;
}

module.exports = { now, timeOrigin };
