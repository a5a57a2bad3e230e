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

/** Binds a callback to the current context. Returns it unchanged while no context was ever set. */
function bind(callback) {
  if (!isActive || typeof callback !== 'function') return callback;
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
  if (typeof callback !== 'function') return callback;
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
  internalBinding('queues').bindWith(bind);
  const original = Promise.prototype.then;
  const originalResolve = Promise.resolve;
  const { then, resolve } = {
    then(onFulfilled, onRejected) { return apply(original, this, [bindReaction(onFulfilled), bindReaction(onRejected)]); },
    resolve(value) { return apply(originalResolve, this, [bindThenable(value)]); },
  };
  Object.defineProperty(Promise.prototype, 'then', { __proto__: null, value: then, writable: true, configurable: true });
  Object.defineProperty(Promise, 'resolve', { __proto__: null, value: resolve, writable: true, configurable: true });
  // `return` of an async generator awaits its argument before it continues.
  // By the constructor: a literal may be of another global object than the program.
  const AsyncGeneratorPrototype = Object.getPrototypeOf(new Function('return async function* () {}')()).prototype;
  const originalReturn = AsyncGeneratorPrototype.return;
  const { return: returnReplacement } = { return(value) { return apply(originalReturn, this, [resolveWithContext(bindThenable(value))]); } };
  Object.defineProperty(AsyncGeneratorPrototype, 'return', { __proto__: null, value: returnReplacement, writable: true, configurable: true });
  // The replacements must look native: programs compare their source text.
  for (const replacement of [then, resolve, returnReplacement]) {
    require('internal/modules/function_import').standIns.add(Object.setPrototypeOf(replacement, Function.prototype));
  }
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
  bind,
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
