// The context of asynchronous work: what AsyncLocalStorage keeps. In: whoever keeps a callback for
// later binds it here. Out: the callback, which runs in the context it was bound in. As long as no
// storage was ever used, nothing is wrapped. Contexts are maps that are never changed. Absent:
// storages (js/node/async_hooks.js); what `await` does (the transpiler calls get and set).
'use strict';

const { apply } = Reflect;
const { then: nativeThen } = Promise.prototype;
const { resolve: nativeResolve } = Promise;

let current;
let isActive = false;
/** Whether anything may ever ask for a context. */
let isWanted = false;
/**
 * What the last callback threw, and its context: who is told of an error that nobody caught is told
 * there.
 */
let thrown;
/**
 * The context of the last callback that was not a promise's: rejections that are told behind it
 * mostly come from it.
 */
let turn;

/** The callback itself where there never was a context. */
function bind(callback) {
  if (!isActive || typeof callback !== 'function') return callback;
  const context = current;
  const bound = function (...args) {
    const before = current;
    current = context;
    turn = context;
    try {
      return apply(callback, this, args);
    } catch (error) {
      thrown = { error, context };
      throw error;
    } finally {
      current = before;
    }
  };
  return bound;
}

/** The same for what a promise calls; what it gives is waited for in the context, too. */
function bindThen(callback) {
  if (typeof callback !== 'function') return callback;
  const context = current;
  return function (...args) {
    const before = current;
    current = context;
    try {
      return inContext(apply(callback, this, args));
    } finally {
      current = before;
    }
  };
}

/** What is no promise of the language and has a `then` has it called later: in this context. */
function inContext(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || value instanceof Promise) return value;
  let then;
  try {
    ({ then } = value);
  } catch (error) {
    // Whoever awaits it is told, and nobody before.
    return { get then() { throw error; } };
  }
  if (typeof then !== 'function') return value;
  return { then: bind((resolve, reject) => apply(then, value, [resolve, reject])) };
}

/** As `Promise.resolve`, with nothing bound. */
function resolved(value) { return apply(nativeResolve, Promise, [value]); }

/**
 * A promise of `value`, for what awaits it at once and nothing else before: right before that goes
 * on, what is current now is current again. Of one promise those are called one behind the other
 * that asked for it one behind the other.
 */
function hold(value) {
  const promise = resolved(value);
  const before = current;
  const back = () => { current = before; };
  apply(nativeThen, promise, [back, back]);
  return promise;
}

/**
 * From now on everything that is kept for later is bound; `then` and `resolve` of promises, too.
 */
function activate() {
  if (isActive) return;
  isActive = true;
  internalBinding('queues').bindWith(bind);
  const original = Promise.prototype.then;
  const originalResolve = Promise.resolve;
  const { then, resolve } = {
    then(onFulfilled, onRejected) { return apply(original, this, [bindThen(onFulfilled), bindThen(onRejected)]); },
    resolve(value) { return apply(originalResolve, this, [inContext(value)]); },
  };
  Object.defineProperty(Promise.prototype, 'then', { __proto__: null, value: then, writable: true, configurable: true });
  Object.defineProperty(Promise, 'resolve', { __proto__: null, value: resolve, writable: true, configurable: true });
  // A generator that is told to return waits for what it is to give, and goes on.
  const steps = Object.getPrototypeOf(async function* () { /* Nothing is run. */ }).prototype;
  const originalReturn = steps.return;
  const { return: held } = { return(value) { return apply(originalReturn, this, [hold(inContext(value))]); } };
  Object.defineProperty(steps, 'return', { __proto__: null, value: held, writable: true, configurable: true });
  // Programs look at the text to know that nobody replaced them.
  for (const standIn of [then, resolve, held]) require('internal/modules/function_import').standIns.add(standIn);
}

module.exports = {
  /** Of promises, without a context. */
  then: nativeThen,
  get() { return current; },
  set(context) { current = context; },
  isActive() { return isActive; },
  isWanted() { return isWanted; },
  want() { isWanted = true; },
  activate,
  bind,
  inContext,
  resolved,
  hold,

  /** Calls `callback` in the context that `error` comes from. */
  runWhereThrown(error, callback) {
    if (thrown === undefined || thrown.error !== error) return callback();
    const { context } = thrown;
    thrown = undefined;
    const before = current;
    current = context;
    try {
      return callback();
    } finally {
      current = before;
    }
  },

  /** Calls `callback` in the context that the loop called last. */
  runInTurn(callback) {
    const before = current;
    current = turn;
    try {
      return callback();
    } finally {
      current = before;
    }
  },

  run(context, callback, self, args) {
    const before = current;
    current = context;
    try {
      return apply(callback, self, args);
    } finally {
      current = before;
    }
  },
};
