// `node:worker_threads`, as Node's lib/worker_threads.js: workers (internal/worker.js), the startup
// data of this worker (internal/main/worker_thread.js), and the web's ports and channels.
'use strict';

const environment = require('internal/worker/environment_data');
const { worker } = require('internal/modules/main_module');

const { startupData, parentPort, threadId } = worker === undefined ? { startupData: {}, parentPort: null, threadId: 0 } : worker;
const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');
const transfer = () => require('internal/messaging/transfer');

module.exports = {
  isInternalThread: false,
  isMainThread: worker === undefined,
  parentPort,
  resourceLimits: startupData.resourceLimits ?? {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  threadId,
  threadName: startupData.name ?? '',
  workerData: worker === undefined ? null : startupData.workerData,
  getEnvironmentData: (key) => environment.all().get(key),
  setEnvironmentData(key, value) {
    if (value === undefined) environment.all().delete(key);
    else environment.all().set(key, value);
  },
  markAsUncloneable(object) {
    if (isObject(object)) transfer().markUncloneable(object);
  },
  markAsUntransferable(object) {
    if (isObject(object)) transfer().untransferable.add(object);
  },
  isMarkedAsUntransferable: (object) => isObject(object) && transfer().untransferable.has(object),
  moveMessagePortToContext: (port, context) => require('internal/messaging/context').moveMessagePortToContext(port, context),
  postMessageToThread: (...args) => require('internal/worker/messaging').postMessageToThread(...args),
};
for (const [file, name] of [
  ['internal/worker', 'Worker'], ['web/message_port', 'receiveMessageOnPort'], ['web/broadcast_channel', 'BroadcastChannel'],
  ['web/message_port', 'MessageChannel'], ['web/message_port', 'MessagePort'],
]) {
  require('internal/globals').lazy(module.exports, name, () => require(file)[name], true);
}
