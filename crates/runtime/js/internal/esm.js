// ES modules: which there are, and how one is begun. In: paths, specifiers, strings. Out:
// namespaces, promises of them. Records, linking and running are in esm/; finding, parsing and
// compiling are native. Absent: hooks of programs (esm/sync_hooks.js, esm/async_import.js).
'use strict';

const { SourceRecord, SOURCE, EVALUATED, EVALUATING, EVALUATING_ASYNC } = require('internal/esm/record');
const { withoutSource } = require('internal/esm/failure');
const { link } = require('internal/esm/link');
const { evaluate } = require('internal/esm/evaluate');
const namespace = require('internal/esm/namespace');
const { toUrl, toPath } = require('internal/modules/file_url');
const { FILE, BUILTIN, URL: URL_RESULT, FORMATS, emitDeprecation } = require('internal/modules/resolution_result');
const fail = require('internal/esm/failure');
const loader = internalBinding('loader');
const Promise = require('internal/esm/promise');

/** By URL, and the type that was asked for. */
const records = new Map();

// --- finding

/** @param importer an absolute path, or an URL that is no file */
function resolve(specifier, importer) {
  if (importer[0] !== '/') return resolveFromAddress(specifier, importer);
  if (specifier.startsWith('internal/') && require('internal/builtin_list').isBuiltin(specifier)) return [BUILTIN, specifier];
  const found = loader.resolve(specifier, importer, loader.importer.FILE, true);
  if (found.length > 4 && found[0] === FILE) emitDeprecation(found);
  return found;
}

function resolveFromAddress(specifier, importer) {
  const { isBuiltin } = require('internal/builtin_list');
  if (isBuiltin(specifier)) return [BUILTIN, specifier.replace(/^node:/, '')];
  if (/^[a-z][a-z\d+.-]*:/i.test(specifier)) return loader.resolve(specifier, '/', loader.importer.DIRECTORY, true);
  const { URL } = require('web/url');
  const isPath = /^\.{0,2}\//.test(specifier);
  if (isPath && URL.canParse(specifier, importer)) return [URL_RESULT, new URL(specifier, importer).href];
  // No package lies there.
  if (!isPath && !importer.startsWith('data:')) throw fail('ERR_INVALID_URL', 'Invalid URL', TypeError);
  throw fail('ERR_UNSUPPORTED_RESOLVE_REQUEST', `Failed to resolve module specifier "${specifier}" from "${importer}": Invalid relative URL or base scheme is not hierarchical.`, TypeError);
}

function urlOf(found) {
  switch (found[0]) {
    case FILE: return toUrl(found[1]) + found[3];
    case BUILTIN: return `node:${found[1]}`;
    case URL_RESULT: return found[1];
    default: throw failed(found);
  }
}

function failed([, code, message, wanted]) {
  const error = fail.unresolved(code, message);
  if (wanted !== undefined) {
    Object.defineProperty(error, 'url', { __proto__: null, value: toUrl(wanted), writable: true, enumerable: true, configurable: true });
  }
  return error;
}

/** The same of an import, with what was probably meant. */
function urlOfImport(found, specifier, importer) {
  if (found[1] === 'ERR_INVALID_FILE_URL_HOST') {
    const module = importer[0] === '/' ? toUrl(importer) : importer;
    const { URL } = require('web/url');
    throw Object.assign(failed(found), { input: new URL(specifier, module).href, module });
  }
  if (found[1] !== 'ERR_MODULE_NOT_FOUND') return urlOf(found);
  const error = failed(found);
  const meant = importer[0] === '/' ? require('internal/esm/load_diagnostics').meant(specifier, importer) : undefined;
  if (meant !== undefined) error.stack = error.stack.replace('\n', `\nDid you mean to import ${JSON.stringify(meant)}?\n`);
  throw error;
}

// --- loading

/** Programs register hooks through `node:module`, which says so. */
function isHooked() { return require('internal/modules/main_module').isHooked && require('internal/modules/hooks').isAsked(); }

/** Whether hooks are asked that take their time. */
function isLater() { return isHooked() && require('internal/modules/hooks').provider !== undefined; }

