// `postMessageToThread`, as Node's lib/internal/worker/messaging.js. In: a thread id and a value.
// Out: a 'workerMessage' event there, and whether it had a listener. Threads form a tree: each has
// the routes to the threads below it, and forwards other messages to its parent.
'use strict';

const {
  codes: { ERR_WORKER_MESSAGING_ERRORED, ERR_WORKER_MESSAGING_FAILED, ERR_WORKER_MESSAGING_SAME_THREAD, ERR_WORKER_MESSAGING_TIMEOUT },
} = require('internal/errors');
const { validateNumber } = require('internal/validators');
const { SEND_MESSAGE_TO_WORKER, MESSAGE_RESULT, REGISTER_THREAD, UNREGISTER_THREAD } = require('internal/worker/message_types');

const DELIVERED = 0;
const NO_LISTENERS = 1;
const LISTENER_ERROR = 2;

/** By thread id, the worker of this thread that is the thread, or an ancestor of it. */
const routes = new Map();
const requests = new Map();
let lastRequest = 0;

const currentWorker = () => require('internal/modules/main_module').worker;
const currentThreadId = () => currentWorker()?.threadId ?? 0;
const sendToParent = (message, transferList) => currentWorker()?.send(message, transferList);

function registerThread(thread) {
  routes.set(thread.threadId, thread);
  sendToParent([REGISTER_THREAD, thread.threadId]);
}

function unregisterThread(thread) {
  for (const [number, childThread] of routes) {
    if (childThread !== thread) continue;
    routes.delete(number);
    sendToParent([UNREGISTER_THREAD, number]);
  }
  for (const [number, { target, resolve }] of requests) {
    if (!routes.has(target) && target === thread.threadId) resolve(number, NO_LISTENERS);
  }
}

/** Sends a message towards a thread; false: the thread is unknown. */
function route(number, message, transferList) {
  const thread = routes.get(number);
  if (thread !== undefined) thread.send(message, transferList);
  else if (currentWorker() !== undefined) sendToParent(message, transferList);
  else return false;
  return true;
}

/** A message from a worker, or from the parent (`thread` is null). */
function onMessage(thread, type, first, second, third, fourth) {
  switch (type) {
    case REGISTER_THREAD:
      routes.set(first, thread);
      return sendToParent([REGISTER_THREAD, first]);
    case UNREGISTER_THREAD:
      routes.delete(first);
      return sendToParent([UNREGISTER_THREAD, first]);
    case SEND_MESSAGE_TO_WORKER: return first === currentThreadId() ? deliverMessage(second, third, fourth) : forwardMessage(first, second, third, fourth);
    case MESSAGE_RESULT: return first === currentThreadId() ? requests.get(second)?.resolve(second, third) : route(first, [MESSAGE_RESULT, first, second, third], []);
    default: return undefined;
  }
}

function forwardMessage(target, source, number, { value, ports }) {
  if (!route(target, [SEND_MESSAGE_TO_WORKER, target, source, number, { value, ports }], ports)) sendResult(source, number, NO_LISTENERS);
}

function sendResult(source, number, result) {
  if (source === currentThreadId()) requests.get(number)?.resolve(number, result);
  else route(source, [MESSAGE_RESULT, source, number, result], []);
}

function deliverMessage(source, number, { value }) {
  const process = require('process');
  if (process.listenerCount('workerMessage') === 0) return sendResult(source, number, NO_LISTENERS);
  try {
    process.emit('workerMessage', value, source);
    sendResult(source, number, DELIVERED);
  } catch {
    sendResult(source, number, LISTENER_ERROR);
  }
  return undefined;
}

/** @returns {Promise<void>} */
async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) [transferList, timeout] = [[], transferList];
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === currentThreadId()) throw new ERR_WORKER_MESSAGING_SAME_THREAD();
  const list = transferList ?? [];
  const number = ++lastRequest;
  const { promise, resolve } = Promise.withResolvers();
  requests.set(number, { target: threadId, resolve: (key, result) => { if (requests.delete(key)) resolve(result); } });
  const keepAlive = setInterval(() => {}, 2 ** 30);
  const timer = timeout === undefined ? undefined : setTimeout(() => requests.get(number)?.resolve(number, undefined), timeout);
  try {
    const ports = list.filter((item) => item instanceof require('web/message_port').MessagePort);
    if (!route(threadId, [SEND_MESSAGE_TO_WORKER, threadId, currentThreadId(), number, { value, ports }], list)) sendResult(currentThreadId(), number, NO_LISTENERS);
    throwOnError(await promise);
  } finally {
    requests.delete(number);
    clearTimeout(timer);
    clearInterval(keepAlive);
  }
}

function throwOnError(result) {
  if (result === undefined) throw new ERR_WORKER_MESSAGING_TIMEOUT();
  if (result === NO_LISTENERS) throw new ERR_WORKER_MESSAGING_FAILED();
  if (result === LISTENER_ERROR) throw new ERR_WORKER_MESSAGING_ERRORED();
}

module.exports = { onMessage, postMessageToThread, registerThread, unregisterThread };
