// `Function` constructor with `import()`: compilers emit `new Function('return import(...)')` so
// that an import is not rewritten. In: parameters and body. Out: a function whose `import()`
// resolves from its caller's file; without `import()` the engine's own. Also
// `Function.prototype.toString`, without what the transpiler inserted.
'use strict';

const { apply, construct } = Reflect;
const NATIVE = '{\n    [native code]\n}';
const IMPORT = /\bimport\s*\(/;

/** The file that called the constructor. */
function caller() {
  const { callSites } = require('internal/stack');
  const { toPath } = require('internal/modules/file_url');
  for (const site of callSites(1, 10)) {
    const path = toPath(site.getFileName() ?? '');
    if (path !== undefined) return path;
  }
  return `${internalBinding('loader').currentDir()}/[eval]`;
}

function compile(strings) {
  const body = strings[strings.length - 1];
  const head = strings.slice(0, -1).join(',');
  const referrer = caller();
  const makeFunction = internalBinding('loader').compileText(referrer, `return (function anonymous(${head}\n) {\n${body}\n})`, true);
  const { TranspilerRuntime } = require('internal/transpiler_runtime');
  return TranspilerRuntime.fileFunction(makeFunction, referrer)();
}

/**
 * Our replacements of the engine's functions. Programs check their source text to find out whether
 * they were replaced, so it reads `[native code]`.
 */
const standIns = new WeakSet();

/** The source text of functions where it differs from the engine's. */
const sourceTexts = new WeakMap();

/** `Function.prototype.toString`, without what the transpiler inserted. */
function installText(prototype) {
  const native = prototype.toString;
  const own = {
    toString() {
      if (standIns.has(this)) return `function ${this.name}() { [native code] }`;
      const text = sourceTexts.get(this) ?? apply(native, this, []);
      // On one line, as V8 has it.
      if (text.endsWith(NATIVE)) return `${text.slice(0, -NATIVE.length)}{ [native code] }`;
      return text.includes('$r') ? require('internal/util/function_source')(text) : text;
    },
  }.toString;
  Object.setPrototypeOf(own, prototype);
  standIns.add(own);
  Object.defineProperty(prototype, 'toString', { __proto__: null, value: own, writable: true, configurable: true });
}

module.exports = {
  standIns,
  sourceTexts,
  install(target) {
    const Native = target.Function;
    const { prototype } = Native;
    installText(prototype);
    const own = function Function(...args) {
      if (args.some((text) => typeof text === 'string' && IMPORT.test(text))) {
        // The engine throws its own error for invalid source text.
        const strings = args.map((text) => `${text}`);
        construct(Native, strings);
        return compile(strings);
      }
      return construct(Native, args, new.target === undefined || new.target === own ? Native : new.target);
    };
    Object.setPrototypeOf(own, prototype);
    standIns.add(own);
    Object.defineProperty(own, 'length', { __proto__: null, value: 1, configurable: true });
    Object.defineProperty(own, 'prototype', { __proto__: null, value: prototype, writable: false });
    Object.defineProperty(prototype, 'constructor', { __proto__: null, value: own, writable: true, configurable: true });
    Object.defineProperty(target, 'Function', { __proto__: null, value: own, writable: true, configurable: true });
  },
};
