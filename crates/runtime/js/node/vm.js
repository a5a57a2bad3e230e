// `node:vm`: texts run as scripts, here or with a global object of their own. In: a text, an object to lend its properties. Out: what
// the text gives. A property of the object is one of the global object and the other way round, by accessors that are set up
// before each run, and by what has changed behind it. Absent: cached data, modules (SourceTextModule), limits of time.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');
const {
  validateArray, validateBoolean, validateBuffer, validateInt32, validateObject, validateOneOf, validateString, validateUint32,
} = require('internal/validators');

const vm = native('vm');

const { defineProperty, getOwnPropertyDescriptor } = Reflect;

// --- contexts

/** What a program's object lends to: { context, global, own, known } */
const contexts = new WeakMap();

class Lent {
  constructor(sandbox) {
    [this.context, this.global] = vm.makeContext(sandbox);
    this.sandbox = sandbox;
    // The engine's own, which only its inspector sees.
    if (!Reflect.has(sandbox, 'console')) delete this.global.console;
    /** What texts declared, which the engine holds: how each is read and written there. */
    this.declared = new Map();
  }

  run(source, name, line) {
    const [variables, functions] = /\b(?:var|function)\b/.test(source) ? vm.declared(source) : [[], []];
    const names = [...variables, ...functions];
    if (names.length === 0) return vm.evaluate(this.context, source, name, line);
    // While it runs, these are the engine's; behind it they are properties of the object.
    vm.setOwnNames(this.context, names.join());
    try {
      this.declare(variables);
      return vm.evaluate(this.context, source, name, line);
    } finally {
      for (const key of names) this.take(key);
      vm.setOwnNames(this.context, '');
    }
  }

  /** A variable that is declared has the value that the object has. */
  declare(variables) {
    for (const key of variables) {
      if (!this.declared.has(key)) vm.evaluate(this.context, `var ${key};`, 'node:vm', 1);
      if (Object.hasOwn(this.sandbox, key)) this.accessOf(key)[1](this.sandbox[key]);
    }
  }

  accessOf(key) {
    let access = this.declared.get(key);
    if (access === undefined) {
      access = vm.evaluate(this.context, `[() => ${key}, (value) => { ${key} = value; }]`, 'node:vm', 1);
      this.declared.set(key, access);
    }
    return access;
  }

  take(key) {
    let value;
    try {
      value = this.accessOf(key)[0]();
    } catch {
      // The text did not come so far as to declare it.
      return;
    }
    Reflect.set(this.sandbox, key, value);
  }
}

let made = 0;

function createContext(sandbox = {}, options = {}) {
  if (sandbox === constants.DONT_CONTEXTIFY) {
    checkOptions(options);
    const [context, global] = vm.makeContext();
    contexts.set(global, { context, global, run: (source, name, line) => vm.evaluate(context, source, name, line) });
    return global;
  }
  if (sandbox === null || (typeof sandbox !== 'object' && typeof sandbox !== 'function')) {
    throw new ERR_INVALID_ARG_TYPE('contextObject', 'Object', sandbox);
  }
  if (contexts.has(sandbox)) return sandbox;
  checkOptions(options);
  contexts.set(sandbox, new Lent(sandbox));
  return sandbox;
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
  validateObject(object, 'object', { allowArray: true, allowFunction: true, nullable: false });
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

function scriptOptions(options) {
  const given = typeof options === 'string' ? { filename: options } : options;
  validateObject(given, 'options');
  const { filename = 'evalmachine.<anonymous>', lineOffset = 0, columnOffset = 0, cachedData, produceCachedData = false } = given;
  validateString(filename, 'options.filename');
  validateInt32(lineOffset, 'options.lineOffset');
  validateInt32(columnOffset, 'options.columnOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  return { filename, line: lineOffset + 1, isCached: cachedData !== undefined, produceCachedData };
}

function runOptions(options) {
  validateObject(options, 'options');
  const { timeout, breakOnSigint = false, displayErrors = true } = options;
  if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  validateBoolean(displayErrors, 'options.displayErrors');
}

class Script {
  #source;
  #name;
  #line;

  constructor(code, options = {}) {
    this.#source = `${code}`;
    const { filename, line, isCached, produceCachedData } = scriptOptions(options);
    this.#name = filename;
    this.#line = line;
    // There is no cache of the engine's to take from.
    if (isCached) this.cachedDataRejected = true;
    if (produceCachedData) this.cachedDataProduced = false;
    this.sourceMapURL = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(this.#source)?.[1];
    vm.check(this.#source, this.#name, this.#line);
  }

  runInThisContext(options = {}) {
    runOptions(options);
    return vm.evaluate(undefined, this.#source, this.#name, this.#line);
  }

  runInContext(contextifiedObject, options = {}) {
    const lent = contextOf(contextifiedObject, 'contextifiedObject');
    runOptions(options);
    return lent.run(this.#source, this.#name, this.#line);
  }

  runInNewContext(contextObject, options = {}) {
    return this.runInContext(createContext(contextObject, newContextOptions(options)), options);
  }

  createCachedData() { return Buffer.alloc(0); }
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
  validateString(code, 'code');
  if (params !== undefined) {
    validateArray(params, 'params');
    for (const [index, param] of params.entries()) validateString(param, `params[${index}]`);
  }
  const {
    filename = '', columnOffset = 0, lineOffset = 0, cachedData, produceCachedData = false, parsingContext, contextExtensions = [],
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
  // A body that closes the function itself is none.
  vm.check(`(function () {${code}\n})`, filename, lineOffset + 1);
  const whole = `(function (${names}) {${code}\n})`;
  const lent = parsingContext === undefined ? undefined : contexts.get(parsingContext);
  const inner = contextExtensions.length === 0
    ? whole
    : `(function (extensions) { ${contextExtensions.map((_, index) => `with (extensions[${index}])`).join(' ')} return ${whole}; })`;
  const evaluated = lent === undefined ? vm.evaluate(undefined, inner, filename, lineOffset + 1) : lent.run(inner, filename, lineOffset + 1);
  const result = contextExtensions.length === 0 ? evaluated : evaluated(contextExtensions);
  if (produceCachedData) result.cachedDataProduced = false;
  if (cachedData !== undefined) result.cachedDataRejected = true;
  return result;
}

const constants = Object.freeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
});

module.exports = {
  Script,
  compileFunction,
  constants,
  createContext,
  createScript: (code, options) => new Script(code, options),
  isContext,
  runInContext,
  runInNewContext,
  runInThisContext,
};
