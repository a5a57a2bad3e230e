// The objects `jest` and `vi`. In: calls of programs written for jest and vitest. Out: mocks, spies
// and fake timers of this library, under their names.
'use strict';

const mocks = require('internal/expect/mock_function');
const { replaceProperty, restoreProperties, spyOn } = require('internal/expect/spy');
const { state } = require('internal/expect/state');
const timers = require('internal/expect/fake_timers');

function clearAllMocks() {
  mocks.clearAllMocks();
  return this;
}

function resetAllMocks() {
  mocks.resetAllMocks();
  return this;
}

function restoreAllMocks() {
  mocks.restoreAllSpies();
  restoreProperties();
  return this;
}

function fn(implementation) { return mocks.makeMock(implementation); }

/** Programs that do not use the runner have no test to which a timeout could apply. */
function setTimeoutOfTests(ms) {
  if (typeof ms !== 'number' || !(ms >= 0)) throw new TypeError('jest.setTimeout(milliseconds) expects a number that is not negative');
  state.options.setDefaultTimeout?.(ms);
  return this;
}

/** A promise of the program's global object: `result` once all is done. */
const settled = (promise, result) => Promise.resolve(promise).then(() => result);

/** What both objects have. */
const shared = {
  advanceTimersByTime(ms) { timers.advanceTimersByTime(ms); return this; },
  advanceTimersByTimeAsync(ms) { return settled(timers.advanceTimersByTimeAsync(ms), this); },
  advanceTimersToNextTimer(steps) { timers.advanceTimersToNextTimer(steps); return this; },
  advanceTimersToNextTimerAsync(steps) { return settled(timers.advanceTimersToNextTimerAsync(steps), this); },
  clearAllMocks,
  clearAllTimers() { timers.clearAllTimers(); return this; },
  fn,
  getTimerCount: () => timers.getTimerCount(),
  isFakeTimers: () => timers.isFakeTimers(),
  isMockFunction: mocks.isMockFunction,
  mocked: (value) => value,
  resetAllMocks,
  restoreAllMocks,
  runAllTicks() { timers.runAllTicks(); return this; },
  runAllTimers() { timers.runAllTimers(); return this; },
  runAllTimersAsync() { return settled(timers.runAllTimersAsync(), this); },
  runOnlyPendingTimers() { timers.runOnlyPendingTimers(); return this; },
  runOnlyPendingTimersAsync() { return settled(timers.runOnlyPendingTimersAsync(), this); },
  /** vitest takes the text of a date, too. */
  setSystemTime(now) { timers.setSystemTime(typeof now === 'string' ? new Date(now) : now); return this; },
  spyOn,
  useFakeTimers(options) { timers.useFakeTimers(options); return this; },
  useRealTimers() { timers.useRealTimers(); return this; },
};

const modules = () => require('internal/expect/module_mocks');

/** `jest.mock(specifier, factory)`: a module without a default export is CommonJS. */
function mockOfJest(specifier, factory) {
  checkFactory('jest.mock', specifier, factory);
  modules().mockModule(specifier, factory, modules().callerPath(mockOfJest), { hasInteropDefault: true, isAny: true, toleratesEarly: true, readMissing: () => undefined });
  return jest;
}

function checkFactory(method, specifier, factory) {
  if (typeof specifier !== 'string') throw new TypeError(`${method} expects the specifier of a module`);
  if (factory !== undefined && typeof factory !== 'function') throw new TypeError(`${method} expects a function that returns the module's exports`);
}

function unmockOfJest(specifier) {
  modules().unmock(specifier, modules().callerPath(unmockOfJest));
  return jest;
}

/** The modules that a function loads are its own. */
function isolateModules(callback) {
  modules().resetModules();
  const result = callback();
  if (typeof result?.then === 'function') return result.then(() => { modules().resetModules(); });
  modules().resetModules();
  return undefined;
}

