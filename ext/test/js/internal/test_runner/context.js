// TestContext and SuiteContext: the argument of a test's function. In: the test. Out: its name and
// signal, assertions, mocks, subtests, hooks.
'use strict';

const { validateFunction, validateNumber, validateObject } = require('internal/validators');
const { isTestFailureError } = require('internal/test_runner/failure');
const { createHook, readArguments } = require('internal/test_runner/arguments');
const { setTimeout, clearTimeout } = internalBinding('queues');

class TestContext {
  #test;
  #assert;

  constructor(test) { this.#test = test; }

  get signal() { return this.#test.signal; }
  get name() { return this.#test.name; }
  get filePath() { return this.#test.location?.file; }
  get fullName() { return this.#test.fullName; }
  get passed() { return this.#test.passed; }
  get attempt() { return 0; }
  get workerId() {
    const { NODE_TEST_WORKER_ID: id } = require('process').env;
    return id === undefined ? undefined : Number(id);
  }

  get error() {
    const { error } = this.#test;
    return isTestFailureError(error) && error.cause instanceof Error ? error.cause : error;
  }

  diagnostic(message) { this.#test.diagnostic(message); }

  plan(count, options = {}) {
    if (this.#test.plan !== null) {
      const { genericNodeError } = require('internal/errors');
      throw genericNodeError('cannot set plan more than once', { code: 'ERR_TEST_FAILURE' });
    }
    const { TestPlan } = require('internal/test_runner/plan');
    this.#test.plan = new TestPlan(count, options);
  }

  get assert() { return this.#assert ??= require('internal/test_runner/assert').make(this, this.#test); }

  get mock() {
    const { MockTracker } = require('internal/test_runner/mock');
    return this.#test.mock ??= new MockTracker();
  }

  runOnly(value) { this.#test.runOnlySubtests = !!value; }

  skip(message) {
    this.#test.isSkipped = true;
    this.#test.message = typeof message === 'string' ? message : null;
  }

  todo(message) {
    this.#test.isTodo = true;
    this.#test.message = typeof message === 'string' ? message : null;
  }

  test(name, options, fn) {
    const { Test } = require('internal/test_runner/test');
    const test = this.#test;
    const args = readArguments(name, options, fn);
    test.plan?.count();
    return test.createSubtest(Test, args).start();
  }

  before(fn, options) { createHook(this.#test, 'before', fn, options); }
  after(fn, options) { createHook(this.#test, 'after', fn, options); }
  beforeEach(fn, options) { createHook(this.#test, 'beforeEach', fn, options); }
  afterEach(fn, options) { createHook(this.#test, 'afterEach', fn, options); }

  /** Polls, until the condition neither throws nor rejects. */
  waitFor(condition, options = {}) {
    validateFunction(condition, 'condition');
    validateObject(options, 'options');
    const { interval = 50, timeout = 1000 } = options;
    validateNumber(interval, 'options.interval');
    validateNumber(timeout, 'options.timeout');
    return poll(condition, interval, timeout);
  }
}

function poll(condition, interval, timeout) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const noCause = Symbol('none');
  let cause = noCause;
  let pollerId;
  const timeoutId = setTimeout(() => {
    clearTimeout(pollerId);
    const error = new Error('waitFor() timed out');
    if (cause !== noCause) error.cause = cause;
    reject(error);
  }, timeout);

  async function poller() {
    try {
      const result = await condition();
      clearTimeout(timeoutId);
      resolve(result);
    } catch (error) {
      cause = error;
      pollerId = setTimeout(poller, interval);
    }
  }
  promise.catch(() => clearTimeout(pollerId));
  poller();
  return promise;
}

class SuiteContext {
  #suite;

  constructor(suite) { this.#suite = suite; }

  get signal() { return this.#suite.signal; }
  get name() { return this.#suite.name; }
  get filePath() { return this.#suite.location?.file; }
  get fullName() { return this.#suite.fullName; }
}

module.exports = { SuiteContext, TestContext };
