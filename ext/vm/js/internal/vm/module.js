// `vm.SourceTextModule` and `vm.SyntheticModule`: modules that a program links itself. In: a text
// or names. Out: modules, whose graph is that of internal/esm. Absent: limits of time, imports in
// the phase `source`.
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
/** What is new in each context: the number of the next module. */
const numbers = new WeakMap();
const inMain = {};

function nameNext(context) {
  const key = context ?? inMain;
  const number = numbers.get(key) ?? 0;
  numbers.set(key, number + 1);
  return `vm:module(${number})`;
}

class Module {
  /** The record; modules without one are none. */
  #record;
  #context;
  #identifier;
  #isLinking = false;
  /** A box: what went wrong before it ran. */
  #failure;

  constructor(given) {
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { options, make } = given;
    const { context, identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
      if (!require('vm').isContext(context)) throw new ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    this.#context = context;
    this.#identifier = identifier ?? nameNext(context);
    this.#record = make(this.#identifier, this);
    this.#record.module = this;
    const { inspect } = require('internal/util/inspect');
    Object.defineProperty(this, inspect.custom, { __proto__: null, value: inspectModule, enumerable: false, configurable: true, writable: true });
  }

  static recordOf(value) {
    return value !== null && typeof value === 'object' && #record in value ? value.#record : undefined;
  }

  static contextOf(module) { return module.#context; }

  static fail(module, error) {
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
    const record = checked(this);
    if (record.status < LINKED) throw new ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    return namespace.of(record);
  }

  get status() {
    const record = checked(this);
    if (this.#failure !== undefined || failureOf(record) !== undefined) return 'errored';
    if (record.status === NEW) return this.#isLinking ? 'linking' : 'unlinked';
    if (record.status < LINKED) return 'linking';
    if (record.status === LINKED) return 'linked';
    return record.status === EVALUATING ? 'evaluating' : record.capability?.isSettled === false ? 'evaluating' : 'evaluated';
  }

  get error() {
    const record = checked(this);
    const failure = this.#failure ?? failureOf(record);
    if (failure === undefined) throw new ERR_VM_MODULE_STATUS('must be errored');
    return failure.value;
  }

  async link(linker) {
    checked(this);
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    await linkDeep(this, linker);
    instantiate(this);
  }

  evaluate(options = {}) {
    try {
      const record = checked(this);
      validateObject(options, 'options');
      const { timeout, breakOnSigint = false } = options;
      if (timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
      validateBoolean(breakOnSigint, 'options.breakOnSigint');
      const { status } = this;
      if (status !== 'linked' && status !== 'evaluated' && status !== 'errored') {
        throw new ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
      }
      return runWithin(record, { timeout, breakOnSigint });
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** A module that is ended has failed. */
function runWithin(record, limits) {
  try {
    return require('internal/vm/limits').call(() => run(record), limits);
  } catch (error) {
    record.status = EVALUATED;
    record.error = { value: error };
    throw error;
  }
}

/** Of those that are no module, an error. */
function checked(value) {
  const record = Module.recordOf(value);
  if (record === undefined) throw new ERR_INVALID_THIS('Module');
  return record;
}

function failureOf(record) {
  return record.error ?? (record.status === EVALUATED ? record.cycleRoot?.error : undefined);
}

/** What ran without waiting is told without waiting. */
function run(record) {
  const capability = evaluate(record);
  const failure = failureOf(record);
  if (failure !== undefined) return Promise.reject(failure.value);
  if (record.status === EVALUATED && (record.cycleRoot ?? record).asyncOrder < 0) return Promise.resolve(undefined);
  return capability.promise.then(() => undefined);
}

function instantiate(module) {
  const record = checked(module);
  try {
    checkLinked(record, new Set());
    link(record);
  } catch (error) {
    if (error.code === undefined) Module.fail(module, error);
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
    // What asks for nothing needs no link.
    if (other.loaded === undefined && other.requests.length === 0) other.loaded = [];
    checkLinked(other, seen);
  }
}

/** Asks the linker for each request, and links what it gives. */
async function linkDeep(module, linker) {
  const record = checked(module);
  if (record.loaded !== undefined) return;
  Module.startLinking(module);
  try {
    const asked = record.requests.map(async ({ specifier, attributes }) => {
      const given = attributesOf(attributes);
      const other = await linker(specifier, module, { attributes: given, assert: given });
      const found = recordFor(module, specifier, other);
      if (other.status === 'unlinked') await linkDeep(other, linker);
      return found;
    });
    record.loaded = await Promise.all(asked);
    Module.endLinking(module);
  } catch (error) {
    Module.fail(module, error);
    throw error;
  }
}

function recordFor(module, specifier, other) {
  const found = Module.recordOf(other);
  if (found === undefined) throw new ERR_VM_MODULE_NOT_MODULE();
  if (Module.contextOf(other) !== Module.contextOf(module)) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
  if (other.status === 'errored') {
    throw new ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, other.error);
  }
  return found;
}

function attributesOf(list) {
  const given = { __proto__: null };
  for (let index = 0; index < list.length; index += 2) given[list[index]] = list[index + 1];
  return given;
}

class SourceTextModule extends Module {
  #requests;
  #specifiers;
  #text;

  constructor(sourceText, options = {}) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const { lineOffset = 0, columnOffset = 0, initializeImportMeta, importModuleDynamically, cachedData } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    super({ options, make: (url, module) => {
      const record = new SourceRecord(url, undefined, loader.parseModule(url, sourceText, true));
      record.context = require('vm').nativeContext(options.context);
      record.fillMeta = (meta) => initializeImportMeta?.(meta, module);
      record.importDynamic = importer(importModuleDynamically, () => module, url);
      return record;
    } });
    this.#text = sourceText;
    if (cachedData !== undefined && !require('internal/vm/cached_data').isOf(cachedData, sourceText)) {
      const { codes: { ERR_VM_MODULE_CACHED_DATA_REJECTED } } = require('internal/errors');
      throw new ERR_VM_MODULE_CACHED_DATA_REJECTED();
    }
  }

  get moduleRequests() {
    const record = checked(this);
    this.#requests ??= Object.freeze(record.requests.map(({ specifier, attributes, phase }) => {
      return Object.freeze({ __proto__: null, specifier, attributes: Object.freeze(attributesOf(attributes)), phase: PHASES[phase] });
    }));
    return this.#requests;
  }

  get dependencySpecifiers() {
    checked(this);
    this.#specifiers ??= Object.freeze(this.moduleRequests.map(({ specifier }) => specifier));
    return this.#specifiers;
  }

  // Own, as Node's are.
  get status() { return super.status; }

  get error() { return super.error; }

  linkRequests(modules) {
    const record = checked(this);
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    if (!Array.isArray(modules)) throw new ERR_INVALID_ARG_TYPE('modules', 'Array', modules);
    const found = modules.map((module) => Module.recordOf(module) ?? notModule());
    if (found.length !== record.requests.length) {
      throw new ERR_MODULE_LINK_MISMATCH(`Expected ${record.requests.length} modules, got ${found.length}`);
    }
    const known = new Map();
    for (const [index, { specifier, attributes }] of record.requests.entries()) {
      const key = JSON.stringify([specifier, ...attributes]);
      if (known.has(key) && known.get(key) !== found[index]) throw new ERR_MODULE_LINK_MISMATCH(`Module request '${specifier}' at index ${index} must be linked to the same module`);
      known.set(key, found[index]);
    }
    record.loaded = found;
  }

  instantiate() {
    checked(this);
    const { status } = this;
    if (status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    instantiate(this);
  }

  hasAsyncGraph() {
    const record = checked(this);
    if (record.status < LINKED) throw new ERR_VM_MODULE_STATUS('must be instantiated');
    const seen = new Set();
    const awaits = (one) => !seen.has(one) && seen.add(one) && (one.hasTopLevelAwait || one.loaded.some(awaits));
    return awaits(record);
  }

  hasTopLevelAwait() { return checked(this).hasTopLevelAwait; }

  createCachedData() {
    const { status } = this;
    if (status === 'evaluating' || status === 'evaluated' || status === 'errored') {
      const { codes: { ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA } } = require('internal/errors');
      throw new ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    }
    return require('internal/vm/cached_data').dataOf(this.#text);
  }
}

function notModule() { throw new ERR_VM_MODULE_NOT_MODULE(); }

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
    super({ options, make: (url, module) => {
      const record = new SyntheticRecord(url, exportNames, () => { Reflect.apply(evaluateCallback, module, []); });
      for (const name of exportNames) record.bindings[name] = undefined;
      link(record);
      return record;
    } });
  }

  async link() { checked(this); }

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
