// `node:async_hooks`: AsyncLocalStorage, AsyncResource and hooks. In: callbacks. Out: they run in
// the async context in which they were bound (internal/async_context). Absent: ids and events, see
// internal/async_resources.
'use strict';

const context = require('internal/async_context');
const resources = require('internal/async_resources');
const { codes: { ERR_ASYNC_CALLBACK, ERR_ASYNC_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_ASYNC_ID } } = require('internal/errors');
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

const asyncHooksEmit = require('internal/async_hooks_emit');

class AsyncResource {
  #made;
  #context = context.get();

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger;
    let manual = false;
    if (typeof options === 'number') {
      trigger = options;
    } else {
      trigger = options.triggerAsyncId === undefined ? resources.current().id : options.triggerAsyncId;
      manual = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) throw new ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    if (type === '' && resources.hasHooks()) throw new ERR_ASYNC_TYPE(type);
    this.#made = resources.init(type, this, trigger);
    if (!manual && resources.hasHooks()) resources.collected.register(this, this.#made.id, this);
  }

  runInAsyncScope(callback, self, ...args) {
    return resources.runWithin(this.#made, () => context.run(this.#context, callback, self, args));
  }

  emitDestroy() {
    resources.collected.unregister(this);
    resources.destroy(this.#made);
    return this;
  }

  asyncId() { return this.#made.id; }

  triggerAsyncId() { return this.#made.trigger; }

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
    const made = resources.init(type, resource);
    made.context = context.get();
    return made;
  },
  /** Returns what `leave` sets again. */
  enter(made) {
    resources.push(made);
    const previous = context.get();
    context.set(made.context);
    return previous;
  },
  leave(made, previous) {
    context.set(previous);
    resources.pop();
  },
  destroy: resources.destroy,
};

asyncHooksEmit.embedder = embedder;

class AsyncHook {
  constructor(callbacks, tracksPromises) {
    this.callbacks = callbacks;
    this.tracksPromises = tracksPromises;
  }

  enable() {
    resources.setHook(this, true);
    asyncHooksEmit.emitInit = resources.init;
    return this;
  }

  disable() {
    resources.setHook(this, false);
    return this;
  }
}

function createHook(callbacks) {
  const { init, before, after, destroy, promiseResolve, trackPromises } = callbacks;
  for (const [name, callback] of Object.entries({ init, before, after, destroy, promiseResolve })) {
    if (callback !== undefined && typeof callback !== 'function') throw new ERR_ASYNC_CALLBACK(`hook.${name}`);
  }
  if (trackPromises !== undefined) validateBoolean(trackPromises, 'trackPromises');
  if (trackPromises === false && promiseResolve !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('trackPromises', trackPromises, 'must not be false when promiseResolve is enabled');
  }
  return new AsyncHook({ init, before, after, destroy, promiseResolve }, trackPromises !== false);
}

/** The resource that runs. Programs that ask for ids get them from now on. */
function running() {
  resources.startTracking();
  return resources.current();
}

/** Node's numbers of the kinds of resources. */
const asyncWrapProviders = Object.freeze(Object.assign({ __proto__: null }, Object.fromEntries(
  ('NONE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE FILEHANDLECLOSEREQ BLOBREADER FSEVENTWRAP FSREQCALLBACK FSREQPROMISE GETADDRINFOREQWRAP '
    + 'GETNAMEINFOREQWRAP HEAPSNAPSHOT HTTP2SESSION HTTP2STREAM HTTP2PING HTTP2SETTINGS HTTPINCOMINGMESSAGE HTTPCLIENTREQUEST LOCKS JSSTREAM JSUDPWRAP '
    + 'MESSAGEPORT PIPECONNECTWRAP PIPESERVERWRAP PIPEWRAP PROCESSWRAP PROMISE QUERYWRAP QUIC_ENDPOINT QUIC_LOGSTREAM QUIC_PACKET QUIC_SESSION QUIC_STREAM '
    + 'QUIC_UDP SHUTDOWNWRAP SIGNALWRAP STATWATCHER STREAMPIPE TCPCONNECTWRAP TCPSERVERWRAP TCPWRAP TTYWRAP UDPSENDWRAP UDPWRAP SIGINTWATCHDOG WORKER '
    + 'WORKERCPUPROFILE WORKERCPUUSAGE WORKERHEAPPROFILE WORKERHEAPSNAPSHOT WORKERHEAPSTATISTICS WRITEWRAP ZLIB CHECKPRIMEREQUEST PBKDF2REQUEST '
    + 'KEYPAIRGENREQUEST KEYGENREQUEST KEYEXPORTREQUEST ARGON2REQUEST CIPHERREQUEST DERIVEBITSREQUEST HASHREQUEST RANDOMBYTESREQUEST RANDOMPRIMEREQUEST '
    + 'SCRYPTREQUEST SIGNREQUEST TLSWRAP VERIFYREQUEST').split(' ').map((name, index) => [name, index]),
)));

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  asyncWrapProviders,
  createHook,
  executionAsyncId: () => running().id,
  executionAsyncResource: () => running().resource,
  triggerAsyncId: () => running().trigger,
};
