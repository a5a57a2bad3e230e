// `node:test/reporters`: the ways to tell of a run. In: its stream, by `compose`. Out: text.
// Absent: lcov, for there is no coverage.
'use strict';

const load = {
  dot: () => require('internal/test_runner/reporters/dot'),
  junit: () => require('internal/test_runner/reporters/junit'),
  tap: () => require('internal/test_runner/reporters/tap'),
};
for (const [name, get] of Object.entries(load)) {
  Object.defineProperty(exports, name, { __proto__: null, configurable: true, enumerable: true, get });
}

// With and without `new`.
exports.spec = function spec() { return require('internal/test_runner/reporters/spec').make(); };
exports.lcov = require('internal/not_implemented').absentFunction('test/reporters', 'lcov');
