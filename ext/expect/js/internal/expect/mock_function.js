// Mock functions: `mock()`, `jest.fn()`, `vi.fn()`. In: an implementation. Out: a function that
// records its calls, with jest's methods. Absent: replacing methods of objects (spy.js), modules
// (mock_module.js).
'use strict';

/** Mocks that `clearAllMocks` and similar functions reach; a mock without references may go. */
const mocks = new Set();
let callCount = 0;

const kState = Symbol('mock state');

// What programs read is made by the constructors of their global object, not as a literal.
class MockRecord {
  calls = new Array();
  contexts = new Array();
  instances = new Array();
  invocationCallOrder = new Array();
  results = new Array();
  /** What returned promises settled to, by call, as in vitest. */
  settledResults = new Array();

  get lastCall() { return this.calls.at(-1); }
}

Object.defineProperty(MockRecord.prototype, 'lastCall', { enumerable: true });
Object.setPrototypeOf(MockRecord.prototype, Object.prototype);

function makeResult(type, value) {
  const result = new Object();
  result.type = type;
  result.value = value;
  return result;
}

class MockState {
  record = new MockRecord();
  implementation = undefined;
  /** Implementations of the next calls. */
  once = [];
  name = 'mockConstructor';
  /** What `mockName` was called with. */
  givenName = undefined;
  /** What a spy calls as long as it has no implementation. */
  original = undefined;
  restore = undefined;
}

/** @param [implementation] a function, or the value that the mock returns */
function makeMock(implementation, { name, restore, original } = {}) {
  if (implementation !== undefined && typeof implementation !== 'function') {
    const value = implementation;
    implementation = () => value;
  }
  const state = new MockState();
  const mock = makeCallable(state, implementation ?? original, name);
  state.implementation = implementation;
  state.original = original;
  state.restore = restore;
  state.name = name ?? (mock.name || state.name);
  Object.setPrototypeOf(mock, MockPrototype);
  Object.defineProperty(mock, kState, { __proto__: null, value: state });
  mocks.add(new WeakRef(mock));
  return mock;
}

/** The function; its name and length are those of the implementation. */
function makeCallable(state, model, name) {
  function mockConstructor(...args) {
    return invoke(state, this, Array.of(...args), new.target);
  }
  const isFunction = typeof model === 'function';
  Object.defineProperties(mockConstructor, {
    length: { __proto__: null, value: isFunction ? model.length : 0, configurable: true },
    name: { __proto__: null, value: name ?? (isFunction ? nameOf(model) : 'mockConstructor'), configurable: true },
  });
  // `new mock()` makes instances of the class that it stands for.
  Object.setPrototypeOf(mockConstructor.prototype, Object.prototype);
  if (isFunction && typeof model.prototype === 'object' && model.prototype !== null) mockConstructor.prototype = Object.create(model.prototype, { constructor: { value: mockConstructor, writable: true, configurable: true } });
  return mockConstructor;
}

/** A getter that throws does not keep a program from mocking the function. */
function nameOf(model) {
  try {
    return model.name;
  } catch {
    return 'mockConstructor';
  }
}

function invoke(state, receiver, args, newTarget) {
  const { record } = state;
  record.calls.push(args);
  record.contexts.push(receiver);
  record.instances.push(receiver);
  record.invocationCallOrder.push(++callCount);
  const result = makeResult('incomplete', undefined);
  const index = record.results.push(result) - 1;
  try {
    const value = run(state, receiver, args, newTarget);
    result.type = 'return';
    result.value = value;
    if (newTarget !== undefined && isObjectLike(value)) record.instances[index] = record.contexts[index] = value;
    if (typeof value?.then === 'function') watch(record, index, value);
    else record.settledResults[index] = makeResult('fulfilled', value);
    return value;
  } catch (error) {
    result.type = 'throw';
    result.value = error;
    record.settledResults[index] = makeResult('rejected', error);
    throw error;
  }
}

const isObjectLike = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

function watch(record, index, promise) {
  const settled = record.settledResults[index] = makeResult('incomplete', undefined);
  if (!(promise instanceof Promise)) return;
  // The program handles the promise; this does not count as handling its rejection.
  internalThen(promise, settled);
}

function internalThen(promise, settled) {
  const { promiseDetails } = require('internal/util/types');
  // Read when asked for: a handler would hide an unhandled rejection.
  const read = () => {
    const [state, value] = promiseDetails(promise);
    return state === 0 ? { type: 'incomplete', value: undefined } : { type: state === 1 ? 'fulfilled' : 'rejected', value };
  };
  Object.defineProperties(settled, {
    type: { __proto__: null, enumerable: true, configurable: true, get: () => read().type },
    value: { __proto__: null, enumerable: true, configurable: true, get: () => read().value },
  });
}

