// `node:worker_threads`. In: files and strings that are to run beside the program, values for them.
// Out: workers, each on a thread of its own, and in a worker what it is told. Ports and channels
// are those of the web.
'use strict';

const environment = require('internal/worker/environment');
const { worker } = require('internal/modules/main_module');

const { about, parentPort, threadId } = worker === undefined ? { about: {}, parentPort: null, threadId: 0 } : worker;
const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');
const marks = () => require('internal/messaging/transfer');

module.exports = {
  isInternalThread: false,
  isMainThread: worker === undefined,
  parentPort,
  resourceLimits: about.resourceLimits ?? {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  threadId,
  threadName: about.name ?? '',
  workerData: worker === undefined ? null : about.workerData,
  getEnvironmentData: (key) => environment.all().get(key),
  setEnvironmentData(key, value) {
    if (value === undefined) environment.all().delete(key);
    else environment.all().set(key, value);
  },
  markAsUncloneable(object) {
    if (isObject(object)) marks().markUncloneable(object);
  },
  markAsUntransferable(object) {
    if (isObject(object)) marks().untransferable.add(object);
  },
  isMarkedAsUntransferable: (object) => isObject(object) && marks().untransferable.has(object),
  moveMessagePortToContext: (port, context) => require('internal/messaging/context').moveMessagePortToContext(port, context),
  postMessageToThread: (...args) => require('internal/worker/threads').postMessageToThread(...args),
};
for (const [file, name] of [
  ['internal/worker/parent', 'Worker'], ['web/message_port', 'receiveMessageOnPort'], ['web/broadcast_channel', 'BroadcastChannel'],
  ['web/message_port', 'MessageChannel'], ['web/message_port', 'MessagePort'],
]) {
  require('internal/globals').lazy(module.exports, name, () => require(file)[name], true);
}
