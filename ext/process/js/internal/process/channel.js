// A program that another one forked: its channel is opened before its first line. In: the variables
// that say which descriptor it is. Out: `process.send` and what belongs to it, `cluster.worker` in
// a worker of a cluster; the variables are gone, so that no child of its own believes them.

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
