// `node:vm`: strings run as scripts, here or with a global object of their own. In: a text, an
// object to lend its properties. Out: what the text gives. A property of the object is one of the
// global object and the other way round (crates/jsc/src/lent_global.rs). Absent: cached data with
// code in it.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');
const {
  kValidateObjectAllowObjects, validateArray, validateBoolean, validateBuffer, validateInt32, validateObject, validateOneOf, validateString, validateUint32,
} = require('internal/validators');

const constants = require('internal/vm/constants');

const vm = internalBinding('vm');

const { defineProperty } = Reflect;

// --- contexts

/** What a program's object lends to: { context, global, own, known } */
const { contexts } = require('internal/vm/contexts');

const { Declarations } = require('internal/vm/declarations');

class Lent {
  declarations = new Declarations();

  constructor(sandbox) {
    const [context, global, errors] = makeContext(sandbox);
    this.context = context;
    this.global = global;
    this.sandbox = sandbox;
    this.alone(() => {
      // The engine's own, which only its inspector sees, as in Node.
      hide(this.global, 'console');
      extend(global, errors);
    });
  }

  /** While `change` runs, the global object is without the other one's properties. */
  alone(change) {
    vm.setAlone(this.context, true);
    try {
      change();
    } finally {
      vm.setAlone(this.context, false);
    }
  }

  run(source, name, line, run) {
    const names = this.declarations.begin(source, name, line, (text) => evaluate(this.context, text, name, line));
    if (names.length > 0) this.declare(names);
    return evaluate(this.context, source, name, line, run);
  }

  /**
   * The engine makes no variable of a name that its global object has: so what is declared is read
   * and written by name, on the object. A name that an earlier text has by `let` is left for the
   * engine to refuse.
   */
  declare(names) {
    this.alone(() => {
      const added = names.filter((key) => !Object.hasOwn(this.global, key));
      const kinds = added.length === 0 ? [] : this.kindsOf(added);
      for (const [index, key] of added.entries()) {
        if (kinds[index] === 'undefined') defineProperty(this.global, key, { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: false });
      }
    });
  }

  kindsOf(names) {
    return vm.evaluate(this.context, `[${names.map((key) => `(() => { try { return typeof ${key}; } catch { return 'early'; } })()`)}]`, 'node:vm', 1);
  }
}

/**
 * @param run undefined, or { isLimited, timeout, breakOnSigint, script }: what an error says on top
 *   of its stack where it was thrown in
 */
function evaluate(context, source, name, line, run = {}) {
  const { isLimited = false, timeout, breakOnSigint, script } = run;
  const texts = require('internal/stack/given');
  const before = texts.exchange(script);
  let given;
  try {
    given = isLimited ? vm.evaluateWithin(context, source, name, line, timeout, breakOnSigint) : vm.evaluate(context, source, name, line);
  } catch (error) {
    if (script !== undefined) require('internal/vm/thrown').decorate(error, script);
    throw error;
  } finally {
    texts.exchange(before);
  }
  return isLimited ? require('internal/vm/limits').answer(given, timeout) : given;
}

/** What programs have beyond the engine. `errors`: what the context's errors inherit from. */
function extend({ Atomics, JSON }, errors) {
  require('internal/worker/atomics').extend(Atomics);
  require('internal/globals').completeJson(JSON, errors);
}

function hide(target, name) {
  const value = target[name];
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

/** [context, its global object, what its errors inherit from] */
function makeContext(sandbox) {
  const made = vm.makeContext(sandbox);
  // By an error of the engine's: under the name `Error` the object may have another.
  const error = vm.evaluate(made[0], 'try { null.x } catch (error) { error }', 'node:vm', 1);
  require('internal/stack').adopt(error);
  return [...made, Object.getPrototypeOf(Object.getPrototypeOf(error))];
}

let made = 0;

function createContext(sandbox = {}, options = {}) {
  if (sandbox === constants.DONT_CONTEXTIFY) {
    checkOptions(options);
    const [context, global, errors] = makeContext();
    extend(global, errors);
    const { run } = require('internal/vm/prototypes');
    const declarations = new Declarations();
    contexts.set(global, {
      context, global,
      run(text, name, line, given) {
        declarations.begin(text, name, line, (refused) => evaluate(context, refused, name, line));
        return run(global, text, (whole) => evaluate(context, whole, name, line, given));
      },
    });
    limit(options, global);
    return global;
  }
  if (sandbox === null || (typeof sandbox !== 'object' && typeof sandbox !== 'function')) {
    throw new ERR_INVALID_ARG_TYPE('contextObject', 'Object', sandbox);
  }
  if (contexts.has(sandbox)) return sandbox;
  checkOptions(options);
  contexts.set(sandbox, new Lent(sandbox));
  limit(options, sandbox);
  return sandbox;
}

function limit({ codeGeneration }, object) {
  if (codeGeneration !== undefined) require('internal/vm/code_generation')(codeGeneration, contexts.get(object));
}

function checkOptions(options) {
  validateObject(options, 'options');
  const { name = `VM Context ${++made}`, origin, codeGeneration, microtaskMode } = options;
  validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, 'options.codeGeneration');
    const { strings = true, wasm = true } = codeGeneration;
    validateBoolean(strings, 'options.codeGeneration.strings');
    validateBoolean(wasm, 'options.codeGeneration.wasm');
  }
  if (microtaskMode !== undefined) validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate']);
}

