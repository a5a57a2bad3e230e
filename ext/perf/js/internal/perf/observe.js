// Performance entries of builtins (`startPerf` in Node's lib/internal/perf/observe.js). In: entry
// type, name, detail. Out: a function to call at the end with further detail; undefined where the
// type is not observed. Observers are in entries.js, which is loaded when a program uses
// perf_hooks.
'use strict';

let entries;

/** @param {typeof import('internal/perf/entries')} module */
function attach(module) {
  entries = module;
}

/** Whether a program observes entries of that type. */
const isObserved = (type) => entries !== undefined && entries.isObserved(type);

function begin(type, name, detail) {
  if (!isObserved(type)) return undefined;
  const { now } = require('internal/perf/clock');
  const start = now();
  return (more) => {
    if (!entries.isObserved(type)) return;
    entries.enqueue(new entries.PerformanceNodeEntry(entries.kMake, name, type, start, now() - start, { ...detail, ...more }));
  };
}

module.exports = { attach, begin, isObserved };
