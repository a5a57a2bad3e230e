// `node:diagnostics_channel`: named channels that libraries publish to and tools listen on. In:
// names, messages. Out: each subscriber called with them. A channel without one costs a call of an
// empty method: what subscribes changes the channel's prototype. Our own modules publish to theirs
// where they are, by internal/channels.
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const { apply } = Reflect;

/** A subscriber's failure is the program's, but not the publisher's. */
function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

// --- channels by name; those without subscribers go when nobody holds them

const channels = new Map();
const gone = new FinalizationRegistry((name) => {
  if (channels.get(name)?.weak.deref() === undefined) {
    channels.delete(name);
  }
});

function keep(channel, change) {
  const entry = channels.get(channel.name);
  if (entry === undefined || entry.weak.deref() !== channel) {
    return;
  }
  entry.uses += change;
  entry.strong = entry.uses > 0 ? channel : undefined;
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    // A copy: those who publish now go over the old one.
    this._subscribers = [...this._subscribers, subscription];
    keep(this, 1);
  }

  unsubscribe(subscription) {
    const index = this._subscribers.indexOf(subscription);
    if (index === -1) {
      return false;
    }
    this._subscribers = this._subscribers.toSpliced(index, 1);
    keep(this, -1);
    makeIdleMaybe(this);
    return true;
  }

  bindStore(store, transform) {
    if (!this._stores.has(store)) {
      keep(this, 1);
    }
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.delete(store)) {
      return false;
    }
    keep(this, -1);
    makeIdleMaybe(this);
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
        throwLater(error);
      }
    }
  }

  runStores(message, fn, self, ...args) {
    let run = () => {
      this.publish(message);
      return apply(fn, self, args);
    };
    for (const [store, transform] of this._stores) {
      run = runWith(store, message, run, transform);
    }
    return run();
  }
}

function runWith(store, message, next, transform = (same) => same) {
  return () => {
    let value;
    try {
      value = transform(message);
    } catch (error) {
      throwLater(error);
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
    channels.set(name, { weak: new WeakRef(this), strong: undefined, uses: 0 });
    gone.register(this, name);
  }

  static [Symbol.hasInstance](object) {
    if (object === undefined || object === null) {
      throw new TypeError('Cannot convert undefined or null to object');
    }
    const prototype = Object.getPrototypeOf(object);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    makeActive(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    makeActive(this);
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

function makeActive(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
}

function makeIdleMaybe(channel) {
  if (channel._subscribers.length === 0 && channel._stores.size === 0) {
    Object.setPrototypeOf(channel, Channel.prototype);
    channel._subscribers = undefined;
    channel._stores = undefined;
  }
}

function channel(name) {
  const there = channels.get(name)?.weak.deref();
  if (there !== undefined) {
    return there;
  }
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  if (typeof name === 'string' && name.startsWith('console.')) {
    hearConsole();
  }
  return new Channel(name);
}

/** The console asks nobody until one of its channels is made. */
function hearConsole() {
  require('internal/console/sinks').publishBy((method, args) => {
    const found = channels.get(`console.${method}`)?.weak.deref();
    if (found?.hasSubscribers) {
      found.publish(args);
    }
  });
}

const subscribe = (name, subscription) => channel(name).subscribe(subscription);
const unsubscribe = (name, subscription) => channel(name).unsubscribe(subscription);
const hasSubscribers = (name) => channels.get(name)?.weak.deref()?.hasSubscribers ?? false;

// --- the five channels of something that begins and ends

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

function eventChannel(given, event) {
  if (typeof given === 'string') {
    return channel(`tracing:${given}:${event}`);
  }
  if (typeof given === 'object' && given !== null) {
    const found = given[event];
    if (!(found instanceof Channel)) {
      throw new ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], found);
    }
    return found;
  }
  throw new ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], given);
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

  #fail(context, error) {
    context.error = error;
    this.error.publish(context);
  }

  #begin(context, run) {
    return this.start.runStores(context, () => {
      try {
        return run();
      } catch (error) {
        this.#fail(context, error);
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
    return this.#begin(context, () => {
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
    return this.#begin(context, () => {
      let promise = apply(fn, self, args);
      if (!(promise instanceof Promise)) {
        promise = Promise.resolve(promise);
      }
      return promise.then((result) => {
        context.result = result;
        settle();
        return result;
      }, (error) => {
        this.#fail(context, error);
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
        tracing.#fail(context, error);
      } else {
        context.result = result;
      }
      // Not the end of the work, but when it goes on: that is what stores are to follow.
      return tracing.asyncStart.runStores(context, () => {
        try {
          return apply(callback, this, arguments);
        } finally {
          tracing.asyncEnd.publish(context);
        }
      });
    });
    return this.#begin(context, () => apply(fn, self, args));
  }
}

function tracingChannel(nameOrChannels) {
  return new TracingChannel(nameOrChannels);
}

// --- our own modules

const traced = new Map();

function tracingOf(name) {
  let own = traced.get(name);
  if (own === undefined) {
    traced.set(name, own = new TracingChannel(name));
  }
  return own.hasSubscribers ? own : undefined;
}

Object.assign(require('internal/diagnostics_channels'), {
  publish: (name, message) => channels.get(name)?.weak.deref()?.publish(message),
  tracing: tracingOf,
});
require('internal/modules/main_module').tracing = tracingOf;

module.exports = { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
