// `node:timers`: the timer functions, even if a program replaced the globals. In: nothing. Out: the
// functions. Absent: their implementation (crates/runtime/js/timers.js).
'use strict';

const { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval } = internalBinding('queues');

module.exports = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
};

Object.defineProperty(module.exports, 'promises', {
  configurable: true,
  enumerable: true,
  get() {
    return require('timers/promises');
  },
});
