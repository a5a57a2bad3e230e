// MockTracker and MockFunctionContext: mocks of functions and methods, which record their calls.
// In: a function or method, an implementation. Out: a proxy with `mock`, until it is restored.
// Absent: timers (mock_timers.js), properties (mock_property.js), modules (internal/expect).
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
    this.nextImpl = (context) => context.#nextImpl();
    this.trackCall = (context, call) => { context.#calls.push(call); };
  }

  /** The implementation of the next call. After `times` calls the original is restored. */
  #nextImpl() {
    const index = this.#calls.length;
    const once = this.#once.get(index);
    if (once !== undefined) this.#once.delete(index);
    const implementation = once ?? this.#implementation;
    if (index + 1 === this.#times) this.restore();
    return implementation;
  }
}

const { nextImpl, trackCall } = MockFunctionContext;
delete MockFunctionContext.nextImpl;
delete MockFunctionContext.trackCall;

/** A proxy of `original` that records its calls. */
function createMockProxy(original, context) {
  return new Proxy(original, {
    __proto__: null,
    apply(_, self, args) {
      const implementation = nextImpl(context);
      return callAndTrack(context, { args, self, target: undefined }, () => apply(implementation, self, args));
    },
    construct(target, args, newTarget) {
      const implementation = nextImpl(context);
      const actualTarget = newTarget === proxies.get(target) ? target : newTarget;
      return callAndTrack(context, { args, self: undefined, target, isConstructed: true }, () => construct(implementation, args, actualTarget));
    },
    get(target, name, receiver) {
      return name === 'mock' ? context : Reflect.get(target, name, receiver);
    },
  });
}

function callAndTrack(context, { args, self, target, isConstructed }, run) {
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
  trackCall(context, call);
  if (error !== undefined) throw error;
  return result;
}

/** The latest proxy of a function. @type {WeakMap<Function, Function>} */
const proxies = new WeakMap();

function readTimes(options, name = 'options.times') {
  if (options.times === undefined && !('times' in options)) return Infinity;
  const { times } = options;
  if (times !== Infinity) validateInteger(times, name, 1);
  return times;
}

/** A property's descriptor, also from the prototype chain. */
function findDescriptor(object, name) {
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
    return this.#setupMock(original, implementation, { times: readTimes(options), restore: undefined });
  }

  #setupMock(original, implementation, settings) {
    const context = new MockFunctionContext(original, implementation, settings);
    const proxy = createMockProxy(original, context);
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
    const descriptor = findDescriptor(object, name);
    const original = descriptor?.[key];
    if (typeof original !== 'function') throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const own = Object.getOwnPropertyDescriptor(object, name);
    const restore = () => {
      // As in Node, a property of the prototype becomes one of the object.
      Object.defineProperty(object, name, own ?? { ...descriptor });
    };
    implementation ??= original;
    validateFunction(implementation, 'implementation');
    const proxy = this.#setupMock(original, implementation, { times, restore });
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
    const value = options[kind] ?? true;
    if (value === false) throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, value, 'cannot be false');
    if (options[other]) throw new ERR_INVALID_ARG_VALUE('options.setter', options.setter ?? true, "cannot be used with 'options.getter'");
    return this.method(object, name, implementation, { ...options, [kind]: value });
  }

  property(object, name, value) {
    const { mockProperty } = require('internal/test_runner/mock_property');
    const { context, proxy } = mockProperty(object, name, { hasValue: arguments.length > 2, value });
    this.#mocks.push(context);
    return proxy;
  }

  /** Replaces a module, until the mock is restored. */
  module(specifier, options = {}) {
    if (typeof specifier !== 'string' && !(specifier instanceof URL)) throw new ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
    validateObject(options, 'options');
    const { cache = false, defaultExport, namedExports = {} } = options;
    validateBoolean(cache, 'options.cache');
    validateObject(namedExports, 'options.namedExports');
    const hasDefault = 'defaultExport' in options;
    const { callerPath, mockModule, unmock } = require('internal/expect/module_mocks');
    const [name, importer] = [`${specifier}`, callerPath(this.module)];
    const exports = hasDefault ? { ...namedExports, default: defaultExport } : { ...namedExports };
    mockModule(name, () => exports, importer, hasDefault ? { required: withMembers(defaultExport, namedExports) } : undefined);
    const context = { restore: () => unmock(name, importer) };
    this.#mocks.push(context);
    return context;
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

/** What `require` returns for a mock with a default export. */
function withMembers(value, members) {
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  return isObject ? Object.assign(value, members) : value;
}

module.exports = { MockFunctionContext, MockTracker, findDescriptor };
