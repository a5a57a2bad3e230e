// ES module loader: the module map, `import()`, `require` of modules, the entry point. In: paths,
// specifiers, source text. Out: namespaces and promises of them. Records, linking and evaluation
// are in esm/; resolution, parsing and compilation are native. Absent: customization hooks
// (esm/sync_hooks.js, esm/async_import.js).
'use strict';

const { SourceRecord, SOURCE, EVALUATED, EVALUATING, EVALUATING_ASYNC } = require('internal/esm/record');
const { withoutSource } = require('internal/esm/failure');
const { asBuildMessage, asResolveMessage } = require('internal/esm/bun_messages');
const { link } = require('internal/esm/link');
const { evaluate } = require('internal/esm/evaluate');
const namespace = require('internal/esm/namespace');
const { toUrl, toPath } = require('internal/modules/file_url');
const { FILE, BUILTIN, ERROR, URL: URL_RESULT, FORMATS, emitDeprecation } = require('internal/modules/resolution_result');
const fail = require('internal/esm/failure');
const loader = internalBinding('loader');

/** The module map: records by URL and import type. */
const records = new Map();

// --- resolution

/** @param importer an absolute path, or an URL with a scheme other than `file:` */
function resolve(specifier, importer) {
  if (importer[0] !== '/') return resolveFromUrl(specifier, importer);
  if (specifier.startsWith('internal/') && require('internal/builtin_list').isBuiltin(specifier)) return [BUILTIN, specifier];
  const resolution = loader.resolve(specifier, importer, loader.importer.FILE, true);
  if (resolution.length > 4 && resolution[0] === FILE) emitDeprecation(resolution);
  return resolution;
}

function resolveFromUrl(specifier, importer) {
  const { isKnown } = require('internal/builtin_list');
  if (isKnown(specifier)) return [BUILTIN, specifier.replace(/^node:/, '')];
  if (/^[a-z][a-z\d+.-]*:/i.test(specifier)) return loader.resolve(specifier, '/', loader.importer.DIRECTORY, true);
  const { URL } = require('web/url');
  const isPath = /^\.{0,2}\//.test(specifier);
  if (isPath && URL.canParse(specifier, importer)) return [URL_RESULT, new URL(specifier, importer).href];
  // A bare specifier cannot be resolved against such an URL.
  if (!isPath && !importer.startsWith('data:')) throw fail('ERR_INVALID_URL', 'Invalid URL', TypeError);
  throw fail('ERR_UNSUPPORTED_RESOLVE_REQUEST', `Failed to resolve module specifier "${specifier}" from "${importer}": Invalid relative URL or base scheme is not hierarchical.`, TypeError);
}

function urlOf(resolution) {
  switch (resolution[0]) {
    case FILE: return toUrl(resolution[1]) + resolution[3];
    case BUILTIN: return resolution[1].startsWith('bun:') ? resolution[1] : `node:${resolution[1]}`;
    case URL_RESULT: return resolution[1];
    default: throw resolutionError(resolution);
  }
}

function resolutionError([, code, message, path], shown = message) {
  const error = fail.unresolved(code, shown);
  if (path !== undefined) {
    Object.defineProperty(error, 'url', { __proto__: null, value: toUrl(path), writable: true, enumerable: true, configurable: true });
  }
  return error;
}

function shownMessage(resolution, specifier) {
  return require('internal/bun_use').isBunUsed() ? require('internal/esm/bun_messages').messageFor(resolution, specifier) : undefined;
}

/** The URL of an import's resolution; an error suggests the specifier that was probably meant. */
function urlOfImport(resolution, specifier, importer) {
  if (resolution[1] === 'ERR_INVALID_FILE_URL_HOST') {
    const module = importer[0] === '/' ? toUrl(importer) : importer;
    const { URL } = require('web/url');
    throw Object.assign(resolutionError(resolution), { input: new URL(specifier, module).href, module });
  }
  if (resolution[0] !== ERROR) return urlOf(resolution);
  const error = asResolveMessage(resolutionError(resolution, shownMessage(resolution, specifier)), { specifier, referrer: importer, importKind: 'import-statement' });
  if (resolution[1] !== 'ERR_MODULE_NOT_FOUND') throw error;
  const hint = importer[0] === '/' ? require('internal/esm/load_diagnostics').hintOf(specifier, importer) : undefined;
  if (hint !== undefined) error.stack = error.stack.replace('\n', () => `\n${hint}\n`);
  throw error;
}

