// Test hooks: before, after, beforeEach, afterEach. In: a function and options. Out: the hooks run
// in Node's order; a failure where one throws.
'use strict';

const { validateFunction, validateObject } = require('internal/validators');
const { createTestFailure, failureTypes, isTestFailureError } = require('internal/test_runner/failure');
const { Runnable } = require('internal/test_runner/runnable');

class TestHook extends Runnable {
  #promise;

  constructor(kind, owner, fn, options, location) {
    super({ fn, timeout: options.timeout, signal: options.signal, location });
    this.kind = kind;
    this.owner = owner;
    this.root = owner.root;
    this.isFinished = false;
  }

  /** `before` and `after` run once; further calls return the same promise. */
  run(context) {
    if (this.kind === 'before' || this.kind === 'after') return this.#promise ??= this.#run(context);
    return this.#run(context);
  }

  async #run(context) {
    this.isFinished = false;
    this.error = null;
    if (this.signal.aborted) this.resetController();
    if (this.outerSignal?.aborted) {
      this.abort(this.outerSignal.reason);
      return;
    }
    const stop = this.createStopPromise();
    try {
      await this.call(context, stop.promise);
    } catch (error) {
      this.fail(error);
    } finally {
      stop.dispose();
      this.isFinished = true;
      this.outerSignal?.removeEventListener('abort', this.onAbort);
    }
  }
}

class Hooks {
  before = [];
  after = [];
  beforeEach = [];
  afterEach = [];

  constructor(owner) { this.owner = owner; }

  add(kind, fn, options, location) {
    if (typeof fn === 'object' && fn !== null) [fn, options] = [undefined, fn];
    fn ??= () => {};
    validateFunction(fn, 'fn');
    options ??= {};
    validateObject(options, 'options');
    const hook = new TestHook(kind, this.owner, fn, options, location);
    this[kind].push(hook);
    const { owner } = this;
    if (kind === 'before' && (owner.parent === null ? owner.runsBeforeHooksNow : owner.hasStarted)) {
      hook.run(owner.context).then(() => {
        if (hook.error !== null) owner.fail(toTestFailure(failureTypes.code, hook.error));
      });
    }
  }

  /** Runs the hooks of a kind: for each-hooks also those of the parents. */
  async run(kind, context, hooks = this.#all(kind)) {
    for (const hook of hooks) {
      await hook.run(context);
      if (hook.error !== null) throw hookFailure(kind, hook.error);
    }
  }

  has(kind) { return this.#all(kind).length > 0; }

  #all(kind) {
    if (kind === 'before' || kind === 'after') return this[kind];
    const inherited = this.owner.parent === null ? [] : this.owner.parent.hooks.#all(kind);
    return kind === 'beforeEach' ? [...inherited, ...this.beforeEach] : [...this.afterEach, ...inherited];
  }
}

function toTestFailure(kind, error) {
  return isTestFailureError(error) ? error : createTestFailure(error, kind);
}

function hookFailure(kind, error) {
  const failure = createTestFailure(`failed running ${kind} hook`, failureTypes.hook);
  failure.cause = isTestFailureError(error) ? error.cause : error;
  return failure;
}

module.exports = { Hooks, TestHook };
