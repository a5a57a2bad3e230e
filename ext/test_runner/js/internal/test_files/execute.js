// Runs the tree of tests of one file: hooks, attempts, concurrent tests. In: the tree, options.
// Out: events. Absent: loading the file (run_file.js), calls with their limits (calls.js).
'use strict';

const { setImmediate } = globalThis;
const { Skipped, Thrown, call, endWaits, keepResult } = require('internal/test_files/calls');
const events = require('internal/test_files/events');
const { MODES, collection } = require('internal/test_files/tree');
const { get: currentContext } = require('internal/async_context');
const { beginTest, endTest, keepSnapshots, runConcurrently } = require('internal/expect/state');
const { now } = internalBinding('test_runner');

const { runNextTicks } = internalBinding('queues');

/** What errors call a function that a hook has returned. */
const TEARDOWN = 'a teardown function';

const nextTurn = () => new Promise((resolve) => { setImmediate(resolve); });

/** Tests that do not wait run one after another; the event loop has its turn after so long. */
const TURN_MS = 50;

/**
 * Runs ticks and microtasks that a test has left. Returns whether that is all: no promise was
 * rejected without a handler.
 */
function settle() {
  try {
    return runNextTicks();
  } catch (error) {
    setImmediate(() => { throw error; });
    return false;
  }
}

/** One run of a file's tests. */
class Execution {
  /** Tests that run now, with the errors that they have so far. */
  running = new Set();
  /** Tests that were not run because of names, `only` or a shuffle. */
  hasUnrun = false;
  /** When the event loop had its last turn. */
  turnAt = now();

  /**
   * @param {{ timeout: number, retry: number, runsTodo: boolean, pattern?: RegExp, maxConcurrency:
   *   number }} options
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
  }

  /**
   * Runs all tests of the file.
   * @param {() => Promise<Thrown | undefined>} [begin] what comes before the first one
   */
  async run(begin) {
    this.select(this.root, false);
    if (!this.root.isSelected) {
      this.reportUnselected(this.root);
      return;
    }
    await this.runGroup(this.root, begin === undefined ? undefined : await begin());
  }

  // --- selection

  /** Marks what runs: by `only`, `-t` and modes. Returns whether anything in it does. */
  select(group, isInOnly) {
    let isSelected = false;
    const narrows = this.root.hasOnly || this.options.onlyMarked;
    for (const child of group.children) {
      const isOnly = isInOnly || child.isOnly;
      if (child.isGroup) {
        // A group that is marked runs whole, unless something in it is marked.
        isSelected = this.select(child, isOnly && !hasMarkedInside(child)) || isSelected;
        continue;
      }
      child.isFiltered = (narrows && !isOnly) || (this.options.pattern !== undefined && !this.options.pattern.test(child.fullName));
      if (child.isFiltered) this.hasUnrun = true;
      const runs = !child.isFiltered && child.mode !== MODES.skip && (child.mode !== MODES.todo || (this.options.runsTodo && child.fn !== undefined));
      if (!child.isFiltered && !runs && child.mode === MODES.skip) this.hasUnrun = true;
      child.isSelected = runs;
      isSelected ||= runs;
    }
    group.isSelected = isSelected;
    return isSelected;
  }

  reportUnselected(node) {
    if (node.isGroup) {
      for (const child of node.children) this.reportUnselected(child);
      return;
    }
    const status = node.isFiltered ? 'filtered' : node.mode === MODES.todo ? 'todo' : 'skip';
    events.add({ t: 'end', p: node.path, s: status });
  }

  // --- groups