// --- loading

/** Whether customization hooks are registered. */
function hasHooks() { return require('internal/modules/main_module').isHooked && require('internal/modules/hooks').isActive(); }

/** Whether asynchronous hooks (`module.register`) are. */
function hasAsyncHooks() { return hasHooks() && require('internal/modules/hooks').asyncHooks !== undefined; }

/**
 * Mocks of modules, in a process that runs tests.
 * @type {{ find(specifier: string, importer: string): object | undefined,
 *   pending(specifier: string, importer: string): Promise | undefined }}
 */
let mocks;
function intercept(value) { mocks = value; }

/** The record that a specifier resolves to; its graph is not loaded yet. */
function request(specifier, importer, attributes) {
  const mocked = mocks?.find(specifier, importer);
  if (mocked !== undefined) return mocked;
  if (hasHooks()) return require('internal/esm/sync_hooks').request(specifier, importer, attributes);
  const builtin = attributes.length === 0 && isBuiltinUrl(specifier) ? records.get(specifier) : undefined;
  if (builtin !== undefined) return builtin;
  const resolution = resolve(specifier, importer);
  const url = urlOfImport(resolution, specifier, importer);
  const given = typeOf(attributes, url);
  // A macro of the bundler is a function of the program without it.
  const type = (given === 'macro' ? undefined : given) ?? implicitType(resolution, importer);
  const key = type === undefined ? url : `${type}:${url}`;
  const known = records.get(key) ?? takeRetained(key);
  if (known !== undefined) return known;
  const record = createRecord(resolution, url, type);
  records.set(key, record);
  return record;
}

/** What is loaded by such a name needs no resolution. */
function isBuiltinUrl(specifier) { return specifier.startsWith('bun:') || specifier.startsWith('node:'); }

const TYPED = /\.(?:[cm]?ts|[jt]sx)$/;

/**
 * The type of an import without attribute. TypeScript and JSX import JSON without one, as in bun
 * and with `resolveJsonModule`, and files of unknown kinds as their paths.
 */
function implicitType(resolution, importer) {
  if (resolution[0] !== FILE || !TYPED.test(importer)) return undefined;
  const format = FORMATS[resolution[2]];
  if (format === 'json') return 'jsonc';
  return format === 'other' && require('internal/esm/synthetic').kindOfData(resolution[1]) === undefined ? 'file' : undefined;
}

/** The value of `import source`: a compiled WebAssembly module, which is not instantiated. */
function requestSource(specifier, importer) {
  const resolution = resolve(specifier, importer);
  const url = urlOfImport(resolution, specifier, importer);
  if (resolution[0] !== FILE || FORMATS[resolution[2]] !== 'wasm') throw withoutSource(url);
  const key = `source:${url}`;
  const record = records.get(key) ?? require('internal/esm/wasm').makeSource(url, resolution[1]);
  records.set(key, record);
  return record;
}

/** `import.source()`. */
function importSource(specifier, importer) {
  return new Promise((settle) => { settle(requestSource(`${specifier}`, importer).source); });
}

/** The value of the attribute `type`; `attributes` has keys and values alternately. */
function typeOf(attributes, url) {
  let type;
  for (let index = 0; index < attributes.length; index += 2) {
    // `embed` is for the bundler: whether the database is in the bundle.
    const isOfDatabase = attributes[index] === 'embed' && attributes.includes('sqlite');
    if (isOfDatabase) continue;
    if (attributes[index] !== 'type') {
      throw fail('ERR_IMPORT_ATTRIBUTE_UNSUPPORTED', `Import attribute "${attributes[index]}" with value "${attributes[index + 1]}" is not supported in ${url}`, TypeError);
    }
    type = attributes[index + 1];
  }
  return type;
}

/**
 * The source text decides the format even if the package says CommonJS: compilers turn imports and
 * exports into CommonJS, too.
 */
const TYPESCRIPT = /\.(?:cts|tsx?)$/;

