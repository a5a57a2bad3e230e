// `node:async_hooks`: values that follow asynchronous work, and resources that stand for it. In:
// callbacks. Out: they run in the context they came from (internal/async_context). Hooks hear of
// resources that are made with AsyncResource; those of our own builtins are not told.
'use strict';

const context = require('internal/async_context');
const { codes: { ERR_ASYNC_CALLBACK, ERR_ASYNC_TYPE, ERR_INVALID_ASYNC_ID } } = require('internal/errors');
const { validateFunction, validateObject, validateString, validateBoolean } = require('internal/validators');

const { apply } = Reflect;

// Files that are read from now on keep their context across `await`.
internalBinding('loader').trackAsyncContext();
context.want();

// --- storages

/** The stores of a context, by their storages. */
class Frame extends Map {
  /** By `disable`, after it was made. */
  isChanged = false;
}

class AsyncLocalStorage {
  #default;
  #name = '';

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#default = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() { return this.#name; }

  static bind(callback) { return AsyncResource.bind(callback); }

  static snapshot() {
    const now = context.get();
    return function runInSnapshot(callback, ...args) { return context.run(now, callback, this, args); };
  }

  #with(store) {
    context.activate();
    const frame = new Frame(context.get());
    frame.set(this, store);
    return frame;
  }

  run(store, callback, ...args) {
    const prior = this.getStore();
    if (Object.is(prior, store)) return apply(callback, null, args);
    const before = context.get();
    const frame = this.#with(store);
    context.set(frame);
    try {
      return apply(callback, null, args);
    } finally {
      // What the callback did to other storages stays.
      if (context.get() === frame && !frame.isChanged) context.set(before);
      else this.enterWith(prior);
    }
  }

  exit(callback, ...args) { return this.run(undefined, callback, ...args); }

  enterWith(store) { context.set(this.#with(store)); }

  disable() {
    const now = context.get();
    if (now?.has(this) !== true) return;
    // Whoever holds this context holds it without the store from now on.
    now.delete(this);
    now.isChanged = true;
  }

  getStore() {
    const now = context.get();
    return now === undefined || !now.has(this) ? this.#default : now.get(this);
  }

  withScope(store) {
    const before = context.get();
    this.enterWith(store);
    return new RunScope(before);
  }
}

class RunScope {
  #before;
  #isOver = false;

  constructor(before) { this.#before = before; }

  dispose() {
    if (this.#isOver) return;
    this.#isOver = true;
    context.set(this.#before);
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.dispose(); }
}

// --- resources

let lastId = 1;
const bootstrap = {};
/** [asyncId, triggerAsyncId, resource] of what runs, the innermost last. */
const running = [[1, 0, bootstrap]];
const hooks = new Set();
const hooked = require('internal/async_hooks_emit');

function top() { return running[running.length - 1]; }

function emit(name, ...args) {
  for (const hook of [...hooks]) {
    const callback = hook.callbacks[name];
    if (callback !== undefined) Reflect.apply(callback, hook, args);
  }
}

class AsyncResource {
  #id;
  #trigger;
  #context = context.get();
  #isDestroyed = false;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger;
    let manual = false;
    if (typeof options === 'number') {
      trigger = options;
    } else {
      trigger = options.triggerAsyncId === undefined ? executionAsyncId() : options.triggerAsyncId;
      manual = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) throw new ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    this.#id = ++lastId;
    this.#trigger = trigger;
    if (hooks.size > 0) {
      if (type === '') throw new ERR_ASYNC_TYPE(type);
      emit('init', this.#id, type, trigger, this);
      if (!manual) destroyed.register(this, this.#id);
    }
  }

  runInAsyncScope(callback, self, ...args) {
    running.push([this.#id, this.#trigger, this]);
    if (hooks.size > 0) emit('before', this.#id);
    try {
      return context.run(this.#context, callback, self, args);
    } finally {
      if (hooks.size > 0) emit('after', this.#id);
      running.pop();
    }
  }

  emitDestroy() {
    if (this.#isDestroyed) return this;
    this.#isDestroyed = true;
    const id = this.#id;
    if (hooks.size > 0) setImmediate(() => emit('destroy', id));
    return this;
  }

  asyncId() { return this.#id; }

  triggerAsyncId() { return this.#trigger; }

  bind(callback, self) {
    validateFunction(callback, 'fn');
    const resource = this;
    const bound = self === undefined
      ? function (...args) { return resource.runInAsyncScope(callback, this, ...args); }
      : (...args) => resource.runInAsyncScope(callback, self, ...args);
    Object.defineProperties(bound, {
      length: { __proto__: null, configurable: true, enumerable: false, value: callback.length, writable: false },
    });
    return bound;
  }

  static bind(callback, type, self) {
    type ||= callback.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(callback, self);
  }
}

const destroyed = new FinalizationRegistry((id) => emit('destroy', id));

class AsyncHook {
  constructor(callbacks) { this.callbacks = callbacks; }

  enable() {
    hooks.add(this);
    hooked.emitInit = (type, resource) => emit('init', ++lastId, type, executionAsyncId(), resource);
    return this;
  }

  disable() {
    hooks.delete(this);
    if (hooks.size === 0) hooked.emitInit = undefined;
    return this;
  }
}

function createHook(callbacks) {
  const { init, before, after, destroy, promiseResolve, trackPromises } = callbacks;
  for (const [name, callback] of Object.entries({ init, before, after, destroy, promiseResolve })) {
    if (callback !== undefined && typeof callback !== 'function') throw new ERR_ASYNC_CALLBACK(`hook.${name}`);
  }
  if (trackPromises !== undefined) validateBoolean(trackPromises, 'trackPromises');
  return new AsyncHook({ init, before, after, destroy, promiseResolve });
}

function executionAsyncId() { return top()[0]; }

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  asyncWrapProviders: Object.freeze({ __proto__: null, NONE: 0 }),
  createHook,
  executionAsyncId,
  executionAsyncResource() { return top()[2]; },
  triggerAsyncId() { return top()[1]; },
};