function isContext(object) {
  validateObject(object, 'object', kValidateObjectAllowObjects);
  return contexts.has(object);
}

function contextOf(object, name) {
  if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
    throw new ERR_INVALID_ARG_TYPE(name, 'Object', object);
  }
  const found = contexts.get(object);
  if (found === undefined) throw new ERR_INVALID_ARG_TYPE(name, 'vm.Context', object);
  return found;
}

// --- scripts

function scriptOptions(options, referrer) {
  const given = typeof options === 'string' ? { filename: options } : options;
  validateObject(given, 'options');
  const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0, cachedData, produceCachedData = false, importModuleDynamically } = given;
  validateString(filename, 'options.filename');
  validateInt32(lineOffset, 'options.lineOffset');
  validateInt32(columnOffset, 'options.columnOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  const importDynamic = require('internal/vm/import').importer(importModuleDynamically, referrer, filename);
  return { filename, line: lineOffset + 1, column: columnOffset + 1, cachedData, produceCachedData, importDynamic };
}

/** What is to be known of a script's run. */
function runOf(options, script) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false, displayErrors = true } = options;
  if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  validateBoolean(displayErrors, 'options.displayErrors');
  return { isLimited: timeout !== undefined || breakOnSigint, timeout, breakOnSigint, script: displayErrors ? script : undefined };
}

/** Strings in which something stands that the engine is not to have as it is. */
const CHANGED = /\bimport\b|\bawait\b/;

/** [what the engine is to have, the name of its own object or undefined] */
function prepare(source, filename) {
  if (!CHANGED.test(source)) return [source, undefined];
  return require('internal/modules/global_script').prepare(source, filename, filename, 'script');
}

/** What the text of a script calls: its `import()` is the program's own. */
function ownOf(importDynamic, filename) {
  const { TranspilerRuntime } = require('internal/transpiler_runtime');
  const own = new TranspilerRuntime(filename);
  own.import = importDynamic;
  return own;
}

/**
 * Throws where a text does not parse. @param before, behind what stands around it, without lines of
 * its own @param words what is said then, if not what the engine says
 */
function check(text, name, line, [before, behind] = ['', ''], words = undefined) {
  const whole = `${before}${text}${behind}`;
  try {
    vm.check(whole, name, line);
  } catch (error) {
    require('internal/vm/fault').place(error, whole, name, { line, column: before.length });
    require('internal/stack/given').within({ text, name, line, column: 1 }, () => {
      // The engine's words become others when they are first read.
      error.message = words ?? error.message;
    });
    throw error;
  }
}

/** What a program learns of cached data. */
function noteCached(target, source, cachedData, produceCachedData) {
  if (cachedData !== undefined) target.cachedDataRejected = !require('internal/vm/cached_data').isOf(cachedData, source);
  if (!produceCachedData) return;
  target.cachedDataProduced = true;
  target.cachedData = require('internal/vm/cached_data').dataOf(source);
}

class Script {
  #text;
  #source;
  #name;
  #line;
  #column;
  #own;
  #ownName;
  /** Global objects that have the name. */
  #provided = new WeakSet();

