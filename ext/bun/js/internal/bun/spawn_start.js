// What `Bun.spawn` and `Bun.spawnSync` have in common behind their options. In: options, checked.
// Out: what the native half is called with.
'use strict';

/** Bits of how a child is started. */
const DETACHED = 1;

/** Gives the native half what it reads of any start; what else it is told stands behind. */
function start(call, words, options, places, variables, first, second, third) {
  const { argv0, cwd, uid, gid, search, cgroup, detached } = options;
  const file = words[0];
  const rest = words.length === 1 ? '' : `\0${words.slice(1).join('\0')}`;
  const texts = `${argv0 ?? file}${rest}`;
  const numbers = places.map((entry) => entry.number).join(' ');
  const manner = detached ? DETACHED : 0;
  return call(file, texts, variables, cwd, numbers, manner, uid, gid, search, places[0].bytes, cgroup, first, second, third);
}

function aborted(signal) {
  const { AbortError } = require('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

function closeCgroup({ cgroup, isCgroupOwn }) {
  if (isCgroupOwn) require('internal/fs/sync').closeSync(cgroup);
}

module.exports = { aborted, closeCgroup, start };
