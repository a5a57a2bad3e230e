// `node:timers`: the globals' functions, whatever a program did to the globals. In: nothing. Out:
// them. Absent: how they work (js/queues.js).
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
