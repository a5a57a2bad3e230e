// `node:test`. In: tests, suites, hooks. Out: they run in order, and what became of them is told on
// standard output; the program ends with 1 where one failed. Absent: `run`, which runs files; it
// says so.
'use strict';

const { createHook, readArguments } = require('internal/test_runner/arguments');
const { current } = require('internal/test_runner/unit');

const harness = () => require('internal/test_runner/harness');

/** The test that runs now, or the root. */
function parentNow() {
  const { getRoot } = harness();
  const root = getRoot();
  const unit = current().getStore();
  return unit === undefined ? root : unit.owner ?? unit;
}

function add(Kind, name, options, fn, overrides) {
  const parent = parentNow();
  const test = parent.add(Kind, readArguments(name, options, fn, overrides));
  if (test.kind === 'suite') test.build();
  // A suite begins what is in it when it is its turn.
  if (test.parent.kind === 'suite') return Promise.resolve();
  return harness().start(test);
}

function runner(load) {
  const own = function test(name, options, fn) { return add(load(), name, options, fn); };
  for (const keyword of ['expectFailure', 'skip', 'todo', 'only']) {
    own[keyword] = (name, options, fn) => add(load(), name, options, fn, { [keyword]: true });
  }
  return own;
}

function hook(kind) {
  return { [kind](fn, options) { createHook(parentNow(), kind, fn, options); } }[kind];
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
  run: require('internal/not_implemented').absentFunction('test', 'run'),
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
    const { register } = require('internal/test_runner/assertions');
    return assert ??= { __proto__: null, register };
  },
};
for (const [name, get] of Object.entries(lazy)) {
  Object.defineProperty(test, name, { __proto__: null, configurable: true, enumerable: true, get });
}
