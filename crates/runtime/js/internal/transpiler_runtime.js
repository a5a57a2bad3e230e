// What the transpiled text of a file calls: `import()` and helpers. In: the file. Out: its own
// object, see docs/contributing/transpile.md. Modules add to it what is theirs alone
// (esm/evaluate.js).
'use strict';

const context = require('internal/async_context');

/** What is awaited, between the two halves of an `await`. */
let kept;

class Own {
  #importer;

  /** @param importer a path, or an URL that is no file */
  constructor(importer) { this.#importer = importer; }

  import(specifier, options) { return require('internal/esm').importDynamic(specifier, this.#importer, options); }

  source(specifier) { return require('internal/esm').importSource(specifier, this.#importer); }

  /** The whole is evaluated at once: to wait until a name is read is an optimisation. */
  defer(specifier, options) { return this.import(specifier, options); }

  // An `await` that keeps its context, by internal/async_context.

  note(value) {
    kept = context.isActive() ? context.inContext(value) : value;
    return context.get();
  }

  noted() {
    const value = kept;
    kept = undefined;
    return value;
  }

  after(before, value) {
    context.set(before);
    return value;
  }

  /** What an asynchronous function gives. */
  given(value) { return context.isActive() ? context.inContext(value) : value; }

  /** At the head of `catch` and `finally`; this itself stands for: nothing was noted. */
  recover(before) {
    if (before !== this) context.set(before);
    return this;
  }

  /** What an asynchronous generator gives or returns, both of which it awaits. */
  held(value) { return context.isWanted() ? context.hold(context.inContext(value)) : value; }

  /** Of `for await`, and of `yield*` in asynchronous generators. */
  each(iterable) { return require('internal/async_steps')(iterable); }

  get helpers() { return require('internal/transpiler_helpers'); }
}

module.exports = { Own };