  async runGroup(group, outerFailure) {
    const teardowns = [];
    const { beforeAll, afterAll } = group.hooks;
    const failure = outerFailure ?? (beforeAll.length > 0 ? await this.runHooks(beforeAll, 'beforeAll', { teardowns }) : undefined);
    const children = this.options.shuffle === undefined ? group.children : this.options.shuffle(group.children);
    for (let index = 0; index < children.length;) {
      const child = children[index];
      if (!child.isSelected) {
        this.reportUnselected(child);
        index++;
        continue;
      }
      if (failure !== undefined) {
        this.failAll(child, failure);
        index++;
        continue;
      }
      if (!this.isConcurrent(child)) {
        const running = child.isGroup ? this.runGroup(child) : this.runTest(child);
        if (running !== undefined) await running;
        index++;
        continue;
      }
      const batch = [];
      while (index < children.length && (!children[index].isSelected || this.isConcurrent(children[index]))) batch.push(children[index++]);
      await this.runBatch(batch);
    }
    if (afterAll.length > 0 || teardowns.length > 0) await this.endGroup(group.hooks, group, teardowns);
  }

  /** `teardowns`: of the hooks before the group. */
  async endGroup({ afterAll }, group, teardowns) {
    // What they print comes after the tests.
    events.post();
    for (const [hooks, kind, place] of [[afterAll, 'afterAll', '(afterAll)'], [teardowns, TEARDOWN, '(beforeAll)']]) {
      const error = await this.runHooks(hooks, kind);
      if (error !== undefined) events.add({ t: 'error', e: events.describeError(error.value), w: group.path.concat(place).join(' > ') });
    }
  }

  isConcurrent(node) {
    if (node.isGroup) {
      return node.isConcurrent === true && node.hooks.beforeAll.length === 0 && node.hooks.afterAll.length === 0
        && node.children.every((child) => !child.isSelected || this.isConcurrent(child));
    }
    return node.isConcurrent ?? this.options.isConcurrent;
  }

  /** Runs concurrent tests, at most as many at a time as allowed. */
  async runBatch(nodes) {
    const tests = [];
    const flatten = (node) => {
      if (!node.isSelected) this.reportUnselected(node);
      else if (node.isGroup) node.children.forEach(flatten);
      else tests.push(node);
    };
    nodes.forEach(flatten);
    let next = 0;
    const runNext = async () => {
      while (next < tests.length) await this.runTest(tests[next++], true);
    };
    const lanes = Math.max(1, Math.min(this.options.maxConcurrency, tests.length));
    await Promise.all(Array.from({ length: lanes }, runNext));
  }

  /**
   * The first error of hooks; a later hook still runs, as it may clean up. `teardowns` gets hooks
   * that undo these, in the order in which they run.
   * @param {{ makeContext?: () => object, asyncContext?: object, teardowns?: object[] }} [options]
   */
  async runHooks(hooks, kind, { makeContext, asyncContext, teardowns } = {}) {
    let failure;
    for (const hook of hooks) {
      const { fn, hasTeardown } = hook;
      const results = [];
      const outcome = await call(hasTeardown ? keepResult(fn, results) : fn, [], this.limit(hook), kind === TEARDOWN ? kind : `${kind}()`, makeContext, asyncContext);
      for (const result of results) if (typeof result === 'function') teardowns?.unshift({ ...hook, fn: () => result(), hasTeardown: false });
      failure ??= outcome;
      if (failure !== undefined && kind.startsWith('before')) break;
    }
    return failure;
  }

  limit({ timeout, defaultTimeout }) { return timeout ?? collection.lateTimeout ?? defaultTimeout ?? this.options.timeout; }

  failAll(node, failure) {
    if (!node.isSelected) {
      this.reportUnselected(node);
    } else if (node.isGroup) {
      for (const child of node.children) this.failAll(child, failure);
    } else {
      events.add({ t: 'end', p: node.path, s: 'fail', ms: 0, a: 0, e: [events.describeError(failure.value)] });
    }
  }

  // --- tests

