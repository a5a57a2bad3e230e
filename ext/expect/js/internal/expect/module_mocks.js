// Mocks of modules: `mock.module`, `jest.mock`, `vi.mock`. In: a specifier, the importer, a
// factory. Out: records of the module map (internal/esm) and results of `require` that have the
// mock's exports; modules that were imported already see them, too. Absent: automatic mocks
// (automock.js), hoisting (hoisted_file.js).
'use strict';

const { state } = require('internal/expect/state');
const esm = require('internal/esm');
const { EVALUATED, EVALUATING } = require('internal/esm/record');
const { BUILTIN, FILE } = require('internal/modules/resolution_result');

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

/** A mocked module. */
class ModuleMock {
  /** The exports, once the factory has run. */
  exports = undefined;
  isReady = false;
  /** While an asynchronous factory runs. @type {Promise<void> | undefined} */
  promise = undefined;
  /** The record that new importers get. */
  record = undefined;
  /** What `require` returns instead of the exports. */
  required = undefined;
  /** Functions that undo changes of what was imported already. */
  undo = [];

  /**
   * @param {{ hasInteropDefault: boolean, isAny: boolean }} options `isAny`: not only an object;
   *   `readMissing`: what an export is that the factory has not made; undefined: linking fails
   */
  constructor(key, factory, { hasInteropDefault, isAny, readMissing, previous }) {
    this.key = key;
    /** What was imported before there was a mock. */
    this.imported = esm.records.get(key) ?? previous?.record;
    this.factory = factory;
    this.hasInteropDefault = hasInteropDefault;
    this.isAny = isAny;
    this.readMissing = readMissing;
  }

  /** Runs the factory once. */
  make() {
    if (this.isReady || this.promise !== undefined) return;
    const result = this.factory();
    if (typeof result?.then !== 'function') {
      this.#set(result);
      return;
    }
    this.promise = Promise.resolve(result).then((value) => { this.#set(value); }).finally(() => {
      this.promise = undefined;
      pending.delete(this);
    });
    pending.add(this);
  }

  #set(value) {
    if (!this.isAny && !isObject(value)) throw new TypeError(`the factory of the mock of ${this.key} must return an object, not ${value === null ? 'null' : typeof value}`);
    this.exports = value;
    this.isReady = true;
    patchImported(this);
  }

  /** Names of exports with values; CommonJS has a default export. */
  entries() {
    const entries = new Map((isObject(this.exports) ? Object.keys(this.exports) : []).map((name) => [name, () => this.exports[name]]));
    if (!entries.has('default') && this.hasInteropDefault) entries.set('default', () => this.exports);
    return entries;
  }
}

/** Mocks by the URL of the module; of modules that do not exist, by specifier or path. */
const mocks = new Map();
/** Mocks whose factories have not settled. */
const pending = new Set();

// --- resolution

