// What few timers need. In: odd durations; callbacks. Out: warnings, as Node words them; timers
// that keep nothing going. Absent: timers themselves (js/queues.js).
'use strict';

const { setTimeout } = internalBinding('queues');

/** What a program has been warned of: these come once. */
const warned = new Set();

function warn(name, what) {
  // Not `require('process')`: where there is no program, there may be no process.
  if (internalBinding('builtins').has('node/process')) {
    globalThis.process?.emitWarning?.(`${what}\nTimeout duration was set to 1.`, name);
  }
}

function warnOnce(name, what) {
  if (!warned.has(name)) {
    warned.add(name);
    warn(name, what);
  }
}

/** `duration` is none that a timer can have. */
function warnOfDuration(duration, max) {
  if (duration > max) {
    warn('TimeoutOverflowWarning', `${duration} does not fit into a 32-bit signed integer.`);
  } else if (duration < 0) {
    warnOnce('TimeoutNegativeWarning', `${duration} is a negative number.`);
  } else {
    warnOnce('TimeoutNaNWarning', `${duration} is not a number.`);
  }
}

const setUnrefTimeout = (callback, after) => setTimeout(callback, after).unref();

/** The timer of a socket's silence. */
const kTimeout = Symbol('timeout');

module.exports = { kTimeout, setUnrefTimeout, warnOfDuration };