function createRecord(resolution, url, type) {
  const synthetic = require('internal/esm/synthetic');
  if (resolution[0] === BUILTIN) return synthetic.ofBuiltin(resolution[1], url);
  if (resolution[0] === URL_RESULT) return require('internal/esm/data_url').createRecord(url, type);
  const path = resolution[1];
  const format = FORMATS[resolution[2]];
  synthetic.checkType(url, format, type, path);
  const data = synthetic.ofData(url, path, format, type);
  if (data !== undefined) return data;
  if (format === 'wasm') return require('internal/esm/wasm').createRecord(url, path, require('fs').readFileSync(path));
  if (format === 'commonjs' && !TYPESCRIPT.test(path)) return synthetic.ofCommonJs(url, path);
  const read = (isNoted) => parse(path, undefined, format === 'module', !hasHooks(), isNoted);
  const parsed = kept === undefined ? read(false) : kept.find(path, read);
  return parsed === undefined ? synthetic.ofCommonJs(url, path) : new SourceRecord(url, path, parsed);
}

/**
 * As `request`, for a module that was perhaps requested by a program before this one. `known`: what
 * relative specifiers of the importer's directory have led to. `changes`: what `fileChanges` has
 * returned.
 */
function requestAgain(row, importer, known, changes) {
  const found = row.found ?? (row.attributes.length === 0 ? known.get(row.specifier) : undefined);
  if (found !== undefined && mocks === undefined && !hasHooks()) {
    const record = records.get(found.url) ?? takeRetained(found.url, changes) ?? kept.recordOf(found, changes);
    if (record !== undefined) {
      records.set(found.url, record);
      return record;
    }
  }
  const record = request(row.specifier, importer, row.attributes);
  // Neither a mock nor of another type.
  if (row.attributes.length === 0 && records.get(record.url) === record) {
    row.found = { url: record.url, path: record.path };
    if (row.specifier[0] === '.') known.set(row.specifier, row.found);
  }
  return record;
}

/**
 * Loads the graph of a record. `isRequired`: all of it has to be evaluated before `require`
 * returns.
 */
function load(root, isRequired) {
  const stack = [root];
  // Nothing of the program runs meanwhile.
  const changes = kept === undefined ? 0 : loader.fileChanges();
  while (stack.length > 0) {
    const record = stack.pop();
    if (record.loaded !== undefined) continue;
    const importer = record.path ?? record.url;
    const known = kept?.foundFrom(importer, TYPED.test(importer));
    const loaded = record.requests.map((row) => {
      if (row.phase === SOURCE) return requestSource(row.specifier, importer);
      return known === undefined ? request(row.specifier, importer, row.attributes) : requestAgain(row, importer, known, changes);
    });
    record.loaded = loaded;
    if (isRequired) loaded.forEach((other, index) => checkCycle(record, other, record.requests[index].specifier));
    for (let index = loaded.length - 1; index >= 0; index--) if (loaded[index].loaded === undefined) stack.push(loaded[index]);
  }
}

/** Throws if a module that `require` waits for would wait for that `require`. */
function checkCycle(record, other, specifier) {
  const kind = other.isCommonJs ? 'CommonJS Module' : 'Module';
  const isRunning = other.isCommonJs
    ? require('module')._cache[other.path]?.loaded === false
    : other instanceof SourceRecord && (other.status === EVALUATING || other.status === EVALUATING_ASYNC);
  if (isRunning) throw cycleError(`import ${kind} ${specifier}`, record.path ?? record.url);
}

/** Loads and links a graph. If that fails, the next import retries: new records are removed. */
function prepare(record, isRequired = false) {
  try {
    try {
      load(record, isRequired);
    } finally {
      loader.clearPrefetched();
    }
    link(record);
  } catch (error) {
    for (const [key, other] of records) if (other.status === 0) records.delete(key);
    discard(record, new Set());
    throw error;
  }
}

function discard(record, visited) {
  if (visited.has(record) || record.status !== 0) return;
  visited.add(record);
  for (const other of record.loaded ?? []) discard(other, visited);
  if (record instanceof SourceRecord) record.unload();
  else if (record.requests.length > 0) record.loaded = undefined;
}

/** undefined: the file is CommonJS. A syntax error of a certain module names its URL. */
function parse(path, source, isModule, mayPrefetch, isNoted = false) {
  try {
    return loader.parseModule(path, source, isModule, mayPrefetch, isNoted);
  } catch (error) {
    if (!(error instanceof SyntaxError) || error.sourceURL !== path) throw error;
    if (isModule) error.sourceURL = toUrl(path);
    throw asBuildMessage(error, path);
  }
}

