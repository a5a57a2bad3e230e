// `vm.SourceTextModule` and `vm.SyntheticModule`: modules that a program links itself. In: a source
// text or export names. Out: modules, in the module graph of internal/esm. Absent: imports in the
// phase `source`.
'use strict';

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_MODULE_LINK_MISMATCH, ERR_VM_MODULE_ALREADY_LINKED,
    ERR_VM_MODULE_DIFFERENT_CONTEXT, ERR_VM_MODULE_LINK_FAILURE, ERR_VM_MODULE_NOT_MODULE, ERR_VM_MODULE_STATUS,
  },
} = require('internal/errors');
const {
  validateBoolean, validateBuffer, validateFunction, validateInt32, validateObject, validateString, validateUint32,
} = require('internal/validators');
const { SourceRecord, SyntheticRecord, NEW, LINKED, EVALUATING, EVALUATED } = require('internal/esm/record');
const { evaluate } = require('internal/esm/evaluate');
const namespace = require('internal/esm/namespace');
const { link } = require('internal/esm/link');
const { importer } = require('internal/vm/import');
const loader = internalBinding('loader');

const PHASES = ['evaluation', 'source', 'defer'];
/** Number of the next unnamed module, by context. */
const nextNumbers = new WeakMap();
const mainContext = {};

function defaultIdentifier(context) {
  const key = context ?? mainContext;
  const number = nextNumbers.get(key) ?? 0;
  nextNumbers.set(key, number + 1);
  return `vm:module(${number})`;
}

class Module {
  /** The module record of internal/esm. */
  #record;
  #context;
  #identifier;
  #isLinking = false;
  /** { value }: the error of linking. */
  #failure;