/** The record of what a specifier stands for; its graph is not loaded yet. */
function request(specifier, importer, attributes) {
  if (isHooked()) return require('internal/esm/sync_hooks').request(specifier, importer, attributes);
  const found = resolve(specifier, importer);
  const url = urlOfImport(found, specifier, importer);
  const type = typeOf(attributes, url) ?? typeUnsaid(found, importer);
  const key = type === undefined ? url : `${type}:${url}`;
  const known = records.get(key);
  if (known !== undefined) return known;
  const record = make(found, url, type);
  records.set(key, record);
  return record;
}

const TYPED = /\.(?:[cm]?ts|[jt]sx)$/;

/**
 * JSON, to TypeScript and JSX, as bun reads it: what `resolveJsonModule` allows needs no attribute.
 */
function typeUnsaid(found, importer) {
  return found[0] === FILE && FORMATS[found[2]] === 'json' && TYPED.test(importer) ? 'jsonc' : undefined;
}

/** The value of `import source`: a compiled WebAssembly module, which is not instantiated. */
function requestSource(specifier, importer) {
  const found = resolve(specifier, importer);
  const url = urlOfImport(found, specifier, importer);
  if (found[0] !== FILE || FORMATS[found[2]] !== 'wasm') throw withoutSource(url);
  const key = `source:${url}`;
  const record = records.get(key) ?? require('internal/esm/wasm').makeSource(url, found[1]);
  records.set(key, record);
  return record;
}

/** `import.source()`. */
function importSource(specifier, importer) {
  return new Promise((done) => { done(requestSource(`${specifier}`, importer).source); });
}

/** The value of `type`; `attributes` are keys and values in turn. */
function typeOf(attributes, url) {
  let type;
  for (let index = 0; index < attributes.length; index += 2) {
    if (attributes[index] !== 'type') {
      throw fail('ERR_IMPORT_ATTRIBUTE_UNSUPPORTED', `Import attribute "${attributes[index]}" with value "${attributes[index + 1]}" is not supported in ${url}`, TypeError);
    }
    type = attributes[index + 1];
  }
  return type;
}

/**
 * Its text decides also where somebody says that it is CommonJS: compilers make that of imports and
 * exports, too.
 */
const TYPESCRIPT = /\.(?:cts|tsx?)$/;

function make(found, url, type) {
  const synthetic = require('internal/esm/synthetic');
  if (found[0] === BUILTIN) return synthetic.ofBuiltin(found[1], url);
  if (found[0] === URL_RESULT) return require('internal/esm/address').make(url, type);
  const path = found[1];
  const format = FORMATS[found[2]];
  synthetic.checkType(url, format, type, path);
  const data = synthetic.ofData(url, path, format, type);
  if (data !== undefined) return data;
  if (format === 'wasm') return require('internal/esm/wasm').make(url, path, require('fs').readFileSync(path));
  if (format === 'commonjs' && !TYPESCRIPT.test(path)) return synthetic.ofCommonJs(url, path);
  const parsed = parse(path, undefined, format === 'module', !isHooked());
  return parsed === undefined ? synthetic.ofCommonJs(url, path) : new SourceRecord(url, path, parsed);
}

/**
 * Loads all that a record imports, and what that imports. `isRequired`: it is all to run before
 * `require` returns.
 */
function load(root, isRequired) {
  const waiting = [root];
  while (waiting.length > 0) {
    const record = waiting.pop();
    if (record.loaded !== undefined) continue;
    const loaded = record.requests.map(({ specifier, phase, attributes }) => {
      const importer = record.path ?? record.url;
      return phase === SOURCE ? requestSource(specifier, importer) : request(specifier, importer, attributes);
    });
    record.loaded = loaded;
    if (isRequired) loaded.forEach((other, index) => checkCycle(record, other, record.requests[index].specifier));
    for (let index = loaded.length - 1; index >= 0; index--) waiting.push(loaded[index]);
  }
}

/** What `require` waits for does not wait for `require`. */
function checkCycle(record, other, specifier) {
  const kind = other.isCommonJs ? 'CommonJS Module' : 'Module';
  const isRunning = other.isCommonJs
    ? require('module')._cache[other.path]?.loaded === false
    : other instanceof SourceRecord && (other.status === EVALUATING || other.status === EVALUATING_ASYNC);
  if (isRunning) throw inCycle(`import ${kind} ${specifier}`, record.path ?? record.url);
}

/** What failed to load is asked for again the next time. */
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
    forget(record, new Set());
    throw error;
  }
}

