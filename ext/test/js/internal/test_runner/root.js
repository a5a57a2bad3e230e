// Root of a tree of tests: it counts, and it ends the stream with the plan and the summary. In: the
// configuration of a run. Out: a root that takes tests; after `conclude` the run's last events.
// Absent: when a program's tests start and end (harness.js), running files (run.js).
'use strict';

const { Test } = require('internal/test_runner/test');
const { TestsStream } = require('internal/test_runner/tests_stream');

class TestCounters {
  tests = 0;
  suites = 0;
  passed = 0;
  failed = 0;
  cancelled = 0;
  skipped = 0;
  todo = 0;
  topLevel = 0;
  success = true;

  /** Counts a finished test of this process. */
  countCompletedTest(test) {
    this.count({
      isTopLevel: test.parent.parent === null, isSuite: test.kind === 'suite', isSkipped: test.isSkipped, isTodo: test.isTodo,
      cancelled: test.cancelled, passed: test.passed,
    });
  }

  count({ isTopLevel, isSuite, isSkipped, isTodo, cancelled, passed }) {
    if (isTopLevel) this.topLevel++;
    if (isSuite) {
      this.suites++;
      if (!passed && !isTodo) this.success = false;
      return;
    }
    this.tests++;
    if (isSkipped) this.skipped++;
    else if (isTodo) this.todo++;
    else if (cancelled) this.cancelled++;
    else if (passed) this.passed++;
    else this.failed++;
    if (!isSkipped && !isTodo && !passed) this.success = false;
  }
}

/** `config`: what config.js reads; of `run`, the same members. */
function makeRoot(config) {
  config.stream = new TestsStream();
  config.onAllReported ??= () => {};
  const { concurrency, timeout } = config;
  const root = new Test({ parent: null, name: '<root>', fn: undefined, location: undefined, options: { concurrency, timeout } });
  root.config = config;
  root.counts = new TestCounters();
  root.ownOnly = config.only;
  root.runOnlySubtests = config.only;
  root.startTime = require('internal/perf/clock').now();
  root.hasStarted = true;
  root.isReady = false;
  /** Promises of asynchronous suite functions, which still define tests. */
  root.buildPromises = new Set();
  return root;
}

/** Cancels what has not finished, for this reason, and emits what comes last. */
function conclude(root, reason) {
  const hookError = root.error;
  root.postRun(reason);
  if (hookError !== null) reportHookFailure(root, hookError);
  summarize(root);
  root.config.stream.end();
}

/** Emits the plan, the sums and the coverage. */
function summarize(root) {
  const { counts, config: { stream, coverage } } = root;
  stream.emitEvent('plan', { nesting: 0, count: counts.topLevel });
  const emitDiagnostic = (message) => stream.emitEvent('diagnostic', { nesting: 0, message, level: 'info' });
  root.diagnostics.forEach(emitDiagnostic);
  const names = [['tests'], ['suites'], ['pass', 'passed'], ['fail', 'failed'], ['cancelled'], ['skipped'], ['todo']];
  for (const [name, key = name] of names) emitDiagnostic(`${name} ${counts[key]}`);
  emitDiagnostic(`duration_ms ${root.duration}`);
  if (coverage !== undefined && !coverage.report(stream)) counts.success = false;
  const { success, ...rest } = counts;
  stream.emitEvent('summary', { success, counts: rest, duration_ms: root.duration, file: undefined });
}

/** Reports a failed hook of the root as if the file were a test. */
function reportHookFailure(root, error) {
  root.counts.success = false;
  const location = hookLocation(root);
  const file = require('process').argv[1] ?? location.file;
  const details = { __proto__: null, duration_ms: root.duration, error };
  root.config.stream.emitEvent('fail', { name: file, nesting: 0, testNumber: root.outputSubtestCount + 1, details, ...location });
}

function hookLocation(root) {
  const hooks = [...root.hooks.before, ...root.hooks.after];
  const { file, line, column } = hooks.find((hook) => hook.error !== null)?.location ?? {};
  return file === undefined ? {} : { file, line, column };
}

module.exports = { TestCounters, conclude, makeRoot, summarize };
