// `node:vm`: scripts in this context or in one of their own. In: a source text, a sandbox object.
// Out: the script's result. The sandbox's properties are those of the global object and the other
// way round (crates/jsc/src/contextified.rs). Absent: cached data with code in it.
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

const { contexts } = require('internal/vm/contexts');

const { Declarations } = require('internal/vm/declarations');

/** A context whose global object has the properties of a sandbox object. */
class ContextifiedSandbox {
  declarations = new Declarations();

  constructor(sandbox) {
    const [context, global, errorPrototype] = makeContext(sandbox);
    this.context = context;
    this.global = global;
    this.sandbox = sandbox;
    this.withoutSandbox(() => {
      // The engine's console, which only an inspector shows, as in Node.
      makeNonEnumerable(this.global, 'console');
      exposeGc(global);
      extend(global, errorPrototype);
    });
  }

  /** While `callback` runs, the global object is without the sandbox's properties. */
  withoutSandbox(callback) {
    vm.setSandboxBypassed(this.context, true);
    try {
      callback();
    } finally {
      vm.setSandboxBypassed(this.context, false);
    }
  }

  run(source, name, line, options) {
    const names = this.declarations.add(source, name, line, (combined) => evaluate(this.context, combined, name, line));
    if (names.length > 0) this.declare(names);
    return require('internal/vm/prototypes').run(this.global, source, (prepared) => evaluate(this.context, prepared, name, line, options));
  }

  /**
   * Defines the global variables of a script before it runs. The engine makes no variable for a
   * name that its global object has: so these are read and written by name, on the sandbox. A name
   * that an earlier script declared by `let` is left to the engine, which throws.
   */
  declare(names) {
    this.withoutSandbox(() => {
      const added = names.filter((key) => !Object.hasOwn(this.global, key));
      const types = added.length === 0 ? [] : this.typesOf(added);
      for (const [index, key] of added.entries()) {
        if (types[index] === 'undefined') defineProperty(this.global, key, { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: false });
      }
    });
  }

  typesOf(names) {
    return require('internal/vm/prototypes').detached(this.global, () => vm.evaluate(this.context, `[${names.map((key) => `(() => { try { return typeof ${key}; } catch { return 'early'; } })()`)}]`, 'node:vm', 1));
  }
}

/**
 * @param options undefined, or { isLimited, timeout, breakOnSigint, script }. `script`: as in
 *   internal/stack/eval_source, for the arrow messages of its errors
 */
function evaluate(context, source, name, line, options = {}) {
  const { isLimited = false, timeout, breakOnSigint, script } = options;
  const evalSource = require('internal/stack/eval_source');
  const previous = evalSource.exchange(script);
  let outcome;
  try {
    outcome = isLimited ? vm.evaluateWithLimits(context, source, name, line, timeout, breakOnSigint) : vm.evaluate(context, source, name, line);
  } catch (error) {
    if (script !== undefined) require('internal/vm/error_decoration').decorate(error, script);
    throw error;
  } finally {
    evalSource.exchange(previous);
  }
  return isLimited ? require('internal/vm/execution_limits').resultOf(outcome, timeout) : outcome;
}

/** Adds what the engine's globals lack. `errorPrototype`: of the context's `Error`. */
function extend(global, errorPrototype) {
  const { Atomics, JSON } = global;
  require('internal/date').install(global);
  require('internal/worker/atomics').extend(Atomics);
  require('internal/globals').completeJson(JSON, errorPrototype);
}