function forget(record, seen) {
  if (seen.has(record) || record.status !== 0) return;
  seen.add(record);
  for (const other of record.loaded ?? []) forget(other, seen);
  if (record.requests.length > 0 || record instanceof SourceRecord) record.loaded = undefined;
}

/** What is a module for certain and does not parse is called as modules are. */
function parse(path, source, isCertain, isAhead) {
  try {
    return loader.parseModule(path, source, isCertain, isAhead);
  } catch (error) {
    if (isCertain && error instanceof SyntaxError && error.sourceURL === path) error.sourceURL = toUrl(path);
    throw error;
  }
}

// --- beginning

/**
 * Nothing runs before whoever asked has gone on: it may be in the middle of a graph, whose order
 * that is.
 */
function start(record) {
  prepare(record);
  return Promise.resolve(record).then(runLater);
}

async function runLater(record) {
  await evaluate(record).promise;
  return namespace.of(record);
}

/** `import()`. */
function importDynamic(specifier, importer, options) {
  const traces = require('internal/modules/main_module').tracing?.('module.import');
  if (traces === undefined) return importUntraced(specifier, importer, options);
  const parentURL = importer[0] === '/' ? toUrl(importer) : importer;
  return traces.tracePromise(importUntraced, { __proto__: null, parentURL, url: `${specifier}` }, undefined, specifier, importer, options);
}

function importUntraced(specifier, importer, options) {
  return new Promise((done) => {
    const text = `${specifier}`;
    const attributes = attributesOf(options);
    done(isLater() ? require('internal/esm/async_import').start(text, importer, attributes) : start(request(text, importer, attributes)));
  });
}

function attributesOf(options) {
  if (options === undefined) return [];
  if (options === null || (typeof options !== 'object' && typeof options !== 'function')) {
    throw new TypeError('The second argument of import() must be an object');
  }
  const given = options.with;
  if (given === undefined) return [];
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) {
    throw new TypeError("The 'options' argument of import() must be an object");
  }
  return Object.entries(given).flatMap(([key, value]) => {
    if (typeof value !== 'string') throw new TypeError('Import attribute value must be a string');
    return [key, value];
  });
}

/** A program that awaits is watched, for it may never go on. */
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

/** What fails at once is thrown. `then`: what is to follow, at once where nothing awaits. */
function runRecord(record, then) {
  prepare(record);
  const { promise } = evaluate(record);
  const root = record.cycleRoot ?? record;
  if (root.error !== undefined) throw root.error.value;
  if (root.status === EVALUATED) then();
  else watch(promise, then);
}

/** Then `process` is to say at the end that it never went on. */
function isWaiting(record) { return (record.cycleRoot ?? record).status === EVALUATING_ASYNC; }

/**
 * The program itself runs as a job of promises: its ticks come behind its promises, as in Node.
 * What cannot be loaded is thrown.
 */
function begin(record) {
  require('internal/modules/main_module').record = record;
  prepare(record);
  watch(Promise.resolve().then(() => {
    const { promise } = evaluate(record);
    if (isWaiting(record)) require('process');
    return promise;
  }));
}

/** The program is a module. */
function runMain(path) {
  require('internal/modules/main_module').path = path;
  run(toUrl(path), undefined);
}

/** What the entry point names, resolved from an importer; undefined: it has no importer. */
function run(specifier, importer, then) {
  if (isLater()) return watch(require('internal/esm/async_import').run(specifier, importer), then);
  const from = importer ?? (isHooked() ? undefined : toPath(specifier) ?? specifier);
  const record = request(specifier, from, []);
  return then === undefined ? begin(record) : runRecord(record, then);
}

/** The program is a module at an address that is no file's. */
function runAddress(url) { run(url, undefined); }

/** A text that is no file; it waits under its path. */
function runText(path) {
  const record = new SourceRecord(toUrl(path), path, parse(path, undefined, true));
  require('internal/modules/main_module').record = record;
  if (isLater()) watch(require('internal/esm/async_import').startRecord(record));
  else begin(record);
}

// --- `require` of a module

/** @param note is given the record before it runs, for those who ask meanwhile */
function requireFile(module, path, source, note) {
  checkRequire(path, require('module').parentOf(module)?.filename);
  const url = toUrl(path);
  let record = source === undefined ? records.get(url) : undefined;
  if (record === undefined) {
    record = new SourceRecord(url, path, parse(path, source, true));
    records.set(url, record);
  }
  note(record);
  return requireRecord(record, require('module').parentOf(module)?.filename);
}

