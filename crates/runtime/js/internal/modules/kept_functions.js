// Kept functions of CommonJS files: what programs that follow each other in one global object have
// compiled, so that the next one only calls it. In: paths of files. Out: their functions. Absent:
// ES modules (internal/esm/kept_modules).
'use strict';

const { fileChanges, isUnchanged, noteFile } = internalBinding('loader');

/**
 * `checkedAt`: what `fileChanges` had returned when its file was looked at last.
 * @typedef {object} KeptFunction
 * @property {Function} compiled
 * @property {boolean} isCertain
 * @property {number} structure
 * @property {number} checkedAt
 */

class KeptFunctions {
  /** By path. @type {Map<string, KeptFunction>} */
  #functions = new Map();
  /** Paths that were loaded once, as most files of tests. */
  #once = new Set();
  #structureOf;
  /** Paths by directory and request. @type {Map<string, string>} */
  #resolutions = new Map();

  /** @param {(value: object) => number} structureOf differs when an object has another property */
  constructor(structureOf) { this.#structureOf = structureOf; }

  /**
   * @param {boolean} isCertain whether the file is known to be CommonJS
   * @param {() => Function | undefined} compile undefined: the file is an ES module
   */
  find(path, isCertain, compile) {
    const known = this.#functions.get(path);
    // A program finds its file's function as `arguments.callee`.
    if (known?.isCertain === isCertain && this.#structureOf(known.compiled) === known.structure && this.#isCurrent(known, path)) return known.compiled;
    this.#functions.delete(path);
    const compiled = compile();
    if (!this.#once.has(path)) this.#once.add(path);
    else if (compiled !== undefined) this.#keep(path, isCertain, compiled);
    return compiled;
  }

  #keep(path, isCertain, compiled) {
    // The engine adds `length` when it is read, as the caller does.
    const structure = compiled.length < 0 ? 0 : this.#structureOf(compiled);
    if (structure > 0 && noteFile(path)) this.#functions.set(path, { compiled, isCertain, structure, checkedAt: -1 });
  }

  /** Whether its file is as it was. */
  #isCurrent(known, path) {
    const changes = fileChanges();
    if (known.checkedAt === changes) return true;
    if (!isUnchanged(path)) return false;
    known.checkedAt = changes;
    return true;
  }

  /** Notes what a request was resolved to by its directory only. */
  note(key, path) { this.#resolutions.set(key, path); }

  /**
   * What a request was resolved to before, if that is a file whose function is kept.
   * @returns {{ path: string, isCertain: boolean } | undefined}
   */
  resolve(key) {
    const path = this.#resolutions.get(key);
    const known = path === undefined ? undefined : this.#functions.get(path);
    return known !== undefined && this.#isCurrent(known, path) ? { path, isCertain: known.isCertain } : undefined;
  }
}

module.exports = { KeptFunctions };
