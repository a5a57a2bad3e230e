// Test: a node of the tree of tests. It runs when its parent's concurrency allows, and is reported
// when its earlier siblings are. In: a name, options, a function. Out: events of TestsStream, in
// the order in which the tests are defined. Suites are in suite.js.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { now } = require('internal/perf/clock');
const { mismatch, readExpectation } = require('internal/test_runner/expectation');
const { createTestFailure, failureTypes, isTestFailureError } = require('internal/test_runner/failure');
const { Hooks } = require('internal/test_runner/hook');
const { TestPlan } = require('internal/test_runner/plan');
const { Runnable } = require('internal/test_runner/runnable');
const { setImmediate } = internalBinding('queues');

function noop() {}

function readConcurrency(concurrency, inherited) {
  switch (typeof concurrency) {
    case 'number':
      validateUint32(concurrency, 'options.concurrency', true);
      return concurrency;
    case 'boolean':
      return concurrency ? Infinity : 1;
    default:
      if (concurrency !== undefined && concurrency !== null) throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
      return inherited;
  }
}

/** `only` excludes the siblings; in suites, those of the enclosing suites too. */
function markOnly(parent) {
  for (let ancestor = parent; ancestor !== null; ancestor = ancestor.parent) {
    ancestor.runOnlySubtests = true;
    if (ancestor.kind === 'test') return;
  }
}

const isSet = (option) => option !== undefined && option !== null && option !== false;

class Test extends Runnable {
  kind = 'test';

  constructor({ parent, name, fn, location, options }) {
    if (typeof fn !== 'function') fn = noop;
    const { skip, todo, plan, timeout, signal, concurrency, only, expectFailure } = options;
    super({ fn: isSet(skip) && skip !== '' ? noop : fn, timeout: timeout ?? parent?.timeout, signal, location });
    this.name = typeof name === 'string' && name !== '' ? name : (fn !== noop && fn.name) || '<anonymous>';
    this.parent = parent;
    this.root = parent === null ? this : parent.root;
    this.nesting = parent === null || parent.parent === null ? 0 : parent.nesting + 1;
    this.concurrency = readConcurrency(concurrency, parent === null ? 1 : parent.concurrency);
    this.ownOnly = only;
    this.runOnlySubtests = false;
    this.isFiltered = false;
    this.isSkipped = this.isSkippedByOption = isSet(skip) && skip !== '';
    this.isTodo = isSet(todo) || (parent !== null && parent.isTodo);
    this.message = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : null;
    this.expectation = readExpectation(expectFailure) ?? parent?.expectation;
    this.plan = isSet(plan) ? new TestPlan(plan) : null;
    this.diagnostics = [];
    this.hooks = new Hooks(this);
    this.mock = null;
    this.startTime = null;
    this.endTime = null;
    this.hasStarted = false;
    this.hasWaited = false;
    this.isFinished = false;
    this.isReported = false;
    this.reportedStart = false;
    this.testNumber = 0;
    this.outputSubtestCount = 0;
    this.children = [];
    this.reportIndex = 0;
    this.pendingSubtests = [];
    this.activeSubtests = 0;
    this.unfinishedSubtests = 0;
    this.subtestsPromise = undefined;
    if (only) markOnly(parent);
    if (signal?.aborted) this.abort(signal.reason);
  }

  get context() {
    const { TestContext } = require('internal/test_runner/context');
    const value = new TestContext(this);
    Object.defineProperty(this, 'context', { __proto__: null, value });
    return value;
  }

