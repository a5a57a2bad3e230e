// Environment data of `worker_threads.setEnvironmentData`, which workers inherit. In: keys and
// values. Out: the same, also in workers of workers.
'use strict';

let data = new Map();

module.exports = {
  all: () => data,
  replace(entries) { data = entries; },
};
