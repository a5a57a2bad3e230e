// Module records, as in ECMA-262 (Cyclic and Synthetic Module Records). In: what the native half
// parsed, or names and values of a builtin, CommonJS or data. Out: a record, which link.js links
// and evaluate.js evaluates. Absent: resolution.
'use strict';

// [[Status]] of a record.
const NEW = 0;
const LINKING = 1;
const LINKED = 2;
const EVALUATING = 3;
const EVALUATING_ASYNC = 4;
const EVALUATED = 5;

class Record {
  /** @param url as in `import.meta.url` and stack traces */
  constructor(url) {
    this.url = url;
    this.status = NEW;
    /** { value } that its evaluation threw; boxed, because `undefined` can be thrown. */
    this.error = undefined;
    /** An object whose properties are the bindings, by exported name. */
    this.bindings = undefined;
    this.namespace = undefined;
    /** The source phase object (`import source`), of WebAssembly. */
    this.source = undefined;
    this.requests = [];
    /** The records of `requests`. */
    this.loaded = undefined;
    this.hasTopLevelAwait = false;
    /** Whether its graph has a top-level `await`; computed on first use. */
    this.isAsyncGraph = undefined;
    this.isInCycle = false;
    /** The records of its cycle, itself included. */
    this.cycle = undefined;
    /** The bindings that importers see, if it has re-exports. */
    this.forwarded = undefined;
    // [[DFSIndex]], [[DFSAncestorIndex]].
    this.index = -1;
    this.ancestor = -1;
    // [[CycleRoot]], [[AsyncEvaluationOrder]], [[PendingAsyncDependencies]],
    // [[AsyncParentModules]], [[TopLevelCapability]].
    this.cycleRoot = undefined;
    this.asyncOrder = -1;
    this.pending = 0;
    this.parents = [];
    this.capability = undefined;
  }

  /** Names that it exports itself, without those of `export *`. */
  localNames() { return []; }

  /**
   * @typedef {[Record, string | undefined] | null | 'ambiguous'} Resolution the record that has the
   *   binding, and its name there; without a name, the record's namespace
   * @returns {Resolution}
   */
  resolveExport() { return null; }

  exportedNames(visited = new Set()) {
    if (visited.has(this)) return [];
    visited.add(this);
    return this.localNames();
  }
}

// Independent of changes of Object.prototype by programs.
Object.setPrototypeOf(Record.prototype, null);

// Shared by the many modules without re-exports.
const NO_EXPORTS = new Set();
const NO_INDIRECT = new Map();

/** The last search for an export; each has a number of its own. */
let lastSearch = 0;

/** How often a search came to a module and a name again: what it has found there is not all. */
let repeats = 0;

/** There a name that is not exported may be a type, which is no export; compilers leave it out. */
function isTypeScript(record) { return record.path !== undefined && /\.[cm]?tsx?$/.test(record.path); }

/** Shared by the many requests without attributes. */
const NO_ATTRIBUTES = [];

/**
 * Reads tables from a flat list of numbers, each preceded by its number of rows. Each file of tests
 * has tables of its own, so these are plain loops. No method of the lists is called, which are
 * arrays of the program's global object.
 */
class TableReader {
  #names;
  #numbers;
  #at = 0;

  constructor(names, numbers) {
    this.#names = names;
    this.#numbers = numbers;
  }

  requests() {
    const names = this.#names;
    const numbers = this.#numbers;
    const rows = [];
    let at = this.#at;
    for (let count = numbers[at++]; count > 0; count--) {
      const specifier = names[numbers[at]];
      const phase = numbers[at + 1];
      const length = numbers[at + 2];
      at += 3;
      let attributes = NO_ATTRIBUTES;
      if (length > 0) {
        attributes = [];
        for (const end = at + length; at < end; at++) attributes.push(names[numbers[at]]);
      }
      rows.push({ specifier, phase, attributes, found: undefined });
    }
    this.#at = at;
    return rows;
  }

  inputs() {
    const numbers = this.#numbers;
    const rows = [];
    let at = this.#at;
    for (let count = numbers[at++]; count > 0; count--, at += 2) rows.push([numbers[at] === 1, numbers[at + 1]]);
    this.#at = at;
    return rows;
  }

  imports() {
    const names = this.#names;
    const numbers = this.#numbers;
    const rows = [];
    let at = this.#at;
    for (let count = numbers[at++]; count > 0; count--, at += 2) rows.push([numbers[at], names[numbers[at + 1]]]);
    this.#at = at;
    return rows;
  }

