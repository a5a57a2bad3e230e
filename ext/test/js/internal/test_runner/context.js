// What a test's function gets: `t`. In: the test. Out: its name and signal, and what can be asked
// of it from within.
'use strict';

const { validateFunction, validateNumber, validateObject } = require('internal/validators');
const { isFailure } = require('internal/test_runner/failure');
const { createHook, readArguments } = require('internal/test_runner/arguments');
const { setTimeout, clearTimeout } = internalBinding('queues');

class TestContext {
  #test;
  #assert;

  constructor(test) { this.#test = test; }

  get signal() { return this.#test.signal; }
  get name() { return this.#test.name; }
  get filePath() { return this.#test.place?.file; }
  get fullName() { return this.#test.fullName; }
  get passed() { return this.#test.passed; }
  get attempt() { return 0; }
  get workerId() { return undefined; }

  get error() {
    const { error } = this.#test;
    return isFailure(error) && error.cause instanceof Error ? error.cause : error;
  }

  diagnostic(message) { this.#test.diagnostic(message); }

  plan(count, options = {}) {
    if (this.#test.plan !== null) {
      const { genericNodeError } = require('internal/errors');
      throw genericNodeError('cannot set plan more than once', { code: 'ERR_TEST_FAILURE' });
    }
    const { Plan } = require('internal/test_runner/plan');
    this.#test.plan = new Plan(count, options);
  }

  get assert() { return this.#assert ??= require('internal/test_runner/assertions').make(this, this.#test); }

  get mock() {
    const { MockTracker } = require('internal/test_runner/mock');
    return this.#test.mock ??= new MockTracker();
  }

  runOnly(value) { this.#test.runsOnly = !!value; }

  skip(message) {
    this.#test.isSkipped = true;
    this.#test.reason = typeof message === 'string' ? message : null;
  }

  todo(message) {
    this.#test.isTodo = true;
    this.#test.reason = typeof message === 'string' ? message : null;
  }

  test(name, options, fn) {
    const { Test } = require('internal/test_runner/test');
    const test = this.#test;
    const given = readArguments(name, options, fn);
    test.plan?.count();
    return test.add(Test, given).start();
  }

  before(fn, options) { createHook(this.#test, 'before', fn, options); }
  after(fn, options) { createHook(this.#test, 'after', fn, options); }
  beforeEach(fn, options) { createHook(this.#test, 'beforeEach', fn, options); }
  afterEach(fn, options) { createHook(this.#test, 'afterEach', fn, options); }

  /** Asks again and again, until the condition neither throws nor rejects. */
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
  let next;
  const limit = setTimeout(() => {
    clearTimeout(next);
    const error = new Error('waitFor() timed out');
    if (cause !== noCause) error.cause = cause;
    reject(error);
  }, timeout);

  async function ask() {
    try {
      const result = await condition();
      clearTimeout(limit);
      resolve(result);
    } catch (error) {
      cause = error;
      next = setTimeout(ask, interval);
    }
  }
  promise.catch(() => clearTimeout(next));
  ask();
  return promise;
}

class SuiteContext {
  #suite;

  constructor(suite) { this.#suite = suite; }

  get signal() { return this.#suite.signal; }
  get name() { return this.#suite.name; }
  get filePath() { return this.#suite.place?.file; }
  get fullName() { return this.#suite.fullName; }
}

module.exports = { SuiteContext, TestContext };
