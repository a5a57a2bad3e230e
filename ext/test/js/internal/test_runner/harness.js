// Test harness: the root test of a program. In: the program's first test. Out: the root; when the
// event loop is empty, a summary and the exit code. Uncaught errors are attributed to the test that
// they come from. Absent: running files (run.js).
'use strict';

const process = require('process');
const { conclude, makeRoot } = require('internal/test_runner/root');
const { createTestFailure, failureTypes, isTestFailureError } = require('internal/test_runner/failure');
const { TestHook } = require('internal/test_runner/hook');
const { TIMEOUT_MAX, current } = require('internal/test_runner/runnable');
const { setInterval, clearInterval } = internalBinding('queues');

let root;

/** The root of all tests, made on first use. */
function getGlobalRoot() {
  if (root !== undefined) return root;
  const config = require('internal/test_runner/config').readConfig();
  config.onAllReported = () => runAfterHooks();
  root = makeRoot(config);
  const runner = require('internal/test_files/node_test');
  if (!runner.isActive) failWith(config.stream);
  addErrorListeners();
  if (runner.isActive) {
    root.isReady = true;
    runner.attach(config.stream, onBeforeExit);
    return root;
  }
  root.bootstrapPromise = bootstrap(config).then(() => { root.isReady = true; });
  process.on('beforeExit', onBeforeExit);
  return root;
}

async function bootstrap(config) {
  await require('internal/test_runner/global_setup').setUp(config.globalSetupPath);
  await require('internal/test_runner/reporters').connect(config);
}

/** A failed test that is not `todo` fails the process. */
function failWith(stream) {
  stream.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  });
}

function addErrorListeners() {
  process.on('uncaughtException', onUncaughtException);
  process.on('unhandledRejection', onUnhandledRejection);
}

function removeErrorListeners() {
  process.removeListener('uncaughtException', onUncaughtException);
  process.removeListener('unhandledRejection', onUnhandledRejection);
}

/**
 * Makes `run`'s root the one that files of this process add their tests to. Out: the root of
 * earlier tests, whose hooks stay in effect.
 */
function adoptRoot(newRoot) {
  const earlier = root;
  if (earlier !== undefined) {
    process.removeListener('beforeExit', onBeforeExit);
    for (const kind of ['before', 'after', 'beforeEach', 'afterEach']) newRoot.hooks[kind].unshift(...earlier.hooks[kind]);
  } else {
    addErrorListeners();
  }
  root = newRoot;
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
  await endGlobalRoot();
}

/** Ends the run: what still waits is cancelled, because nothing can wake it. */
async function endGlobalRoot() {
  removeErrorListeners();
  process.removeListener('beforeExit', onBeforeExit);
  await require('internal/test_runner/global_setup').tearDown();
  root.config.coverage?.takeOwnCounts();
  conclude(root, createTestFailure('Promise resolution is still pending but the event loop has already resolved', failureTypes.cancelledByParent));
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

module.exports = { addErrorListeners, adoptRoot, failWith, getGlobalRoot, removeErrorListeners, runAfterHooks, startTopLevelTest };
