// Where Bun's API and Node's contradict each other: a program that has named `Bun`, or imported
// 'bun', gets Bun's answer from then on. In: functions that change our classes. Out: their calls,
// at once or when Bun is named. Absent: what only adds to Node's API.
'use strict';

let isUsed = false;
const waiting = [];

module.exports = {
  /** Whether the program has named Bun. */
  isBunUsed() { return isUsed; },

  whenBunIsUsed(change) {
    if (isUsed) change();
    else waiting.push(change);
  },

  useBun() {
    isUsed = true;
    for (const change of waiting.splice(0)) change();
  },
};
