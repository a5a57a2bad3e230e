// Calls of the spawn bindings, shared by `Bun.spawn` and `Bun.spawnSync`. In: checked options. Out:
// what the binding returns. The order of the arguments is documented in
// ext/process/src/child_process/spawn_options.rs.
'use strict';

const { flags: { DETACHED } } = internalBinding('child_process');

/** Calls `spawn` or `spawnSync` of the binding. `first` to `third` are the call's own arguments. */
function callSpawn(spawn, args, options, stdio, env, first, second, third) {
  const { argv0, cwd, uid, gid, searchPath, cgroup, detached } = options;
  const file = args[0];
  const rest = args.length === 1 ? '' : `\0${args.slice(1).join('\0')}`;
  const argv = `${argv0 ?? file}${rest}`;
  const stdioNumbers = stdio.map((entry) => entry.number).join(' ');
  const flags = detached ? DETACHED : 0;
  return spawn(file, argv, env, cwd, stdioNumbers, flags, uid, gid, searchPath, stdio[0].bytes, cgroup, first, second, third);
}

function abortError(signal) {
  const { AbortError } = require('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

function closeCgroup({ cgroup, isCgroupOwn }) {
  if (isCgroupOwn) require('internal/fs/sync').closeSync(cgroup);
}

module.exports = { abortError, callSpawn, closeCgroup };