function run(state, receiver, args, newTarget) {
  const implementation = state.once.length > 0 ? state.once.shift() : state.implementation ?? state.original;
  if (implementation === undefined) return undefined;
  if (newTarget !== undefined && isClass(implementation)) return Reflect.construct(implementation, args, newTarget);
  return Reflect.apply(implementation, receiver, args);
}

const isClass = (value) => /^class\b/.test(Function.prototype.toString.call(value)) || value === Date || value === Error;

/** Methods of mocks. */
const methods = {
  getMockImplementation() { return this[kState].once[0] ?? this[kState].implementation ?? this[kState].original; },
  getMockName() { return this[kState].name; },
  mockName(name) {
    if (name === undefined || name === '') return this;
    this[kState].name = this[kState].givenName = `${name}`;
    Object.defineProperty(this, 'name', { __proto__: null, value: `${name}`, configurable: true });
    return this;
  },
  mockClear() {
    this[kState].record = new MockRecord();
    return this;
  },
  mockReset() {
    const state = this[kState];
    state.record = new MockRecord();
    state.once = [];
    state.implementation = undefined;
    state.original = undefined;
    return this;
  },
  mockRestore() {
    const state = this[kState];
    const { restore } = state;
    this.mockReset();
    if (restore === undefined) return;
    state.restore = undefined;
    restore();
  },
  mockImplementation(implementation) {
    this[kState].implementation = checked(implementation, 'mockImplementation');
    return this;
  },
  mockImplementationOnce(implementation) {
    this[kState].once.push(checked(implementation, 'mockImplementationOnce') ?? (() => undefined));
    return this;
  },
  withImplementation(implementation, callback) { return withImplementation(this[kState], implementation, callback); },
  mockReturnThis() { return this.mockImplementation(function returnThis() { return this; }); },
  mockReturnValue(value) { return this.mockImplementation(() => value); },
  mockReturnValueOnce(value) { return this.mockImplementationOnce(() => value); },
  mockResolvedValue(value) { return this.mockImplementation(() => Promise.resolve(value)); },
  mockResolvedValueOnce(value) { return this.mockImplementationOnce(() => Promise.resolve(value)); },
  mockRejectedValue(value) { return this.mockImplementation(() => Promise.reject(value)); },
  mockRejectedValueOnce(value) { return this.mockImplementationOnce(() => Promise.reject(value)); },
  mockThrow(value) { return this.mockImplementation(() => { throw value; }); },
  mockThrowOnce(value) { return this.mockImplementationOnce(() => { throw value; }); },
};

function checked(implementation, method) {
  if (implementation === undefined || typeof implementation === 'function') return implementation;
  throw new TypeError(`${method} expects a function`);
}

/** Another implementation while `callback` runs, until its promise settles. */
function withImplementation(state, implementation, callback) {
  checked(implementation, 'withImplementation');
  const before = { implementation: state.implementation, once: state.once };
  const undo = () => Object.assign(state, before);
  Object.assign(state, { implementation, once: [] });
  let result;
  try {
    result = callback();
  } catch (error) {
    undo();
    throw error;
  }
  if (typeof result?.then !== 'function') {
    undo();
    return undefined;
  }
  return Promise.resolve(result).then(undo, (error) => { undo(); throw error; }).then(() => undefined);
}

/** Between a mock and `Function.prototype`. */
const MockPrototype = Object.create(Function.prototype);
for (const [name, method] of Object.entries(methods)) {
  Object.defineProperty(MockPrototype, name, { __proto__: null, configurable: true, writable: true, value: method });
}
Object.defineProperties(MockPrototype, {
  _isMockFunction: { __proto__: null, configurable: true, value: true },
  _protoImpl: { __proto__: null, configurable: true, get() { return this[kState].implementation; } },
  mock: { __proto__: null, configurable: true, get() { return this[kState].record; } },
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: { __proto__: null, configurable: true, value() { this.mockRestore(); } },
});

/** All mocks that still exist. */
function* live() {
  for (const reference of mocks) {
    const mock = reference.deref();
    if (mock === undefined) mocks.delete(reference);
    else yield mock;
  }
}

function clearAllMocks() { for (const mock of live()) mock.mockClear(); }
function resetAllMocks() { for (const mock of live()) mock.mockReset(); }

/** Puts back what spies replaced; `isReset`: clears other mocks, too. */
function restoreAllSpies() { for (const mock of live()) if (mock[kState].restore !== undefined) mock.mockRestore(); }

function isMockFunction(value) { return typeof value === 'function' && value._isMockFunction === true; }

/** Whether the mock stands in a property of an object. */
function isSpy(value) { return isMockFunction(value) && value[kState]?.restore !== undefined; }

/** The name that a program gave to a mock, and that of its first implementation or property. */
function namesOf(mock) {
  const { givenName, name } = mock[kState] ?? {};
  return { givenName, ownName: name === 'mockConstructor' ? undefined : name };
}

module.exports = { clearAllMocks, isMockFunction, isSpy, makeMock, namesOf, resetAllMocks, restoreAllSpies };
