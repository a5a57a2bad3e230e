// `import()` in the text of `new Function(...)`, as compiled programs write it to keep an import
// from being rewritten. In: the strings. Out: a function whose `import()` finds what its caller's
// would. Functions without one are the engine's own. Beside it: a function's own text.
'use strict';

const { apply, construct } = Reflect;
const NATIVE = '{\n    [native code]\n}';
const IMPORT = /\bimport\s*\(/;

/** The file on whose line the constructor was called. */
function caller() {
  const { callSites } = require('internal/stack');
  const { toPath } = require('internal/modules/file_url');
  for (const site of callSites(1, 10)) {
    const path = toPath(site.getFileName() ?? '');
    if (path !== undefined) return path;
  }
  return `${internalBinding('loader').currentDir()}/[eval]`;
}

function compile(texts) {
  const body = texts[texts.length - 1];
  const head = texts.slice(0, -1).join(',');
  const referrer = caller();
  const whole = internalBinding('loader').compileText(referrer, `return (function anonymous(${head}\n) {\n${body}\n})`, true);
  const { Own } = require('internal/transpiler_runtime');
  return whole(undefined, undefined, undefined, undefined, undefined, new Own(referrer));
}

/**
 * Functions of ours in the place of the engine's, whose strings programs look at to know that
 * nobody replaced them.
 */
const standIns = new WeakSet();

/** What functions show as their text, where it is not what the engine had. */
const texts = new WeakMap();

/** `toString` of functions: without what was put into their text. */
function installText(prototype) {
  const native = prototype.toString;
  const own = {
    toString() {
      if (standIns.has(this)) return `function ${this.name}() { [native code] }`;
      const text = texts.get(this) ?? apply(native, this, []);
      // On one line, as V8 has it.
      if (text.endsWith(NATIVE)) return `${text.slice(0, -NATIVE.length)}{ [native code] }`;
      return text.includes('$r') ? require('internal/util/function_source')(text) : text;
    },
  }.toString;
  standIns.add(own);
  Object.defineProperty(prototype, 'toString', { __proto__: null, value: own, writable: true, configurable: true });
}

module.exports = {
  standIns,
  texts,
  install(target) {
    const Native = target.Function;
    const { prototype } = Native;
    installText(prototype);
    const own = function Function(...args) {
      if (args.some((text) => typeof text === 'string' && IMPORT.test(text))) {
        // Refused strings are refused by the engine, with its words.
        const texts = args.map((text) => `${text}`);
        construct(Native, texts);
        return compile(texts);
      }
      return construct(Native, args, new.target === undefined || new.target === own ? Native : new.target);
    };
    standIns.add(own);
    Object.defineProperty(own, 'length', { __proto__: null, value: 1, configurable: true });
    Object.defineProperty(own, 'prototype', { __proto__: null, value: prototype, writable: false });
    Object.defineProperty(prototype, 'constructor', { __proto__: null, value: own, writable: true, configurable: true });
    Object.defineProperty(target, 'Function', { __proto__: null, value: own, writable: true, configurable: true });
  },
};
