// The run of a program's tests. In: the first test that the program names. Out: the root of all
// tests; when nothing keeps the program going, a summary, and the code to end with. Errors that
// nobody caught belong to the test they come from. Absent: running files (`rusk --test`).
'use strict';

const process = require('process');
const { Test } = require('internal/test_runner/test');
const { failure, isFailure, kinds } = require('internal/test_runner/failure');
const { Hook } = require('internal/test_runner/hook');
const { TIMEOUT_MAX, current } = require('internal/test_runner/unit');
const { setInterval, clearInterval } = internalBinding('queues');

class Counts {
  tests = 0;
  suites = 0;
  passed = 0;
  failed = 0;
  cancelled = 0;
  skipped = 0;
  todo = 0;
  topLevel = 0;
  success = true;

  /** Counts a test that is over. */
  take(test) {
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

/** The root of all tests, made when the first is named. */
function getRoot() {
  if (root !== undefined) return root;
  const { TestsStream } = require('internal/test_runner/events');
  const { readSettings } = require('internal/test_runner/settings');
  const settings = readSettings();
  settings.stream = new TestsStream();
  root = new Test({ parent: null, name: '<root>', fn: undefined, place: undefined, options: { timeout: settings.timeout } });
  root.settings = settings;
  root.counts = new Counts();
  root.givenOnly = settings.only;
  root.runsOnly = settings.only;
  root.startedAt = require('internal/perf/clock').now();
  root.hasBegun = true;
  settings.onAllReported = () => finishHooks();
  settings.stream.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  });
  root.isReady = false;
  /** What suites still wait for, before it is known what is in them. */
  root.builds = new Set();
  root.ready = require('internal/test_runner/reporters').connect(settings).then(() => { root.isReady = true; });
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onRejected);
  process.on('beforeExit', beforeExit);
  return root;
}

/** Runs what stands at the top of a program, once its reporter is there. */
async function start(test) {
  if (!root.isReady) await root.ready;
  // What is in a suite may decide which tests run at all.
  while (root.builds.size > 0) await Promise.all(root.builds);
  await test.start();
}

let hooksOver;

/** The hooks that come after all tests; each runs once, also where tests come later. */
function finishHooks() {
  hooksOver = root.hooks.run('after', root.context).catch((error) => root.fail(error));
  return hooksOver;
}

let isEnding = false;

/** Nothing keeps the program going: what still waits is waited for, then all is told. */
async function beforeExit() {
  if (isEnding) return;
  isEnding = true;
  const keeper = setInterval(() => {}, TIMEOUT_MAX);
  await root.ready;
  if (root.children.length === 0) {
    await root.hooks.run('before', root.context).catch((error) => root.fail(error));
    await finishHooks();
  }
  await root.childrenOver?.promise;
  await hooksOver;
  clearInterval(keeper);
  finish(failure('Promise resolution is still pending but the event loop has already resolved', kinds.cancelledByParent));
}

function finish(reason) {
  process.removeListener('uncaughtException', onUncaught);
  process.removeListener('unhandledRejection', onRejected);
  process.removeListener('beforeExit', beforeExit);
  const failed = root.error;
  root.end(reason);
  const { counts, settings: { stream } } = root;
  if (failed !== null) tellOwnFailure(failed);
  stream.emitEvent('plan', { nesting: 0, count: counts.topLevel });
  const say = (message) => stream.emitEvent('diagnostic', { nesting: 0, message, level: 'info' });
  root.diagnostics.forEach(say);
  const names = [['tests'], ['suites'], ['pass', 'passed'], ['fail', 'failed'], ['cancelled'], ['skipped'], ['todo']];
  for (const [name, key = name] of names) say(`${name} ${counts[key]}`);
  say(`duration_ms ${root.duration}`);
  const { success, ...rest } = counts;
  stream.emitEvent('summary', { success, counts: rest, duration_ms: root.duration, file: undefined });
  stream.end();
}

/** A hook of the program's own failed: it is told as if the file were a test. */
function tellOwnFailure(error) {
  root.counts.success = false;
  const place = hookPlace();
  const file = process.argv[1] ?? place.file;
  const details = { __proto__: null, duration_ms: root.duration, error };
  root.settings.stream.emitEvent('fail', { name: file, nesting: 0, testNumber: root.reportedChildren + 1, details, ...place });
}

function hookPlace() {
  const hooks = [...root.hooks.before, ...root.hooks.after];
  const { file, line, column } = hooks.find((hook) => hook.error !== null)?.place ?? {};
  return file === undefined ? {} : { file, line, column };
}

// --- what nobody caught

const onUncaught = (error) => attribute(error, kinds.exception, current().getStore());
const onRejected = (error) => attribute(error, kinds.rejection, turnUnit() ?? waitingTest());

/** Whose callback the loop called last: the context of a promise is not known. */
function turnUnit() {
  const unit = require('internal/async_context').runInLastCallbackContext(() => current().getStore());
  return unit?.kind === 'suite' ? undefined : unit;
}

/**
 * The one test that has waited for something since an earlier round of the loop; where there are
 * several, nobody knows whose it is.
 */
function waitingTest(within = root) {
  const running = within.children.filter((child) => child.hasBegun && !child.isOver && child.hasWaited);
  if (running.length !== 1) return running.length === 0 && within.kind === 'test' && within !== root ? within : undefined;
  return waitingTest(running[0]);
}

function attribute(error, kind, unit) {
  if (unit === undefined || unit === root) {
    warn(`A resource generated asynchronous activity after the test ended. This activity created the error "${show(error)}" ` +
      `which triggered an ${kind} event, caught by the test runner.`);
    return;
  }
  if (unit.isOver) {
    const what = unit instanceof Hook ? `Test hook "${unit.kind}"` : `Test "${unit.name}"`;
    warn(`${what} at ${relative(unit.place)} generated asynchronous activity after the test ended. This activity created the error ` +
      `"${show(error)}" and would have caused the test to fail, but instead triggered an ${kind} event.`);
    return;
  }
  unit.fail(failure(error, kind));
  unit.controller.abort();
}

function show(error) {
  return isFailure(error) ? `Error [ERR_TEST_FAILURE]: ${error.message}` : String(error);
}

function relative(place) {
  if (place === undefined) return '<unknown>';
  return `${require('path').relative(process.cwd(), place.file)}:${place.line}:${place.column}`;
}

function warn(message) {
  root.diagnostics.push(`Error: ${message}`);
  process.exitCode = 1;
}

module.exports = { getRoot, start };
