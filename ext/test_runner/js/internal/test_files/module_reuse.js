// Reuse of evaluated modules by the next file. In: records of modules that tell their state
// (crates/transpile/src/module_state.rs), once they were evaluated. Out: those that are as they
// were then: of which the files since have changed no variable, no property of a function, class,
// object or array, or what could be undone; and so of all that they import. Absent: changes of the
// global object, after which nothing is reused (reuse.js).
'use strict';

const binding = internalBinding('test_runner');
const { isSame, isSameProperty, restore, visit, watch } = require('internal/test_files/object_state');
const { RetainedModules } = require('internal/esm/retained_modules');
const { SourceRecord } = require('internal/esm/record');
const { isMap, isProxy, isRegExp, isSet } = require('internal/util/types');

// Of the hidden global object: files may replace methods of theirs.
const { getOwnPropertyDescriptor, hasOwn, is } = {}.constructor;
const { Map, Set, RegExp } = {}.constructor.constructor('return { Map, Set, RegExp }')();
const [sizeOfMap, sizeOfSet, sourceOf, flagsOf] = [[Map, 'size'], [Set, 'size'], [RegExp, 'source'], [RegExp, 'flags']].map(([{ prototype }, name]) => {
  const { get } = getOwnPropertyDescriptor(prototype, name);
  return (object) => Reflect.apply(get, object, []);
});

/** Properties of one module that are compared here, not by the native half. */
const SLOW_PROPERTIES_MAX = 256;

/** A module that was changed so often is evaluated for each file. */
const CHANGES_MAX = 2;

/** Watched objects of modules that are gone: with more, all are forgotten. */
const DEAD_ENTRIES_MAX = 10_000;

/**
 * How to read what properties do not show of an object. A collection has no elements when it is
 * made.
 * @returns {((object: object) => unknown) | undefined} undefined: they show all
 */
function readerOf(object) {
  if (isMap(object)) return sizeOfMap;
  if (isSet(object)) return sizeOfSet;
  return isRegExp(object) ? patternOf : undefined;
}

const patternOf = (object) => `${sourceOf(object)}/${flagsOf(object)}`;

const hasSameContent = ({ object, content, read }) => read === undefined || read(object) === content;

/**
 * The native half tells whether a watched object has another prototype or other properties. An
 * array keeps its keys while its length and elements are the same.
 */
function isUnchanged(entry) {
  const { object, keys, descriptors } = entry;
  if (!entry.isWatched) return isSame(entry) && hasSameContent(entry);
  if (!Array.isArray(object)) return hasSameProperties(entry) && hasSameContent(entry);
  for (let index = 0; index < keys.length; index++) {
    const value = object[keys[index]];
    if (!is(value, descriptors[index].value) || (value === undefined && !hasOwn(object, keys[index]))) return false;
  }
  return true;
}

function hasSameProperties({ object, keys, descriptors, hasWords }) {
  if (hasWords) return true;
  for (let index = 0; index < keys.length; index++) {
    const own = getOwnPropertyDescriptor(object, keys[index]);
    if (own === undefined || !isSameProperty(own, descriptors[index])) return false;
  }
  return true;
}

/**
 * Makes an object again what it was.
 * @returns {boolean} whether it is
 */
function undo(entry) {
  // Importers have copies of bindings.
  if (entry.isBindings) return false;
  restore(entry);
  if (entry.read === sizeOfMap) clearMap(entry.object);
  else if (entry.read === sizeOfSet) clearSet(entry.object);
  return isUnchanged(entry);
}

const [clearMap, clearSet] = [Map, Set].map(({ prototype: { clear } }) => (object) => { Reflect.apply(clear, object, []); });

/** A module as it was when it was evaluated. */
class EvaluatedModule {
  constructor(record, entries) {
    this.record = record;
    this.entries = entries;
    this.variables = record.state.variables();
  }

  /** Variables that the module assigns somewhere. */
  hasSameVariables() {
    const values = this.record.state.variables();
    for (let index = 0; index < values.length; index++) if (!is(values[index], this.variables[index])) return false;
    return true;
  }

  restoreVariables() { this.record.state.restore(this.variables); }
}

class ModuleReuse {
  /** By URL. @type {Map<string, EvaluatedModule>} */
  #modules = new Map();
  /** How often modules were changed, by URL. */
  #changes = new Map();
  /** Objects that need no look: those of the global object are compared before. */
  #ofGlobal;
  #known;
  /** In the order in which the native half watches them. */
  #entries = [];
  /** Those that are compared by their properties. */
  #slow = new Set();
  /** Modules that assign variables of theirs somewhere. */
  #withVariables = new Set();
  /** Modules that import some of the runner. */
  #withOthers = new Set();
  #dead = 0;
  /** What `retained` returned; undefined: it would return something else. */
  #retained = undefined;
  /** @param {(record: Record) => boolean} isOfRunner whether files get this module of the runner */
  #isOfRunner;