  /** @returns {Promise<void> | undefined} a promise if the test waits for anything */
  runTest(test, isConcurrent = false) {
    const start = now();
    const limit = this.limit(test);
    events.addStart(test, Number.isFinite(limit) ? limit : 0);
    if (!isConcurrent) events.post();
    const repeats = test.repeats ?? 0;
    // A test that is to fail is done when it fails.
    const retries = repeats > 0 || test.mode === MODES.failing ? 0 : test.retry ?? collection.retry ?? this.options.retry;
    if (isConcurrent || repeats > 0 || retries > 0 || hasEachHooks(test.parent)) return this.runAttempts(test, start, limit, retries, isConcurrent);
    const run = { test, errors: [], isConcurrent, state: beginTest(test) };
    this.running.add(run);
    collection.runningTest = test;
    const outcome = call(test.fn, test.arguments, limit, 'this test', () => contextOf(run), undefined, start);
    const isSettled = !(outcome instanceof Promise) && settle() && test.finishers.length === 0;
    const end = now();
    if (!isSettled || end - this.turnAt >= TURN_MS) return this.endLater(run, outcome, start);
    this.end(run, outcome, end - start);
    return undefined;
  }

  /** The end of a test without hooks that has to wait. */
  async endLater(run, outcome, start) {
    const settled = outcome instanceof Promise ? await outcome : outcome;
    const { test } = run;
    const late = [];
    while (test.finishers.length > 0) late.push(await this.runHooks(test.finishers.splice(0), 'onTestFinished'));
    await nextTurn();
    this.turnAt = now();
    for (const each of late) if (each instanceof Thrown) run.errors.push(each.value);
    this.end(run, settled, now() - start);
  }

  end(run, outcome, duration) {
    if (outcome instanceof Thrown) noteError(run, outcome.value, true);
    const problems = endTest(run.state);
    if (problems.length > 0) run.errors.push(...problems);
    this.running.delete(run);
    collection.runningTest = undefined;
    const isPlain = run.errors.length === 0 && run.isSkipped !== true && run.test.mode === MODES.normal;
    if (isPlain) events.addPass(rounded(duration), run.state.assertions);
    else this.report(run, duration, run.state.assertions, 1, true);
  }

  /** Runs a test with hooks, or as often as it is to be repeated. */
  async runAttempts(test, start, limit, retries, isConcurrent) {
    const repeats = test.repeats ?? 0;
    let run;
    let assertions = 0;
    let attempt = 0;
    const retried = [];
    for (;;) {
      run = { test, errors: [], isConcurrent, before: run?.state };
      this.running.add(run);
      if (isConcurrent) assertions += await runConcurrently(test, run.before, (state) => this.runAttempt(run, limit, state));
      else assertions += await this.runAttempt(run, limit, beginTest(test, run.before));
      this.running.delete(run);
      const hasFailed = run.errors.length > 0;
      attempt++;
      if (hasFailed ? attempt > retries : attempt > repeats) break;
      retried.push(...run.errors.map((error) => events.describeError(error)));
    }
    this.report({ ...run, retried }, now() - start, assertions, attempt);
  }

  /** One attempt: hooks, the test, hooks. Returns the number of assertions. */
  async runAttempt(run, limit, state) {
    const { test, isConcurrent } = run;
    const asyncContext = isConcurrent ? currentContext() : undefined;
    run.state = state;
    if (!isConcurrent) collection.runningTest = test;
    const groups = [];
    for (let group = test.parent; group !== null; group = group.parent) groups.push(group);
    const makeContext = () => contextOf(run);
    const teardowns = [];
    const note = (outcome) => { if (outcome instanceof Thrown) noteError(run, outcome.value); };
    const goesOn = () => run.errors.length === 0 && !run.isSkipped;
    for (let at = groups.length - 1; at >= 0 && goesOn(); at--) {
      const { beforeEach } = groups[at].hooks;
      if (beforeEach.length > 0) note(await this.runHooks(beforeEach, 'beforeEach', { makeContext, asyncContext, teardowns }));
    }
    if (goesOn()) {
      const outcome = call(test.fn, test.arguments, limit, 'this test', makeContext, asyncContext);
      note(outcome instanceof Promise ? await outcome : outcome);
    }
    for (const { hooks: { afterEach } } of groups) {
      if (afterEach.length > 0) note(await this.runHooks(afterEach, 'afterEach', { makeContext, asyncContext }));
    }
    if (teardowns.length > 0) note(await this.runHooks(teardowns, TEARDOWN, { asyncContext }));
    while (test.finishers.length > 0) note(await this.runHooks(test.finishers.splice(0), 'onTestFinished', { asyncContext }));
    // Rejections that no one handles are known when all microtasks have run.
    await nextTurn();
    run.errors.push(...endTest(state));
    if (!isConcurrent) collection.runningTest = undefined;
    return state.assertions;
  }

