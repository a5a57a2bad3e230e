// The context of asynchronous work: what AsyncLocalStorage keeps. In: whoever keeps a callback for later binds it here. Out: the
// callback, which runs in the context it was bound in. As long as no storage was ever used, nothing is wrapped. Contexts are
// maps that are never changed. Absent: storages (js/node/async_hooks.js); what `await` does (the transpiler calls get and set).
'use strict';

const { apply } = Reflect;
const { then: nativeThen } = Promise.prototype;

let current;
let isActive = false;
/** What the last callback threw, and its context: who is told of an error that nobody caught is told there. */
let thrown;
/** The context of the last callback that was not a promise's: rejections that are told behind it mostly come from it. */
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
  const { then } = value;
  if (typeof then !== 'function') return value;
  return { then: bind((resolve, reject) => apply(then, value, [resolve, reject])) };
}

/** From now on everything that is kept for later is bound; `then` and `resolve` of promises, too. */
function activate() {
  if (isActive) return;
  isActive = true;
  native('queues').bindWith(bind);
  const original = Promise.prototype.then;
  const originalResolve = Promise.resolve;
  const { then, resolve } = {
    then(onFulfilled, onRejected) { return apply(original, this, [bindThen(onFulfilled), bindThen(onRejected)]); },
    resolve(value) { return apply(originalResolve, this, [inContext(value)]); },
  };
  Object.defineProperty(Promise.prototype, 'then', { __proto__: null, value: then, writable: true, configurable: true });
  Object.defineProperty(Promise, 'resolve', { __proto__: null, value: resolve, writable: true, configurable: true });
}

module.exports = {
  /** Of promises, without a context. */
  then: nativeThen,
  get() { return current; },
  set(context) { current = context; },
  isActive() { return isActive; },
  activate,
  bind,
  inContext,

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
