// Reuse of a file's global object for the next file, if the file has left it as it was: to make one
// takes longer than most files run. In: the global object before a file, and after it. Out: whether
// anything differs that another file could find: a property, its attributes, a prototype, a builtin
// that was loaded, a callback that may still run. Absent: processes and handles of the event loop,
// which come with builtins, and variables that are no properties: only scripts of node:vm declare
// those, because test files are modules and `eval` has a scope of its own.
'use strict';

const binding = internalBinding('test_runner');
const { counter, messages: { counters }, resetTimerIds } = internalBinding('queues');
const globals = require('internal/test_files/globals');
const kept = require('internal/test_files/kept_builtins');
const { isAccessor, isSame, isSameProperty, keysToTrue, missingKeys, readProperties, restore, visit, watch, watchAgain } = require('internal/test_files/object_state');

// Literals are of the hidden global object, where this is the engine's own function. That of the
// file's global object loads a lazy global when its descriptor is read.
const { getOwnPropertyDescriptor, is } = {}.constructor;
const { getPrototypeOf, ownKeys } = Reflect;

/** Files of matchers, `expect` and the loader: they are loaded before the first look. */
const PRELOADED = [
  ...['arguments', 'calls', 'collections', 'equality', 'kinds', 'results', 'snapshots', 'strings', 'throws'].map((name) => `internal/expect/matchers/${name}`),
  'internal/builtin_list', 'internal/esm/retained_modules', 'internal/esm/synthetic', 'internal/modules/paths', 'internal/options', 'internal/test_files/module_reuse', 'internal/test_files/tables', 'internal/util/types',
];

/** Builtins that a file may load. Their state ends with them: the next file loads them again. */
const FORGOTTEN = /^(?:timers$|internal\/(?:date_parser$|errors\/json_|expect\/(?!automock|module_mocks|snapshot)|stack\/|test_files\/shuffle))/;

/**
 * Lazy globals that are loaded before the first look, because many files use them: the state of
 * their builtins is in objects that these names lead to.
 */
