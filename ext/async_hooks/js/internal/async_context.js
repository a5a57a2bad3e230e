// Async context: the stores of AsyncLocalStorage across asynchronous work. In: callbacks, bound
// when they are stored for later. Out: callbacks that run in the context in which they were bound.
// While no storage was used, nothing is wrapped. Contexts are immutable maps. Follows Node's
// lib/internal/async_context_frame.js. Absent: storages (js/node/async_hooks.js); `await`, for
// which transpiled code calls `get` and `set`.
'use strict';

const { apply } = Reflect;
const { then: PromisePrototypeThen } = Promise.prototype;
const { resolve: PromiseResolve } = Promise;

let current;
let isActive = false;
/** true after node:async_hooks was loaded. */
let isTracking = false;
/** The exception of the last callback and its context, in which 'uncaughtException' is emitted. */
let lastThrown;
/**
 * The context of the last callback that was not a promise reaction: rejections that are reported
 * after it mostly come from it.
 */
let lastCallbackContext;

/** Ids of what is stored for later (internal/async_resources); undefined until they are used. */
let resources;

/**
 * Binds a callback to the current context, and to a resource of its own if it is of a type of
 * resources. Returns it unchanged while no context was ever set, and ids are not used.
 */
function bind(callback, type, resource) {
  if (typeof callback !== 'function') return callback;
  return bindContext(resources === undefined || type === undefined ? callback : resources.bindOnce(callback, type, resource));
}

/** The same for a callback that is called until `destroyResource(object)`. */
function bindResource(callback, type, object) {
  if (typeof callback !== 'function') return callback;
  return bindContext(resources === undefined ? callback : resources.bindResource(callback, type, object));
}

function destroyResource(object) { resources?.destroyResource(object); }

function bindContext(callback) {
  if (!isActive) return callback;
  const context = current;
  const bound = function (...args) {
    const previous = current;
    current = context;
    lastCallbackContext = context;
    try {
      return apply(callback, this, args);
    } catch (error) {
      lastThrown = { error, context };
      throw error;
    } finally {
      current = previous;
    }
  };
  return bound;
}

/** Binds a promise reaction. The thenable that it returns is also called in the context. */
function bindReaction(callback) {
  if (!isActive || typeof callback !== 'function') return callback;
  const context = current;
  return function (...args) {
    const previous = current;
    current = context;
    try {
      return bindThenable(apply(callback, this, args));
    } finally {
      current = previous;
    }
  };
}

/** Binds the `then` of a thenable that is not a Promise, because it is called later. */
function bindThenable(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || value instanceof Promise) return value;
  let then;
  try {
    ({ then } = value);
  } catch (error) {
    // Only an `await` of the value may throw.
    return { get then() { throw error; } };
  }
  if (typeof then !== 'function') return value;
  return { then: bind((resolve, reject) => apply(then, value, [resolve, reject])) };
}

/** As the original `Promise.resolve`, with nothing bound. */
function promiseResolve(value) { return apply(PromiseResolve, Promise, [value]); }

/**
 * Returns a promise of `value` that must be awaited at once and by one caller: right before that
 * caller continues, the current context is set again. This relies on the order of the reactions of
 * one promise.
 */
function resolveWithContext(value) {
  const promise = promiseResolve(value);
  const previous = current;
  const restore = () => { current = previous; };
  apply(PromisePrototypeThen, promise, [restore, restore]);
  return promise;
}

/**
 * From now on all callbacks that are stored for later are bound, including those of `then` and
 * `resolve` of promises.
 */
function activate() {
  if (isActive) return;
  isActive = true;
  hookPromises();
  bindQueues();
}

/** From now on what is stored for later has an id. */
function trackResources(module) {
  resources = module;
  bindQueues();
}

function bindQueues() { internalBinding('queues').bindWith(bind, bindResource, destroyResource); }

let hasHookedPromises = false;

/** Replaces the functions by which programs wait for promises. */
function hookPromises() {
  if (hasHookedPromises) return;
  hasHookedPromises = true;
  const original = Promise.prototype.then;
  const originalResolve = Promise.resolve;
  const { then, resolve } = {
    then(onFulfilled, onRejected) {
      const [fulfilled, rejected] = [bindReaction(onFulfilled), bindReaction(onRejected)];
      if (resources?.hasPromiseHooks() === true) return resources.then(this, fulfilled, rejected, original);
      return apply(original, this, [fulfilled, rejected]);
    },
    resolve(value) {
      const promise = apply(originalResolve, this, [isActive ? bindThenable(value) : value]);
      if (resources?.hasPromiseHooks() === true) resources.ofPromise(promise);
      return promise;
    },
  };
  Object.defineProperty(Promise.prototype, 'then', { __proto__: null, value: then, writable: true, configurable: true });
  Object.defineProperty(Promise, 'resolve', { __proto__: null, value: resolve, writable: true, configurable: true });
  // `return` of an async generator awaits its argument before it continues.
  // By the constructor: a literal may be of another global object than the program.
  const AsyncGeneratorPrototype = Object.getPrototypeOf(new Function('return async function* () {}')()).prototype;
  const originalReturn = AsyncGeneratorPrototype.return;
  const { return: returnReplacement } = { return(value) { return apply(originalReturn, this, [isActive ? resolveWithContext(bindThenable(value)) : value]); } };
  Object.defineProperty(AsyncGeneratorPrototype, 'return', { __proto__: null, value: returnReplacement, writable: true, configurable: true });
  // The replacements must look native: programs compare their source text.
  for (const replacement of [then, resolve, returnReplacement]) {
    require('internal/modules/function_import').standIns.add(Object.setPrototypeOf(replacement, Function.prototype));
  }
}

/** The context of an `await`, and the resource of what follows it. */
class Suspension {
  constructor(context, awaited) {
    this.context = context;
    this.awaited = awaited;
  }
}

/** What `resume` needs after the `await` of a value. */
function suspend(value) {
  return resources?.hasPromiseHooks() === true ? new Suspension(current, resources.awaits(value)) : current;
}

function resume(suspended) {
  if (!(suspended instanceof Suspension)) {
    current = suspended;
    return;
  }
  current = suspended.context;
  resources.resume(suspended.awaited);
}

module.exports = {
  /** The original `Promise.prototype.then`, with nothing bound. */
  promiseThen: PromisePrototypeThen,
  get() { return current; },
  set(context) { current = context; },
  isActive() { return isActive; },
  isTracking() { return isTracking; },
  startTracking() { isTracking = true; },
  activate,
  hookPromises,
  trackResources,
  suspend,
  resume,
  bind,
  bindResource,
  destroyResource,
  /** The id of the resource of an object; -1 if it has none. */
  idOf(object) { return resources?.idOf(object) ?? -1; },
  bindThenable,
  promiseResolve,
  resolveWithContext,

  /** Calls `callback` in the context in which `error` was thrown. */
  runInContextOfError(error, callback) {
    if (lastThrown === undefined || lastThrown.error !== error) return callback();
    const { context } = lastThrown;
    lastThrown = undefined;
    const previous = current;
    current = context;
    try {
      return callback();
    } finally {
      current = previous;
    }
  },

  /** Calls `callback` in the context of the event loop's last callback. */
  runInLastCallbackContext(callback) {
    const previous = current;
    current = lastCallbackContext;
    try {
      return callback();
    } finally {
      current = previous;
    }
  },

  run(context, callback, self, args) {
    const previous = current;
    current = context;
    try {
      return apply(callback, self, args);
    } finally {
      current = previous;
    }
  },
};
