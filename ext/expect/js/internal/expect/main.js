// What test files get of this library: `expect`, `mock`, `spyOn`, `jest`, `vi` and their related.
// In: nothing. Out: the exports that the runner joins with its own into `bun:test`, `@jest/globals`
// and `vitest`.
'use strict';

const { expect, lazy } = require('internal/expect/expect');

function makeMockFunction(implementation) { return require('internal/expect/mock_function').makeMock(implementation); }

/** `mock.module(specifier, factory)`. A promise: the factory is asynchronous. */
function mockModuleOfBun(specifier, factory) {
  if (typeof specifier !== 'string') throw new TypeError('mock(module, fn) requires a module and function');
  if (typeof factory !== 'function') throw new TypeError('mock(module, fn) requires a function');
  const { callerPath, mockModule } = require('internal/expect/module_mocks');
  return mockModule(specifier, factory, callerPath(mockModuleOfBun), { isLazy: true });
}

function makeMock() {
  function mock(implementation) { return makeMockFunction(implementation); }
  return Object.assign(mock, {
    restore: () => { require('internal/expect/jest').restoreAllMocks(); },
    clearAllMocks: () => { require('internal/expect/jest').clearAllMocks(); },
    module: mockModuleOfBun,
  });
}

const library = {
  expect,
  expectTypeOf: (...args) => require('internal/expect/expect_type').expectTypeOf(...args),
  setSystemTime: (now) => require('internal/expect/jest').jest.setSystemTime(now),
  spyOn: (...args) => require('internal/expect/spy').spyOn(...args),
};
// Most files use none of these.
lazy(library, 'jest', () => require('internal/expect/jest').jest);
lazy(library, 'mock', makeMock);
lazy(library, 'vi', () => require('internal/expect/jest').vi);

module.exports = library;