/** Undefined: there is one program. @type {import('./esm/kept_modules').KeptModules | undefined} */
let kept;

/** From now on modules that are loaded again are neither parsed nor compiled again. */
function keepModules() { kept ??= new (require('internal/esm/kept_modules').KeptModules)(); }

/** @type {import('./esm/retained_modules').RetainedModules | undefined} */
let retained;

/** Modules that the next program need not evaluate: they are as they were after that. */
function retainModules(value) { retained = value; }

/** A mock may take the place of what they import. */
function takeRetained(key, changes) { return mocks === undefined ? retained?.take(key, records, kept, changes ?? loader.fileChanges()) : undefined; }

// --- evaluation

/**
 * Evaluates a record in a later microtask: the caller may be part of a graph that is being
 * evaluated in its own order.
 */
function start(record) {
  prepare(record);
  return Promise.resolve(record).then(evaluateRecord);
}

async function evaluateRecord(record) {
  await evaluate(record).promise;
  return namespace.of(record);
}

/** `import()`. */
function importDynamic(specifier, importer, options) {
  const channel = require('internal/modules/main_module').tracing?.('module.import');
  if (channel === undefined) return importUntraced(specifier, importer, options);
  const parentURL = importer[0] === '/' ? toUrl(importer) : importer;
  return channel.tracePromise(importUntraced, { __proto__: null, parentURL, url: `${specifier}` }, undefined, specifier, importer, options);
}

function importUntraced(specifier, importer, options) {
  const pending = mocks?.pending(`${specifier}`, importer);
  return pending === undefined ? importNow(specifier, importer, options) : pending.then(() => importNow(specifier, importer, options));
}

function importNow(specifier, importer, options) {
  return new Promise((settle) => {
    const string = `${specifier}`;
    const attributes = attributesOf(options);
    settle(hasAsyncHooks() ? require('internal/esm/async_import').start(string, importer, attributes) : start(request(string, importer, attributes)));
  });
}

function attributesOf(options) {
  if (options === undefined) return [];
  if (options === null || (typeof options !== 'object' && typeof options !== 'function')) {
    throw new TypeError('The second argument of import() must be an object');
  }
  const attributes = options.with;
  if (attributes === undefined) return [];
  if (attributes === null || (typeof attributes !== 'object' && typeof attributes !== 'function')) {
    throw new TypeError("The 'options' argument of import() must be an object");
  }
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (typeof value !== 'string') throw new TypeError('Import attribute value must be a string');
    return [key, value];
  });
}

/** The record of a module that is evaluated at once. */
function requestNow(specifier, importer, attributes) {
  const record = request(specifier, importer, attributes);
  prepare(record);
  evaluate(record);
  return record;
}

/**
 * Evaluates a file at once, as one of many entry points. Throws what fails synchronously.
 * @returns {Promise<void> | undefined} a promise if it awaits, or if hooks load it
 */
function evaluateEntry(url, importer) {
  if (hasAsyncHooks() || mocks?.pending(url, importer) !== undefined || require('internal/modules/main_module').tracing !== undefined) return importDynamic(url, importer, undefined);
  const record = request(url, importer, []);
  prepare(record);
  const { promise } = evaluate(record);
  const root = record.cycleRoot ?? record;
  if (root.error !== undefined) throw root.error.value;
  return root.status === EVALUATED ? undefined : promise;
}

/** Waits for the entry point's promise; `isPending` shows at exit that it never settled. */
function watch(promise, then = () => {}) {
  const main = require('internal/modules/main_module');
  main.isPending = true;
  promise.then(() => {
    main.isPending = false;
    then();
  }).catch((error) => {
    main.isPending = false;
    internalBinding('queues').fatal(error, true);
  });
}

/** Throws what fails synchronously. `then` is called at once unless a module awaits. */
function runRecord(record, then) {
  prepare(record);
  const { promise } = evaluate(record);
  const root = record.cycleRoot ?? record;
  if (root.error !== undefined) throw root.error.value;
  if (root.status === EVALUATED) then();
  else watch(promise, then);
}

