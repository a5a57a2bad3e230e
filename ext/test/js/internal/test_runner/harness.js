// Test harness: the root test of a program. In: the program's first test. Out: the root; when the
// event loop is empty, a summary and the exit code. Uncaught errors are attributed to the test that
// they come from. Absent: running files (`rusk --test`).
'use strict';

const process = require('process');
const { Test } = require('internal/test_runner/test');
const { createTestFailure, failureTypes, isTestFailureError } = require('internal/test_runner/failure');
const { TestHook } = require('internal/test_runner/hook');
const { TIMEOUT_MAX, current } = require('internal/test_runner/runnable');
const { setInterval, clearInterval } = internalBinding('queues');

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

  /** Counts a finished test. */
  countCompletedTest(test) {
    if (test.parent.parent === null) this.topLevel++;
    if (test.kind === 'suite') {
      this.suites++;
      if (!test.passed) this.success = false;
      return;
    }
    this.tests++;
    if (test.isSkipped) this.skipped++;
    else if (test.isTodo) this.todo++;
    else if (test.cancelled) this.cancelled++;
    else if (test.passed) this.passed++;
    else this.failed++;
    if (!test.isSkipped && !test.isTodo && !test.passed) this.success = false;
  }
}

let root;

/** The root of all tests, made on first use. */
function getGlobalRoot() {
  if (root !== undefined) return root;
  const { TestsStream } = require('internal/test_runner/tests_stream');
  const { readConfig } = require('internal/test_runner/config');
  const config = readConfig();
  config.stream = new TestsStream();
  root = new Test({ parent: null, name: '<root>', fn: undefined, location: undefined, options: { timeout: config.timeout } });
  root.config = config;
  root.counts = new TestCounters();
  root.ownOnly = config.only;
  root.runOnlySubtests = config.only;
  root.startTime = require('internal/perf/clock').now();
  root.hasStarted = true;
  config.onAllReported = () => runAfterHooks();
  const runner = require('internal/test_files/node_test');
  if (!runner.isActive) {
    config.stream.on('test:fail', ({ todo }) => {
      if (todo === undefined || todo === false) process.exitCode = 1;
    });
  }
  root.isReady = false;
  /** Promises of asynchronous suite functions, which still define tests. */
  root.buildPromises = new Set();
  process.on('uncaughtException', onUncaughtException);
  process.on('unhandledRejection', onUnhandledRejection);
  if (runner.isActive) {
    root.isReady = true;
    runner.attach(config.stream, onBeforeExit);
    return root;
  }
  root.bootstrapPromise = require('internal/test_runner/reporters').connect(config).then(() => { root.isReady = true; });
  process.on('beforeExit', onBeforeExit);
  return root;
}

/** Runs a top-level test, once the reporters are loaded. */
async function startTopLevelTest(test) {
  if (!root.isReady) await root.bootstrapPromise;
  // A suite's content may decide which tests run at all (`only`).
  while (root.buildPromises.size > 0) await Promise.all(root.buildPromises);
  await test.start();
}

let afterHooks;

/** Runs the root's `after` hooks; each runs once, also where tests are added later. */
function runAfterHooks() {
  afterHooks = root.hooks.run('after', root.context).catch((error) => root.fail(error));
  return afterHooks;
}

let isExiting = false;

/** The event loop is empty: waits for the tests that are unfinished, then reports. */
async function onBeforeExit() {
  if (isExiting) return;
  isExiting = true;
  const keepAlive = setInterval(() => {}, TIMEOUT_MAX);
  await root.bootstrapPromise;
  if (root.children.length === 0) {
    await root.hooks.run('before', root.context).catch((error) => root.fail(error));
    await runAfterHooks();
  }
  await root.subtestsPromise?.promise;
  await afterHooks;
  clearInterval(keepAlive);
  exitHandler(createTestFailure('Promise resolution is still pending but the event loop has already resolved', failureTypes.cancelledByParent));
}