  /** `isLast`: of the test that has begun last. */
  report({ test, errors, state, isSkipped, retried = [] }, duration, assertions, attempts, isLast = false) {
    if (isSkipped && errors.length === 0) {
      events.add({ t: 'end', p: isLast ? undefined : test.path, s: 'skip' });
      return;
    }
    let status = errors.length > 0 ? 'fail' : 'pass';
    if (errors.length > 0) keepSnapshots(state);
    let shown = errors.map((error) => events.describeError(error));
    if (test.mode === MODES.failing) {
      const expectsNone = { name: '', message: 'this test is marked as failing but it passed. Remove `.failing` if the behavior works now', stack: '' };
      [status, shown] = status === 'fail' ? ['pass', []] : ['fail', [expectsNone]];
    } else if (test.mode === MODES.todo) {
      const passes = { name: '', message: 'this test is marked as todo but passes. Remove `.todo` or check that the test is correct', stack: '' };
      [status, shown] = status === 'fail' ? ['todo', shown] : ['fail', [passes]];
    }
    events.add({ t: 'end', p: isLast ? undefined : test.path, s: status, ms: rounded(duration), a: assertions, e: shown.length > 0 ? shown : undefined, r: retried.length > 0 ? retried : undefined, n: attempts > 1 ? attempts : undefined });
  }

  /** An uncaught error: of the one test that runs, or of none. */
  onUncaught(error) {
    if (this.running.size !== 1) return false;
    const [run] = this.running;
    run.errors.push(error);
    endWaits();
    return true;
  }
}

/** Milliseconds, to a microsecond. */
const rounded = (duration) => Math.round(duration * 1000) / 1000;

/** An error of a test, or that it has skipped itself. */
function noteError(run, error, isFirst = false) {
  if (error instanceof Skipped) run.isSkipped = true;
  else if (isFirst) run.errors.unshift(error);
  else run.errors.push(error);
}

/** vitest's test context of a run, the same one for its hooks. */
function contextOf(run) {
  run.context ??= {
    task: describeTask(run.test),
    get expect() { return require('bun/test').expect; },
    onTestFinished: (fn, timeout) => { run.test.addFinisher({ kind: 'onTestFinished', fn, timeout }); },
    skip(condition) { if (condition !== false) throw new Skipped(); },
  };
  return run.context;
}

/** Names of a test and its groups, as vitest has them; the file's own group is none. */
function describeTask(node) {
  if (node.parent === null) return undefined;
  return { type: node.isGroup ? 'suite' : 'test', name: node.name, mode: node.mode === MODES.normal ? 'run' : node.mode, suite: describeTask(node.parent) };
}

/** Whether hooks run before or after each test of a group. */
function hasEachHooks(group) {
  group.hasEachHooks ??= group.hooks.beforeEach.length > 0 || group.hooks.afterEach.length > 0 || (group.parent !== null && hasEachHooks(group.parent));
  return group.hasEachHooks;
}

const hasMarkedInside = (group) => group.children.some((child) => child.isOnly || (child.isGroup && hasMarkedInside(child)));

module.exports = { Execution, nextTurn, settle };