const LOADED = ['Blob', 'Buffer', 'File', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams'];

/** What files see of the runner. The next file gets new ones if this one has changed them. */
const FACADE = ['internal/expect/expect', 'internal/expect/main', 'internal/test_files/definitions', 'bun/test', 'bun/vitest'];

/** Its modules. */
const MODULES = ['bun:test', 'bun:vitest'];

/** Not 0: something may still call back. */
const PENDING = ['TICKS', 'IMMEDIATES', 'HAS_TIMER', 'ENGINE_PROMISES', 'HAS_ERRORS', 'MESSAGES'].map((name) => counter[name]);

/** @type {import('./module_reuse').ModuleReuse | undefined} */
let modules;

/** What was there before the first file. @type {ReturnType<typeof take> | undefined} */
let before;

/** Looks at a global object in which no file has run. */
function record() {
  if (before !== undefined) return;
  for (const id of PRELOADED) require(id);
  for (const name of LOADED) Reflect.get(globalThis, name);
  kept.load();
  require('internal/esm').keepModules();
  // It calls back after a collection: to read it is a change.
  globals.watch('FinalizationRegistry');
  before = take();
  if (before !== undefined) observeModules();
}

function observeModules() {
  const { ModuleReuse } = require('internal/test_files/module_reuse');
  const { records } = require('internal/esm');
  const isOfRunner = (record) => MODULES.includes(record.url) && records.get(record.url) === record;
  modules = new ModuleReuse(before.all.map(({ object }) => object), isOfRunner);
  require('internal/esm/evaluate').observe((cycle) => modules.note(cycle));
}

/** Whether nothing has changed. Then the next file may begin. */
function judge() {
  binding.setReusable(before !== undefined && isUnchanged());
}

/** Builtins that were loaded since the last file. */
const loadedIds = () => (require.loads() === before.loads ? [] : require.loadedIds().filter((id) => before.ids[id] === undefined));

/** Whether builtins were loaded that stay: mostly these are why a global object is not reused. */
function hasLoadedBuiltins() { return before === undefined ? undefined : !loadedIds().every((id) => FORGOTTEN.test(id) || kept.isKept(id)); }

/** Builtins that a file imports or requires show state that global names do not lead to. */
function hasImportedBuiltin() {
  const isSeen = (name) => !MODULES.includes(name) && !kept.isKeptName(name);
  const seen = require('internal/builtin_list').loadedNames().filter(isSeen);
  if (seen.length > 0) kept.keepImported(seen);
  return seen.length > 0 || require('internal/blob').hasUrls();
}

function isUnchanged() {
  if (PENDING.some((index) => counters[index] !== 0)) return false;
  const loaded = loadedIds();
  if (!loaded.every((id) => FORGOTTEN.test(id))) {
    kept.keep(loaded.filter((id) => !FORGOTTEN.test(id)));
    return false;
  }
  compareWatched();
  if (!before.objects.every(isAsBefore) || !isGlobalAsBefore(before.global)) return false;
  if (hasImportedBuiltin() || !kept.reset()) return false;
  loaded.forEach(require.forget);
  before.loads = require.loads();
  if (!renewFacade() || !resetState()) return false;
  if (before.changed.length > 0) watchChanged();
  return true;
}

// --- objects

/** Whether an object is what it was, if need be after a change of it was undone. */
function isAsBefore(entry) {
  if (isSame(entry)) return true;
  restore(entry);
  return isSame(entry);
}

function isGlobalAsBefore(global) {
  if (isSameGlobal(global)) return true;
  restore(global.entry);
  return isSameGlobal(global);
}

/** Objects that no property leads to from the global object. */
function hiddenRoots() {
  const { Expectation } = require('internal/expect/expectation');
  const realm = globalThis;
  const timer = realm.setTimeout(() => {});
  const immediate = realm.setImmediate(() => {});
  realm.clearTimeout(timer);
  realm.clearImmediate(immediate);
  const makers = new realm.Function(`return [
    [].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), ''.matchAll(/./g), [].values().map(Number), Iterator.from({ next() {} }),
    function* () {}, (function* () {})(), async function () {}, async function* () {}, (async function* () {})(),
    new Intl.Segmenter().segment(''), new Intl.Segmenter().segment('')[Symbol.iterator](), function () { return arguments; }(),
  ]`)();
  return [realm, Expectation, ...kept.roots(), ...[timer, immediate, ...makers].map(getPrototypeOf)];
}

function take() {
  if (binding.structureOf({}) === undefined) return undefined;
  const facade = takeFacade();
  const known = new Set(facade.objects.map(({ object }) => object));
  const objects = visit(hiddenRoots(), known, { followsPrototypes: true });
  const all = [...objects, ...facade.objects];
  watch(all, binding.watchStructures);
  facade.objects = facade.objects.filter(({ isWatched }) => !isWatched);
  return {
    // Not a Set, whose methods a file may replace.
    ids: keysToTrue(require.loadedIds()),
    loads: require.loads(),
    /** Those that are compared by their properties. */
    objects: objects.filter(({ isWatched, object }) => !isWatched && object !== globalThis),
    global: takeGlobal(objects.find(({ object }) => object === globalThis)),
    facade,
    /** In the order in which structures are watched. */
    all,
    /** Those that a file has given another structure, by their indexes. */
    changed: [],
    values: valuesOf(all),
    exec: RegExp.prototype.exec,
  };
}

/** The properties of watched objects whose values are to be compared here. */
function valuesOf(entries) {
  const values = { entries: [], keys: [], values: [], accessors: [] };
  for (const entry of entries) {
    if (!entry.isWatched || entry.hasWords || entry.descriptors === undefined) continue;
    entry.keys.forEach((key, index) => {
      const descriptor = entry.descriptors[index];
      if (entry.missing !== undefined && !entry.missing.includes(key)) return;
      if (isAccessor(descriptor)) {
        values.accessors.push({ entry, key, descriptor });
        return;
      }
      values.entries.push(entry);
      values.keys.push(key);
      values.values.push(descriptor.value);
    });
  }
  return values;
}

/** Objects of which something has changed are compared by their properties from now on. */
function compareWatched() {
  const changed = binding.changedStructures();
  for (let at = 0; at < changed.length; at++) {
    compareProperties(before.all[changed[at]]);
    before.changed.push(changed[at]);
  }
  // Perhaps a getter is there now.
  if (changed.length > 0) before.values = valuesOf(before.all);
  const { entries, keys, values, accessors } = before.values;
  for (let index = 0; index < keys.length; index++) {
    const value = entries[index].object[keys[index]];
    if (value !== values[index] && !is(value, values[index])) compareProperties(entries[index]);
  }
  for (const { entry, key, descriptor } of accessors) {
    if (!isSameProperty(getOwnPropertyDescriptor(entry.object, key), descriptor)) compareProperties(entry);
  }
}

function compareProperties(entry) {
  if (!entry.isWatched) return;
  entry.isWatched = false;
  (entry.isFacade ? before.facade : before).objects.push(entry);
}

/** An object whose structure changes again and again is compared by its properties. */
const CHANGES_MAX = 3;

/** Objects that turned out to have the same properties need not be compared by them. */
function watchChanged() {
  const indexes = before.changed;
  before.changed = [];
  for (const index of indexes) {
    const entry = before.all[index];
    entry.changes = (entry.changes ?? 0) + 1;
    const isForgotten = entry.isFacade && !before.facade.objects.includes(entry);
    if (entry.changes <= CHANGES_MAX && entry.descriptors !== undefined && !isForgotten) watchAgain(entry, index);
  }
  const isSlow = ({ isWatched }) => !isWatched;
  before.objects = before.objects.filter(isSlow);
  before.facade.objects = before.facade.objects.filter(isSlow);
  before.values = valuesOf(before.all);
}

/** The global object, with what is faster to compare. */
function takeGlobal(entry) {
  const global = { entry, missing: undefined, values: undefined, structure: 0, keys: undefined };
  watchGlobal(global);
  return global;
}

/** Has the native half compare values of the global object: all but those of `missing`. */
function watchGlobal(global) {
  const { keys, descriptors } = global.entry;
  const data = descriptors.filter((descriptor) => !isAccessor(descriptor));
  const missing = binding.watchGlobal(data.map(({ value }) => value), keys.length - data.length);
  global.structure = binding.structureOfGlobal();
  global.keys = ownKeys(globalThis);
  global.missing = missing === undefined ? undefined : missingKeys(global.entry, missing);
  global.values = global.missing?.map((key) => descriptors[keys.indexOf(key)].value);
}

/** A new structure or another order of keys does not mean that something differs. */
function isSameGlobal(global) {
  const { missing, values } = global;
  const structure = binding.structureOfGlobal();
  const isWatched = missing !== undefined && structure !== 0 && structure === global.structure;
  if (!isWatched || !binding.isSameGlobal() || !areSameKeys(ownKeys(globalThis), global.keys)) {
    if (!isSame(global.entry)) return false;
    watchGlobal(global);
    return true;
  }
  for (let index = 0; index < missing.length; index++) {
    const value = globalThis[missing[index]];
    if (value !== values[index] && !is(value, values[index])) return false;
  }
  return true;
}

function areSameKeys(one, other) {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

// --- the runner

const ownGlobals = () => globals.NAMES.map((name) => getOwnPropertyDescriptor(globalThis, name));

/** Objects of `bun:test` and `vitest`, and the globals that are the same. */
function takeFacade() {
  const objects = visit([require('bun/test'), require('bun/vitest')], new Set(), {});
  for (const entry of objects) entry.isFacade = true;
  return { objects, globals: ownGlobals(), isNew: false };
}

/** Makes the facade anew if a file has changed it. */
function renewFacade() {
  const own = ownGlobals();
  if (own.some((property) => property?.configurable === false)) return false;
  const { facade } = before;
  if (facade.objects.every(isSame) && own.every((property, index) => property !== undefined && isSameProperty(property, facade.globals[index]))) return true;
  FACADE.forEach(require.forget);
  MODULES.forEach(require('internal/builtin_list').forget);
  globals.install(globalThis);
  for (const entry of before.all) if (entry.isFacade) entry.isWatched = false;
  before.values = valuesOf(before.all);
  before.facade = { ...takeFacade(), isNew: true };
  for (const entry of before.facade.objects) {
    // The native half knows those of the first one only.
    entry.isWatched = false;
    if (entry.descriptors === undefined) readProperties(entry);
  }
  return true;
}

/** What the loader and the runner know of the file. */
function resetState() {
  const main = require('internal/modules/main_module');
  if (main.isHooked || main.tracing !== undefined) return false;
  Object.assign(main, { value: undefined, path: undefined, script: undefined, record: undefined, source: undefined, isPending: false });
  forgetModules();
  require('internal/expect/equals').resetEqualityTesters();
  require('internal/test_files/calls').waiting.clear();
  resetTimerIds();
  // `RegExp.$1` and its like.
  Reflect.apply(before.exec, new RegExp(''), ['']);
  return true;
}

/** Modules of the facade are those of the next file, too, and those that have not changed. */
function forgetModules() {
  const { records, retainModules } = require('internal/esm');
  const own = before.facade.isNew ? [] : MODULES.map((url) => records.get(url)).filter((record) => record !== undefined);
  before.facade.isNew = false;
  records.clear();
  for (const record of own) records.set(record.url, record);
  retainModules(modules.retained());
}

module.exports = { hasLoadedBuiltins, judge, record };
