// Runtime object `$r` of a transpiled file: `import()`, helpers, and the async context across
// `await` (docs/contributing/transpile.md). In: the file. Out: the object. ES modules extend it
// (esm/evaluate.js).
'use strict';

const context = require('internal/async_context');

/** The awaited value, between `save` and `load`. */
let awaited;

/** Parameters of a file's own function. One that uses `$r` is returned by a function of `$r`. */
const PARAMETERS = 5;

class TranspilerRuntime {
  #importer;

  /** The function of a compiled CommonJS file. */
  static fileFunction(compiled, path) {
    return compiled.length === PARAMETERS ? compiled : compiled(new TranspilerRuntime(path));
  }

  /** @param importer a path, or an URL that is no file */
  constructor(importer) { this.#importer = importer; }

  import(specifier, options) { return require('internal/esm').importDynamic(specifier, this.#importer, options); }

  source(specifier) { return require('internal/esm').importSource(specifier, this.#importer); }

  /** Evaluates the module at once: deferring to the first access is an optimisation. */
  defer(specifier, options) { return this.import(specifier, options); }

  // `await x` becomes `$r.after($r.save(x), await $r.load())`, which restores the async context.

  save(value) {
    awaited = context.isActive() ? context.bindThenable(value) : value;
    return context.suspend(value);
  }

  load() {
    const value = awaited;
    awaited = undefined;
    return value;
  }

  after(before, value) {
    context.resume(before);
    return value;
  }

  /** The value that an async function returns. */
  bind(value) { return context.isActive() ? context.bindThenable(value) : value; }

  /** At the start of `catch` and `finally`. `before`: this object if no context was saved. */
  recover(before) {
    if (before !== this) context.resume(before);
    return this;
  }

  /** The value that an async generator yields or returns, both of which it awaits. */
  resolve(value) { return context.isTracking() ? context.resolveWithContext(context.bindThenable(value)) : value; }

  /** The iterable of `for await`, and of `yield*` in async generators. */
  each(iterable) { return require('internal/async_iteration_context')(iterable); }

  get helpers() { return require('internal/transpiler_helpers'); }
}

module.exports = { TranspilerRuntime };
