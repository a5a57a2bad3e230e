// `process` in a worker: functions that affect the whole process throw, the standard streams lead
// to the parent, `exit` ends the thread. In: the object. Out: the same object, changed.
'use strict';

const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors');

const UNSUPPORTED = ['abort', 'chdir', 'execve', 'initgroups', 'setegid', 'seteuid', 'setgid', 'setgroups', 'setuid'];
const REMOVED = ['_debugEnd', '_debugProcess', '_debugPause', '_startProfilerIdleNotifier', '_stopProfilerIdleNotifier'];

function disable(process, name) {
  const unsupported = function() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`); };
  unsupported.disabled = true;
  Object.defineProperty(unsupported, 'name', { __proto__: null, value: name, configurable: true });
  process[name] = unsupported;
}

function disableUnsupported(process, exit) {
  for (const name of UNSUPPORTED) disable(process, name);
  for (const name of REMOVED) delete process[name];
  if (process.env.NODE_CHANNEL_FD !== undefined) disableIpcChannel(process);
  const { umask } = process;
  process.umask = function(mask) {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
  process.reallyExit = exit;
}

/** Installs the standard streams. */
function setStdio(process, getStream) {
  process._rawDebug = (...args) => { getStream('stderr').write(`${require('internal/util/inspect').format(...args)}\n`); };
  for (const name of ['stdin', 'stdout', 'stderr']) {
    Object.defineProperty(process, name, { __proto__: null, configurable: true, enumerable: true, get: () => getStream(name) });
  }
}

/** The IPC channel of a forked process belongs to the main thread. */
function disableIpcChannel(process) {
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  for (const name of ['send', 'disconnect']) disable(process, name);
  for (const name of ['channel', 'connected']) {
    Object.defineProperty(process, name, {
      __proto__: null, configurable: true,
      get() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}`); },
    });
  }
}

module.exports = { disableUnsupported, setStdio };
