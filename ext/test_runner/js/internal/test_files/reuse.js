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

// Literals are of the hidden global object, where this is the engine's own function. That of the
// file's global object loads a lazy global when its descriptor is read.
const { fromEntries, getOwnPropertyDescriptor, is } = {}.constructor;
const { getPrototypeOf, isExtensible, ownKeys } = Reflect;

/** Files of matchers, `expect` and the loader: they are loaded before the first look. */
const PRELOADED = [
  ...['arguments', 'calls', 'collections', 'equality', 'kinds', 'results', 'snapshots', 'strings', 'throws'].map((name) => `internal/expect/matchers/${name}`),
  'internal/builtin_list', 'internal/esm/synthetic', 'internal/modules/paths', 'internal/options', 'internal/test_files/tables', 'internal/util/types',
];

/** Builtins that a file may load. Their state ends with them: the next file loads them again. */
const FORGOTTEN = /^internal\/(?:expect\/(?!automock|hoisted_file|module_mocks|snapshot)|stack\/|test_files\/shuffle)/;

/** What files see of the runner. The next file gets new ones if this one has changed them. */
const FACADE = ['internal/expect/expect', 'internal/expect/main', 'internal/test_files/definitions', 'bun/test', 'bun/vitest'];

/** Its modules. */
const MODULES = ['bun:test', 'bun:vitest'];

/** Not 0: something may still call back. */
const PENDING = ['TICKS', 'IMMEDIATES', 'HAS_TIMER', 'ENGINE_PROMISES', 'HAS_ERRORS', 'MESSAGES'].map((name) => counter[name]);

/** What was there before the first file. @type {ReturnType<typeof take> | undefined} */
let before;

/** Looks at a global object in which no file has run. */
function record() {
  if (before !== undefined) return;
  for (const id of PRELOADED) require(id);
  require('internal/esm').keepModules();
  // It calls back after a collection: to read it is a change.
  globals.watch('FinalizationRegistry');
  before = take();
}

/** Whether nothing has changed. Then the next file may begin. */
function judge() {
  binding.setReusable(before !== undefined && isUnchanged());
}

function isUnchanged() {
  if (PENDING.some((index) => counters[index] !== 0)) return false;
  const loaded = require.loadedIds().filter((id) => before.ids[id] === undefined);
  if (!loaded.every((id) => FORGOTTEN.test(id))) return false;
  compareWatched();
  if (!before.objects.every(isSame) || !isSameGlobal(before.global)) return false;
  loaded.forEach(require.forget);
  return renewFacade() && resetState();
}

// --- objects

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

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
  return [realm, Expectation, ...[timer, immediate, ...makers].map(getPrototypeOf)];
}

function take() {
  if (binding.structureOf({}) === undefined) return undefined;
  const facade = takeFacade();
  const known = new Set(facade.objects.map(({ object }) => object));
  const objects = visit(hiddenRoots(), known, true);
  const all = [...objects, ...facade.objects];
  watch(all);
  facade.objects = facade.objects.filter(({ isWatched }) => !isWatched);
  return {
    // Not a Set, whose methods a file may replace.
    ids: keysToTrue(require.loadedIds()),
    /** Those that are compared by their properties. */
    objects: objects.filter(({ isWatched, object }) => !isWatched && object !== globalThis),
    global: takeGlobal(objects.find(({ object }) => object === globalThis)),
    facade,
    /** In the order in which structures are watched. */
    all,
    values: valuesOf(all),
    exec: RegExp.prototype.exec,
  };
}

/** Has objects compared by the native half: their structures, and the values that it finds. */
function watch(entries) {
  const isCompared = ({ isWatched, descriptors }) => isWatched && descriptors !== undefined;
  const objects = entries.map(({ object }) => object);
  const values = entries.map((entry) => (isCompared(entry) ? dataOf(entry).map(({ value }) => value) : undefined));
  const accessors = entries.map((entry) => (isCompared(entry) ? entry.keys.length - dataOf(entry).length : 0));
  for (const index of binding.watchStructures(objects, values, accessors) ?? []) entries[index].hasWords = true;
}

const isAccessor = ({ get, set }) => get !== undefined || set !== undefined;
const dataOf = ({ descriptors }) => descriptors.filter((descriptor) => !isAccessor(descriptor));

/** Everything that properties and prototypes lead to. */
function visit(roots, known, followsPrototypes) {
  const found = [];
  const queue = roots;
  while (queue.length > 0) {
    const object = queue.pop();
    if (!isObject(object) || known.has(object)) continue;
    known.add(object);
    const entry = describe(object);
    found.push(entry);
    if (followsPrototypes) queue.push(entry.prototype);
    if (entry.descriptors === undefined) continue;
    for (const { value, get, set } of entry.descriptors) queue.push(value, get, set);
  }
  return found;
}