const jest = {
  ...shared,
  createMockFromModule: function createMockFromModule(specifier) {
    const { automock } = require('internal/expect/automock');
    return automock(modules().requireActual(specifier, modules().callerPath(createMockFromModule)));
  },
  deepUnmock: unmockOfJest,
  disableAutomock() { return jest; },
  doMock: mockOfJest,
  dontMock: unmockOfJest,
  isolateModules(callback) { isolateModules(callback); return jest; },
  isolateModulesAsync: (callback) => Promise.resolve(isolateModules(callback)),
  mock: mockOfJest,
  requireActual: function requireActual(specifier) { return modules().requireActual(specifier, modules().callerPath(requireActual)); },
  requireMock: function requireMock(specifier) { return modules().requireMock(specifier, modules().callerPath(requireMock)); },
  resetModules() { modules().resetModules(); return jest; },
  unmock: unmockOfJest,
  advanceTimersToNextFrame() { timers.advanceTimersToNextFrame(); return this; },
  getRealSystemTime: () => timers.getRealSystemTime(),
  getSeed: () => state.options.seed ?? 0,
  now: () => timers.now(),
  replaceProperty,
  retryTimes(count) { state.options.setRetries?.(count); return this; },
  runAllImmediates() { timers.runAllImmediates(); return this; },
  setTimeout: setTimeoutOfTests,
};

/** `vi.mock(specifier, factory)`; a promise while an asynchronous factory runs. */
function mockOfVitest(specifier, factory) {
  const spies = factory?.spy === true;
  const makeExports = spies || typeof factory === 'object' ? undefined : factory;
  checkFactory('vi.mock', specifier, makeExports);
  const importer = modules().callerPath(mockOfVitest);
  const { automock } = require('internal/expect/automock');
  const spied = () => automock(modules().requireActual(specifier, importer), { spies: true });
  return modules().mockModule(specifier, spies ? spied : makeExports, importer, { toleratesEarly: true, readMissing: refuseMissing(specifier) });
}

/** vitest's error where a test uses an export that a factory has not returned. */
function refuseMissing(specifier) {
  return (name, caller) => {
    const error = new Error([
      `No "${name}" export is defined on the "${specifier}" mock: its factory does not return it.`,
      'To keep the exports that are not mocked, return them, too:',
      '',
      `  vi.mock('${specifier}', async (importOriginal) => ({ ...await importOriginal(), /* mocks */ }))`,
    ].join('\n'));
    Error.captureStackTrace(error, caller);
    throw error;
  };
}

function unmockOfVitest(specifier) {
  modules().unmock(specifier, modules().callerPath(unmockOfVitest));
  return vi;
}

/** What `vi.stubGlobal` and `vi.stubEnv` replaced. */
const stubs = { globals: new Map(), env: new Map() };

const vi = {
  ...shared,
  getMockedSystemTime: () => (timers.isFakeTimers() ? new Date(timers.now()) : null),
  getRealSystemTime: () => timers.getRealSystemTime(),
  doMock(specifier, factory) { mockOfVitest(specifier, factory); return vi; },
  doUnmock: unmockOfVitest,
  /** The transpiler has moved the call above the imports (hoisted_file.js). */
  hoisted: (factory) => factory(),
  importActual: function importActual(specifier) { return modules().importActual(specifier, modules().callerPath(importActual)); },
  importMock: function importMock(specifier) {
    const path = modules().callerPath(importMock);
    return Promise.resolve().then(() => modules().requireMock(specifier, path));
  },
  mock: mockOfVitest,
  resetModules() { modules().resetModules(); return vi; },
  unmock: unmockOfVitest,
  setConfig({ testTimeout } = {}) { if (testTimeout !== undefined) setTimeoutOfTests(testTimeout); },
  stubEnv(name, value) {
    const { env } = require('process');
    if (!stubs.env.has(name)) stubs.env.set(name, env[name]);
    if (value === undefined) delete env[name];
    else env[name] = `${value}`;
    state.cleanups.add(vi.unstubAllEnvs);
    return this;
  },
  stubGlobal(name, value) {
    const { global } = state.options;
    if (!stubs.globals.has(name)) stubs.globals.set(name, Object.getOwnPropertyDescriptor(global, name));
    Object.defineProperty(global, name, { __proto__: null, value, configurable: true, enumerable: true, writable: true });
    state.cleanups.add(vi.unstubAllGlobals);
    return this;
  },
  unstubAllEnvs() {
    const { env } = require('process');
    for (const [name, value] of stubs.env) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
    stubs.env.clear();
    return vi;
  },
  unstubAllGlobals() {
    const { global } = state.options;
    for (const [name, descriptor] of stubs.globals) {
      if (descriptor === undefined) delete global[name];
      else Object.defineProperty(global, name, descriptor);
    }
    stubs.globals.clear();
    return vi;
  },
  waitFor: (callback, options) => Promise.resolve(require('internal/expect/wait').waitFor(callback, options)),
  waitUntil: (callback, options) => Promise.resolve(require('internal/expect/wait').waitUntil(callback, options)),
};

module.exports = { clearAllMocks, jest, resetAllMocks, restoreAllMocks, vi };
