// Messages to any thread by its number: `postMessageToThread`. In: a number and a value. Out: the
// event 'workerMessage' there, and whether somebody listened. Threads form a tree: each knows which
// of its workers has a number below it, and passes on what is for another thread, up where it does
// not know the number.
'use strict';

const {
  codes: { ERR_WORKER_MESSAGING_ERRORED, ERR_WORKER_MESSAGING_FAILED, ERR_WORKER_MESSAGING_SAME_THREAD, ERR_WORKER_MESSAGING_TIMEOUT },
} = require('internal/errors');
const { validateNumber } = require('internal/validators');
const { TO_THREAD, FROM_THREAD, NEW_THREAD, LOST_THREAD } = require('internal/worker/protocol');

const DELIVERED = 0;
const NOBODY = 1;
const THREW = 2;

/** By number: the worker of ours that it is, or is below. */
const below = new Map();
const asked = new Map();
let lastAsked = 0;

const self = () => require('internal/modules/main_module').worker;
const ownId = () => self()?.threadId ?? 0;
const up = (message, list) => self()?.send(message, list);

function began(thread) {
  below.set(thread.threadId, thread);
  up([NEW_THREAD, thread.threadId]);
}

function ended(thread) {
  for (const [number, via] of below) {
    if (via !== thread) continue;
    below.delete(number);
    up([LOST_THREAD, number]);
  }
  for (const [number, { target, resolve }] of asked) {
    if (!below.has(target) && target === thread.threadId) resolve(number, NOBODY);
  }
}

/** To where the number is; false: nowhere that is known here. */
function pass(number, message, list) {
  const via = below.get(number);
  if (via !== undefined) via.send(message, list);
  else if (self() !== undefined) up(message, list);
  else return false;
  return true;
}

/** What a thread of ours, or the one above, has sent. */
function take(thread, kind, first, second, third, fourth) {
  switch (kind) {
    case NEW_THREAD:
      below.set(first, thread);
      return up([NEW_THREAD, first]);
    case LOST_THREAD:
      below.delete(first);
      return up([LOST_THREAD, first]);
    case TO_THREAD: return first === ownId() ? deliver(second, third, fourth) : forward(first, second, third, fourth);
    case FROM_THREAD: return first === ownId() ? asked.get(second)?.resolve(second, third) : pass(first, [FROM_THREAD, first, second, third], []);
    default: return undefined;
  }
}

function forward(target, source, number, { value, ports }) {
  if (!pass(target, [TO_THREAD, target, source, number, { value, ports }], ports)) answer(source, number, NOBODY);
}

function answer(source, number, outcome) {
  if (source === ownId()) asked.get(number)?.resolve(number, outcome);
  else pass(source, [FROM_THREAD, source, number, outcome], []);
}

function deliver(source, number, { value }) {
  const process = require('process');
  if (process.listenerCount('workerMessage') === 0) return answer(source, number, NOBODY);
  try {
    process.emit('workerMessage', value, source);
    answer(source, number, DELIVERED);
  } catch {
    answer(source, number, THREW);
  }
  return undefined;
}

/** @returns {Promise<void>} */
async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) [transferList, timeout] = [[], transferList];
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === ownId()) throw new ERR_WORKER_MESSAGING_SAME_THREAD();
  const list = transferList ?? [];
  const number = ++lastAsked;
  const { promise, resolve } = Promise.withResolvers();
  asked.set(number, { target: threadId, resolve: (key, outcome) => { if (asked.delete(key)) resolve(outcome); } });
  const hold = setInterval(() => {}, 2 ** 30);
  const timer = timeout === undefined ? undefined : setTimeout(() => asked.get(number)?.resolve(number, undefined), timeout);
  try {
    const ports = list.filter((item) => item instanceof require('web/message_port').MessagePort);
    if (!pass(threadId, [TO_THREAD, threadId, ownId(), number, { value, ports }], list)) answer(ownId(), number, NOBODY);
    check(await promise);
  } finally {
    asked.delete(number);
    clearTimeout(timer);
    clearInterval(hold);
  }
}

function check(outcome) {
  if (outcome === undefined) throw new ERR_WORKER_MESSAGING_TIMEOUT();
  if (outcome === NOBODY) throw new ERR_WORKER_MESSAGING_FAILED();
  if (outcome === THREW) throw new ERR_WORKER_MESSAGING_ERRORED();
}

module.exports = { began, ended, postMessageToThread, take };
