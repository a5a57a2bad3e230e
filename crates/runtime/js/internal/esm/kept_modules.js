// Kept modules: what programs that follow each other in one global object have parsed and compiled,
// so that the next one only evaluates it. In: paths of files. Out: tables of modules with their
// functions. Absent: the state of modules, of which each program has its own.
'use strict';

const { ModuleTables, SourceRecord } = require('internal/esm/record');
const { fileChanges, isUnchanged } = internalBinding('loader');

class KeptModules {
  /**
   * By path. A module that was loaded once has no tables, as most files of tests, unless it tells
   * its state.
   * @type {Map<string, ModuleTables | undefined>}
   */
  #tables = new Map();

  /**
   * What relative specifiers have led to, by the directory of the importer.
   * @type {Map<string, Map<string, { url: string, path: string }>>}
   */
  #found = new Map();

  /**
   * @param {(isNoted: boolean) => unknown[] | undefined} parse
   * @returns {ModuleTables | undefined} undefined: the file is CommonJS
   */
  find(path, parse) {
    const known = this.#tables.get(path);
    if (known !== undefined && this.#isCurrent(known, path, fileChanges())) return known;
    const parsed = parse(this.#tables.has(path));
    if (parsed === undefined) return undefined;
    const tables = new ModuleTables(parsed);
    const wouldShow = parsed[4];
    if (wouldShow) tables.functions = { run: undefined, steps: undefined };
    this.#tables.set(path, tables.functions === undefined ? undefined : tables);
    return tables;
  }

  /** `isTyped`: whether the rules of TypeScript apply to the importer. */
  foundFrom(importer, isTyped) {
    const directory = `${isTyped ? 'typed' : 'plain'}:${importer.slice(0, importer.lastIndexOf('/') + 1)}`;
    let found = this.#found.get(directory);
    if (found === undefined) this.#found.set(directory, found = new Map());
    return found;
  }

  /**
   * A new record of a module that was found before.
   * @param {number} changes what `fileChanges` has returned just now
   * @returns {SourceRecord | undefined} undefined: it is not kept, or has changed
   */
  recordOf({ url, path }, changes) {
    const known = this.#tables.get(path);
    return known !== undefined && this.#isCurrent(known, path, changes) ? new SourceRecord(url, path, known) : undefined;
  }

  /** Whether a record is of the file as it is now. */
  isCurrent({ path, tables }, changes) { return this.#tables.get(path) === tables && this.#isCurrent(tables, path, changes); }

  #isCurrent(tables, path, changes) {
    if (tables.checkedAt === changes) return true;
    if (!isUnchanged(path)) return false;
    tables.checkedAt = changes;
    return true;
  }
}

module.exports = { KeptModules };