/** Throws if flags forbid `require` of ES modules. */
function checkRequire(path, importer) {
  const { isDenied } = require('internal/options');
  if (!isDenied('--experimental-require-module') && !isDenied('--require-module')) return;
  throw require('internal/esm/load_diagnostics').requireOfModule(path, importer);
}

/** What `require` gives of a module that was found already. */
function requireRecord(record, importer) {
  if (record.status === EVALUATING || record.status === EVALUATING_ASYNC) throw inCycle(`require() ES Module ${record.path}`, importer);
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

function inCycle(what, importer) {
  const message = importer
    ? `Cannot ${what} in a cycle. (from ${importer}) ${CYCLE}`
    : `Cannot ${what} in a cycle. ${CYCLE}`;
  return fail('ERR_REQUIRE_CYCLE_MODULE', message, Error);
}

/** Also of one that has run: who requires it must not depend on that. */
function awaits(record) { return record.isAsyncGraph ??= hasAwait(record, new Set()); }

function hasAwait(record, seen) {
  if (seen.has(record)) return false;
  seen.add(record);
  return record.isAsyncGraph ?? (record.hasTopLevelAwait || record.loaded.some((required) => hasAwait(required, seen)));
}

/**
 * What `require` gives of a module: its namespace, marked as one where there is a default for tools
 * to find.
 */
function exportsOf(record) {
  const own = namespace.of(record);
  if (record.resolveExport('module.exports') !== null) return own['module.exports'];
  if (record.resolveExport('default') === null || record.resolveExport('__esModule') !== null) return own;
  record.marked ??= require('internal/esm/synthetic').marked(record);
  return namespace.of(record.marked);
}

function requireUnfinished(record, importer) {
  if (record.status === EVALUATING || record.status === EVALUATING_ASYNC) throw inCycle(`require() ES Module ${record.path}`, importer);
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
  const takesParent = require('internal/options').getOptionValue('--experimental-import-meta-resolve');
  if (!isOfHooks()) meta.resolve = takesParent
    ? function resolve(specifier, parentURL = url) { return metaUrl(`${specifier}`, importerOf(parentURL)); }
    : function resolve(specifier) { return metaUrl(`${specifier}`, path ?? url); };
  meta.url = url;
  if (path !== undefined) {
    for (const [key, value] of [['dir', meta.dirname], ['path', path], ['file', path.slice(path.lastIndexOf('/') + 1)]]) {
      Object.defineProperty(meta, key, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    }
    require('internal/globals').lazy(meta, 'require', () => require('module').createRequire(path));
  }
  return meta;
}

/** The hooks thread cannot answer synchronously. */
function isOfHooks() { return require('internal/modules/main_module').worker?.about.kind === 'hooks'; }

function metaUrl(specifier, importer) {
  if (!isHooked()) return urlOf(resolveMeta(specifier, importer));
  return require('internal/esm/sync_hooks').resolve(specifier, importer, { __proto__: null }, resolveMeta).url;
}

/** Who imports, as a program names it. */
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

/** A file that is not there has an address all the same, and so has a directory. */
function resolveMeta(specifier, importer) {
  const found = resolve(specifier, importer);
  if (!NO_FILE.has(found[1])) return found;
  if (/^(?:\.{0,2}\/|file:)/.test(specifier)) {
    const base = importer[0] === '/' ? toUrl(importer) : importer;
    return [URL_RESULT, new (require('web/url').URL)(specifier, base).href];
  }
  // Below a package.
  return found[3] === undefined ? found : [URL_RESULT, toUrl(found[3]) + (specifier.endsWith('/') ? '/' : '')];
}

/** Modules see what programs changed of builtins. */
function syncBuiltins() {
  const { syncBuiltin } = require('internal/esm/synthetic');
  for (const record of records.values()) if (record.url.startsWith('node:') && record.own !== undefined) syncBuiltin(record);
}

module.exports = {
  checkRequire, exportsOf, forget, importDynamic, importSource, make, makeMeta, records, requestSource, requireFile, requireRecord, requireUnfinished, resolve, run, runAddress, runMain, runText,
  start, syncBuiltins, toPath, typeUnsaid, urlOf, urlOfImport,
};
