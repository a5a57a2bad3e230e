// Mocks: functions, methods and properties that note how they are used, and may do something else
// instead. In: what is to be mocked, and by what. Out: a stand-in with `mock`, until it is
// restored. Absent: modules; timers are in mock_timers.js, properties in mock_property.js.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

const { apply, construct } = Reflect;

class MockFunctionContext {
  #calls = [];
  #original;
  #implementation;
  #times;
  #once = new Map();
  #restore;

  constructor(original, implementation, { times, restore }) {
    this.#original = original;
    this.#implementation = implementation;
    this.#times = times;
    this.#restore = restore;
  }

  get calls() { return [...this.#calls]; }

  callCount() { return this.#calls.length; }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, implementation);
  }

  restore() {
    this.#implementation = this.#original;
    this.#once.clear();
    this.#restore?.();
  }

  resetCalls() { this.#calls = []; }

  static {
    this.next = (context) => context.#next();
    this.note = (context, call) => { context.#calls.push(call); };
  }

  /** What the next call runs; after so many calls everything is as it was. */
  #next() {
    const index = this.#calls.length;
    const once = this.#once.get(index);
    if (once !== undefined) this.#once.delete(index);
    const own = once ?? this.#implementation;
    if (index + 1 === this.#times) this.restore();
    return own;
  }
}

const { next, note } = MockFunctionContext;
delete MockFunctionContext.next;
delete MockFunctionContext.note;

/** A function that looks like `original`, and notes its calls. */
function standIn(original, context) {
  return new Proxy(original, {
    __proto__: null,
    apply(_, self, args) {
      const implementation = next(context);
      return noted(context, { args, self, target: undefined }, () => apply(implementation, self, args));
    },
    construct(target, args, newTarget) {
      const implementation = next(context);
      const wanted = newTarget === proxies.get(target) ? target : newTarget;
      return noted(context, { args, self: undefined, target, isConstructed: true }, () => construct(implementation, args, wanted));
    },
    get(target, name, receiver) {
      return name === 'mock' ? context : Reflect.get(target, name, receiver);
    },
  });
}

function noted(context, { args, self, target, isConstructed }, run) {
  let result;
  let error;
  try {
    result = run();
  } catch (thrown) {
    error = thrown;
  }
  const call = {
    __proto__: null, arguments: args, error, result, stack: new Error(), target,
    this: isConstructed && error === undefined ? result : self,
  };
  note(context, call);
  if (error !== undefined) throw error;
  return result;
}

/** The newest stand-in of a function. @type {WeakMap<Function, Function>} */
const proxies = new WeakMap();

function readTimes(options, name = 'options.times') {
  if (options.times === undefined && !('times' in options)) return Infinity;
  const { times } = options;
  if (times !== Infinity) validateInteger(times, name, 1);
  return times;
}

/** A property's descriptor, wherever on the chain it stands. */
function find(object, name) {
  for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    const { MockTimers } = require('internal/test_runner/mock_timers');
    return this.#timers ??= new MockTimers();
  }

  fn(original = function () {}, implementation = original, options = {}) {
    if (original !== null && typeof original === 'object') {
      options = original;
      original = function () {};
      implementation = original;
    } else if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    return this.#make(original, implementation, { times: readTimes(options), restore: undefined });
  }

  #make(original, implementation, settings) {
    const context = new MockFunctionContext(original, implementation, settings);
    const proxy = standIn(original, context);
    proxies.set(original, proxy);
    this.#mocks.push(context);
    return proxy;
  }

  method(object, name, implementation = undefined, options = {}) {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
      throw new ERR_INVALID_ARG_TYPE('object', ['Object', 'Function'], object);
    }
    if (typeof name !== 'string' && typeof name !== 'symbol') throw new ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], name);
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = undefined;
    }
    validateObject(options, 'options');
    const { getter = false, setter = false } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    const times = readTimes(options);
    if (getter && setter) throw new ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    return this.#method(object, name, implementation, { times, key: getter ? 'get' : setter ? 'set' : 'value' });
  }

  #method(object, name, implementation, { times, key }) {
    const descriptor = find(object, name);
    const original = descriptor?.[key];
    if (typeof original !== 'function') throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const own = Object.getOwnPropertyDescriptor(object, name);
    const restore = () => {
      // What was on the prototype stays on the object, as Node leaves it.
      Object.defineProperty(object, name, own ?? { ...descriptor });
    };
    implementation ??= original;
    validateFunction(implementation, 'implementation');
    const proxy = this.#make(original, implementation, { times, restore });
    const replaced = { __proto__: null, configurable: descriptor.configurable, enumerable: descriptor.enumerable };
    if (key === 'value') replaced.writable = descriptor.writable;
    else Object.assign(replaced, { get: descriptor.get, set: descriptor.set });
    replaced[key] = proxy;
    Object.defineProperty(object, name, replaced);
    return proxy;
  }

  getter(object, name, implementation = undefined, options = {}) {
    return this.#accessor(object, name, implementation, options, ['getter', 'setter']);
  }

  setter(object, name, implementation = undefined, options = {}) {
    return this.#accessor(object, name, implementation, options, ['setter', 'getter']);
  }

  #accessor(object, name, implementation, options, [kind, other]) {
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = undefined;
    }
    validateObject(options, 'options');
    const given = options[kind] ?? true;
    if (given === false) throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, given, 'cannot be false');
    if (options[other]) throw new ERR_INVALID_ARG_VALUE('options.setter', options.setter ?? true, "cannot be used with 'options.getter'");
    return this.method(object, name, implementation, { ...options, [kind]: given });
  }

  property(object, name, value) {
    const { mockProperty } = require('internal/test_runner/mock_property');
    const { context, proxy } = mockProperty(object, name, { hasValue: arguments.length > 2, value });
    this.#mocks.push(context);
    return proxy;
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (const mock of this.#mocks.toReversed()) mock.restore();
  }
}

module.exports = { MockFunctionContext, MockTracker, find };