const keysToTrue = (keys) => ({ __proto__: null, ...fromEntries(keys.map((key) => [key, true])) });

/** Structures of functions with nothing but a name and a length that were never read. */
const unread = { __proto__: null };

/** Of an unread function the properties are not read: it keeps its structure. */
function describe(object) {
  const structure = binding.structureOf(object);
  const entry = {
    object,
    keys: undefined,
    descriptors: undefined,
    prototype: getPrototypeOf(object),
    isExtensible: isExtensible(object),
    /** Whether its structure tells changes, but for those of values. */
    isWatched: structure !== 0 && object !== globalThis && !require('internal/util/types').isProxy(object),
    /** Whether the native half compares its values, too. */
    hasWords: false,
    isFacade: false,
  };
  if (unread[structure] !== true || !entry.isWatched) {
    readProperties(entry);
    unread[structure] ??= isPlainFunction(entry) && binding.structureOf(object) !== structure;
  }
  return entry;
}

function readProperties(entry) {
  entry.keys = keysOf(entry.object);
  entry.descriptors = entry.keys.map((key) => getOwnPropertyDescriptor(entry.object, key));
}

const isPlainFunction = ({ object, keys }) => typeof object === 'function' && keys.length === 2 && keys.includes('length') && keys.includes('name');

/** The runner's own globals are part of the facade. */
const keysOf = (object) => (object === globalThis ? ownKeys(object).filter((key) => ownNames[key] !== true) : ownKeys(object));

const ownNames = keysToTrue(globals.NAMES);

/** The properties of watched objects whose values are to be compared here. */
function valuesOf(entries) {
  const values = { entries: [], keys: [], values: [], accessors: [] };
  for (const entry of entries) {
    if (!entry.isWatched || entry.hasWords || entry.descriptors === undefined) continue;
    entry.keys.forEach((key, index) => {
      const descriptor = entry.descriptors[index];
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
  for (const index of changed) compareProperties(before.all[index]);
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

function isSame({ object, keys, descriptors, prototype, isExtensible: wasExtensible }) {
  if (descriptors === undefined || getPrototypeOf(object) !== prototype || isExtensible(object) !== wasExtensible) return false;
  const own = keysOf(object);
  if (own.length !== keys.length) return false;
  for (let index = 0; index < own.length; index++) {
    if (own[index] !== keys[index] || !isSameProperty(getOwnPropertyDescriptor(object, own[index]), descriptors[index])) return false;
  }
  return true;
}

/** The global object, with what is faster to compare. */
function takeGlobal(entry) {
  const data = { keys: [], values: [] };
  const accessors = { keys: [], descriptors: [] };
  entry.keys.forEach((key, index) => {
    const descriptor = entry.descriptors[index];
    if (isAccessor(descriptor)) {
      accessors.keys.push(key);
      accessors.descriptors.push(descriptor);
    } else {
      data.keys.push(key);
      data.values.push(descriptor.value);
    }
  });
  return { entry, data, accessors, structure: binding.structureOfGlobal(), keys: ownKeys(globalThis) };
}

/** A new structure or another order of keys does not mean that something differs. */
function isSameGlobal(global) {
  const structure = binding.structureOfGlobal();
  const own = ownKeys(globalThis);
  if (structure === 0 || structure !== global.structure || !areSameKeys(own, global.keys)) {
    global.structure = structure;
    global.keys = own;
    return isSame(global.entry);
  }
  const { data, accessors } = global;
  for (let index = 0; index < data.keys.length; index++) {
    const value = globalThis[data.keys[index]];
    if (value !== data.values[index] && !is(value, data.values[index])) return false;
  }
  for (let index = 0; index < accessors.keys.length; index++) {
    if (!isSameProperty(getOwnPropertyDescriptor(globalThis, accessors.keys[index]), accessors.descriptors[index])) return false;
  }
  return true;
}

function areSameKeys(one, other) {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

function isSameProperty(one, other) {
  return is(one.value, other.value) && one.get === other.get && one.set === other.set
    && one.writable === other.writable && one.enumerable === other.enumerable && one.configurable === other.configurable;
}

// --- the runner

const ownGlobals = () => globals.NAMES.map((name) => getOwnPropertyDescriptor(globalThis, name));

/** Objects of `bun:test` and `vitest`, and the globals that are the same. */
function takeFacade() {
  const objects = visit([require('bun/test'), require('bun/vitest')], new Set(), false);
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
  // Their structures are not watched.
  for (const entry of before.facade.objects) if (entry.descriptors === undefined) readProperties(entry);
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

/** The modules of the facade are those of the next file, too. */
function forgetModules() {
  const { records } = require('internal/esm');
  const own = before.facade.isNew ? [] : MODULES.map((url) => records.get(url)).filter((record) => record !== undefined);
  before.facade.isNew = false;
  records.clear();
  for (const record of own) records.set(record.url, record);
}

module.exports = { judge, record };