  /** @param init { options, makeRecord } */
  constructor(init) {
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { options, makeRecord } = init;
    const { context, identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
      if (!require('vm').isContext(context)) throw new ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    this.#context = context;
    this.#identifier = identifier ?? defaultIdentifier(context);
    this.#record = makeRecord(this.#identifier, this);
    this.#record.module = this;
    const { inspect } = require('internal/util/inspect');
    Object.defineProperty(this, inspect.custom, { __proto__: null, value: inspectModule, enumerable: false, configurable: true, writable: true });
  }

  static recordOf(value) {
    return value !== null && typeof value === 'object' && #record in value ? value.#record : undefined;
  }

  static contextOf(module) { return module.#context; }

  static setLinkError(module, error) {
    module.#isLinking = false;
    module.#failure = { value: error };
  }

  static startLinking(module) { module.#isLinking = true; }

  static endLinking(module) { module.#isLinking = false; }

  get identifier() {
    if (!(#record in this)) throw new ERR_INVALID_THIS('Module');
    return this.#identifier;
  }

  get context() {
    if (!(#record in this)) throw new ERR_INVALID_THIS('Module');
    return this.#context;
  }

  get namespace() {
    const record = requireRecord(this);
    if (record.status < LINKED) throw new ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    return namespace.of(record);
  }

  get status() {
    const record = requireRecord(this);
    if (this.#failure !== undefined || failureOf(record) !== undefined) return 'errored';
    if (record.status === NEW) return this.#isLinking ? 'linking' : 'unlinked';
    if (record.status < LINKED) return 'linking';
    if (record.status === LINKED) return 'linked';
    return record.status === EVALUATING ? 'evaluating' : record.capability?.isSettled === false ? 'evaluating' : 'evaluated';
  }

  get error() {
    const record = requireRecord(this);
    const failure = this.#failure ?? failureOf(record);
    if (failure === undefined) throw new ERR_VM_MODULE_STATUS('must be errored');
    return failure.value;
  }

  async link(linker) {
    requireRecord(this);
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    await linkRecursively(this, linker);
    instantiate(this);
  }

  evaluate(options = {}) {
    try {
      const record = requireRecord(this);
      validateObject(options, 'options');
      const { timeout, breakOnSigint = false } = options;
      if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
      validateBoolean(breakOnSigint, 'options.breakOnSigint');
      const { status } = this;
      if (status !== 'linked' && status !== 'evaluated' && status !== 'errored') {
        throw new ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
      }
      return evaluateWithLimits(record, { timeout, breakOnSigint });
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** A terminated module is errored. */
function evaluateWithLimits(record, limits) {
  try {
    return require('internal/vm/execution_limits').call(() => evaluateRecord(record), limits);
  } catch (error) {
    record.status = EVALUATED;
    record.error = { value: error };
    throw error;
  }
}

/** The record of a module; throws for other values. */
function requireRecord(value) {
  const record = Module.recordOf(value);
  if (record === undefined) throw new ERR_INVALID_THIS('Module');
  return record;
}

function failureOf(record) {
  return record.error ?? (record.status === EVALUATED ? record.cycleRoot?.error : undefined);
}

/** A synchronous module returns a settled promise. */
function evaluateRecord(record) {
  const capability = evaluate(record);
  const failure = failureOf(record);
  if (failure !== undefined) return Promise.reject(failure.value);
  if (record.status === EVALUATED && (record.cycleRoot ?? record).asyncOrder < 0) return Promise.resolve(undefined);
  return capability.promise.then(() => undefined);
}

function instantiate(module) {
  const record = requireRecord(module);
  try {
    checkLinked(record, new Set());
    link(record);
  } catch (error) {
    if (error.code === undefined) Module.setLinkError(module, error);
    throw error;
  }
}

function checkLinked(record, seen) {
  if (seen.has(record) || record.status !== NEW) return;
  seen.add(record);
  if (record.loaded === undefined) {
    const [{ specifier } = { specifier: undefined }] = record.requests;
    throw new ERR_VM_MODULE_LINK_FAILURE(specifier === undefined
      ? `module '${record.url}' is not linked`
      : `request for '${specifier}' can not be resolved on module '${record.url}' that is not linked`);
  }
  for (const other of record.loaded) {
    // A module without requests counts as linked.
    if (other.loaded === undefined && other.requests.length === 0) other.loaded = [];
    checkLinked(other, seen);
  }
}

/** Calls the linker for each request, and links the modules that it returns. */
async function linkRecursively(module, linker) {
  const record = requireRecord(module);
  if (record.loaded !== undefined) return;
  Module.startLinking(module);
  try {
    const dependencies = record.requests.map(async ({ specifier, attributes: list }) => {
      const attributes = attributesOf(list);
      const other = await linker(specifier, module, { attributes, assert: attributes });
      const dependency = recordFor(module, specifier, other);
      if (other.status === 'unlinked') await linkRecursively(other, linker);
      return dependency;
    });
    record.loaded = await Promise.all(dependencies);
    Module.endLinking(module);
  } catch (error) {
    Module.setLinkError(module, error);
    throw error;
  }
}

function recordFor(module, specifier, other) {
  const record = Module.recordOf(other);
  if (record === undefined) throw new ERR_VM_MODULE_NOT_MODULE();
  if (Module.contextOf(other) !== Module.contextOf(module)) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
  if (other.status === 'errored') {
    throw new ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, other.error);
  }
  return record;
}

/** `list`: keys and values in turns. */
function attributesOf(list) {
  const attributes = { __proto__: null };
  for (let index = 0; index < list.length; index += 2) attributes[list[index]] = list[index + 1];
  return attributes;
}

class SourceTextModule extends Module {
  #requests;
  #specifiers;
  #sourceText;

  constructor(sourceText, options = {}) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const { lineOffset = 0, columnOffset = 0, initializeImportMeta, importModuleDynamically, cachedData } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    super({ options, makeRecord: (url, module) => {
      const { context, global } = require('vm').nativeContextOf(options.context) ?? {};
      const coverage = require('internal/inspector/block_coverage');
      const [counted, provide] = coverage.isActive() ? coverage.countScript(url, sourceText, true) : [sourceText];
      const evaluateIn = (source, name, line) => internalBinding('vm').evaluate(context, source, name, line);
      if (context !== undefined) provide?.(options.context, (source, name, line) => require('internal/vm/prototypes').detached(global, () => evaluateIn(source, name, line)));
      const record = new SourceRecord(url, undefined, loader.parseModule(url, counted, true));
      record.context = context;
      record.contextGlobal = global;
      record.fillMeta = (meta) => initializeImportMeta?.(meta, module);
      record.importDynamic = importer(importModuleDynamically, () => module, url);
      return record;
    } });
    this.#sourceText = sourceText;
    if (cachedData !== undefined && !require('internal/vm/cached_data').matches(cachedData, sourceText)) {
      const { codes: { ERR_VM_MODULE_CACHED_DATA_REJECTED } } = require('internal/errors');
      throw new ERR_VM_MODULE_CACHED_DATA_REJECTED();
    }
  }

  get moduleRequests() {
    const record = requireRecord(this);
    this.#requests ??= Object.freeze(record.requests.map(({ specifier, attributes, phase }) => {
      return Object.freeze({ __proto__: null, specifier, attributes: Object.freeze(attributesOf(attributes)), phase: PHASES[phase] });
    }));
    return this.#requests;
  }

  get dependencySpecifiers() {
    requireRecord(this);
    this.#specifiers ??= Object.freeze(this.moduleRequests.map(({ specifier }) => specifier));
    return this.#specifiers;
  }

  // Own accessors, as in Node.
  get status() { return super.status; }

  get error() { return super.error; }

  linkRequests(modules) {
    const record = requireRecord(this);
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    if (!Array.isArray(modules)) throw new ERR_INVALID_ARG_TYPE('modules', 'Array', modules);
    const records = modules.map((module) => Module.recordOf(module) ?? throwNotModule());
    if (records.length !== record.requests.length) {
      throw new ERR_MODULE_LINK_MISMATCH(`Expected ${record.requests.length} modules, got ${records.length}`);
    }
    const linked = new Map();
    for (const [index, { specifier, attributes }] of record.requests.entries()) {
      const key = JSON.stringify([specifier, ...attributes]);
      if (linked.has(key) && linked.get(key) !== records[index]) throw new ERR_MODULE_LINK_MISMATCH(`Module request '${specifier}' at index ${index} must be linked to the same module`);
      linked.set(key, records[index]);
    }
    record.loaded = records;
  }

  instantiate() {
    requireRecord(this);
    const { status } = this;
    if (status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    instantiate(this);
  }

  hasAsyncGraph() {
    const record = requireRecord(this);
    if (record.status < LINKED) throw new ERR_VM_MODULE_STATUS('must be instantiated');
    const seen = new Set();
    const awaits = (other) => !seen.has(other) && seen.add(other) && (other.hasTopLevelAwait || other.loaded.some(awaits));
    return awaits(record);
  }

  hasTopLevelAwait() { return requireRecord(this).hasTopLevelAwait; }

  createCachedData() {
    const { status } = this;
    if (status === 'evaluating' || status === 'evaluated' || status === 'errored') {
      const { codes: { ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA } } = require('internal/errors');
      throw new ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    }
    return require('internal/vm/cached_data').createCachedData(this.#sourceText);
  }
}

function throwNotModule() { throw new ERR_VM_MODULE_NOT_MODULE(); }

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = {}) {
    if (!Array.isArray(exportNames) || exportNames.some((name) => typeof name !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', exportNames);
    }
    for (const [index, name] of exportNames.entries()) {
      if (exportNames.indexOf(name) !== index) throw new ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, 'is duplicated');
    }
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    super({ options, makeRecord: (url, module) => {
      const record = new SyntheticRecord(url, exportNames, () => { Reflect.apply(evaluateCallback, module, []); });
      for (const name of exportNames) record.bindings[name] = undefined;
      link(record);
      return record;
    } });
  }

  async link() { requireRecord(this); }

  setExport(name, value) {
    const record = Module.recordOf(this);
    if (!(record instanceof SyntheticRecord)) throw new ERR_INVALID_THIS('SyntheticModule');
    validateString(name, 'name');
    if (!record.names.has(name)) throw new ReferenceError(`Export '${name}' is not defined in module`);
    record.bindings[name] = value;
  }
}

function inspectModule(depth, options) {
  if (Module.recordOf(this) === undefined) throw new ERR_INVALID_THIS('Module');
  const { constructor: { name } } = this;
  if (typeof depth === 'number' && depth < 0) return `[${name}]`;
  const { inspect } = require('internal/util/inspect');
  return `${name} ${inspect({ status: this.status, identifier: this.identifier, context: this.context }, options)}`;
}

module.exports = { Module, SourceTextModule, SyntheticModule };
