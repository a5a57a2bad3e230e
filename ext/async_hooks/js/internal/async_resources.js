// Async resources: ids, hooks, and the execution stack of `node:async_hooks`, as in Node's
// lib/internal/async_hooks.js. In: callbacks with a type of resource (timers, ticks, requests,
// handles), bound when they are stored for later; reactions of promises. Out: functions that run as
// their resource, and the events `init`, `before`, `after`, `destroy`, `promiseResolve`. Absent:
// ids of what was stored before the first use of ids; promises that nothing was attached to: the
// engine does not report them.
'use strict';

const context = require('internal/async_context');

const { apply } = Reflect;

/** A running or waiting resource. */
class Resource {
  isDestroyed = false;

  constructor(id, trigger, resource) {
    this.id = id;
    this.trigger = trigger;
    this.resource = resource;
  }
}

let lastId = 1;

/** The main script's. */
const main = new Resource(1, 0, {});
/** What runs in no resource. */
const none = new Resource(0, 0, {});
/** The running resources, the innermost last. */
const stack = [main];

const current = () => stack.at(-1) ?? none;

// --- hooks

/** Replaced when it changes. */
let hooks = [];
/** What a hook enables or disables takes effect when all events are over, as in Node. */
let nextHooks = hooks;
/** Events within events. */
let depth = 0;
/** Whether a hook wants events of promises. */
let hasPromiseHooks = false;
let isTracking = false;

function emit(name, ...args) { emitTo(hooks, name, args); }

function emitOfPromise(name, ...args) { emitTo(hooks.filter((hook) => hook.tracksPromises), name, args); }

function emitTo(receivers, name, args) {
  depth++;
  for (const hook of receivers) {
    const callback = hook.callbacks[name];
    if (callback === undefined) continue;
    try {
      apply(callback, hook, args);
    } catch (error) {
      endProcess(error);
    }
  }
  if (--depth === 0) useHooks();
}

/** A hook must not throw: Node ends the process. */
function endProcess(error) {
  const process = require('process');
  process._rawDebug(typeof error?.stack === 'string' ? error.stack : new Error(String(error)).stack);
  if (require('internal/options').getOptionValue('--abort-on-uncaught-exception')) process.abort();
  process.removeAllListeners('uncaughtException');
  process.exit(1);
}

function setHook(hook, isEnabled) {
  if (nextHooks.includes(hook) === isEnabled) return;
  nextHooks = isEnabled ? [...nextHooks, hook] : nextHooks.filter((other) => other !== hook);
  if (depth === 0) useHooks();
}

function useHooks() {
  if (hooks === nextHooks) return;
  hooks = nextHooks;
  hasPromiseHooks = hooks.some((hook) => hook.tracksPromises);
  if (hooks.length > 0) startTracking();
}

/** From now on what is stored for later gets an id. */
function startTracking() {
  if (hasPromiseHooks) context.hookPromises();
  if (isTracking) return;
  isTracking = true;
  context.trackResources(module.exports);
}

// --- resources

function init(type, resource, trigger = current().id) {
  const made = new Resource(++lastId, trigger, resource);
  if (hooks.length > 0) emit('init', made.id, type, trigger, resource);
  return made;
}

function push(made) {
  stack.push(made);
  if (hooks.length > 0) emit('before', made.id);
}

function pop() {
  if (hooks.length > 0) emit('after', current().id);
  stack.pop();
}

/** Runs a callback within the current one. */
function runWithin(made, run) {
  push(made);
  const { length } = stack;
  try {
    return run();
  } finally {
    // An error may have emptied the stack.
    if (stack.length >= length) {
      stack.length = length;
      pop();
    }
  }
}

/**
 * The event loop calls a callback, so that no other one runs: what is still on the stack was left
 * by an exception, or is the continuation of an async function.
 */
function enter(made) {
  leaveAll();
  push(made);
}

function leaveAll() {
  while (stack.length > 0) {
    const left = current();
    if (left.isPromise) leavePromise(left);
    else if (left !== main && hooks.length > 0) emit('after', left.id);
    stack.pop();
  }
}

/** `made` stays on the stack if the callback throws: handlers of the exception run within it. */
function run(made, callback, self, args) {
  enter(made);
  const result = apply(callback, self, args);
  if (stack.at(-1) === made) pop();
  return result;
}

