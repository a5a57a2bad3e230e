// One module, as the language's specification has it (Cyclic Module Records). In: what the native
// half found in a text, or names and values of something that is no module. Out: a record; link.js
// and evaluate.js bring it to life. Absent: finding files.
'use strict';

// Where a record stands.
const NEW = 0;
const LINKING = 1;
const LINKED = 2;
const EVALUATING = 3;
const EVALUATING_ASYNC = 4;
const EVALUATED = 5;

class Record {
  /** @param url what `import.meta.url` and stacks say */
  constructor(url) {
    this.url = url;
    this.status = NEW;
    /** What went wrong when it ran: a box, for anything can be thrown. */
    this.error = undefined;
    /** An object whose properties are the bindings, by exported name. */
    this.bindings = undefined;
    this.namespace = undefined;
    /** What `import source` gives, where it is asked for. */
    this.source = undefined;
    this.requests = [];
    /** The records of `requests`. */
    this.loaded = undefined;
    this.hasTopLevelAwait = false;
    /** The same of all that it imports, once somebody asked. */
    this.isAsyncGraph = undefined;
    this.isInCycle = false;
    /** Those that import each other, this one included. */
    this.cycle = undefined;
    /** The bindings that importers see, where they are not all its own. */
    this.passes = undefined;
    // Of the depth-first walks.
    this.index = -1;
    this.ancestor = -1;
    // Of asynchronous evaluation.
    this.cycleRoot = undefined;
    this.asyncOrder = -1;
    this.pending = 0;
    this.parents = [];
    this.capability = undefined;
  }

  /** Names that stand in it; not those behind `export *`. */
  localNames() { return []; }

  /**
   * @returns {[Record, string | undefined] | null | 'ambiguous'} whose binding a name is; no name:
   *   the namespace
   */
  resolveExport() { return null; }

  exportedNames(seen = new Set()) {
    if (seen.has(this)) return [];
    seen.add(this);
    return this.localNames();
  }
}

// Whatever programs did to Object.prototype.
Object.setPrototypeOf(Record.prototype, null);

// Most modules pass nothing on, and share these.
const NONE = new Set();
const NOWHERE = new Map();

/** Reads tables, one after the other, each the number of its rows and then those. */
function reader(names, numbers) {
  let at = 0;
  const next = () => numbers[at++];
  return {
    rows(row) {
      const found = [];
      for (let count = next(); count > 0; count--) found.push(row(next));
      return found;
    },
    name(index) { return index < 0 ? undefined : names[index]; },
  };
}

/** A text with imports and exports. `parsed`: see src/loader/scripts.rs. */
class SourceRecord extends Record {
  constructor(url, path, parsed) {
    super(url);
    this.path = path;
    const [id, hasTopLevelAwait, names, numbers] = parsed;
    const { rows, name } = reader(names, numbers);
    this.id = id;
    this.hasTopLevelAwait = hasTopLevelAwait;
    this.requests = rows((next) => ({ specifier: name(next()), phase: next(), attributes: rows((next) => name(next())) }));
    this.inputs = rows((next) => [next() === 1, next()]);
    this.imports = rows((next) => [next(), name(next())]);
    const exports = rows((next) => name(next()));
    this.exports = exports.length === 0 ? NONE : new Set(exports);
    const indirect = rows((next) => [name(next()), [next(), name(next())]]);
    this.indirect = indirect.length === 0 ? NOWHERE : new Map(indirect);
    this.stars = rows((next) => next());
    this.meta = undefined;
    this.body = undefined;
    // Of node:vm: the engine's context, what `import.meta` and `import()` are.
    this.context = undefined;
    this.fillMeta = undefined;
    this.importDynamic = undefined;
  }

  localNames() { return [...this.exports, ...this.indirect.keys()]; }

  exportedNames(seen = new Set()) {
    if (seen.has(this)) return [];
    seen.add(this);
    const names = new Set(this.localNames());
    for (const star of this.stars) {
      for (const name of this.loaded[star].exportedNames(seen)) if (name !== 'default') names.add(name);
    }
    return [...names];
  }

  resolveExport(name, seen = []) {
    if (this.exports.has(name)) return [this, name];
    if (seen.some(([record, other]) => record === this && other === name)) return null;
    seen.push([this, name]);
    const indirect = this.indirect.get(name);
    if (indirect !== undefined) {
      const [request, from] = indirect;
      return from === undefined ? [this.loaded[request], undefined] : this.loaded[request].resolveExport(from, seen);
    }
    if (name === 'default') return null;
    let found = null;
    for (const star of this.stars) {
      const other = this.loaded[star].resolveExport(name, seen);
      if (other === 'ambiguous') return other;
      if (other === null) continue;
      if (found === null) found = other;
      else if (found[0] !== other[0] || found[1] !== other[1]) return 'ambiguous';
    }
    return found;
  }
}

/**
 * Something with names that is no module: a builtin, CommonJS, JSON. `evaluate` fills `bindings`.
 */
class SyntheticRecord extends Record {
  constructor(url, names, evaluate) {
    super(url);
    this.names = new Set(names);
    this.loaded = [];
    this.evaluate = evaluate;
    this.bindings = { __proto__: null };
    /** Its names were read in a text, and may not be all. */
    this.isCommonJs = false;
    this.path = undefined;
  }

  localNames() { return [...this.names]; }

  resolveExport(name) { return this.names.has(name) ? [this, name] : null; }
}

/** The phase of `import source`; src/loader/scripts.rs. */
const SOURCE = 1;

module.exports = { Record, SOURCE, SourceRecord, SyntheticRecord, NEW, LINKING, LINKED, EVALUATING, EVALUATING_ASYNC, EVALUATED };
