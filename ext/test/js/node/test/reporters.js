// `node:test/reporters`: test reporters. In: a TestsStream, by `compose`. Out: their output.
'use strict';

const load = {
  dot: () => require('internal/test_runner/reporter/dot'),
  junit: () => require('internal/test_runner/reporter/junit'),
  tap: () => require('internal/test_runner/reporter/tap'),
};
for (const [name, get] of Object.entries(load)) {
  Object.defineProperty(exports, name, { __proto__: null, configurable: true, enumerable: true, get });
}

// With and without `new`.
exports.spec = function spec() { return require('internal/test_runner/reporter/spec').make(); };
exports.lcov = function lcov() { return require('internal/test_runner/reporter/lcov').make(); };
