// Tests: a tree of them, in which each runs when its parent has room for it and is reported when it
// is its turn. In: a name, options, a function. Out: events on the root's stream, in the order the
// tests stand in the program. Suites are in suite.js.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { now } = require('internal/perf/clock');
const { mismatch, readExpectation } = require('internal/test_runner/expectation');
const { failure, isFailure, kinds } = require('internal/test_runner/failure');
const { Hooks } = require('internal/test_runner/hook');
const { Plan } = require('internal/test_runner/plan');
const { Unit } = require('internal/test_runner/unit');
const { setImmediate } = internalBinding('queues');

function noop() {}

function readConcurrency(given, otherwise) {
  switch (typeof given) {
    case 'number':
      validateUint32(given, 'options.concurrency', true);
      return given;
    case 'boolean':
      return given ? Infinity : 1;
    default:
      if (given !== undefined && given !== null) throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], given);
      return otherwise;
  }
}

/** One that is marked as the only one leaves its siblings out; of suites, those around them too. */
function markOnly(parent) {
  for (let at = parent; at !== null; at = at.parent) {
    at.runsOnly = true;
    if (at.kind === 'test') return;
  }
}

const isAsked = (option) => option !== undefined && option !== null && option !== false;

class Test extends Unit {
  kind = 'test';

