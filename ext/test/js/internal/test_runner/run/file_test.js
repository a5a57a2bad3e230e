// A test file as a test of the process that runs it: a child process whose tests are reported in
// the file's place. In: the file, the configuration of `run`. Out: the child's events, in the order
// of the files. A file without tests is itself reported, and so is one that fails for another
// reason than a test.
'use strict';

const process = require('process');
const { Test } = require('internal/test_runner/test');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { FrameReader } = require('internal/test_runner/run/frames');
const { unpackEvent } = require('internal/test_runner/run/error_values');

/** Messages of a file's summary; the run has its own. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const CANCELLED = new Set([failureTypes.cancelledByParent, failureTypes.aborted, failureTypes.timeout]);

/** Events between the two processes that are no test's. */
const COVERAGE = 'rusk:coverage';
const LOADED = 'rusk:loaded';

class FileTest extends Test {
  #waiting = [];
  #reportedCount = 0;
  hasFailedTests = false;

  constructor(args) {
    super(args);
    // The tests of the file have it.
    this.timeout = Infinity;
  }

  /** Whether the tests stand for the file. */
  get #isHidden() {
    return this.#reportedCount > 0 && (this.error === null || this.error.failureType === failureTypes.subtests);
  }

  add(event) {
    const { type, data } = unpackEvent(event);
    if (type === 'test:pass' || type === 'test:fail') {
      this.#reportedCount++;
      if (type === 'test:fail' && data.nesting === 0) this.hasFailedTests = true;
    }
    this.#waiting.push({ type, data });
    if (this.isReportable) this.#report();
  }

  reportSubtests() {
    if (this.isReportable) this.#report();
    super.reportSubtests();
  }

  reportTest() {
    this.#report();
    if (this.#isHidden) this.isReported = true;
    else super.reportTest();
  }

  #report() {
    for (const event of this.#waiting.splice(0)) this.#reportEvent(event);
  }

  #reportEvent({ type, data }) {
    const { counts } = this.root;
    const isTopLevel = data.nesting === 0;
    if (isTopLevel && type === 'test:plan' && this.#isHidden) return;
    if (isTopLevel && type === 'test:diagnostic' && SUMMARY.test(data.message)) return;
    if (type === 'test:pass' || type === 'test:fail') {
      if (isTopLevel) data.testNumber = counts.topLevel + 1;
      counts.count({
        isTopLevel, isSuite: data.details.type === 'suite', isSkipped: data.skip !== undefined, isTodo: data.todo !== undefined,
        cancelled: CANCELLED.has(data.details.error?.failureType), passed: type === 'test:pass',
      });
    }
    if (type === 'test:summary') data.file = this.location.file;
    this.stream.emitEvent(type.slice('test:'.length), data);
  }
}

/** Arguments of this process that are not for the files. */
const OWN_FLAGS = new Set(['--test', '--watch', '--experimental-test-coverage', '--test-force-exit']);
const OWN_VALUES = ['--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-isolation', '--experimental-test-isolation', '--test-shard',
  '--test-global-setup', '--test-coverage-include', '--test-coverage-exclude', '--test-coverage-lines', '--test-coverage-branches', '--test-coverage-functions'];

function inheritedArguments() {
  const inherited = [];
  const args = process.execArgv;
  for (let index = 0; index < args.length; index++) {
    const [name] = args[index].split('=', 1);
    if (OWN_FLAGS.has(name)) continue;
    if (!OWN_VALUES.includes(name)) inherited.push(args[index]);
    else if (name === args[index]) index++;
  }
  return inherited;
}

function childArguments(path, { namePatterns, skipPatterns, filesOnly, fileTimeout, coverage, execArgv, argv, isOfCommandLine }) {
  const args = inheritedArguments();
  if (coverage !== undefined) args.push('--experimental-test-coverage');
  if (!isOfCommandLine) {
    for (const pattern of namePatterns) args.push(`--test-name-pattern=${pattern}`);
    for (const pattern of skipPatterns) args.push(`--test-skip-pattern=${pattern}`);
    if (filesOnly) args.push('--test-only');
    if (fileTimeout !== undefined && fileTimeout !== Infinity) args.push(`--test-timeout=${fileTimeout}`);
  }
  return [...args, ...execArgv, path, ...argv];
}

function childEnv(config, worker) {
  return { ...config.env ?? process.env, NODE_TEST_CONTEXT: 'child-v8', NODE_TEST_WORKER_ID: `${worker}` };
}

/** Runs the file's process; rejects where it fails. `onLoaded`: hears which files it has loaded. */
async function runFile(file, test, { config, worker, signal, onStart, onLoaded }) {
  const { spawn } = require('child_process');
  const child = spawn(process.execPath, childArguments(file, config), {
    signal, cwd: config.cwd, env: childEnv(config, worker), stdio: ['pipe', 'pipe', 'pipe'],
  });
  onStart?.(child);
  let spawnError;
  child.on('error', (error) => { spawnError = error; });
  const reader = new FrameReader();
  const take = (items) => {
    for (const { text, event } of items) {
      if (event === undefined) test.add({ type: 'test:stdout', data: { __proto__: null, file, message: text } });
      else if (event.type === COVERAGE) config.coverage?.add(event.data);
      else if (event.type === LOADED) onLoaded?.(event.data);
      else test.add(event);
    }
  };
  child.stdout.on('data', (chunk) => take(reader.read(chunk)));
  const lines = require('readline').createInterface({ input: child.stderr });
  lines.on('line', (line) => test.add({ type: 'test:stderr', data: { __proto__: null, file, message: `${line}\n` } }));
  const [code, endSignal] = await new Promise((resolve) => { child.on('close', (...end) => resolve(end)); });
  take(reader.end());
  if (code === 0 && endSignal === null) return;
  throw spawnError ?? fileFailure(test, code, endSignal);
}

function fileFailure(test, exitCode, signal) {
  const failure = createTestFailure('test failed', test.hasFailedTests ? failureTypes.subtests : failureTypes.code);
  // The failure is not in this process, so a stack would say nothing.
  failure.stack = undefined;
  return Object.assign(failure, { cause: 'test failed', exitCode, signal });
}

module.exports = { COVERAGE, FileTest, LOADED, runFile };
