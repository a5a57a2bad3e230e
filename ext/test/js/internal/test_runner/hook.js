// Hooks: functions before and after tests. In: options and a function, or what a test is. Out: they
// have run, in Node's order, or a failure with what one threw.
'use strict';

const { validateFunction, validateObject } = require('internal/validators');
const { failure, isFailure, kinds } = require('internal/test_runner/failure');
const { Unit } = require('internal/test_runner/unit');

class Hook extends Unit {
  #promise;

  constructor(kind, owner, fn, options, place) {
    super({ fn, timeout: options.timeout, signal: options.signal, place });
    this.kind = kind;
    this.owner = owner;
    this.root = owner.root;
    this.isOver = false;
  }

  /** Those of `before` and `after` run once, whoever asks. */
  run(self) {
    if (this.kind === 'before' || this.kind === 'after') return this.#promise ??= this.#run(self);
    return this.#run(self);
  }

  async #run(self) {
    this.isOver = false;
    this.error = null;
    if (this.signal.aborted) this.renew();
    if (this.outerSignal?.aborted) {
      this.abortBy(this.outerSignal.reason);
      return;
    }
    const limit = this.limit();
    try {
      await this.call(self, limit.promise);
    } catch (error) {
      this.fail(error);
    } finally {
      limit.end();
      this.isOver = true;
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

  add(kind, fn, options, place) {
    if (typeof fn === 'object' && fn !== null) [fn, options] = [undefined, fn];
    fn ??= () => {};
    validateFunction(fn, 'fn');
    options ??= {};
    validateObject(options, 'options');
    const hook = new Hook(kind, this.owner, fn, options, place);
    this[kind].push(hook);
    const { owner } = this;
    if (kind === 'before' && owner.hasBegun && owner.parent !== null) {
      hook.run(owner.context).then(() => {
        if (hook.error !== null) owner.fail(wrapped(kinds.code, hook.error));
      });
    }
  }

  /** Those of this test for itself, and those of its parents for each test within them. */
  async run(kind, self, hooks = this.#all(kind)) {
    for (const hook of hooks) {
      await hook.run(self);
      if (hook.error !== null) throw hookFailure(kind, hook.error);
    }
  }

  has(kind) { return this.#all(kind).length > 0; }

  #all(kind) {
    if (kind === 'before' || kind === 'after') return this[kind];
    const above = this.owner.parent === null ? [] : this.owner.parent.hooks.#all(kind);
    return kind === 'beforeEach' ? [...above, ...this.beforeEach] : [...this.afterEach, ...above];
  }
}

function wrapped(kind, error) {
  return isFailure(error) ? error : failure(error, kind);
}

function hookFailure(kind, error) {
  const made = failure(`failed running ${kind} hook`, kinds.hook);
  made.cause = isFailure(error) ? error.cause : error;
  return made;
}

module.exports = { Hook, Hooks };
