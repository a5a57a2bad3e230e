// `describe`, `test` and the hooks of `bun:test`, as tests call them. In: names, functions,
// options, and modifiers such as `.only` and `.each`. Out: the tree (tree.js). Absent: running it.
'use strict';

const { takesContext } = require('internal/test_files/calls');
const { MODES, addGroup, addHook, addTest, collection } = require('internal/test_files/tree');

/** What modifiers have added so far. */
const PLAIN = { __proto__: null };

/** A name as bun shows it: that of a class or a function, or a string. */
function nameOf(label) {
  if (typeof label === 'string') return label;
  if (typeof label === 'function') return label.name;
  if (typeof label === 'number' || typeof label === 'bigint') return `${label}`;
  if (label !== null && typeof label === 'object' && typeof label.name === 'string') return label.name;
  throw new TypeError('the name of a test must be a string, a number, a function or a class');
}

const NO_OPTIONS = { __proto__: null };

function optionsOf(value, what) {
  if (value === undefined || value === null) return NO_OPTIONS;
  if (typeof value === 'number') return { timeout: value };
  if (typeof value !== 'object') throw new TypeError(`${what} expects options to be a number or an object`);
  for (const key of ['timeout', 'retry', 'repeats']) {
    if (value[key] !== undefined && typeof value[key] !== 'number') throw new TypeError(`${what} expects ${key} to be a number`);
  }
  if (value.retry > 0 && value.repeats > 0) throw new TypeError('Cannot set both retry and repeats');
  const { timeout, retry, repeats } = value;
  const flags = {};
  if (value.concurrent !== undefined) flags.isConcurrent = Boolean(value.concurrent);
  if (value.only) flags.isOnly = true;
  if (value.skip) flags.mode = MODES.skip;
  else if (value.todo) flags.mode = MODES.todo;
  else if (value.fails) flags.mode = MODES.failing;
  return { timeout, retry, repeats, ...flags };
}

/** `(name, fn, options)` and `(name, options, fn)`; without a name for groups. */
function parseCall(what, call) {
  if (what === 'describe()' && call.length > 0 && typeof call[0] === 'function' && call.length === 1) return { name: '', fn: call[0], options: NO_OPTIONS };
  // No array pattern: it is slow, and there are very many tests.
  const label = call[0];
  const second = call[1];
  const third = call[2];
  const isFunctionLast = typeof second !== 'function' && typeof third === 'function';
  const fn = isFunctionLast ? third : second;
  const options = optionsOf(isFunctionLast ? second : third, what);
  if (fn !== undefined && typeof fn !== 'function') throw new TypeError(`${what} expects a function as the second argument`);
  return { name: nameOf(label), fn, options };
}

function checkOnly(modifiers, options) {
  if ((modifiers.isOnly || options.isOnly) && collection.refusesOnly) {
    throw new Error('.only is disabled in CI environments to prevent accidentally skipping tests. To override, set the environment variable CI=false.');
  }
}

function defineGroup(modifiers, call) {
  const { name, fn, options } = parseCall('describe()', call);
  checkOnly(modifiers, options);
  addGroup(name, fn, { ...options, ...modifiers });
}

function defineTest(modifiers, call) {
  const { name, fn, options } = parseCall('test()', call);
  checkOnly(modifiers, options);
  const all = modifiers === PLAIN ? options : { ...options, ...modifiers };
  if (fn === undefined && all.mode !== MODES.skip && all.mode !== MODES.todo) throw new TypeError('test() expects a function as the second argument');
  addTest(name, all.fixtures === undefined || fn === undefined || all.arguments !== undefined ? fn : withFixtures(fn, all.fixtures), all);
}

const withFixtures = (...args) => require('internal/test_files/fixtures').withFixtures(...args);

/**
 * `.each(table)`: a definition for each row. `isFor`: vitest's `.for`, where a row is one argument,
 * and the test context the next one.
 */
function defineRows(define, modifiers, table, isFor = false) {
  if (!Array.isArray(table)) throw new TypeError(`${isFor ? '.for()' : '.each()'} expects an array`);
  const { fillTitle, rowArguments } = require('internal/test_files/tables');
  return function each(label, ...rest) {
    const name = nameOf(label);
    if (isFor) for (const each of rest) if (typeof each === 'function') takesContext(each);
    table.forEach((row, index) => {
      define({ ...modifiers, arguments: isFor ? [row] : rowArguments(row) }, [fillTitle(name, row, index), ...rest]);
    });
  };
}

const GROUP_MODIFIERS = {
  only: { isOnly: true },
  skip: { mode: MODES.skip },
  todo: { mode: MODES.todo },
  concurrent: { isConcurrent: true },
  serial: { isConcurrent: false },
  sequential: { isConcurrent: false },
};

const TEST_MODIFIERS = { ...GROUP_MODIFIERS, failing: { mode: MODES.failing }, fails: { mode: MODES.failing } };

/** `.skipIf(condition)` and similar ones: the modifier that applies if the condition holds. */
const CONDITIONS = {
  if: [false, { mode: MODES.skip }],
  runIf: [false, { mode: MODES.skip }],
  skipIf: [true, { mode: MODES.skip }],
  todoIf: [true, { mode: MODES.todo }],
  failingIf: [true, { mode: MODES.failing }],
  concurrentIf: [true, { isConcurrent: true }],
  serialIf: [true, { isConcurrent: false }],
};

/** A function with its modifiers, each made when it is first read. */
function build(name, define, table, modifiers) {
  const callable = { [name](...call) { define(modifiers, call); } }[name];
  const lazy = (key, make) => {
    Object.defineProperty(callable, key, {
      __proto__: null,
      configurable: true,
      // Programs that walk the members of a function find an end.
      enumerable: modifiers === PLAIN,
      get() {
        const value = make();
        Object.defineProperty(callable, key, { __proto__: null, value, configurable: true, enumerable: modifiers === PLAIN, writable: true });
        return value;
      },
    });
  };
  const extended = (added) => build(name, define, table, { ...modifiers, ...added });
  for (const key of Object.keys(table)) lazy(key, () => extended(table[key]));
  for (const key of Object.keys(CONDITIONS)) {
    const [expected, added] = CONDITIONS[key];
    lazy(key, () => (condition) => Boolean(condition) === expected ? extended(added) : callable);
  }
  lazy('each', () => (first, ...values) => {
    if (first?.raw === undefined) return defineRows(define, modifiers, first);
    return defineRows(define, modifiers, require('internal/test_files/tables').rowsOfTemplate(first, values));
  });
  if (define === defineTest) lazy('extend', () => (fixtures) => extended({ fixtures: { ...modifiers.fixtures, ...fixtures } }));
  lazy('for', () => (rows) => defineRows(define, modifiers, rows, true));
  return callable;
}

const test = build('test', defineTest, TEST_MODIFIERS, PLAIN);
const describe = build('describe', defineGroup, GROUP_MODIFIERS, PLAIN);

function hook(kind, hasTeardown = false) {
  return { [kind](fn, options) { addHook(kind, fn, optionsOf(options, `${kind}()`).timeout, hasTeardown); } }[kind];
}

/** Registers a function that runs after the current test and its `afterEach` hooks. */
function onTestFinished(fn, options) {
  if (typeof fn !== 'function') throw new TypeError('onTestFinished() expects a function');
  const running = collection.runningTest;
  if (running === undefined) throw new Error('Cannot call onTestFinished() outside of a test. It cannot be called in a concurrent test either.');
  running.addFinisher({ kind: 'onTestFinished', fn, timeout: optionsOf(options, 'onTestFinished()').timeout });
}

/**
 * The limit of tests and hooks that are defined from now on without one; of those that run later,
 * if all are defined.
 */
function setDefaultTimeout(milliseconds) {
  if (typeof milliseconds !== 'number' || Number.isNaN(milliseconds)) throw new TypeError('setDefaultTimeout() expects a number of milliseconds');
  if (collection.isClosed) collection.lateTimeout = milliseconds;
  else collection.defaultTimeout = milliseconds;
}

module.exports = {
  hook,
  test,
  describe,
  fit: test.only,
  fdescribe: describe.only,
  xtest: test.skip,
  xdescribe: describe.skip,
  beforeAll: hook('beforeAll'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  afterAll: hook('afterAll'),
  onTestFinished,
  setDefaultTimeout,
};