function makeNonEnumerable(target, name) {
  const value = target[name];
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

/** With `--expose-gc`, each context has the function `gc`. */
function exposeGc(global) {
  if (require.isLoaded('internal/process/gc')) require('internal/process/gc').exposeInContext(global);
}

/** [context, its global object, the prototype of its `Error`] */
function makeContext(sandbox) {
  const [context, global] = vm.makeContext(sandbox);
  // From an error that the engine throws: the sandbox may have replaced `Error`.
  const error = vm.evaluate(context, 'try { null.x } catch (error) { error }', 'node:vm', 1);
  require('internal/stack').installInContext(error);
  return [context, global, Object.getPrototypeOf(Object.getPrototypeOf(error))];
}

let contextCount = 0;

function createContext(sandbox = {}, options = {}) {
  if (sandbox === constants.DONT_CONTEXTIFY) {
    checkOptions(options);
    const [context, global, errorPrototype] = makeContext();
    extend(global, errorPrototype);
    exposeGc(global);
    const { run } = require('internal/vm/prototypes');
    const declarations = new Declarations();
    contexts.set(global, {
      context, global,
      run(source, name, line, runOptions) {
        declarations.add(source, name, line, (combined) => evaluate(context, combined, name, line));
        return run(global, source, (prepared) => evaluate(context, prepared, name, line, runOptions));
      },
    });
    applyCodeGeneration(options, global);
    return global;
  }
  if (sandbox === null || (typeof sandbox !== 'object' && typeof sandbox !== 'function')) {
    throw new ERR_INVALID_ARG_TYPE('contextObject', 'Object', sandbox);
  }
  if (contexts.has(sandbox)) return sandbox;
  checkOptions(options);
  contexts.set(sandbox, new ContextifiedSandbox(sandbox));
  applyCodeGeneration(options, sandbox);
  return sandbox;
}

function applyCodeGeneration({ codeGeneration }, object) {
  if (codeGeneration !== undefined) require('internal/vm/code_generation')(codeGeneration, contexts.get(object));
}

function checkOptions(options) {
  validateObject(options, 'options');
  const { name = `VM Context ${++contextCount}`, origin, codeGeneration, microtaskMode } = options;
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
  const contextified = contexts.get(object);
  if (contextified === undefined) throw new ERR_INVALID_ARG_TYPE(name, 'vm.Context', object);
  return contextified;
}

// --- scripts

function scriptOptions(options, referrer) {
  options = asObject(options);
  validateObject(options, 'options');
  const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0, cachedData, produceCachedData = false, importModuleDynamically } = options;
  validateString(filename, 'options.filename');
  validateInt32(lineOffset, 'options.lineOffset');
  validateInt32(columnOffset, 'options.columnOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  const importDynamic = require('internal/vm/import').importer(importModuleDynamically, referrer, filename);
  return { filename, line: lineOffset + 1, column: columnOffset + 1, cachedData, produceCachedData, importDynamic };
}

/** The options of `evaluate`. */
function runOptions(options, script) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false, displayErrors = true } = options;
  if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  validateBoolean(displayErrors, 'options.displayErrors');
  return { isLimited: timeout !== undefined || breakOnSigint, timeout, breakOnSigint, script: displayErrors ? script : undefined };
}

/** Syntax that has to be transformed before the engine gets it. */
const TRANSFORMED = /\bimport\b|\bawait\b/;

/** [the source for the engine, the name of its runtime object or undefined] */
function prepare(source, filename) {
  if (!TRANSFORMED.test(source)) return [source, undefined];
  return require('internal/modules/global_script').prepare(source, filename, filename, 'script');
}

/** The runtime object that a transformed script calls, with the program's `import()`. */
function makeRuntime(importDynamic, filename) {
  const { TranspilerRuntime } = require('internal/transpiler_runtime');
  const runtime = new TranspilerRuntime(filename);
  runtime.import = importDynamic;
  return runtime;
}

/**
 * Throws the source's syntax error. @param before, after: the code around it, without line breaks
 * before it @param message replaces the engine's message
 */
function checkSyntax(source, name, line, [before, after] = ['', ''], message = undefined) {
  const wrapped = `${before}${source}${after}`;
  try {
    vm.checkSyntax(wrapped, name, line);
  } catch (error) {
    require('internal/vm/syntax_error_position').setPosition(error, wrapped, name, { line, column: before.length });
    require('internal/stack/eval_source').within({ source, name, line, column: 1 }, () => {
      // The first read translates the engine's message.
      error.message = message ?? error.message;
    });
    throw error;
  }
}

function setCachedData(target, source, cachedData, produceCachedData) {
  if (cachedData !== undefined) target.cachedDataRejected = !require('internal/vm/cached_data').matches(cachedData, source);
  if (!produceCachedData) return;
  target.cachedDataProduced = true;
  target.cachedData = require('internal/vm/cached_data').createCachedData(source);
}

class Script {
  /** As the program passed it. */
  #source;
  /** As the engine gets it. */
  #prepared;
  #name;
  #line;
  #column;
  #runtime;
  #runtimeName;
  /** Makes the counters of coverage known in a context. */
  #provideCounters;
  /** Global objects that have the runtime object. */
  #provided = new WeakSet();

