// `t.assert`: the assertions, counted for the test's plan, and those that a program registers. In:
// the context. Out: an object of functions.
'use strict';

const { validateFunction, validateString } = require('internal/validators');

/** @type {Map<string, Function> | undefined} */
let known;
const LEFT_OUT = new Set(['Assert', 'AssertionError', 'CallTracker', 'options', 'strict', 'ok']);

function all() {
  if (known !== undefined) return known;
  const assert = require('assert');
  known = new Map();
  for (const name of Object.keys(assert).sort()) {
    if (!LEFT_OUT.has(name)) known.set(name, assert[name]);
  }
  const { snapshot, fileSnapshot } = require('internal/test_runner/snapshot');
  known.set('snapshot', snapshot);
  known.set('fileSnapshot', fileSnapshot);
  return known;
}

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  all().set(name, fn);
}

function make(context, test) {
  const own = { __proto__: null };
  for (const [name, fn] of all()) {
    own[name] = (...args) => {
      test.plan?.count();
      return Reflect.apply(fn, context, args);
    };
    Object.defineProperty(own[name], 'name', { __proto__: null, value: name, configurable: true });
  }
  // Its message shows the call, which it finds by its own frame.
  if (own.ok === undefined) {
    own.ok = function ok(...args) {
      test.plan?.count();
      require('internal/assert/ok').assertOk(ok, args);
    };
  }
  return own;
}

module.exports = { make, register };
