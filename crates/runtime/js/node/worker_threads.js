// `node:worker_threads`. In: files and texts that are to run beside the program, values for them. Out: workers, and in a worker what it is
// told. A worker is a process (internal/worker/parent.js). Absent: channels of messages within a program, ports that are sent.
'use strict';

const { absent, absentFunction } = require('internal/absent');
const environment = require('internal/worker/environment');
const { worker } = require('internal/main_module');

const { about, parentPort } = worker === undefined ? { about: {}, parentPort: null } : worker;

module.exports = {
  isInternalThread: false,
  isMainThread: worker === undefined,
  parentPort,
  resourceLimits: about.resourceLimits ?? {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  threadId: about.threadId ?? 0,
  threadName: about.threadName ?? '',
  workerData: about.workerData ?? null,
  getEnvironmentData: (key) => environment.all().get(key),
  setEnvironmentData(key, value) {
    if (value === undefined) environment.all().delete(key);
    else environment.all().set(key, value);
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
};
Object.defineProperty(module.exports, 'Worker', {
  __proto__: null, configurable: true, enumerable: true,
  get() { return require('internal/worker/parent').Worker; },
});