  get fullName() {
    return this.parent === null || this.parent.parent === null ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  /** Whether it runs where `only` selects tests. */
  get only() { return this.ownOnly ?? (this.parent !== null && this.parent.only && !this.parent.runOnlySubtests); }

  get stream() { return this.root.config.stream; }

  // --- the tree

  /** Adds a test or suite. If this one has finished, it becomes the root's, and fails. */
  createSubtest(Factory, args) {
    const isLate = this.isReported || this.isClosed;
    const parent = isLate ? this.root : this;
    const child = new Factory({ ...args, parent });
    parent.children.push(child);
    parent.unfinishedSubtests++;
    parent.subtestsPromise ??= Promise.withResolvers();
    if (isLate) child.fail(createTestFailure('test could not be started because its parent finished', failureTypes.parentFinished));
    return child;
  }

  /** Whether name patterns or `only` exclude it. */
  isExcluded() {
    const { filter } = this.root.config;
    if (this.parent.isFiltered || this.ownOnly === false) return true;
    if (this.parent.runOnlySubtests && !this.only && !this.hasOnlySubtests()) return true;
    return filter !== undefined && !this.matchesFilter(filter);
  }

  hasOnlySubtests() { return false; }

  matchesFilter(filter) { return filter(this); }

  /** Runs as soon as the parent's concurrency allows. Returns a promise of its end. */
  start() {
    const { parent } = this;
    this.isFiltered = this.isExcluded();
    if (this.isFiltered) {
      this.exclude();
      this.postRun();
      return Promise.resolve();
    }
    this.testNumber = ++parent.outputSubtestCount;
    this.emitEvent('enqueue', { type: this.kind });
    if (parent.activeSubtests < parent.concurrency) return this.runNow();
    const { promise, resolve } = Promise.withResolvers();
    parent.pendingSubtests.push({ test: this, resolve });
    return promise;
  }

  exclude() {
    this.isFiltered = true;
    this.passed = true;
    for (const child of this.children) child.exclude();
  }

  runNow() {
    this.parent.activeSubtests++;
    this.emitEvent('dequeue', { type: this.kind });
    return this.run();
  }

  /** Runs pending subtests, as far as the concurrency allows. */
  processPendingSubtests() {
    while (this.pendingSubtests.length > 0 && this.activeSubtests < this.concurrency) {
      const { test, resolve } = this.pendingSubtests.shift();
      if (test.isFinished) resolve();
      else test.runNow().then(resolve);
    }
  }

  // --- run

  async run() {
    this.startTime ??= now();
    this.hasStarted = true;
    if (this.error !== null) return this.postRun();
    // A rejection has no context. In a later iteration of the event loop it can be this test's.
    setImmediate(() => { this.hasWaited = true; }).unref();
    const { parent, context } = this;
    let afterEachRan = false;
    const afterEach = async () => {
      if (afterEachRan || this.isSkippedByOption) return;
      afterEachRan = true;
      if (parent.hooks.has('afterEach')) await parent.hooks.run('afterEach', context);
    };
    const stop = this.createStopPromise();
    try {
      if (parent.hooks.before.length > 0) await parent.hooks.run('before', parent.context);
      if (parent.hooks.has('beforeEach') && !this.isSkipped) await parent.hooks.run('beforeEach', context);
      await this.runBody(context, stop.promise);
      this.pass();
      await afterEach();
      if (this.hooks.after.length > 0) await this.hooks.run('after', context);
    } catch (error) {
      this.failOrCancel(error);
      await afterEach().catch(noop);
      await this.hooks.run('after', context).catch(noop);
    } finally {
      stop.dispose();
      this.controller.abort();
    }
    this.postRun();
  }

  async runBody(context, stopPromise) {
    await this.call(context, stopPromise);
    if (this.error !== null) return;
    if (this.subtestsPromise !== undefined) await Promise.race([this.subtestsPromise.promise, stopPromise]);
    const planPromise = this.plan?.check();
    if (planPromise !== undefined) await Promise.race([planPromise, stopPromise]);
  }

  failOrCancel(error) {
    if (!isTestFailureError(error)) this.fail(createTestFailure(error, failureTypes.code));
    else if (error.failureType === failureTypes.timeout) this.cancel(error);
    else this.fail(error);
  }

  fail(error) {
    if (this.error !== null) return;
    this.error = error;
    this.passed = false;
    if (this.expectation === undefined || error.failureType === failureTypes.subtests) return;
    const mismatchError = mismatch(this.expectation, isTestFailureError(error) ? error.cause : error);
    if (mismatchError === undefined) this.passed = true;
    else this.error = createTestFailure(mismatchError, failureTypes.code);
  }

  pass() {
    if (this.error !== null) return;
    if (this.expectation !== undefined && !this.isSkipped && !this.isTodo) {
      this.error = createTestFailure('test was expected to fail but passed', failureTypes.expected);
      return;
    }
    this.passed = true;
  }

  /** Cancels unfinished subtests, and reports to the parent. */
  postRun(reason) {
    if (this.isFinished) return;
    this.endTime ??= now();
    this.startTime ??= this.endTime;
    this.cancelUnfinishedSubtests(reason);
    this.outerSignal?.removeEventListener('abort', this.onAbort);
    this.mock?.reset();
    this.isFinished = true;
    const { parent } = this;
    if (parent === null) return;
    if (!this.isFiltered) {
      this.testNumber ||= ++parent.outputSubtestCount;
      this.emitEvent('complete', { ...this.getReportDetails(), details: { ...this.getReportDetails().details, passed: this.passed } });
      if (this.hasStarted) parent.activeSubtests--;
    }
    parent.unfinishedSubtests--;
    // Once only, as in Node: the parent does not wait for subtests that are added later.
    if (parent.unfinishedSubtests === 0) parent.subtestsPromise.resolve();
    parent.reportSubtests();
    parent.processPendingSubtests();
  }

  cancelUnfinishedSubtests(reason) {
    this.pendingSubtests = [];
    let failed = 0;
    for (const child of this.children) {
      if (!child.isFinished) {
        child.cancel(reason);
        child.postRun(reason);
      }
      if (!child.passed && !child.isTodo) failed++;
    }
    if (failed > 0 && (this.passed || this.parent === null)) {
      this.fail(createTestFailure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, failureTypes.subtests));
    }
  }

