// What `process` is in a worker: what concerns the process as a whole throws, its streams lead to
// the one who started it, its end is the thread's. In: the object. Out: the same, changed.
'use strict';

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');

const REFUSED = ['abort', 'chdir', 'execve', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'];
const ABSENT = ['_debugEnd', '_debugProcess', '_debugPause', '_startProfilerIdleNotifier', '_stopProfilerIdleNotifier'];

function refuse(process, name) {
  const refused = function() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`); };
  refused.disabled = true;
  Object.defineProperty(refused, 'name', { __proto__: null, value: name, configurable: true });
  process[name] = refused;
}

function limit(process, leave) {
  for (const name of REFUSED) refuse(process, name);
  for (const name of ABSENT) delete process[name];
  if (process.env.NODE_CHANNEL_FD !== undefined) refuseChannel(process);
  const { umask } = process;
  process.umask = function(mask) {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
  process.reallyExit = leave;
}

/** Its streams. */
function connect(process, stream) {
  process._rawDebug = (...args) => { stream('stderr').write(`${require('internal/util/inspect').format(...args)}\n`); };
  for (const name of ['stdin', 'stdout', 'stderr']) {
    Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, get: () => stream(name) });
  }
}

/** The channel of the program that was forked is the main thread's. */
function refuseChannel(process) {
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  for (const name of ['send', 'disconnect']) refuse(process, name);
  for (const name of ['channel', 'connected']) {
    Object.defineProperty(process, name, {
      __proto__: null, configurable: true,
      get() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`); },
    });
  }
}

module.exports = { connect, limit };
