// `node:cluster`, as the first process sees it. In: nothing yet. Out: that this is no worker. Workers are not there yet, and say so.
'use strict';

const EventEmitter = require('events');
const { absentFunction } = require('internal/absent');

const cluster = new EventEmitter();

module.exports = Object.assign(cluster, {
  isMaster: true,
  isPrimary: true,
  isWorker: false,
  SCHED_NONE: 1,
  SCHED_RR: 2,
  schedulingPolicy: 2,
  settings: {},
  workers: {},
  disconnect: absentFunction('cluster', 'disconnect'),
  fork: absentFunction('cluster', 'fork'),
  setupMaster: absentFunction('cluster', 'setupMaster'),
  setupPrimary: absentFunction('cluster', 'setupPrimary'),
});
