// `node:worker_threads`, as the main thread sees it. In: values to be known to workers. Out: which thread this is. Workers and
// messages are not there yet, and say so.
'use strict';

const { absent, absentFunction } = require('internal/absent');

const environment = new Map();

module.exports = {
  isInternalThread: false,
  isMainThread: true,
  parentPort: null,
  resourceLimits: {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  threadId: 0,
  threadName: '',
  workerData: null,
  getEnvironmentData: (key) => environment.get(key),
  setEnvironmentData(key, value) {
    if (value === undefined) environment.delete(key);
    else environment.set(key, value);
  },
  markAsUncloneable: absentFunction('worker_threads', 'markAsUncloneable'),
  markAsUntransferable: absentFunction('worker_threads', 'markAsUntransferable'),
  isMarkedAsUntransferable: () => false,
  moveMessagePortToContext: absentFunction('worker_threads', 'moveMessagePortToContext'),
  postMessageToThread: absentFunction('worker_threads', 'postMessageToThread'),
  receiveMessageOnPort: absentFunction('worker_threads', 'receiveMessageOnPort'),
  BroadcastChannel: absent('worker_threads', 'BroadcastChannel'),
  MessageChannel: absent('worker_threads', 'MessageChannel'),
  MessagePort: absent('worker_threads', 'MessagePort'),
  Worker: absent('worker_threads', 'Worker'),
};
