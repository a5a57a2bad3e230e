// `node:async_hooks`: AsyncLocalStorage, AsyncResource and hooks. In: callbacks. Out: they run in
// the async context in which they were bound (internal/async_context). Absent: hook events of most
// builtins; hooks get the resources made with AsyncResource and those of internal/async_hooks_emit.
'use strict';

const context = require('internal/async_context');
const { codes: { ERR_ASYNC_CALLBACK, ERR_ASYNC_TYPE, ERR_INVALID_ASYNC_ID } } = require('internal/errors');
const { validateFunction, validateObject, validateString, validateBoolean } = require('internal/validators');

const { apply } = Reflect;

// Files that are loaded from now on restore the context after `await`.
internalBinding('loader').trackAsyncContext();
context.startTracking();

// --- storages

/** An async context: a map from storage to store (Node's AsyncContextFrame). */
class AsyncContextFrame extends Map {
  /** Set when `disable` changed it. */
  isModified = false;
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
    const current = context.get();
    return function runInSnapshot(callback, ...args) { return context.run(current, callback, this, args); };
  }

  #frameWith(store) {
    context.activate();
    const frame = new AsyncContextFrame(context.get());
    frame.set(this, store);
    return frame;
  }

  run(store, callback, ...args) {
    const prior = this.getStore();
    if (Object.is(prior, store)) return apply(callback, null, args);
    const previous = context.get();
    const frame = this.#frameWith(store);
    context.set(frame);
    try {
      return apply(callback, null, args);
    } finally {
      // Changes of other storages in the callback stay.
      if (context.get() === frame && !frame.isModified) context.set(previous);
      else this.enterWith(prior);
    }
  }

  exit(callback, ...args) { return this.run(undefined, callback, ...args); }

  enterWith(store) { context.set(this.#frameWith(store)); }

  disable() {
    const current = context.get();
    if (current?.has(this) !== true) return;
    // Everything that is bound to this context loses the store from now on.
    current.delete(this);
    current.isModified = true;
  }

  getStore() {
    const current = context.get();
    return current === undefined || !current.has(this) ? this.#default : current.get(this);
  }

  withScope(store) {
    const previous = context.get();
    this.enterWith(store);
    return new RunScope(previous);
  }
}

class RunScope {
  #previous;
  #disposed = false;

  constructor(previous) { this.#previous = previous; }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    context.set(this.#previous);
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() { this.dispose(); }
}

// --- resources

let lastId = 1;
const bootstrapResource = {};
/** Stack of [asyncId, triggerAsyncId, resource] of the running resources, the innermost last. */
const executionStack = [[1, 0, bootstrapResource]];
const hooks = new Set();
const asyncHooksEmit = require('internal/async_hooks_emit');

function currentExecution() { return executionStack[executionStack.length - 1]; }

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
      if (!manual) destroyRegistry.register(this, this.#id);
    }
  }

  runInAsyncScope(callback, self, ...args) {
    executionStack.push([this.#id, this.#trigger, this]);
    if (hooks.size > 0) emit('before', this.#id);
    try {
      return context.run(this.#context, callback, self, args);
    } finally {
      if (hooks.size > 0) emit('after', this.#id);
      executionStack.pop();
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

/** Resources of native addons (`napi_async_init`): an object of the addon, with an id. */
const embedder = {
  init(type, resource) {
    const made = { id: ++lastId, trigger: executionAsyncId(), resource, context: context.get() };
    if (hooks.size > 0) emit('init', made.id, type, made.trigger, resource);
    return made;
  },
  /** Returns what `leave` sets again. */
  enter(made) {
    executionStack.push([made.id, made.trigger, made.resource]);
    if (hooks.size > 0) emit('before', made.id);
    const previous = context.get();
    context.set(made.context);
    return previous;
  },
  leave(made, previous) {
    context.set(previous);
    if (hooks.size > 0) emit('after', made.id);
    executionStack.pop();
  },
  destroy(made) {
    if (hooks.size > 0) setImmediate(() => emit('destroy', made.id));
  },
};

asyncHooksEmit.embedder = embedder;

const destroyRegistry = new FinalizationRegistry((id) => emit('destroy', id));

class AsyncHook {
  constructor(callbacks) { this.callbacks = callbacks; }

  enable() {
    hooks.add(this);
    asyncHooksEmit.emitInit = (type, resource) => emit('init', ++lastId, type, executionAsyncId(), resource);
    return this;
  }

  disable() {
    hooks.delete(this);
    if (hooks.size === 0) asyncHooksEmit.emitInit = undefined;
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

function executionAsyncId() { return currentExecution()[0]; }

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  asyncWrapProviders: Object.freeze({ __proto__: null, NONE: 0 }),
  createHook,
  executionAsyncId,
  executionAsyncResource() { return currentExecution()[2]; },
  triggerAsyncId() { return currentExecution()[1]; },
};