  constructor(code, options = {}) {
    this.#source = `${code}`;
    const { filename, line, column, cachedData, produceCachedData, importDynamic } = scriptOptions(options, () => this);
    this.#name = filename;
    this.#line = line;
    this.#column = column;
    this.#text = this.#source;
    noteCached(this, this.#source, cachedData, produceCachedData);
    this.sourceMapURL = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(this.#source)?.[1];
    check(this.#source, this.#name, this.#line);
    [this.#source, this.#ownName] = prepare(this.#source, filename);
    if (this.#ownName !== undefined) this.#own = ownOf(importDynamic, filename);
  }

  /** `evaluate`: among the names of `global`. */
  #run(global, evaluate) {
    if (this.#ownName !== undefined && !this.#provided.has(global)) {
      this.#provided.add(global);
      require('internal/modules/global_script').provide((text) => evaluate(text, 'node:vm', 1), this.#ownName, this.#own);
    }
    return evaluate(this.#source, this.#name, this.#line);
  }

  /** As it was written. */
  #shown() { return { text: this.#text, name: this.#name, line: this.#line, column: this.#column }; }

  runInThisContext(options = {}) {
    const run = runOf(options, this.#shown());
    return this.#run(globalThis, (text, name, line) => evaluate(undefined, text, name, line, run));
  }

  runInContext(contextifiedObject, options = {}) {
    const lent = contextOf(contextifiedObject, 'contextifiedObject');
    const run = runOf(options, { ...this.#shown(), global: contextifiedObject });
    return this.#run(contextifiedObject, (text, name, line) => lent.run(text, name, line, run));
  }

  runInNewContext(contextObject, options = {}) {
    validateObject(options, 'options');
    return this.runInContext(createContext(contextObject, newContextOptions(options)), options);
  }

  createCachedData() { return require('internal/vm/cached_data').dataOf(this.#text); }
}

function newContextOptions(options) {
  const { contextName: name, contextOrigin: origin, contextCodeGeneration: codeGeneration, microtaskMode } = options;
  if (name !== undefined) validateString(name, 'options.contextName');
  if (origin !== undefined) validateString(origin, 'options.contextOrigin');
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = codeGeneration;
    if (strings !== undefined) validateBoolean(strings, 'options.contextCodeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
  }
  if (microtaskMode !== undefined) validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate']);
  return { ...(name !== undefined && { name }), origin, codeGeneration, microtaskMode };
}

function asObject(options) { return typeof options === 'string' ? { filename: options } : options; }

function runInContext(code, contextifiedObject, options = {}) {
  contextOf(contextifiedObject, 'contextifiedObject');
  const given = asObject(options);
  return new Script(code, given).runInContext(contextifiedObject, given);
}

function runInNewContext(code, contextObject, options = {}) {
  const given = asObject(options);
  return new Script(code, given).runInNewContext(contextObject, given);
}

function runInThisContext(code, options = {}) {
  const given = asObject(options);
  return new Script(code, given).runInThisContext(given);
}

function compileFunction(code, params, options = {}) {
  validateObject(options, 'options');
  validateString(code, 'code');
  if (params !== undefined) {
    validateArray(params, 'params');
    for (const [index, param] of params.entries()) validateString(param, `params[${index}]`);
  }
  const {
    filename = '', columnOffset = 0, lineOffset = 0, cachedData, produceCachedData = false, parsingContext, contextExtensions = [],
    importModuleDynamically,
  } = options;
  validateString(filename, 'options.filename');
  validateInt32(columnOffset, 'options.columnOffset');
  validateInt32(lineOffset, 'options.lineOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  if (parsingContext !== undefined && !contexts.has(parsingContext)) {
    throw new ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  for (const [index, extension] of contextExtensions.entries()) {
    validateObject(extension, `options.contextExtensions[${index}]`, { nullable: true });
  }
  const names = (params ?? []).join(',');
  check(code, filename, lineOffset + 1, ['(function () {', '\n})']);
  // A body that closes the function itself, and begins another one, is none: that is no method.
  if (code.includes('}')) check(code, filename, lineOffset + 1, ['({ m() {', '\n} })'], "Unexpected token '}'");
  const whole = `(function (${names}) {${code}\n})`;
  const lent = parsingContext === undefined ? undefined : contexts.get(parsingContext);
  const inner = contextExtensions.length === 0
    ? whole
    : `(function (extensions) { ${contextExtensions.map((_, index) => `with (extensions[${index}])`).join(' ')} return ${whole}; })`;
  const evaluate = (text, name, line) => (lent === undefined ? vm.evaluate(undefined, text, name, line) : lent.run(text, name, line));
  const [text, ownName] = prepare(inner, filename);
  if (ownName !== undefined) {
    const importDynamic = require('internal/vm/import').importer(importModuleDynamically, () => result, filename);
    require('internal/modules/global_script').provide((text) => evaluate(text, 'node:vm', 1), ownName, ownOf(importDynamic, filename));
  }
  const evaluated = evaluate(text, filename, lineOffset + 1);
  const result = contextExtensions.length === 0 ? evaluated : evaluated(contextExtensions);
  // Lines of the body are the program's, so the engine has its first one on that of the head.
  require('internal/modules/function_import').sourceTexts.set(result, `function (${(params ?? []).join(', ')}) {\n${code}\n}`);
  noteCached(result, code, cachedData, produceCachedData);
  return result;
}

/** What a program measures with is V8's. */
function measureMemory(options = {}) {
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const { emitExperimentalWarning } = require('internal/util');
  emitExperimentalWarning('vm.measureMemory');
  const { heapUsed } = require('process').memoryUsage();
  const all = { jsMemoryEstimate: heapUsed, jsMemoryRange: [heapUsed, heapUsed] };
  return Promise.resolve(mode === 'summary' ? { total: all } : { total: all, current: all, other: [] });
}

module.exports = {
  Script,
  compileFunction,
  constants,
  createContext,
  createScript: (code, options) => new Script(code, options),
  isContext,
  measureMemory,
  runInContext,
  runInNewContext,
  runInThisContext,
};

Object.defineProperty(module.exports, 'nativeContext', {
  __proto__: null, enumerable: false,
  /** The engine's, of a program's object; undefined: the one that is everybody's. */
  value: (object) => (object === undefined ? undefined : contexts.get(object).context),
});
if (require('internal/vm/import').hasModules()) {
  for (const name of ['Module', 'SourceTextModule', 'SyntheticModule']) {
    Object.defineProperty(module.exports, name, {
      __proto__: null, configurable: true, enumerable: true,
      get: () => require('internal/vm/module')[name],
    });
  }
}
