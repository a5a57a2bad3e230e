// Warnings of invalid durations, and unref'd timers. In: durations; callbacks. Out: Node's
// warnings; timers that do not keep the event loop alive. Absent: the timers themselves
// (crates/runtime/js/timers.js).
'use strict';

const { setTimeout } = internalBinding('queues');

/** Names of the warnings that were emitted: these are emitted once. */
const warned = new Set();

function emitTimeoutWarning(name, message) {
  // Not `require('process')`: a VM without a program may have no process object.
  if (internalBinding('builtins').has('node/process')) {
    globalThis.process?.emitWarning?.(`${message}\nTimeout duration was set to 1.`, name);
  }
}

function warnOnce(name, message) {
  if (!warned.has(name)) {
    warned.add(name);
    emitTimeoutWarning(name, message);
  }
}

/** Warns of a duration that a timer cannot have. */
function warnOfDuration(duration, max) {
  if (duration > max) {
    emitTimeoutWarning('TimeoutOverflowWarning', `${duration} does not fit into a 32-bit signed integer.`);
  } else if (duration < 0) {
    warnOnce('TimeoutNegativeWarning', `${duration} is a negative number.`);
  } else {
    warnOnce('TimeoutNaNWarning', `${duration} is not a number.`);
  }
}

const setUnrefTimeout = (callback, delay) => setTimeout(callback, delay).unref();

/** The idle timer of a socket (Node's kTimeout). */
const kTimeout = Symbol('timeout');

module.exports = { kTimeout, setUnrefTimeout, warnOfDuration };
