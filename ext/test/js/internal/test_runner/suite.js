// Suites: tests that hold tests. In: a function, called at once, that says which. Out: they run
// when it is the suite's turn.
'use strict';

const { now } = require('internal/perf/clock');
const { failure, kinds } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');
const { current } = require('internal/test_runner/unit');

class Suite extends Test {
  kind = 'suite';
  /** Whether the function is over, so that nothing more can be added. */
  isClosed = false;

  get context() {
    const { SuiteContext } = require('internal/test_runner/context');
    const value = new SuiteContext(this);
    Object.defineProperty(this, 'context', { __proto__: null, value });
    return value;
  }

  /** Calls the function; what is asynchronous in it is waited for before the suite runs. */
  build() {
    if (this.givenOnly === false || this.error !== null) {
      this.isClosed = true;
      return;
    }
    const onError = (error) => {
      this.isClosed = true;
      this.fail(failure(error, kinds.code));
    };
    try {
      const { context } = this;
      const given = current().run(this, () => Reflect.apply(this.fn, context, [context]));
      if (typeof given === 'object' && given !== null) {
        const { builds } = this.root;
        this.built = Promise.resolve(given).then(() => { this.isClosed = true; }, onError);
        builds.add(this.built);
        this.built.then(() => builds.delete(this.built));
        return;
      }
      this.isClosed = true;
    } catch (error) {
      onError(error);
    }
  }

  hasOnlyWithin() { return this.children.some((child) => child.givenOnly || child.hasOnlyWithin()); }

  isWanted(filter) { return filter(this) || this.children.some((child) => child.isWanted(filter)); }

  isLeftOut() {
    return this.error === null && super.isLeftOut();
  }

  async run() {
    this.hasBegun = true;
    await this.built;
    this.startedAt ??= now();
    if (this.error !== null) return this.end();
    const { parent, context } = this;
    const limit = this.limit();
    try {
      if (parent.hooks.before.length > 0) await parent.hooks.run('before', parent.context);
      await this.hooks.run('before', context);
      const children = this.isSkipped ? [] : this.children;
      await Promise.race([Promise.all(children.map((child) => child.start())), limit.promise]);
      await this.hooks.run('after', context);
      this.pass();
    } catch (error) {
      await this.hooks.run('after', context).catch(() => {});
      this.failBy(error);
    } finally {
      limit.end();
    }
    this.end();
  }
}

module.exports = { Suite };
