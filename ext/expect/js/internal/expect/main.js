// What test files get of this library: `expect`, `mock`, `spyOn`, `jest`, `vi` and their related.
// In: nothing. Out: the exports that the runner joins with its own into `bun:test`, `@jest/globals`
// and `vitest`.
'use strict';

const { expect } = require('internal/expect/expect');
const { makeMock } = require('internal/expect/mock_function');
const { spyOn } = require('internal/expect/spy');
const { clearAllMocks, jest, restoreAllMocks, vi } = require('internal/expect/jest');

function mock(implementation) { return makeMock(implementation); }

/** `mock.module(specifier, factory)`. A promise: the factory is asynchronous. */
function mockModuleOfBun(specifier, factory) {
  if (typeof specifier !== 'string') throw new TypeError('mock(module, fn) requires a module and function');
  if (typeof factory !== 'function') throw new TypeError('mock(module, fn) requires a function');
  const { callerPath, mockModule } = require('internal/expect/module_mocks');
  return mockModule(specifier, () => factory(), callerPath(mockModuleOfBun));
}

Object.assign(mock, {
  restore: () => { restoreAllMocks(); },
  clearAllMocks: () => { clearAllMocks(); },
  module: mockModuleOfBun,
});

module.exports = {
  expect,
  expectTypeOf: (...args) => require('internal/expect/expect_type').expectTypeOf(...args),
  jest,
  mock,
  setSystemTime: (now) => jest.setSystemTime(now),
  spyOn,
  vi,
};
