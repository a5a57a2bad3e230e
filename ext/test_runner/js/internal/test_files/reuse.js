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
const FACADE = ['internal/expect/expect', 'internal/expect/main', 'internal/test_files/definitions', 'node/bun/test', 'bun/test'];

/** Not 0: something may still call back. */
const PENDING = ['TICKS', 'IMMEDIATES', 'HAS_TIMER', 'ENGINE_PROMISES', 'HAS_ERRORS', 'MESSAGES'].map((name) => counter[name]);

/** What was there before the first file. @type {ReturnType<typeof take> | undefined} */
let before;

/** Looks at a global object in which no file has run. */
function record() {
  if (before !== undefined) return;
  for (const id of PRELOADED) require(id);
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
  compareFunctions();
  if (!before.objects.every(isSame)) return false;
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
  const facade = takeFacade();
  const known = new Set(facade.objects.map(({ object }) => object));
  const objects = visit(hiddenRoots(), known, true);
  const functions = [...objects, ...facade.objects].filter(isPlainFunction);
  if (!watchStructures(functions)) return undefined;
  facade.objects = facade.objects.filter(({ isWatched }) => !isWatched);
  return {
    // Not a Set, whose methods a file may replace.
    ids: { __proto__: null, ...fromEntries(require.loadedIds().map((id) => [id, true])) },
    objects: objects.filter(({ isWatched }) => !isWatched),
    facade,
    functions,
    exec: RegExp.prototype.exec,
  };
}

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
    for (const { value, get, set } of entry.descriptors) queue.push(value, get, set);
  }
  return found;
}

/** The runner's own globals are part of the facade. */
const keysOf = (object) => (object === globalThis ? ownKeys(object).filter((key) => !globals.NAMES.includes(key)) : ownKeys(object));

function describe(object) {
  const keys = keysOf(object);
  return {
    object,
    keys,
    descriptors: keys.map((key) => getOwnPropertyDescriptor(object, key)),
    prototype: getPrototypeOf(object),
    isExtensible: isExtensible(object),
    /** Whether its structure is compared, not its properties. */
    isWatched: false,
    isFacade: false,
  };
}

function isSame({ object, keys, descriptors, prototype, isExtensible: wasExtensible }) {
  if (getPrototypeOf(object) !== prototype || isExtensible(object) !== wasExtensible) return false;
  const own = keysOf(object);
  if (own.length !== keys.length) return false;
  for (let index = 0; index < own.length; index++) {
    if (own[index] !== keys[index] || !isSameProperty(getOwnPropertyDescriptor(object, own[index]), descriptors[index])) return false;
  }
  return true;
}

function isSameProperty(one, other) {
  return is(one.value, other.value) && one.get === other.get && one.set === other.set
    && one.writable === other.writable && one.enumerable === other.enumerable && one.configurable === other.configurable;
}

// --- functions, of which most have no properties but these

const isPlainFunction = ({ object, keys }) => typeof object === 'function' && keys.length === 2 && keys.includes('length') && keys.includes('name');

/** Structures tell other changes than those of values. @returns {boolean} whether they are known */
function watchStructures(functions) {
  const structures = binding.watchStructures(functions.map(({ object }) => object));
  if (structures === undefined) return false;
  const counts = new Map();
  for (const structure of structures) counts.set(structure, (counts.get(structure) ?? 0) + 1);
  // A structure of one object may be that of a dictionary, which tells nothing.
  functions.forEach((entry, index) => { entry.isWatched = counts.get(structures[index]) > 1; });
  return true;
}

/** Those of which something has changed are compared by their properties from now on. */
function compareFunctions() {
  const { functions } = before;
  for (const index of binding.changedStructures()) compareProperties(functions[index]);
  for (const entry of functions) {
    const { object, keys, descriptors } = entry;
    if (entry.isWatched && !(object[keys[0]] === descriptors[0].value && object[keys[1]] === descriptors[1].value)) compareProperties(entry);
  }
}

function compareProperties(entry) {
  if (!entry.isWatched) return;
  entry.isWatched = false;
  (entry.isFacade ? before.facade : before).objects.push(entry);
}

// --- the runner

const ownGlobals = () => globals.NAMES.map((name) => getOwnPropertyDescriptor(globalThis, name));

/** Objects of `bun:test`, and the globals that are the same. */
function takeFacade() {
  const objects = visit([require('bun/test')], new Set(), false);
  for (const entry of objects) entry.isFacade = true;
  return { objects, globals: ownGlobals() };
}

/** Makes the facade anew if a file has changed it. */
function renewFacade() {
  const own = ownGlobals();
  if (own.some((property) => property?.configurable === false)) return false;
  const { facade } = before;
  if (facade.objects.every(isSame) && own.every((property, index) => property !== undefined && isSameProperty(property, facade.globals[index]))) return true;
  FACADE.forEach(require.forget);
  globals.install(globalThis);
  for (const entry of before.functions) if (entry.isFacade) entry.isWatched = false;
  before.facade = takeFacade();
  return true;
}

/** What the loader and the runner know of the file. */
function resetState() {
  const main = require('internal/modules/main_module');
  if (main.isHooked || main.tracing !== undefined) return false;
  Object.assign(main, { value: undefined, path: undefined, script: undefined, record: undefined, source: undefined, isPending: false });
  require('internal/esm').records.clear();
  require('internal/expect/equals').resetEqualityTesters();
  require('internal/test_files/calls').waiting.clear();
  resetTimerIds();
  // `RegExp.$1` and its like.
  Reflect.apply(before.exec, new RegExp(''), ['']);
  return true;
}

module.exports = { judge, record };
