// How long things took that programs may observe (`perf_hooks`). In: a kind, a name, what is known
// of it as it begins. Out: a function that is told of its end with what is known then; undefined
// where nobody observes the kind. What observers are is entries.js, which is there once any program
// asked for it.
'use strict';

let entries;

/** @param {typeof import('internal/perf/entries')} own */
function attach(own) {
  entries = own;
}

function begin(type, name, detail) {
  if (entries === undefined || !entries.isObserved(type)) return undefined;
  const { now } = require('internal/perf/clock');
  const start = now();
  return (more) => {
    if (!entries.isObserved(type)) return;
    entries.enqueue(new entries.PerformanceNodeEntry(entries.kMake, name, type, start, now() - start, { ...detail, ...more }));
  };
}

module.exports = { attach, begin };