  constructor({ parent, name, fn, place, options }) {
    if (typeof fn !== 'function') fn = noop;
    const { skip, todo, plan, timeout, signal, concurrency, only, expectFailure } = options;
    super({ fn: isAsked(skip) && skip !== '' ? noop : fn, timeout: timeout ?? parent?.timeout, signal, place });
    this.name = typeof name === 'string' && name !== '' ? name : (fn !== noop && fn.name) || '<anonymous>';
    this.parent = parent;
    this.root = parent === null ? this : parent.root;
    this.nesting = parent === null || parent.parent === null ? 0 : parent.nesting + 1;
    this.concurrency = readConcurrency(concurrency, parent === null ? 1 : parent.concurrency);
    this.givenOnly = only;
    this.runsOnly = false;
    this.isFiltered = false;
    this.isSkipped = isAsked(skip) && skip !== '';
    this.isTodo = (isAsked(todo) && todo !== '') || (parent !== null && parent.isTodo);
    this.reason = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : null;
    this.expectation = readExpectation(expectFailure) ?? parent?.expectation;
    this.plan = isAsked(plan) ? new Plan(plan) : null;
    this.diagnostics = [];
    this.hooks = new Hooks(this);
    this.mock = null;
    this.startedAt = null;
    this.endedAt = null;
    this.hasBegun = false;
    this.hasWaited = false;
    this.isOver = false;
    this.isReported = false;
    this.isAnnounced = false;
    this.number = 0;
    this.reportedChildren = 0;
    this.children = [];
    this.nextToReport = 0;
    this.waiting = [];
    this.active = 0;
    this.unfinished = 0;
    this.childrenOver = undefined;
    if (only) markOnly(parent);
    if (signal?.aborted) this.abortBy(signal.reason);
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

  /** Whether it is to run where only some are. */
  get only() { return this.givenOnly ?? (this.parent !== null && this.parent.only && !this.parent.runsOnly); }

  get stream() { return this.root.settings.stream; }

  // --- the tree

  /** A test or suite within this one; of one that is over it is the root's, and fails. */
  add(Kind, given) {
    const isLate = this.isReported || this.isClosed;
    const parent = isLate ? this.root : this;
    const child = new Kind({ ...given, parent });
    parent.children.push(child);
    parent.unfinished++;
    parent.childrenOver ??= Promise.withResolvers();
    if (isLate) child.fail(failure('test could not be started because its parent finished', kinds.parentFinished));
    return child;
  }

  /** Whether a filter of names, or of those that are marked as the only ones, leaves it out. */
  isLeftOut() {
    const { filter } = this.root.settings;
    if (this.parent.isFiltered || this.givenOnly === false) return true;
    if (this.parent.runsOnly && !this.only && !this.hasOnlyWithin()) return true;
    return filter !== undefined && !this.isWanted(filter);
  }

  hasOnlyWithin() { return false; }

  isWanted(filter) { return filter(this); }

  /** Runs as soon as the parent has room. Out: a promise of its end. */
  start() {
    const { parent } = this;
    this.isFiltered = this.isLeftOut();
    if (this.isFiltered) {
      this.leaveOut();
      this.end();
      return Promise.resolve();
    }
    this.number = ++parent.reportedChildren;
    this.tell('enqueue', { type: this.kind });
    if (parent.active < parent.concurrency) return this.begin();
    const { promise, resolve } = Promise.withResolvers();
    parent.waiting.push({ test: this, resolve });
    return promise;
  }

  leaveOut() {
    this.isFiltered = true;
    this.passed = true;
    for (const child of this.children) child.leaveOut();
  }

  begin() {
    this.parent.active++;
    this.tell('dequeue', { type: this.kind });
    return this.run();
  }

  /** Begins those that wait, as far as there is room. */
  startWaiting() {
    while (this.waiting.length > 0 && this.active < this.concurrency) {
      const { test, resolve } = this.waiting.shift();
      if (test.isOver) resolve();
      else test.begin().then(resolve);
    }
  }

  // --- a test's life

  async run() {
    this.startedAt ??= now();
    this.hasBegun = true;
    if (this.error !== null) return this.end();
    // Errors of promises say nothing of where they come from; those of a later round of the loop
    // can be its own.
    setImmediate(() => { this.hasWaited = true; }).unref();
    const { parent, context } = this;
    let hasRunEach = false;
    const afterEach = async () => {
      if (hasRunEach || this.isSkipped) return;
      hasRunEach = true;
      if (parent.hooks.has('afterEach')) await parent.hooks.run('afterEach', context);
    };
    const limit = this.limit();
    try {
      if (parent.hooks.before.length > 0) await parent.hooks.run('before', parent.context);
      if (parent.hooks.has('beforeEach') && !this.isSkipped) await parent.hooks.run('beforeEach', context);
      await this.body(context, limit.promise);
      this.pass();
      await afterEach();
      if (this.hooks.after.length > 0) await this.hooks.run('after', context);
    } catch (error) {
      this.failBy(error);
      await afterEach().catch(noop);
      await this.hooks.run('after', context).catch(noop);
    } finally {
      limit.end();
      this.controller.abort();
    }
    this.end();
  }

  async body(context, limit) {
    await this.call(context, limit);
    if (this.error !== null) return;
    if (this.childrenOver !== undefined) await Promise.race([this.childrenOver.promise, limit]);
    const planned = this.plan?.check();
    if (planned !== undefined) await Promise.race([planned, limit]);
  }

  failBy(error) {
    if (!isFailure(error)) this.fail(failure(error, kinds.code));
    else if (error.failureType === kinds.timeout) this.cancel(error);
    else this.fail(error);
  }

  fail(error) {
    if (this.error !== null) return;
    this.error = error;
    this.passed = false;
    if (this.expectation === undefined || error.failureType === kinds.subtests) return;
    const wrong = mismatch(this.expectation, isFailure(error) ? error.cause : error);
    if (wrong === undefined) this.passed = true;
    else this.error = failure(wrong, kinds.code);
  }

  pass() {
    if (this.error !== null) return;
    if (this.expectation !== undefined && !this.isSkipped && !this.isTodo) {
      this.error = failure('test was expected to fail but passed', kinds.expected);
      return;
    }
    this.passed = true;
  }

  /** What is unfinished within is cancelled, and the parent told. */
  end(reason) {
    if (this.isOver) return;
    this.endedAt ??= now();
    this.startedAt ??= this.endedAt;
    this.closeChildren(reason);
    this.outerSignal?.removeEventListener('abort', this.onAbort);
    this.mock?.reset();
    this.isOver = true;
    const { parent } = this;
    if (parent === null) return;
    if (!this.isFiltered) {
      this.number ||= ++parent.reportedChildren;
      this.tell('complete', { ...this.report(), details: { ...this.report().details, passed: this.passed } });
      if (this.hasBegun) parent.active--;
    }
    parent.unfinished--;
    // Once only, as in Node: of those that come later the parent waits for none.
    if (parent.unfinished === 0) parent.childrenOver.resolve();
    parent.flush();
    parent.startWaiting();
  }

  closeChildren(reason) {
    this.waiting = [];
    let failed = 0;
    for (const child of this.children) {
      if (!child.isOver) {
        child.cancel(reason);
        child.end(reason);
      }
      if (!child.passed && !child.isTodo) failed++;
    }
    if (failed > 0 && (this.passed || this.parent === null)) {
      this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, kinds.subtests));
    }
  }

  // --- reports

  get isOnTurn() {
    const { parent } = this;
    return parent === null || (parent.children[parent.nextToReport] === this && parent.isOnTurn);
  }

  /** Reports what is over within, in order, when it is this one's turn. */
  flush() {
    if (!this.isOnTurn) return;
    while (this.nextToReport < this.children.length) {
      const child = this.children[this.nextToReport];
      if (!child.isOver) {
        if (child.children.length > 0) child.flush();
        return;
      }
      child.reportAll();
      this.nextToReport++;
    }
    if (this.parent === null) this.settings.onAllReported();
  }

  reportAll() {
    this.flush();
    this.isReported = true;
    if (this.isFiltered) return;
    this.root.counts.take(this);
    if (this.reportedChildren > 0) {
      const { place, nesting } = this.children[0];
      this.stream.emitEvent('plan', { nesting, count: this.reportedChildren, ...placeOf(this.place ?? place) });
    } else {
      this.announce();
    }
    this.tell(this.passed ? 'pass' : 'fail', this.report());
    for (const message of this.diagnostics) this.tellDiagnostic(message);
  }

  announce() {
    if (this.isAnnounced || this.parent === null) return;
    this.isAnnounced = true;
    this.parent.announce();
    this.tell('start', {});
  }

  /** In milliseconds, to the nanosecond. */
  get duration() { return Math.round(((this.endedAt ?? now()) - this.startedAt) * 1e6) / 1e6; }

  report() {
    const details = { __proto__: null, duration_ms: this.duration, type: this.kind };
    if (!this.passed) details.error = this.error;
    const directive = this.isSkipped ? { skip: this.reason ?? true } :
      this.isTodo ? { todo: this.reason ?? true } :
        this.expectation !== undefined ? { expectFailure: this.expectation.label ?? true } : {};
    return { testNumber: this.number, details, ...directive };
  }

  diagnostic(message) { this.diagnostics.push(message); }

  tellDiagnostic(message, level = 'info') {
    this.stream.emitEvent('diagnostic', { nesting: this.nesting, message, level, ...placeOf(this.place) });
  }

  tell(kind, more) {
    this.stream.emitEvent(kind, { name: this.name, nesting: this.nesting, ...more, ...placeOf(this.place) });
  }
}

function placeOf(place) {
  return place === undefined ? {} : { file: place.file, line: place.line, column: place.column };
}

module.exports = { Test };