/** Whether it is suspended at an `await`; if it stays so, `process` warns at exit. */
function isSuspended(record) { return (record.cycleRoot ?? record).status === EVALUATING_ASYNC; }

/**
 * Evaluates the entry point in a microtask, so that its ticks run after its promises, as in Node.
 * Throws if it cannot be loaded.
 */
function startMain(record) {
  require('internal/modules/main_module').record = record;
  prepare(record);
  watch(Promise.resolve().then(() => {
    const { promise } = evaluate(record);
    if (isSuspended(record)) require('process');
    return promise;
  }), () => {
    // As in bun, a server may be the default export.
    if (record.exports?.has('default') || record.indirect?.has('default')) {
      const value = namespace.of(record).default;
      if (typeof value === 'object' && value !== null && ('fetch' in value || 'routes' in value)) require('internal/serve/serve').serveExport(value);
    }
  });
}

/** Runs a file as the entry point. */
function runMain(path) {
  require('internal/modules/main_module').path = path;
  run(toUrl(path), undefined);
}

/** Runs what a specifier resolves to; `importer` is undefined for the entry point. */
function run(specifier, importer, then) {
  if (hasAsyncHooks()) return watch(require('internal/esm/async_import').run(specifier, importer), then);
  const from = importer ?? (hasHooks() ? undefined : toPath(specifier) ?? specifier);
  const record = request(specifier, from, []);
  return then === undefined ? startMain(record) : runRecord(record, then);
}

/** Runs an URL that names no file as the entry point. */
function runUrl(url) { run(url, undefined); }

/** Runs source text that is no file; `prepareScript` has stored it under `path`. */
function runSource(path) {
  const record = new SourceRecord(toUrl(path), path, parse(path, undefined, true));
  require('internal/modules/main_module').record = record;
  if (hasAsyncHooks()) watch(require('internal/esm/async_import').startRecord(record));
  else startMain(record);
}

// --- `require` of a module

/** @param onRecord receives the record before it is evaluated, for a `require` in a cycle */
function requireFile(module, path, source, onRecord) {
  checkRequire(path, require('module').parentOf(module)?.filename);
  const url = toUrl(path);
  let record = source === undefined ? records.get(url) : undefined;
  if (record === undefined) {
    record = new SourceRecord(url, path, parse(path, source, true));
    records.set(url, record);
  }
  onRecord(record);
  return requireRecord(record, require('module').parentOf(module)?.filename);
}

/** Throws if flags forbid `require` of ES modules. */
function checkRequire(path, importer) {
  const { isDenied } = require('internal/options');
  if (!isDenied('--experimental-require-module') && !isDenied('--require-module')) return;
  throw require('internal/esm/load_diagnostics').requireOfModule(path, importer);
}

/** Evaluates a record for `require` and returns its exports. */
function requireRecord(record, importer) {
  if (record.status === EVALUATING || record.status === EVALUATING_ASYNC) throw cycleError(`require() ES Module ${record.path}`, importer);
  prepare(record, true);
  if (awaits(record)) {
    const { codes: { ERR_REQUIRE_ASYNC_MODULE } } = require('internal/errors');
    throw new ERR_REQUIRE_ASYNC_MODULE(record.path, importer);
  }
  evaluate(record);
  const root = record.cycleRoot ?? record;
  if (root.error !== undefined) throw root.error.value;
  return exportsOf(record);
}

const CYCLE = 'A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript specification. Try making at least part of the dependency in the graph lazily loaded.';

function cycleError(what, importer) {
  const message = importer
    ? `Cannot ${what} in a cycle. (from ${importer}) ${CYCLE}`
    : `Cannot ${what} in a cycle. ${CYCLE}`;
  return fail('ERR_REQUIRE_CYCLE_MODULE', message, Error);
}

/**
 * Whether the graph has a top-level `await`. It counts in evaluated modules, too: whether `require`
 * throws must not depend on the order of loading.
 */
function awaits(record) { return record.isAsyncGraph ??= hasAwait(record, new Set()); }

function hasAwait(record, visited) {
  if (visited.has(record)) return false;
  visited.add(record);
  return record.isAsyncGraph ?? (record.hasTopLevelAwait || record.loaded.some((required) => hasAwait(required, visited)));
}

/**
 * What `require` returns for a module: the export `module.exports`, or its namespace. With a
 * default export it has `__esModule`, for compiled code.
 */
