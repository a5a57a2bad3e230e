// `node:diagnostics_channel`: named channels of libraries and tools. In: names, messages. Out:
// calls of the subscribers. A channel without subscribers costs a call of an empty method: a
// subscription changes the channel's prototype, as in Node. Builtins publish through
// internal/diagnostics_channels.
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const { apply } = Reflect;

/** A subscriber's exception is thrown in the next tick, not to the publisher. */
function throwInNextTick(error) {
  process.nextTick(() => {
    throw error;
  });
}

// --- channels by name, weak while they have no subscribers

const channels = new Map();
const channelRegistry = new FinalizationRegistry((name) => {
  if (channels.get(name)?.weak.deref() === undefined) {
    channels.delete(name);
  }
});

function addReference(channel, change) {
  const entry = channels.get(channel.name);
  if (entry === undefined || entry.weak.deref() !== channel) {
    return;
  }
  entry.refCount += change;
  entry.strong = entry.refCount > 0 ? channel : undefined;
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    // A copy: a running `publish` iterates over the old array.
    this._subscribers = [...this._subscribers, subscription];
    addReference(this, 1);
  }

  unsubscribe(subscription) {
    const index = this._subscribers.indexOf(subscription);
    if (index === -1) {
      return false;
    }
    this._subscribers = this._subscribers.toSpliced(index, 1);
    addReference(this, -1);
    maybeMarkInactive(this);
    return true;
  }

  bindStore(store, transform) {
    if (!this._stores.has(store)) {
      addReference(this, 1);
    }
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.delete(store)) {
      return false;
    }
    addReference(this, -1);
    maybeMarkInactive(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  publish(message) {
    const subscribers = this._subscribers;
    for (let i = 0; i < (subscribers?.length || 0); i++) {
      try {
        const call = subscribers[i];
        call(message, this.name);
      } catch (error) {
        throwInNextTick(error);
      }
    }
  }

  runStores(message, fn, self, ...args) {
    let run = () => {
      this.publish(message);
      return apply(fn, self, args);
    };
    for (const [store, transform] of this._stores) {
      run = wrapStoreRun(store, message, run, transform);
    }
    return run();
  }
}

function wrapStoreRun(store, message, next, transform = (same) => same) {
  return () => {
    let value;
    try {
      value = transform(message);
    } catch (error) {
      throwInNextTick(error);
      return next();
    }
    return store.run(value, next);
  };
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    channels.set(name, { weak: new WeakRef(this), strong: undefined, refCount: 0 });
    channelRegistry.register(this, name);
  }

  static [Symbol.hasInstance](object) {
    if (object === undefined || object === null) {
      throw new TypeError('Cannot convert undefined or null to object');
    }
    const prototype = Object.getPrototypeOf(object);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    markActive(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    markActive(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  runStores(message, fn, self, ...args) {
    return apply(fn, self, args);
  }
}

function markActive(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
}

function maybeMarkInactive(channel) {
  if (channel._subscribers.length === 0 && channel._stores.size === 0) {
    Object.setPrototypeOf(channel, Channel.prototype);
    channel._subscribers = undefined;
    channel._stores = undefined;
  }
}

function channel(name) {
  const existing = channels.get(name)?.weak.deref();
  if (existing !== undefined) {
    return existing;
  }
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  if (typeof name === 'string' && name.startsWith('console.')) {
    publishConsole();
  }
  return new Channel(name);
}

/** The console publishes only after one of its channels was made. */
function publishConsole() {
  require('internal/console/sinks').setPublisher((method, args) => {
    const existing = channels.get(`console.${method}`)?.weak.deref();
    if (existing?.hasSubscribers) {
      existing.publish(args);
    }
  });
}

const subscribe = (name, subscription) => channel(name).subscribe(subscription);
const unsubscribe = (name, subscription) => channel(name).unsubscribe(subscription);
const hasSubscribers = (name) => channels.get(name)?.weak.deref()?.hasSubscribers ?? false;

// --- tracing channels

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

function eventChannel(nameOrChannels, event) {
  if (typeof nameOrChannels === 'string') {
    return channel(`tracing:${nameOrChannels}:${event}`);
  }
  if (typeof nameOrChannels === 'object' && nameOrChannels !== null) {
    const candidate = nameOrChannels[event];
    if (!(candidate instanceof Channel)) {
      throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], candidate);
    }
    return candidate;
  }
  throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
}

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of EVENTS) {
      Object.defineProperty(this, event, { value: eventChannel(nameOrChannels, event) });
    }
  }

  get hasSubscribers() {
    return EVENTS.some((event) => this[event]?.hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of EVENTS) {
      if (handlers[event]) {
        this[event]?.subscribe(handlers[event]);
      }
    }
  }

  unsubscribe(handlers) {
    let isDone = true;
    for (const event of EVENTS) {
      if (handlers[event] && !this[event]?.unsubscribe(handlers[event])) {
        isDone = false;
      }
    }
    return isDone;
  }

  #publishError(context, error) {
    context.error = error;
    this.error.publish(context);
  }

  #traceStart(context, run) {
    return this.start.runStores(context, () => {
      try {
        return run();
      } catch (error) {
        this.#publishError(context, error);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  traceSync(fn, context = {}, self, ...args) {
    if (!this.hasSubscribers) {
      return apply(fn, self, args);
    }
    return this.#traceStart(context, () => {
      const result = apply(fn, self, args);
      context.result = result;
      return result;
    });
  }

  tracePromise(fn, context = {}, self, ...args) {
    if (!this.hasSubscribers) {
      return apply(fn, self, args);
    }
    const settle = () => {
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    return this.#traceStart(context, () => {
      let promise = apply(fn, self, args);
      if (!(promise instanceof Promise)) {
        promise = Promise.resolve(promise);
      }
      return promise.then((result) => {
        context.result = result;
        settle();
        return result;
      }, (error) => {
        this.#publishError(context, error);
        settle();
        return Promise.reject(error);
      });
    });
  }

  traceCallback(fn, position = -1, context = {}, self, ...args) {
    if (!this.hasSubscribers) {
      return apply(fn, self, args);
    }
    const tracing = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    args.splice(position, 1, function (error, result) {
      if (error) {
        tracing.#publishError(context, error);
      } else {
        context.result = result;
      }
      // Stores are bound to the continuation, not to the end of the operation.
      return tracing.asyncStart.runStores(context, () => {
        try {
          return apply(callback, this, arguments);
        } finally {
          tracing.asyncEnd.publish(context);
        }
      });
    });
    return this.#traceStart(context, () => apply(fn, self, args));
  }
}

function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
}

// --- builtins

const builtinTracingChannels = new Map();

function builtinTracing(name) {
  let tracing = builtinTracingChannels.get(name);
  if (tracing === undefined) {
    builtinTracingChannels.set(name, tracing = new TracingChannel(name));
  }
  return tracing.hasSubscribers ? tracing : undefined;
}

Object.assign(require('internal/diagnostics_channels'), {
  publish: (name, message) => channels.get(name)?.weak.deref()?.publish(message),
  tracing: builtinTracing,
});
require('internal/modules/main_module').tracing = builtinTracing;

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