  // --- reports

  get isReportable() {
    const { parent } = this;
    return parent === null || (parent.children[parent.reportIndex] === this && parent.isReportable);
  }

  /** Reports finished subtests in order, if all earlier siblings are reported. */
  reportSubtests() {
    if (!this.isReportable) return;
    while (this.reportIndex < this.children.length) {
      const child = this.children[this.reportIndex];
      if (!child.isFinished) {
        if (child.children.length > 0) child.reportSubtests();
        return;
      }
      child.reportTest();
      this.reportIndex++;
    }
    if (this.parent === null) this.config.onAllReported();
  }

  reportTest() {
    this.reportSubtests();
    this.isReported = true;
    if (this.isFiltered) return;
    this.root.counts.countCompletedTest(this);
    if (this.outputSubtestCount > 0) {
      const { location, nesting } = this.children[0];
      this.stream.emitEvent('plan', { nesting, count: this.outputSubtestCount, ...locationFields(this.location ?? location) });
    } else {
      this.reportStarted();
    }
    this.emitEvent(this.passed ? 'pass' : 'fail', this.getReportDetails());
    for (const message of this.diagnostics) this.emitDiagnostic(message);
  }

  reportStarted() {
    if (this.reportedStart || this.parent === null) return;
    this.reportedStart = true;
    this.parent.reportStarted();
    this.emitEvent('start', {});
  }

  /** In milliseconds, rounded to a nanosecond. */
  get duration() { return Math.round(((this.endTime ?? now()) - this.startTime) * 1e6) / 1e6; }

  getReportDetails() {
    const details = { __proto__: null, duration_ms: this.duration, type: this.kind };
    if (!this.passed) details.error = this.error;
    const directive = this.isSkipped ? { skip: this.message ?? true } :
      this.isTodo ? { todo: this.message ?? true } :
        this.expectation !== undefined ? { expectFailure: this.expectation.label ?? true } : {};
    return { testNumber: this.testNumber, details, ...directive };
  }

  diagnostic(message) { this.diagnostics.push(message); }

  emitDiagnostic(message, level = 'info') {
    this.stream.emitEvent('diagnostic', { nesting: this.nesting, message, level, ...locationFields(this.location) });
  }

  emitEvent(name, fields) {
    this.stream.emitEvent(name, { name: this.name, nesting: this.nesting, ...fields, ...locationFields(this.location) });
  }
}

function locationFields(location) {
  return location === undefined ? {} : { file: location.file, line: location.line, column: location.column };
}

module.exports = { Test };
