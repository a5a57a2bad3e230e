// State of assertions: the current file and test, counts of assertions, soft failures. In: the
// runner's `beginFile`, `beginTest`, `endTest`, `endFile`. Out: problems of a test, counts and
// snapshots of a file. Absent: the tree of tests (ext/test_runner), snapshot files (snapshot/).
'use strict';

const NONE = [];

/** What is counted and expected within one test. */
class TestState {
  /** Calls of matchers, asymmetric ones not included. */
  assertions = 0;
  /** Those that have failed. */
  failures = 0;
  /** The number that `expect.assertions` asked for. */
  expectedAssertions = undefined;
  requiresAssertions = false;
  #softFailures = undefined;
  #snapshotCounts = undefined;

  /** @param {{ path: string[] }} names those of the groups and of the test */
  constructor(names) { this.names = names; }

  get path() { return this.names.path; }

  /** Snapshot names of this test, each with its number before the test. */
  get snapshotCounts() { return this.#snapshotCounts ??= new Map(); }

  get fullName() { return this.path.join(' '); }

  /** Errors of `expect.soft`, in order. */
  get softFailures() { return this.#softFailures ??= []; }

  /** The errors of this test that no matcher has thrown. */
  problems() {
    if (this.#softFailures === undefined && this.expectedAssertions === undefined && !this.requiresAssertions) return NONE;
    const problems = this.softFailures;
    this.#softFailures = undefined;
    if (this.expectedAssertions !== undefined && this.expectedAssertions !== this.assertions) {
      const { assertionCount } = require('internal/expect/assertion_counts');
      problems.push(assertionCount(this.expectedAssertions, this.assertions));
    } else if (this.requiresAssertions && this.assertions === 0) {
      problems.push(require('internal/expect/assertion_counts').noAssertions());
    }
    return problems;
  }
}

/** Options of a file; a program that runs without the runner has these. */
const DEFAULT_OPTIONS = {
  __proto__: null,
  /** New snapshots are refused. */
  isCi: false,
  /** Snapshots that differ are replaced, obsolete ones removed. */
  updatesSnapshots: false,
  /** Whether failure messages have colours; undefined: as standard error says. */
  hasColors: undefined,
  /** The global object that tests of this file see. */
  global: globalThis,
};

/** The test that has begun last, of those that run one after another. */
let sequential;

/**
 * Concurrent tests, each in its asynchronous context; undefined: there are none.
 * @type {import('async_hooks').AsyncLocalStorage<TestState> | undefined}
 */
let contexts;

const state = {
  __proto__: null,
  /** @returns {TestState | undefined} the test that the caller belongs to */
  get test() { return contexts?.getStore() ?? sequential; },
  set test(test) { sequential = test; },
  /** The path of the test file. */
  path: undefined,
  options: DEFAULT_OPTIONS,
  /** Calls of matchers in this file. */
  assertions: 0,
  /** The open snapshots (snapshot/store.js), once a snapshot matcher ran. */
  snapshots: undefined,
  /** Full names of tests that have failed. */
  failed: new Set(),
  /** Functions that undo mocked modules, fake timers and the like at the end of the file. */
  cleanups: new Set(),
};

/** Called by each matcher. */
function countAssertion() {
  state.assertions++;
  const test = contexts === undefined ? sequential : state.test;
  if (test !== undefined) test.assertions++;
}

/** What was counted was no call of `expect`. */
function discountAssertions(count) {
  state.assertions -= count;
  if (state.test !== undefined) state.test.assertions -= count;
}

/** Called for each matcher that fails. */
function countFailure() {
  if (state.test !== undefined) state.test.failures++;
}

/**
 * @param {string} path absolute
 * @param {{ isCi?: boolean, updatesSnapshots?: boolean, hasColors?: boolean, global?: object }}
 *   options
 */
function beginFile(path, options = {}) {
  state.path = path;
  state.options = { ...DEFAULT_OPTIONS, ...options };
  sequential = undefined;
  contexts = undefined;
  state.assertions = 0;
  state.snapshots = undefined;
  state.failed = new Set();
}

/** Makes a test the current one. `before`: the attempt that this one repeats. */
function beginTest(names, before) {
  if (before !== undefined) state.snapshots?.rewind(before.snapshotCounts);
  return sequential = new TestState(names);
}

/** Runs a concurrent test: it is the current one for all that `fn` calls and waits for. */
function runConcurrently(names, before, fn) {
  if (before !== undefined) state.snapshots?.rewind(before.snapshotCounts);
  contexts ??= new (require('async_hooks').AsyncLocalStorage)();
  const test = new TestState(names);
  return contexts.run(test, fn, test);
}

/** A test has failed: its snapshots are not obsolete, for it may not have come to them. */
function keepSnapshots(test) { state.failed.add(test.fullName); }

/** The snapshots of the file that runs. */
function openSnapshots() {
  state.snapshots ??= new (require('internal/expect/snapshot/store').SnapshotStore)(state.path);
  return state.snapshots;
}

/** Ends a test. Its attempts (`retry`, `repeats`) are tests of their own. @returns {Error[]} */
function endTest(test = state.test) {
  if (sequential === test) sequential = undefined;
  return test === undefined ? NONE : test.problems();
}

/**
 * Writes snapshots, undoes mocks of modules and fake timers.
 * `allTestsRan`: only then a snapshot that no test used is obsolete.
 */
function endFile({ allTestsRan = true } = {}) {
  resetMocks();
  const { assertions, failed } = state;
  const snapshots = state.snapshots ?? unusedSnapshots(allTestsRan);
  const result = { assertions, snapshots: emptySnapshots(), problems: [] };
  state.snapshots = undefined;
  try {
    if (snapshots !== undefined) result.snapshots = snapshots.close(allTestsRan, failed);
  } catch (problem) {
    result.problems.push(problem);
  }
  state.path = undefined;
  sequential = undefined;
  contexts = undefined;
  state.options = DEFAULT_OPTIONS;
  return result;
}

/** The snapshot file of a test file. */
const snapshotPath = (testFile) => testFile.replace(/[^/]*$/, '__snapshots__/$&.snap');

/** Snapshots of a file whose tests use none any more. */
function unusedSnapshots(allTestsRan) {
  if (!allTestsRan || state.path?.[0] !== '/') return undefined;
  const exists = internalBinding('loader').kind(snapshotPath(state.path)) !== 0;
  return exists ? openSnapshots() : undefined;
}

function emptySnapshots() {
  return { added: 0, updated: 0, matched: 0, unmatched: 0, removed: 0, obsolete: [] };
}

/** Restores spies, mocked modules, the clock and the timers. */
function resetMocks() {
  for (const cleanup of state.cleanups) cleanup();
  state.cleanups.clear();
}

module.exports = { state, beginFile, beginTest, countAssertion, countFailure, discountAssertions, emptySnapshots, endFile, endTest, keepSnapshots, openSnapshots, resetMocks, runConcurrently, snapshotPath };
