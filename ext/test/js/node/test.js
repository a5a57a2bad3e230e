// `node:test`. In: tests, suites, hooks. Out: they run in order, and reporters print the results;
// the exit code is 1 where one failed. `run` runs files.
'use strict';

const { createHook, readArguments } = require('internal/test_runner/arguments');
const { current } = require('internal/test_runner/runnable');

const harness = () => require('internal/test_runner/harness');

/** The test that runs now, or the root. */
function currentParent() {
  const { getGlobalRoot } = harness();
  const root = getGlobalRoot();
  const runnable = current().getStore();
  return runnable === undefined ? root : runnable.owner ?? runnable;
}

function addTest(Factory, name, options, fn, overrides) {
  const parent = currentParent();
  const test = parent.createSubtest(Factory, readArguments(name, options, fn, overrides));
  if (test.kind === 'suite') test.build();
  // A suite starts its tests when it runs.
  if (test.parent.kind === 'suite') return Promise.resolve();
  return harness().startTopLevelTest(test);
}

function runner(load) {
  const run = function test(name, options, fn) { return addTest(load(), name, options, fn); };
  for (const keyword of ['expectFailure', 'skip', 'todo', 'only']) {
    run[keyword] = (name, options, fn) => addTest(load(), name, options, fn, { [keyword]: true });
  }
  return run;
}

function hook(kind) {
  return { [kind](fn, options) { createHook(currentParent(), kind, fn, options); } }[kind];
}

const test = runner(() => require('internal/test_runner/test').Test);
const suite = runner(() => require('internal/test_runner/suite').Suite);

module.exports = test;
Object.assign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe: suite,
  it: test,
  run(options) { return require('internal/test_runner/run').run(options); },
  suite,
  test,
});

let mock;
let snapshot;
let assert;
const lazy = {
  mock() {
    const { MockTracker } = require('internal/test_runner/mock');
    return mock ??= new MockTracker();
  },
  snapshot() {
    const { setDefaultSnapshotSerializers, setResolveSnapshotPath } = require('internal/test_runner/snapshot');
    return snapshot ??= { __proto__: null, setDefaultSnapshotSerializers, setResolveSnapshotPath };
  },
  assert() {
    const { register } = require('internal/test_runner/assert');
    return assert ??= { __proto__: null, register };
  },
};
for (const [name, get] of Object.entries(lazy)) {
  Object.defineProperty(test, name, { __proto__: null, configurable: true, enumerable: true, get });
}
