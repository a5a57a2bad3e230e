// What a parent may ask of its worker, by name. In: an argument. Out: a value that can be cloned.
'use strict';

/** Recorded CPU profiles by their numbers. */
const profiles = new Map();
let lastProfile = 0;

function startCpuProfile() {
  profiles.set(++lastProfile, require('v8').startCpuProfile());
  return lastProfile;
}

function stopCpuProfile(number) {
  const text = profiles.get(number)?.stop();
  profiles.delete(number);
  return text;
}

/** The pieces of its text; `undefined`: the engine makes none. */
function getHeapSnapshot() {
  try {
    return [...require('internal/profiler/heap_snapshot').takeHeapSnapshot()];
  } catch {
    return undefined;
  }
}

module.exports = { getHeapStatistics: () => require('v8').getHeapStatistics(), getHeapSnapshot, startCpuProfile, stopCpuProfile };