  constructor(code, options = {}) {
    this.#source = `${code}`;
    const { filename, line, column, cachedData, produceCachedData, importDynamic } = scriptOptions(options, () => this);
    this.#name = filename;
    this.#line = line;
    this.#column = column;
    setCachedData(this, this.#source, cachedData, produceCachedData);
    this.sourceMapURL = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(this.#source)?.[1];
    checkSyntax(this.#source, this.#name, this.#line);
    const coverage = require('internal/inspector/block_coverage');
    let counted = this.#source;
    if (coverage.isActive()) [counted, this.#provideCounters] = coverage.countScript(filename, counted);
    [this.#prepared, this.#runtimeName] = prepare(counted, filename);
    if (this.#runtimeName !== undefined) this.#runtime = makeRuntime(importDynamic, filename);
  }

  /** `evaluate` evaluates a source in the context of `global`. */
  #run(global, evaluate) {
    if (this.#runtimeName !== undefined && !this.#provided.has(global)) {
      this.#provided.add(global);
      require('internal/modules/global_script').provide((source) => evaluate(source, 'node:vm', 1), this.#runtimeName, this.#runtime);
    }
    this.#provideCounters?.(global, (source, name, line) => evaluate(source, name, line));
    return evaluate(this.#prepared, this.#name, this.#line);
  }

  /** For internal/stack/eval_source. */
  #evalSource() { return { source: this.#source, name: this.#name, line: this.#line, column: this.#column }; }

  runInThisContext(options = {}) {
    const run = runOptions(options, this.#evalSource());
    return this.#run(globalThis, (source, name, line) => evaluate(undefined, source, name, line, run));
  }

  runInContext(contextifiedObject, options = {}) {
    const contextified = contextOf(contextifiedObject, 'contextifiedObject');
    const run = runOptions(options, { ...this.#evalSource(), global: contextifiedObject });
    return this.#run(contextifiedObject, (source, name, line) => contextified.run(source, name, line, run));
  }

  runInNewContext(contextObject, options = {}) {
    validateObject(options, 'options');
    return this.runInContext(createContext(contextObject, newContextOptions(options)), options);
  }

  createCachedData() { return require('internal/vm/cached_data').createCachedData(this.#source); }
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
  options = asObject(options);
  return new Script(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options = {}) {
  options = asObject(options);
  return new Script(code, options).runInNewContext(contextObject, options);
}

function runInThisContext(code, options = {}) {
  options = asObject(options);
  return new Script(code, options).runInThisContext(options);
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
  checkSyntax(code, filename, lineOffset + 1, ['(function () {', '\n})']);
  // A body that closes the function and begins another one passes as a function, not as a method.
  if (code.includes('}')) checkSyntax(code, filename, lineOffset + 1, ['({ m() {', '\n} })'], "Unexpected token '}'");
  const coverage = require('internal/inspector/block_coverage');
  const [counted, provideCounters] = coverage.isActive() ? coverage.countScript(filename, code) : [code];
  const expression = `(function (${names}) {${counted}\n})`;
  const contextified = parsingContext === undefined ? undefined : contexts.get(parsingContext);
  const extended = contextExtensions.length === 0
    ? expression
    : `(function (extensions) { ${contextExtensions.map((_, index) => `with (extensions[${index}])`).join(' ')} return ${expression}; })`;
  const evaluate = (source, name, line) => (contextified === undefined ? vm.evaluate(undefined, source, name, line) : contextified.run(source, name, line));
  const [source, runtimeName] = prepare(extended, filename);
  if (runtimeName !== undefined) {
    const importDynamic = require('internal/vm/import').importer(importModuleDynamically, () => result, filename);
    require('internal/modules/global_script').provide((text) => evaluate(text, 'node:vm', 1), runtimeName, makeRuntime(importDynamic, filename));
  }
  if (contextified !== undefined) provideCounters?.(parsingContext, evaluate);
  require('internal/stack/eval_source').retain({ source: extended, name: filename, line: lineOffset + 1, column: 1 });
  const evaluated = evaluate(source, filename, lineOffset + 1);
  const result = contextExtensions.length === 0 ? evaluated : evaluated(contextExtensions);
  // For toString: the evaluated source has the body's first line on the line of the function's
  // head.
  require('internal/modules/function_import').sourceTexts.set(result, `function (${(params ?? []).join(', ')}) {\n${code}\n}`);
  setCachedData(result, code, cachedData, produceCachedData);
  return result;
}

/** The engine has the heap's size only, not per context. */
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

Object.defineProperty(module.exports, 'nativeContextOf', {
  __proto__: null, enumerable: false,
  /** The native context of a sandbox object and its global object; undefined: the main context. */
  value: (object) => (object === undefined ? undefined : contexts.get(object)),
});
if (require('internal/vm/import').hasModules()) {
  for (const name of ['Module', 'SourceTextModule', 'SyntheticModule']) {
    Object.defineProperty(module.exports, name, {
      __proto__: null, configurable: true, enumerable: true,
      get: () => require('internal/vm/module')[name],
    });
  }
}
