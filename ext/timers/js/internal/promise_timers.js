// The timers under `node:timers/promises`. In: nothing. Out: functions, which fake timers replace.
'use strict';

const { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval } = internalBinding('queues');

module.exports = { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval };
