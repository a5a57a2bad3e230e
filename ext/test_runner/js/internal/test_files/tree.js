// Tree of tests of one file: groups (`describe`) and tests, with their hooks. In: definitions, in
// the order of the source. Out: the tree, once every group's function has run. Absent: running it
// (execute.js), how definitions are written (definitions.js).
'use strict';

const { stringify } = JSON;

/** What a definition asks for. */
const MODES = { __proto__: null, normal: 'normal', skip: 'skip', todo: 'todo', failing: 'failing' };

const HOOK_KINDS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

class Group {
  isGroup = true;
  /** @type {(Group | TestCase)[]} */
  children = [];
  hooks = { __proto__: null, beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
  /** Whether this group, or anything in it, is marked `only`. */
  hasOnly = false;

  /** @param {Group | null} parent */
  constructor(parent, name, options) {
    this.parent = parent;
    this.name = name;
    this.mode = inheritedMode(parent, options.mode);
    this.isOnly = options.isOnly === true;
    this.isConcurrent = options.isConcurrent ?? parent?.isConcurrent;
    this.timeout = options.timeout ?? parent?.timeout;
    this.retry = options.retry ?? parent?.retry;
    this.repeats = options.repeats ?? parent?.repeats;
  }

  /** Names from the outermost group to this one. */
  get path() { return this.#path ??= this.parent === null ? [] : [...this.parent.path, this.name]; }

  /** The path as JSON, up to the name of a test. */
  get pathText() { return this.#pathText ??= this.parent === null ? '[' : `${this.parent.pathText}${stringify(this.name)},`; }

  #path;

  #pathText;
}

/** Most tests have neither arguments nor functions that run after them. */
const NONE = [];

class TestCase {
  isGroup = false;

  /** @param {Group} parent */
  constructor(parent, name, fn, options) {
    this.parent = parent;
    this.name = name;
    this.fn = fn;
    this.mode = inheritedMode(parent, options.mode);
    this.isOnly = options.isOnly === true;
    this.isConcurrent = options.isConcurrent ?? parent.isConcurrent;
    this.timeout = options.timeout ?? parent.timeout;
    /** Of `setDefaultTimeout`, when the test was defined. */
    this.defaultTimeout = collection.defaultTimeout;
    this.retry = options.retry ?? parent.retry;
    this.repeats = options.repeats ?? parent.repeats;
    /** Arguments of a row of a table. */
    this.arguments = options.arguments ?? NONE;
    /** Functions of `onTestFinished`, while it runs. */
    this.finishers = NONE;
  }

  addFinisher(hook) {
    if (this.finishers === NONE) this.finishers = [];
    this.finishers.push({ ...hook, defaultTimeout: this.defaultTimeout });
  }

  get path() { return [...this.parent.path, this.name]; }

  /** The path as JSON. */
  get pathText() { return `${this.parent.pathText}${stringify(this.name)}]`; }

  /** `group inner group test`: what `-t` is compared with. */
  get fullName() { return this.path.join(' '); }
}

/** A skipped group skips all that is in it; so does one that is to be done. */
function inheritedMode(parent, mode = MODES.normal) {
  const outer = parent?.mode ?? MODES.normal;
  return outer === MODES.skip || outer === MODES.todo ? outer : mode === MODES.normal ? outer : mode;
}

/** The tree that is being built, and where in it. */
const collection = {
  __proto__: null,
  /** @type {Group} */
  root: undefined,
  /** @type {Group} */
  current: undefined,
  /** Functions of groups that have not run yet. */
  queue: [],
  /** Tests have begun: there is nothing to define any more. */
  isClosed: true,
  /** Of `setDefaultTimeout`: while tests are defined, and after that. */
  defaultTimeout: undefined,
  lateTimeout: undefined,
  /** Of `jest.retryTimes`. */
  retry: undefined,
  /** The test that runs, for `onTestFinished` in tests that are not concurrent. */
  runningTest: undefined,
};

function begin(options) {
  collection.root = new Group(null, '', options);
  collection.current = collection.root;
  collection.queue = [];
  collection.isClosed = false;
  return collection.root;
}

function checkOpen(what) {
  if (!collection.isClosed) return;
  if (collection.root === undefined) throw new Error(`Cannot use ${what} outside of the test runner. Run "rusk test" to run tests.`);
  throw new Error(`Cannot call ${what} inside a test. Call it inside describe() instead.`);
}

function addGroup(name, fn, options) {
  checkOpen('describe()');
  const group = new Group(collection.current, name, options);
  collection.current.children.push(group);
  if (group.isOnly) markOnly(group);
  if (fn !== undefined) collection.queue.push({ group, fn, arguments: options.arguments ?? [] });
}

function addTest(name, fn, options) {
  checkOpen('test()');
  const test = new TestCase(collection.current, name, fn, options);
  collection.current.children.push(test);
  if (test.isOnly) markOnly(test.parent);
}

function markOnly(group) {
  for (let each = group; each !== null; each = each.parent) each.hasOnly = true;
}

/** `hasTeardown`: a function that the hook returns undoes what the hook has done. */
function addHook(kind, fn, timeout, hasTeardown = false) {
  if (typeof fn !== 'function') throw new TypeError(`${kind}() expects a function`);
  checkOpen(`${kind}()`);
  collection.current.hooks[kind].push({ kind, fn, timeout, defaultTimeout: collection.defaultTimeout, hasTeardown });
}

/** Runs the functions of groups, outer ones first; those may await. */
async function collect() {
  for (;;) {
    const next = collection.queue.shift();
    if (next === undefined) break;
    const later = collection.queue;
    collection.queue = [];
    collection.current = next.group;
    await Reflect.apply(next.fn, undefined, next.arguments);
    // Inner groups come before the groups after this one, as in the source.
    collection.queue.push(...later);
  }
  collection.current = collection.root;
  collection.isClosed = true;
}

module.exports = { Group, TestCase, HOOK_KINDS, MODES, addGroup, addHook, addTest, begin, collect, collection };
