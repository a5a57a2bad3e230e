// One module, as the language's specification has it (Cyclic Module Records). In: what the native half found in a text, or names
// and values of something that is no module. Out: a record; link.js and evaluate.js bring it to life. Absent: finding files.
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
    this.requests = [];
    /** The records of `requests`. */
    this.loaded = undefined;
    this.hasTopLevelAwait = false;
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

  /** @returns {[Record, string | undefined] | null | 'ambiguous'} whose binding a name is; no name: the namespace */
  resolveExport() { return null; }

  exportedNames(seen = new Set()) {
    if (seen.has(this)) return [];
    seen.add(this);
    return this.localNames();
  }
}

/** A text with imports and exports. `parsed`: see src/natives/loader.rs. */
class SourceRecord extends Record {
  constructor(url, path, parsed) {
    super(url);
    this.path = path;
    const [id, hasTopLevelAwait, names, requests, inputs, imports, exports, indirect, stars] = parsed;
    this.id = id;
    this.hasTopLevelAwait = hasTopLevelAwait;
    this.requests = requests.map(([name, ...attributes]) => ({
      specifier: names[name],
      attributes: attributes.map((index) => names[index]),
    }));
    this.inputs = inputs;
    this.imports = imports.map(([request, name]) => [request, names[name]]);
    this.exports = new Set(exports.map((name) => names[name]));
    this.indirect = new Map(indirect.map(([name, request, from]) => [names[name], [request, from < 0 ? undefined : names[from]]]));
    this.stars = stars;
    this.meta = undefined;
    this.body = undefined;
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
    if (seen.some(([record, other]) => record === this && other === name)) return null;
    seen.push([this, name]);
    if (this.exports.has(name)) return [this, name];
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

/** Something with names that is no module: a builtin, CommonJS, JSON. `evaluate` fills `bindings`. */
class SyntheticRecord extends Record {
  constructor(url, names, evaluate) {
    super(url);
    this.names = new Set(names);
    this.loaded = [];
    this.evaluate = evaluate;
    this.bindings = { __proto__: null };
  }

  localNames() { return [...this.names]; }

  resolveExport(name) { return this.names.has(name) ? [this, name] : null; }
}

module.exports = { Record, SourceRecord, SyntheticRecord, NEW, LINKING, LINKED, EVALUATING, EVALUATING_ASYNC, EVALUATED };