/** A callback that is called once. */
function bindOnce(callback, type, resource = {}) {
  if (isEmitting) return callback;
  const made = init(type, resource);
  return function(...args) {
    try {
      return run(made, callback, this, args);
    } finally {
      destroy(made);
    }
  };
}

/** By object: its resource, until `destroyResource`. */
const resources = new WeakMap();

/** A callback that is called until its object is destroyed. */
function bindResource(callback, type, object) {
  if (isEmitting) return callback;
  let made = resources.get(object);
  if (made === undefined) resources.set(object, made = init(type, object));
  return function(...args) { return run(made, callback, this, args); };
}

function destroyResource(object) {
  const made = resources.get(object);
  if (made !== undefined) destroy(made);
}

const idOf = (object) => resources.get(object)?.id ?? -1;

// --- destroyed resources

/** Ids whose `destroy` event follows in an immediate, as in Node. */
let destroyed = [];
/** The immediate of those events has no resource. */
let isEmitting = false;

function destroy(made) {
  if (made.isDestroyed) return;
  made.isDestroyed = true;
  if (hooks.length > 0) queueDestroy(made.id);
}

function queueDestroy(id) {
  if (destroyed.push(id) > 1) return;
  isEmitting = true;
  setImmediate(emitDestroyed);
  isEmitting = false;
}

function emitDestroyed() {
  while (destroyed.length > 0) {
    const ids = destroyed;
    destroyed = [];
    for (const id of ids) emit('destroy', id);
  }
}

const collected = new FinalizationRegistry((id) => emit('destroy', id));

// --- promises

const promises = new WeakMap();

/** The resource of a promise. `parent`: it was made by a reaction to that one. */
function ofPromise(promise, parent) {
  const known = promises.get(promise);
  if (known !== undefined) return known;
  const made = new Resource(++lastId, parent?.id ?? current().id, promise);
  made.isPromise = true;
  promises.set(promise, made);
  if (hooks.length > 0) {
    emitOfPromise('init', made.id, 'PROMISE', made.trigger, promise);
    collected.register(promise, made.id);
  }
  return made;
}

function resolvedPromise(made) {
  if (made.isResolved) return;
  made.isResolved = true;
  if (hooks.length > 0) emitOfPromise('promiseResolve', made.id);
}

function leavePromise(made) {
  resolvedPromise(made);
  if (hooks.length > 0) emitOfPromise('after', made.id);
}

function enterPromise(made) {
  leaveAll();
  stack.push(made);
  if (hooks.length > 0) emitOfPromise('before', made.id);
}

/** `Promise.prototype.then`; `then` is the engine's. */
function then(promise, onFulfilled, onRejected, then) {
  const parent = ofPromise(promise);
  let made;
  const bound = (callback, otherwise) => function(value) {
    resolvedPromise(parent);
    enterPromise(made);
    const result = typeof callback === 'function' ? callback(value) : otherwise(value);
    if (stack.at(-1) === made) {
      leavePromise(made);
      stack.pop();
    }
    return result;
  };
  const child = apply(then, promise, [bound(onFulfilled, (value) => value), bound(onRejected, (reason) => { throw reason; })]);
  made = ofPromise(child, parent);
  return child;
}

/** `value` is awaited: the resource of the continuation. */
function awaits(value) {
  const parent = value instanceof Promise ? ofPromise(value) : undefined;
  return { parent, made: ofPromise({}, parent) };
}

/** The continuation begins. It ends before the next microtask. */
function resume({ parent, made }) {
  if (stack.at(-1) === made) return;
  if (parent !== undefined) resolvedPromise(parent);
  enterPromise(made);
  apply(context.promiseThen, settled, [() => {
    if (stack.at(-1) !== made) return;
    leavePromise(made);
    stack.pop();
  }]);
}
const settled = Promise.resolve();

module.exports = {
  current, startTracking, setHook, init, runWithin, push, pop, destroy, collected,
  bindOnce, bindResource, destroyResource, idOf,
  hasHooks: () => hooks.length > 0,
  hasPromiseHooks: () => hasPromiseHooks,
  ofPromise, then, awaits, resume,
};
