// What an object is like: its own properties, prototype and structure. In: objects. Out: entries,
// by which later a change is found. Absent: which objects are looked at (reuse.js,
// module_reuse.js).
'use strict';

const binding = internalBinding('test_runner');
const globals = require('internal/test_files/globals');
const { isProxy } = require('internal/util/types');

// Literals are of the hidden global object, where this is the engine's own function. That of the
// file's global object loads a lazy global when its descriptor is read.
const { fromEntries, getOwnPropertyDescriptor, is } = {}.constructor;
const { defineProperty, deleteProperty, getPrototypeOf, isExtensible, ownKeys, setPrototypeOf } = Reflect;

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

/**
 * Has objects compared by the native half: their structures, and the values that it finds.
 * @param {Function} watchAll one of the native half (src/structures.rs)
 * @returns {boolean} whether they are watched
 */
function watch(entries, watchAll) {
  const objects = [];
  const values = [];
  const accessors = [];
  for (let index = 0; index < entries.length; index++) {
    const { object, isWatched, descriptors } = entries[index];
    const own = isWatched && descriptors !== undefined ? valuesOf(descriptors) : undefined;
    objects.push(object);
    values.push(own);
    accessors.push(own === undefined ? 0 : descriptors.length - own.length);
  }
  const missing = watchAll(objects, values, accessors);
  if (missing === undefined) return false;
  for (let index = 0; index < entries.length; index++) noteWatched(entries[index], missing[index]);
  return true;
}

/** The same for an object that has another structure and the same properties. */
function watchAgain(entry, index) {
  entry.isWatched = true;
  entry.hasWords = false;
  entry.missing = undefined;
  const own = valuesOf(entry.descriptors);
  noteWatched(entry, binding.watchAgain(index, own, entry.keys.length - own.length));
}

/** `missing`: the indexes of values that the native half does not compare. */
function noteWatched(entry, missing) {
  if (missing === undefined) entry.isWatched = false;
  else if (missing === null) entry.hasWords = false;
  else if (missing.length === 0) entry.hasWords = true;
  else entry.missing = missingKeys(entry, missing);
}

/** The keys of data properties with these indexes. */
function missingKeys({ keys, descriptors }, missing) {
  const data = keys.filter((key, index) => !isAccessor(descriptors[index]));
  return missing.map((index) => data[index]);
}

const isAccessor = ({ get, set }) => get !== undefined || set !== undefined;

/** Those of data properties. */
function valuesOf(descriptors) {
  const values = [];
  for (let index = 0; index < descriptors.length; index++) if (!isAccessor(descriptors[index])) values.push(descriptors[index].value);
  return values;
}

/**
 * Everything that properties lead to.
 * @param {Set<object>} known what was visited before; these are added
 * @param {{ followsPrototypes?: boolean, readsAll?: boolean, isLeftOut?: Function }} options
 *   `readsAll`: also functions of which nothing was read yet
 */
function visit(roots, known, { followsPrototypes = false, readsAll = false, isLeftOut }) {
  const found = [];
  const queue = roots;
  while (queue.length > 0) {
    const object = queue.pop();
    if (!isObject(object) || known.has(object) || isLeftOut?.(object)) continue;
    known.add(object);
    const entry = describe(object, readsAll);
    found.push(entry);
    if (followsPrototypes) queue.push(entry.prototype);
    if (entry.descriptors === undefined) continue;
    addObjects(entry.descriptors, queue);
  }
  return found;
}

/** What the properties of an object lead to. By far most descriptors have a value. */
function addObjects(descriptors, queue) {
  for (let index = 0; index < descriptors.length; index++) {
    const descriptor = descriptors[index];
    const { value } = descriptor;
    if (isObject(value)) queue.push(value);
    else if (value === undefined) queue.push(descriptor.get, descriptor.set);
  }
}

const keysToTrue = (keys) => ({ __proto__: null, ...fromEntries(keys.map((key) => [key, true])) });

/** Structures of functions with nothing but a name and a length that were never read. */
const unread = { __proto__: null };

/** Of an unread function the properties are not read: it keeps its structure. */
function describe(object, readsAll = false) {
  const structure = binding.structureOf(object);
  const entry = {
    object,
    keys: undefined,
    descriptors: undefined,
    prototype: getPrototypeOf(object),
    isExtensible: isExtensible(object),
    /** Whether its structure tells changes, but for those of values. */
    isWatched: structure !== 0 && object !== globalThis && !isProxy(object),
    /** Whether the native half compares its values, too. */
    hasWords: false,
    /** Keys of values that it does not compare, if it compares the others. */
    missing: undefined,
    isFacade: false,
  };
  if (readsAll || unread[structure] !== true || !entry.isWatched) {
    readProperties(entry);
    // Not a dictionary, which has a structure of its own.
    if (structure > 0) unread[structure] ??= isPlainFunction(entry) && binding.structureOf(object) !== structure;
  }
  return entry;
}

function readProperties(entry) {
  const { object } = entry;
  const keys = keysOf(object);
  const descriptors = [];
  for (let index = 0; index < keys.length; index++) descriptors.push(getOwnPropertyDescriptor(object, keys[index]));
  entry.keys = keys;
  entry.descriptors = descriptors;
}

const isPlainFunction = ({ object, keys }) => typeof object === 'function' && keys.length === 2 && keys.includes('length') && keys.includes('name');

/** The runner's own globals are part of the facade. */
function keysOf(object) {
  const all = ownKeys(object);
  if (object !== globalThis) return all;
  const keys = [];
  for (let index = 0; index < all.length; index++) if (ownNames[all[index]] !== true) keys.push(all[index]);
  return keys;
}

const ownNames = keysToTrue(globals.NAMES);

function isSame({ object, keys, descriptors, prototype, isExtensible: wasExtensible }) {
  if (descriptors === undefined || getPrototypeOf(object) !== prototype || isExtensible(object) !== wasExtensible) return false;
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

/**
 * Gives an object the properties and the prototype that it had, as far as that can be done. No
 * method of arrays is called, which the program may have replaced.
 */
function restore({ object, keys, descriptors, prototype }) {
  if (descriptors === undefined || (getPrototypeOf(object) !== prototype && !setPrototypeOf(object, prototype))) return;
  const known = { __proto__: null };
  for (let index = 0; index < keys.length; index++) known[keys[index]] = true;
  const own = keysOf(object);
  for (let index = 0; index < own.length; index++) if (known[own[index]] !== true) deleteProperty(object, own[index]);
  for (let index = 0; index < keys.length; index++) {
    if (!isSameProperty(getOwnPropertyDescriptor(object, keys[index]) ?? {}, descriptors[index])) defineProperty(object, keys[index], descriptors[index]);
  }
}

module.exports = { isAccessor, isSame, isSameProperty, keysToTrue, missingKeys, readProperties, restore, visit, watch, watchAgain };