function exitHandler(reason) {
  process.removeListener('uncaughtException', onUncaughtException);
  process.removeListener('unhandledRejection', onUnhandledRejection);
  process.removeListener('beforeExit', onBeforeExit);
  const hookError = root.error;
  root.postRun(reason);
  const { counts, config: { stream } } = root;
  if (hookError !== null) reportHookFailure(hookError);
  stream.emitEvent('plan', { nesting: 0, count: counts.topLevel });
  const emitDiagnostic = (message) => stream.emitEvent('diagnostic', { nesting: 0, message, level: 'info' });
  root.diagnostics.forEach(emitDiagnostic);
  const names = [['tests'], ['suites'], ['pass', 'passed'], ['fail', 'failed'], ['cancelled'], ['skipped'], ['todo']];
  for (const [name, key = name] of names) emitDiagnostic(`${name} ${counts[key]}`);
  emitDiagnostic(`duration_ms ${root.duration}`);
  const { success, ...rest } = counts;
  stream.emitEvent('summary', { success, counts: rest, duration_ms: root.duration, file: undefined });
  stream.end();
}

/** Reports a failed hook of the root as if the file were a test. */
function reportHookFailure(error) {
  root.counts.success = false;
  const location = hookLocation();
  const file = process.argv[1] ?? location.file;
  const details = { __proto__: null, duration_ms: root.duration, error };
  root.config.stream.emitEvent('fail', { name: file, nesting: 0, testNumber: root.outputSubtestCount + 1, details, ...location });
}

function hookLocation() {
  const hooks = [...root.hooks.before, ...root.hooks.after];
  const { file, line, column } = hooks.find((hook) => hook.error !== null)?.location ?? {};
  return file === undefined ? {} : { file, line, column };
}

// --- uncaught errors

const onUncaughtException = (error) => attributeError(error, failureTypes.exception, current().getStore());
const onUnhandledRejection = (error) => attributeError(error, failureTypes.rejection, currentTurnRunnable() ?? waitingTest());

/** The test or hook whose callback the event loop called last: a promise has no known context. */
function currentTurnRunnable() {
  const runnable = require('internal/async_context').runInLastCallbackContext(() => current().getStore());
  return runnable?.kind === 'suite' ? undefined : runnable;
}

/**
 * The only test that has been running since an earlier iteration of the event loop. Undefined where
 * there are several: the rejection may be any one's.
 */
function waitingTest(parent = root) {
  const running = parent.children.filter((child) => child.hasStarted && !child.isFinished && child.hasWaited);
  if (running.length !== 1) return running.length === 0 && parent.kind === 'test' && parent !== root ? parent : undefined;
  return waitingTest(running[0]);
}

function attributeError(error, kind, runnable) {
  if (runnable === undefined || runnable === root) {
    addRootDiagnostic(`A resource generated asynchronous activity after the test ended. This activity created the error "${errorToString(error)}" ` +
      `which triggered an ${kind} event, caught by the test runner.`);
    return;
  }
  if (runnable.isFinished) {
    const subject = runnable instanceof TestHook ? `Test hook "${runnable.kind}"` : `Test "${runnable.name}"`;
    addRootDiagnostic(`${subject} at ${formatLocation(runnable.location)} generated asynchronous activity after the test ended. This activity created the error ` +
      `"${errorToString(error)}" and would have caused the test to fail, but instead triggered an ${kind} event.`);
    return;
  }
  runnable.fail(createTestFailure(error, kind));
  runnable.controller.abort();
}

function errorToString(error) {
  return isTestFailureError(error) ? `Error [ERR_TEST_FAILURE]: ${error.message}` : String(error);
}

function formatLocation(location) {
  if (location === undefined) return '<unknown>';
  return `${require('path').relative(process.cwd(), location.file)}:${location.line}:${location.column}`;
}

function addRootDiagnostic(message) {
  root.diagnostics.push(`Error: ${message}`);
  process.exitCode = 1;
}

module.exports = { getGlobalRoot, startTopLevelTest };
