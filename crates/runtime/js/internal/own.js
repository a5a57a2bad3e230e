// What the transpiled text of a file calls: `import()` and helpers. In: the file. Out: its own object, see docs/internals/transpile.md.
// Modules add to it what is theirs alone (esm/evaluate.js).
'use strict';

class Own {
  #importer;

  /** @param importer a path, or an URL that is no file */
  constructor(importer) { this.#importer = importer; }

  import(specifier, options) { return require('internal/esm').importDynamic(specifier, this.#importer, options); }

  source(specifier) {
    return Promise.reject(new SyntaxError(`Source phase import object is not defined for module '${specifier}'`));
  }

  /** The whole is evaluated at once: to wait until a name is read is an optimisation. */
  defer(specifier, options) { return this.import(specifier, options); }

  get helpers() { return require('internal/helpers'); }
}

module.exports = { Own };
