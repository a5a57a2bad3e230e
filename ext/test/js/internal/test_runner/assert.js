// `t.assert`: assertions that count for the test's plan, and those that a program registers. In:
// the test's context. Out: an object of functions.
'use strict';

const { validateFunction, validateString } = require('internal/validators');

/** @type {Map<string, Function> | undefined} */
let assertions;
const NOT_ASSERTIONS = new Set(['Assert', 'AssertionError', 'CallTracker', 'options', 'strict', 'ok']);

function getAssertionMap() {
  if (assertions !== undefined) return assertions;
  const module = require('assert');
  assertions = new Map();
  for (const name of Object.keys(module).sort()) {
    if (!NOT_ASSERTIONS.has(name)) assertions.set(name, module[name]);
  }
  const { snapshot, fileSnapshot } = require('internal/test_runner/snapshot');
  assertions.set('snapshot', snapshot);
  assertions.set('fileSnapshot', fileSnapshot);
  return assertions;
}

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  getAssertionMap().set(name, fn);
}

function make(context, test) {
  const assert = { __proto__: null };
  for (const [name, fn] of getAssertionMap()) {
    assert[name] = (...args) => {
      test.plan?.count();
      return Reflect.apply(fn, context, args);
    };
    Object.defineProperty(assert[name], 'name', { __proto__: null, value: name, configurable: true });
  }
  // Its message quotes the call, which is the one above its own frame.
  if (assert.ok === undefined) {
    assert.ok = function ok(...args) {
      test.plan?.count();
      require('internal/assert/ok').assertOk(ok, args);
    };
  }
  return assert;
}

module.exports = { make, register };