/** The key of a module as its importer names it, and the path or the name of a builtin. */
function locate(specifier, importer) {
  let resolution;
  try {
    resolution = esm.resolve(specifier, importer);
    if (resolution[0] === FILE || resolution[0] === BUILTIN) {
      return { key: esm.urlOf(resolution).replace(/[?#].*$/, ''), path: resolution[1], isFile: resolution[0] === FILE };
    }
  } catch {
    // It does not exist, so the mock is all there is of it.
  }
  return { key: missingKey(specifier, importer), path: undefined, isFile: false };
}

function missingKey(specifier, importer) {
  if (!/^\.{0,2}\//.test(specifier)) return specifier;
  const path = require('path');
  return require('internal/modules/file_url').toUrl(path.resolve(path.dirname(importer), specifier));
}

/** The file that called a function of this library. */
function callerPath(caller) {
  const holder = {};
  Error.captureStackTrace(holder, caller);
  const { callSite } = require('internal/expect/call_site');
  return callSite(holder.stack)?.path ?? state.path ?? `${internalBinding('loader').currentDir()}/[test]`;
}

// --- the module map

/** What esm.js asks before it makes a record. */
const interceptor = {
  find(specifier, importer) {
    const mock = mocks.get(locate(specifier, importer).key);
    return mock === undefined ? undefined : recordOf(mock);
  },
  /** What `import()` waits for: its own mock's factory runs now. */
  pending(specifier, importer) {
    const mock = mocks.get(locate(specifier, importer).key);
    try {
      mock?.make();
    } catch (error) {
      return Promise.reject(error);
    }
    return pending.size === 0 ? undefined : Promise.all([...pending].map(({ promise }) => promise));
  },
};

function recordOf(mock) {
  mock.make();
  if (!mock.isReady) throw new Error(`the mock of ${mock.key} is not ready: its factory is asynchronous, so await the mock before the import`);
  if (mock.record !== undefined) return mock.record;
  const entries = mock.entries();
  const { makeRecord } = require('internal/expect/mock_record');
  mock.record = makeRecord(mock.key, entries, mock.readMissing);
  return mock.record;
}

/** Importers of a record that was evaluated read the mock's exports from now on. */
function patchImported(mock) {
  const record = mock.imported;
  if (record === undefined || record.bindings === undefined || record.status < EVALUATING) return;
  const entries = mock.entries();
  const replace = (target, name, get) => {
    const before = Object.getOwnPropertyDescriptor(target, name);
    if (before?.configurable === false) return;
    Object.defineProperty(target, name, { __proto__: null, get, enumerable: true, configurable: true });
    mock.undo.push(() => { if (before === undefined) delete target[name]; else Object.defineProperty(target, name, before); });
  };
  for (const [name, get] of entries) replace(record.bindings, name, get);
  for (const other of esm.records.values()) patchForwarded(other, record, entries, replace);
}

/** Re-exports have getters of their own. */
function patchForwarded(other, record, entries, replace) {
  if (other.forwarded === undefined) return;
  for (const name of Object.keys(other.forwarded)) {
    const resolution = other.resolveExport(name);
    if (!Array.isArray(resolution)) continue;
    const [owner, from] = resolution;
    if (owner === record && entries.has(from)) replace(other.forwarded, name, entries.get(from));
    else if (other === record && entries.has(name)) replace(other.forwarded, name, entries.get(name));
  }
}

// --- CommonJS

/** `Module._load` without mocks. */
let loadActual;

function install() {
  if (loadActual !== undefined) return;
  const Module = require('module');
  loadActual = Module._load;
  Module._load = function _load(request, parent, isMain) {
    const mock = typeof request === 'string' && parent ? mocks.get(locateRequired(request, parent)) : undefined;
    if (mock === undefined) return loadActual(request, parent, isMain);
    mock.make();
    if (!mock.isReady) throw new Error(`the mock of ${mock.key} is not ready: its factory is asynchronous`);
    return mock.required ?? mock.exports;
  };
  esm.intercept(interceptor);
  state.cleanups.add(uninstall);
}

function locateRequired(request, parent) {
  const Module = require('module');
  const { toUrl } = require('internal/modules/file_url');
  try {
    const name = Module._resolveFilename(request, parent, false);
    return name[0] === '/' ? toUrl(name) : name.startsWith('bun:') ? name : `node:${name.replace(/^node:/, '')}`;
  } catch {
    return missingKey(request, parent.filename ?? '/');
  }
}

/** Undoes all mocks at the end of the file: what depends on them is loaded anew. */
function uninstall() {
  const mocked = new Set([...mocks.values()].map((mock) => mock.record));
  for (const [key, record] of esm.records) if (reaches(record, mocked, new Set())) esm.records.delete(key);
  for (const mock of mocks.values()) remove(mock);
  mocks.clear();
  pending.clear();
  esm.intercept(undefined);
  require('module')._load = loadActual;
  loadActual = undefined;
}

function reaches(record, mocked, visited) {
  if (mocked.has(record)) return true;
  if (visited.has(record)) return false;
  visited.add(record);
  return (record.loaded ?? []).some((other) => reaches(other, mocked, visited));
}

function remove(mock) {
  for (const undo of mock.undo.reverse()) undo();
  mock.undo = [];
}

// --- what programs call

/**
 * @param {(() => any) | undefined} factory undefined: an automatic mock
 * @param {object} options `isLazy`: the first import runs the factory; `toleratesEarly`: it does so
 *   again if the factory used a variable of the file that is initialized later
 * @returns {Promise<void> | undefined} a promise while the factory runs
 */
function mockModule(specifier, factory, importer, { hasInteropDefault = false, isAny = false, isLazy = false, toleratesEarly = false, readMissing, required } = {}) {
  install();
  const target = locate(specifier, importer);
  const previous = mocks.get(target.key);
  if (previous !== undefined) remove(previous);
  const isCommonJs = target.isFile && isCommonJsFile(target);
  const make = factory ?? (() => require('internal/expect/automock').mockOf(specifier, importer, target));
  const mock = new ModuleMock(target.key, () => make(() => importActual(specifier, importer)), {
    hasInteropDefault: hasInteropDefault || isCommonJs || !target.isFile,
    isAny: isAny || factory === undefined,
    readMissing: factory === undefined ? undefined : readMissing,
    previous,
  });
  mock.required = required;
  mocks.set(target.key, mock);
  return isLazy && mock.imported === undefined && !isAsync(factory) ? undefined : makeNow(mock, toleratesEarly);
}

/** An asynchronous factory begins at once: a static import cannot wait for it. */
const isAsync = (factory) => Object.prototype.toString.call(factory) === '[object AsyncFunction]';

/** Runs the factory. */
function makeNow(mock, toleratesEarly) {
  try {
    mock.make();
  } catch (error) {
    // A variable of the file that is initialized later: the first import runs the factory again.
    if (!toleratesEarly || !(error instanceof ReferenceError)) {
      mocks.delete(mock.key);
      throw error;
    }
  }
  return mock.promise;
}

const isCommonJsFile = ({ key, path }) => esm.records.get(key)?.isCommonJs === true || path.endsWith('.cjs') || path.endsWith('.json');

function unmock(specifier, importer) {
  const { key } = locate(specifier, importer);
  const mock = mocks.get(key);
  if (mock === undefined) return;
  remove(mock);
  mocks.delete(key);
}

/** Runs `load` without the mock of one module. */
function withoutMock(key, load) {
  const mock = mocks.get(key);
  mocks.delete(key);
  try {
    return load();
  } finally {
    if (mock !== undefined) mocks.set(key, mock);
  }
}

/** The module itself, although it is mocked. */
function importActual(specifier, importer) {
  const { key } = locate(specifier, importer);
  const patched = patchedBy(key);
  if (patched !== undefined) return Promise.resolve(snapshotOf(patched));
  return withoutMock(key, () => {
    const known = esm.records.get(key);
    if (known?.status === EVALUATED) return Promise.resolve(require('internal/esm/namespace').of(known));
    return esm.importNow(specifier, importer, undefined);
  });
}

/** The mock that has changed a module that was imported before. */
function patchedBy(key) {
  const mock = mocks.get(key);
  return mock !== undefined && mock.undo.length > 0 ? mock : undefined;
}

/** A copy of the exports that a module had before it was mocked. */
function snapshotOf(mock) {
  remove(mock);
  const copy = Object.assign(new Object(), require('internal/esm/namespace').of(mock.imported));
  if (mock.isReady) patchImported(mock);
  return copy;
}

/** @param {string} importer a path */
function requireActual(specifier, importer) {
  const Module = require('module');
  const load = loadActual ?? Module._load;
  const { key } = locate(specifier, importer);
  const patched = patchedBy(key);
  return patched !== undefined ? snapshotOf(patched) : withoutMock(key, () => load(specifier, parentAt(importer), false));
}

function parentAt(importer) {
  const Module = require('module');
  const parent = new Module(importer, null);
  parent.filename = importer;
  parent.paths = Module._nodeModulePaths(require('path').dirname(importer));
  return parent;
}

/** The mock, or an automatic one. */
function requireMock(specifier, importer) {
  const { key } = locate(specifier, importer);
  if (!mocks.has(key)) mockModule(specifier, undefined, importer);
  const mock = mocks.get(key);
  mock.make();
  if (!mock.isReady) throw new Error(`the mock of ${specifier} is not ready: its factory is asynchronous`);
  return mock.exports;
}

/** Forgets all modules of files, so that they are evaluated again when they are imported. */
function resetModules() {
  const { _cache } = require('module');
  for (const path of Object.keys(_cache)) delete _cache[path];
  for (const [key, record] of esm.records) if (/^(?:\w+:)?file:/.test(key) && record.path !== state.path) esm.records.delete(key);
}

module.exports = { callerPath, importActual, mockModule, requireActual, requireMock, resetModules, unmock };