  exports() {
    const count = this.#numbers[this.#at++];
    if (count === 0) return NO_EXPORTS;
    const names = new Set();
    for (let row = 0; row < count; row++) names.add(this.#names[this.#numbers[this.#at++]]);
    return names;
  }

  /** A negative number stands for all that a module exports. */
  indirect() {
    const count = this.#numbers[this.#at++];
    if (count === 0) return NO_INDIRECT;
    const names = this.#names;
    const numbers = this.#numbers;
    const rows = new Map();
    for (let row = 0; row < count; row++, this.#at += 3) {
      const from = numbers[this.#at + 2];
      rows.set(names[numbers[this.#at]], [numbers[this.#at + 1], from < 0 ? undefined : names[from]]);
    }
    return rows;
  }

  stars() {
    const rows = [];
    for (let count = this.#numbers[this.#at++]; count > 0; count--) rows.push(this.#numbers[this.#at++]);
    return rows;
  }
}

/** What is known of a module before it is linked. `parsed`: see src/loader/scripts.rs. */
class ModuleTables {
  constructor(parsed) {
    const [id, hasTopLevelAwait, names, numbers] = parsed;
    const reader = new TableReader(names, numbers);
    /** By which its code is compiled, once. */
    this.id = id;
    this.hasTopLevelAwait = hasTopLevelAwait;
    /** `found`: the module that a program before this one has found there. */
    this.requests = reader.requests();
    this.inputs = reader.inputs();
    this.imports = reader.imports();
    this.exports = reader.exports();
    this.indirect = reader.indirect();
    this.stars = reader.stars();
    /**
     * Its compiled functions, if the module is evaluated again.
     * @type {{ run?: Function, steps?: Function } | undefined}
     */
    this.functions = undefined;
    /** What `fileChanges` of the loader had returned when its file was looked at last. */
    this.checkedAt = -1;
  }
}

/** Source Text Module Record. */
class SourceRecord extends Record {
  /** @param parsed its tables, or what they are made of */
  constructor(url, path, parsed) {
    super(url);
    const tables = parsed instanceof ModuleTables ? parsed : new ModuleTables(parsed);
    this.path = path;
    this.tables = tables;
    this.hasTopLevelAwait = tables.hasTopLevelAwait;
    this.requests = tables.requests;
    this.inputs = tables.inputs;
    this.imports = tables.imports;
    this.exports = tables.exports;
    // Linking removes names of types.
    this.indirect = tables.functions === undefined || tables.indirect.size === 0 ? tables.indirect : new Map(tables.indirect);
    this.stars = tables.stars;
    /** What its re-exported names resolve to. @type {Map<string, Resolution> | undefined} */
    this.resolutions = undefined;
    // The last search that came here, and for which names.
    this.search = 0;
    this.searched = undefined;
    this.searchedNames = undefined;
    this.meta = undefined;
    this.body = undefined;
    /**
     * How to read what state the module has, if its bindings lead to all of it; how to assign its
     * variables, if there are any.
     * @type {{ all: () => unknown[], variables: () => unknown[], restore?: Function } | undefined}
     */
    this.state = undefined;
    // For node:vm: the engine's context, functions for `import.meta` and `import()`.
    this.context = undefined;
    /** The global object of that context. */
    this.contextGlobal = undefined;
    this.fillMeta = undefined;
    this.importDynamic = undefined;
  }

  localNames() { return [...this.exports, ...this.indirect.keys()]; }

  exportedNames(visited = new Set()) {
    if (visited.has(this)) return [];
    visited.add(this);
    const names = new Set(this.localNames());
    for (const star of this.stars) {
      for (const name of this.loaded[star].exportedNames(visited)) if (name !== 'default') names.add(name);
    }
    return [...names];
  }

  resolveExport(name, search = ++lastSearch) {
    if (this.exports.has(name)) return [this, name];
    if (this.indirect.size === 0 && this.stars.length === 0) return null;
    const known = this.resolutions?.get(name);
    if (known !== undefined) return known;
    if (this.#isSearched(name, search)) {
      repeats++;
      return null;
    }
    const repeatsBefore = repeats;
    const resolution = this.#resolveReexport(name, search);
    if (repeats === repeatsBefore) (this.resolutions ??= new Map()).set(name, resolution);
    return resolution;
  }

  /** Whether this search was here before: the modules export from each other. Notes that it was. */
  #isSearched(name, search) {
    if (this.search !== search) {
      this.search = search;
      this.searched = name;
      this.searchedNames = undefined;
      return false;
    }
    if (this.searched === name || this.searchedNames?.includes(name)) return true;
    (this.searchedNames ??= []).push(name);
    return false;
  }

  #resolveReexport(name, search) {
    const indirect = this.indirect.get(name);
    if (indirect !== undefined) {
      const [request, from] = indirect;
      const other = this.loaded[request];
      const resolution = from === undefined ? [other, undefined] : other.resolveExport(from, search);
      if (resolution !== null || !isTypeScript(this) || !isTypeScript(other)) return resolution;
    }
    if (name === 'default') return null;
    let result = null;
    for (const star of this.stars) {
      const other = this.loaded[star].resolveExport(name, search);
      if (other === 'ambiguous') return other;
      if (other === null) continue;
      if (result === null) result = other;
      else if (result[0] !== other[0] || result[1] !== other[1]) return 'ambiguous';
    }
    return result;
  }

  /** Its requests are to be loaded again. */
  unload() {
    this.loaded = undefined;
    this.resolutions = undefined;
  }
}

/**
 * Synthetic Module Record: a builtin, CommonJS, JSON. `evaluate` fills `bindings`.
 */
class SyntheticRecord extends Record {
  constructor(url, names, evaluate) {
    super(url);
    this.names = new Set(names);
    this.loaded = [];
    this.evaluate = evaluate;
    this.bindings = { __proto__: null };
    /** Its names were found by static detection, and may be incomplete. */
    this.isCommonJs = false;
    /** Names that it may have once it was evaluated, with functions that throw otherwise. */
    this.awaited = undefined;
    this.path = undefined;
  }

  localNames() { return [...this.names]; }

  resolveExport(name) { return this.names.has(name) ? [this, name] : null; }
}

/** The phase of a module request `import source` (src/loader/scripts.rs). */
const SOURCE = 1;

module.exports = { ModuleTables, Record, isTypeScript, SOURCE, SourceRecord, SyntheticRecord, NEW, LINKING, LINKED, EVALUATING, EVALUATING_ASYNC, EVALUATED };
