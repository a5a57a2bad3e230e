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

module.exports = { getHeapStatistics: () => require('v8').getHeapStatistics(), startCpuProfile, stopCpuProfile };