function exportsOf(record) {
  const own = namespace.of(record);
  if (record.resolveExport('module.exports') !== null) return own['module.exports'];
  if (record.resolveExport('default') === null || record.resolveExport('__esModule') !== null) return own;
  record.withEsModule ??= require('internal/esm/synthetic').withEsModuleMark(record);
  return namespace.of(record.withEsModule);
}

/** The exports of a module in a cycle, for CommonJS that requires it again. */
function requireUnfinished(record, importer) {
  if (record.status === EVALUATING || record.status === EVALUATING_ASYNC) throw cycleError(`require() ES Module ${record.path}`, importer);
  return exportsOf(record);
}

// --- import.meta

function makeMeta(record) {
  const { path, url } = record;
  const meta = { __proto__: null };
  if (path !== undefined) {
    meta.dirname = require('internal/modules/paths').dirname(path);
    meta.filename = path;
  }
  meta.main = path !== undefined && require('internal/modules/main_module').path === path;
  const takesParentURL = require('internal/options').getOptionValue('--experimental-import-meta-resolve');
  if (!isHooksThread()) meta.resolve = takesParentURL
    ? function resolve(specifier, parentURL = url) { return metaUrl(`${specifier}`, importerOf(parentURL)); }
    : function resolve(specifier) { return metaUrl(`${specifier}`, path ?? url); };
  meta.url = url;
  if (path !== undefined) {
    for (const [key, value] of [['dir', meta.dirname], ['path', path], ['file', path.slice(path.lastIndexOf('/') + 1)]]) {
      Object.defineProperty(meta, key, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    }
    const { lazy } = require('internal/globals');
    lazy(meta, 'require', () => require('module').createRequire(path));
    lazy(meta, 'env', () => require('process').env);
    lazy(meta, 'resolveSync', () => require('internal/bun/environment').resolverFrom(path));
  }
  return meta;
}

/** `import.meta.resolve` is absent on the hooks thread, which cannot wait for itself. */
function isHooksThread() { return require('internal/modules/main_module').worker?.startupData.kind === 'hooks'; }

function metaUrl(specifier, importer) {
  if (!hasHooks()) return urlOf(resolveMeta(specifier, importer));
  return require('internal/esm/sync_hooks').resolve(specifier, importer, { __proto__: null }, resolveMeta).url;
}

/** The importer as `resolve` takes it, of a program's `parentURL`. */
function importerOf(parentURL) {
  const { URL } = require('web/url');
  if (typeof parentURL !== 'string' && !(parentURL instanceof URL)) {
    const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parentURL);
  }
  const path = toPath(parentURL);
  if (path === undefined) return new URL(parentURL).href;
  return path.endsWith('/') ? `${path}noop.js` : path;
}

const NO_FILE = new Set(['ERR_MODULE_NOT_FOUND', 'ERR_UNSUPPORTED_DIR_IMPORT']);

/** `import.meta.resolve` returns an URL for missing files and directories, too. */
function resolveMeta(specifier, importer) {
  const resolution = resolve(specifier, importer);
  if (!NO_FILE.has(resolution[1])) return resolution;
  if (/^(?:\.{0,2}\/|file:)/.test(specifier)) {
    const base = importer[0] === '/' ? toUrl(importer) : importer;
    return [URL_RESULT, new (require('web/url').URL)(specifier, base).href];
  }
  // A missing file in an existing package.
  return resolution[3] === undefined ? resolution : [URL_RESULT, toUrl(resolution[3]) + (specifier.endsWith('/') ? '/' : '')];
}

/** `module.syncBuiltinESMExports`: updates the exports of builtins to their current properties. */
function syncBuiltins() {
  const { syncBuiltin } = require('internal/esm/synthetic');
  for (const record of records.values()) if (record.url.startsWith('node:') && record.own !== undefined) syncBuiltin(record);
}

module.exports = {
  checkRequire, evaluateEntry, exportsOf, discard, importDynamic, importNow, importSource, intercept, keepModules, createRecord, makeMeta, records, requestNow, requestSource, requireFile, requireRecord, requireUnfinished, resolve, retainModules, run, runUrl, runMain, runSource,
  start, syncBuiltins, toPath, implicitType, urlOf, urlOfImport,
};