  /** @param {object[]} ofGlobal */
  constructor(ofGlobal, isOfRunner) {
    this.#ofGlobal = ofGlobal;
    this.#known = new Set(ofGlobal);
    this.#isOfRunner = isOfRunner;
  }

  /** Takes the state of modules that were evaluated just now: of a cycle, mostly of one. */
  note(cycle) {
    if (!cycle.every((record) => this.#isComparable(record, cycle))) return;
    for (const record of cycle) {
      const known = this.#modules.get(record.url);
      if (known !== undefined) this.#drop(new Set([known]));
      this.#take(record);
    }
    this.#retained = undefined;
  }

  /** Whether a module tells its state, is loaded again and again, and imports only such ones. */
  #isComparable(record, cycle) {
    return record instanceof SourceRecord && record.state !== undefined && record.asyncOrder === -1
      && record.tables.functions !== undefined && !(this.#changes.get(record.url) >= CHANGES_MAX)
      && record.loaded.every((other) => cycle.includes(other) || this.#modules.get(other.url)?.record === other || this.#isOfRunner(other));
  }

  #take(record) {
    const values = record.state.all();
    const roots = [];
    for (let index = 0; index < values.length; index++) roots.push(values[index]);
    // Perhaps only a name was read before, which gives a function another structure.
    const readsAll = this.#changes.has(record.url);
    const entries = visit(roots, this.#known, { readsAll, isLeftOut: isProxy });
    // Programs do not see its getters, and the other values were visited.
    const [bindings] = visit([record.bindings], this.#known, { isLeftOut: (value) => value !== record.bindings });
    bindings.isBindings = true;
    entries.push(bindings);
    for (const entry of entries) {
      entry.read = readerOf(entry.object);
      entry.content = entry.read?.(entry.object);
    }
    const isWatched = watch(entries, binding.watchModules);
    if (isWatched) this.#entries.push(...entries);
    const slow = entries.filter(({ hasWords, descriptors, content }) => (!hasWords && descriptors !== undefined) || content !== undefined);
    const properties = slow.reduce((sum, { keys }) => sum + keys.length, 0);
    if (!isWatched || properties > SLOW_PROPERTIES_MAX) {
      this.#changes.set(record.url, CHANGES_MAX);
      this.#dead += entries.length;
      return;
    }
    const module = new EvaluatedModule(record, entries);
    this.#modules.set(record.url, module);
    for (const entry of entries) entry.module = module;
    for (const entry of slow) this.#slow.add(entry);
    if (module.variables.length > 0) this.#withVariables.add(module);
    if (!record.loaded.every((other) => other instanceof SourceRecord)) this.#withOthers.add(module);
  }

  /** What the next file need not evaluate: to be called after each file. */
  retained() {
    const changed = this.#changed();
    for (const { record } of changed) this.#changes.set(record.url, (this.#changes.get(record.url) ?? 0) + 1);
    for (const module of this.#withOthers) {
      if (!module.record.loaded.every((other) => other instanceof SourceRecord || this.#isOfRunner(other))) changed.add(module);
    }
    this.#drop(changed);
    if (this.#dead > DEAD_ENTRIES_MAX) this.#clear();
    if (this.#retained?.isWhole !== true) {
      const records = new Map();
      for (const [url, { record }] of this.#modules) records.set(url, record);
      this.#retained = new RetainedModules(records);
    }
    return this.#retained;
  }

  /** Modules that cannot be made again what they were. */
  #changed() {
    const changed = new Set();
    for (const index of binding.changedModules()) {
      const entry = this.#entries[index];
      // From now on the native half does not compare its values.
      entry.isWatched = false;
      if (entry.module !== undefined) this.#slow.add(entry);
    }
    for (const entry of this.#slow) if (!isUnchanged(entry) && !undo(entry)) changed.add(entry.module);
    for (const module of this.#withVariables) if (!module.hasSameVariables()) module.restoreVariables();
    return changed;
  }

  /** Forgets modules, and all that import them. */
  #drop(modules) {
    if (modules.size === 0) return;
    const records = new Set();
    for (const { record } of modules) records.add(record);
    for (let count = 0; count !== records.size;) {
      count = records.size;
      for (const { record } of this.#modules.values()) if (record.loaded.some((other) => records.has(other))) records.add(record);
    }
    for (const { url } of records) {
      const module = this.#modules.get(url);
      this.#withVariables.delete(module);
      this.#withOthers.delete(module);
      for (const entry of module.entries) {
        entry.module = undefined;
        this.#slow.delete(entry);
        this.#known.delete(entry.object);
        this.#dead++;
      }
      this.#modules.delete(url);
    }
    this.#retained = undefined;
  }

  #clear() {
    binding.clearModules();
    this.#modules.clear();
    this.#slow.clear();
    this.#withVariables.clear();
    this.#withOthers.clear();
    this.#known = new Set(this.#ofGlobal);
    this.#entries = [];
    this.#dead = 0;
    this.#retained = undefined;
  }
}

module.exports = { ModuleReuse };
