// IPC setup of a forked process: opens the channel before the entry point runs, as Node's
// setupChildProcessIpcChannel. In: the environment variables with the file descriptor and the
// serialization. Out: `process.send` and the other methods; `cluster.worker` in a cluster's worker.
// The variables are deleted, so that the process's own children do not inherit them.

'use strict';

const { env } = require('process');

const fd = Number.parseInt(env.NODE_CHANNEL_FD, 10);
const mode = env.NODE_CHANNEL_SERIALIZATION_MODE || 'json';
delete env.NODE_CHANNEL_FD;
delete env.NODE_CHANNEL_SERIALIZATION_MODE;
if (fd >= 0) {
  require('child_process')._forkChild(fd, mode);
  if (env.NODE_UNIQUE_ID) {
    require('cluster')._setupWorker();
    delete env.NODE_UNIQUE_ID;
  }
}
