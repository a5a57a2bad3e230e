// Suite: a group of tests. In: a function, called immediately, that defines tests. Out: these run
// when the suite runs.
'use strict';

const { now } = require('internal/perf/clock');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');
const { current } = require('internal/test_runner/runnable');

class Suite extends Test {
  kind = 'suite';
  /** Whether the function has ended, so that no tests can be added. */
  isClosed = false;

  get context() {
    const { SuiteContext } = require('internal/test_runner/context');
    const value = new SuiteContext(this);
    Object.defineProperty(this, 'context', { __proto__: null, value });
    return value;
  }

  /** Calls the function. The suite runs after the function's promise is settled. */
  build() {
    if (this.ownOnly === false || this.error !== null) {
      this.isClosed = true;
      return;
    }
    const onError = (error) => {
      this.isClosed = true;
      this.fail(createTestFailure(error, failureTypes.code));
    };
    try {
      const { context } = this;
      const result = current().run(this, () => Reflect.apply(this.fn, context, [context]));
      if (typeof result === 'object' && result !== null) {
        const { buildPromises } = this.root;
        this.buildPromise = Promise.resolve(result).then(() => { this.isClosed = true; }, onError);
        buildPromises.add(this.buildPromise);
        this.buildPromise.then(() => buildPromises.delete(this.buildPromise));
        return;
      }
      this.isClosed = true;
    } catch (error) {
      onError(error);
    }
  }

  hasOnlySubtests() { return this.children.some((child) => child.ownOnly || child.hasOnlySubtests()); }

  matchesFilter(filter) { return filter(this) || this.children.some((child) => child.matchesFilter(filter)); }

  isExcluded() {
    return this.error === null && super.isExcluded();
  }

  async run() {
    this.hasStarted = true;
    await this.buildPromise;
    this.startTime ??= now();
    if (this.error !== null) return this.postRun();
    const { parent, context } = this;
    const stop = this.createStopPromise();
    try {
      if (parent.hooks.before.length > 0) await parent.hooks.run('before', parent.context);
      await this.hooks.run('before', context);
      const children = this.isSkipped ? [] : this.children;
      await Promise.race([Promise.all(children.map((child) => child.start())), stop.promise]);
      await this.hooks.run('after', context);
      this.pass();
    } catch (error) {
      await this.hooks.run('after', context).catch(() => {});
      this.failOrCancel(error);
    } finally {
      stop.dispose();
    }
    this.postRun();
  }
}

module.exports = { Suite };
