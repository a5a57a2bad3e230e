// Import through customization hooks, synchronously: `import.meta.resolve`, `require` of modules,
// and every import while `registerHooks` has hooks. In: specifiers. Out: records. Absent:
// asynchronous import (async_import.js).
'use strict';

const { SourceRecord } = require('internal/esm/record');
const { FILE, BUILTIN, URL: URL_RESULT, FORMATS } = require('internal/modules/resolution_result');
const { toUrl, toPath } = require('internal/modules/file_url');
const hooks = require('internal/modules/hooks');
const esm = require('internal/esm');
const loader = internalBinding('loader');

const CONDITIONS = Object.freeze(['node', 'import', 'module-sync', 'node-addons']);

/** Data formats that Node does not have. */
const DATA_FORMATS = new Set(['jsonc', 'json5', 'toml', 'yaml', 'xml', 'md', 'text', 'file', 'sqlite']);

/** An object of `attributes`, which has keys and values alternately. */
function attributesOf(attributes) {
  const importAttributes = { __proto__: null };
  for (let index = 0; index < attributes.length; index += 2) importAttributes[attributes[index]] = attributes[index + 1];
  return importAttributes;
}

/** The importer as hooks get it (`parentURL`); undefined: there is none. */
const parentOf = (importer) => (importer?.[0] === '/' ? toUrl(importer) : importer);

/** The importer as the resolver takes it: for a directory, a file in it. */
function importerOf(parentURL) {
  if (parentURL === undefined) return `${loader.currentDir()}/noop.js`;
  const path = toPath(parentURL);
  if (path === undefined) return parentURL;
  return path.endsWith('/') ? `${path}noop.js` : path;
}

/** The key in the module map. Attributes that hooks return replace those of the import. */
function keyOf({ url, importAttributes }, ownAttributes) {
  const attributes = importAttributes ?? ownAttributes;
  const type = typeof attributes.type === 'string' ? attributes.type : undefined;
  return { key: type === undefined ? url : `${type}:${url}`, attributes, type };
}

/**
 * The URL that hooks resolve a specifier to; `resolution`: the default resolution, if they called
 * it.
 */
function resolve(specifier, importer, importAttributes, defaultResolve) {
  let resolution;
  const hookContext = { parentURL: parentOf(importer), conditions: CONDITIONS, importAttributes };
  const result = hooks.resolve(specifier, hookContext, (target, context, conditions) => {
    const { parentURL } = context;
    if (hooks.asyncHooks?.resolveSync !== undefined) return hooks.asyncHooks.resolveSync(target, context);
    const from = importerOf(parentURL);
    resolution = conditions === undefined || from[0] !== '/' ? defaultResolve(target, from) : loader.resolve(target, from, loader.importer.FILE, true, conditions);
    return { __proto__: null, url: esm.urlOf(resolution), format: formatOf(resolution) };
  });
  return { ...result, resolution };
}

/** The format, if the file's extension or package determines it. */
function formatOf(resolution) {
  if (resolution[0] === BUILTIN) return 'builtin';
  if (resolution[0] !== FILE) return undefined;
  const format = FORMATS[resolution[2]];
  return format === 'unspecified' || format === 'other' ? undefined : format;
}

function request(specifier, importer, attributes) {
  const importAttributes = attributesOf(attributes);
  const resolved = resolve(specifier, importer, importAttributes, esm.resolve);
  if (importAttributes.type === undefined && resolved.resolution !== undefined) importAttributes.type = esm.implicitType(resolved.resolution, importer ?? '');
  const { key, type, attributes: finalAttributes } = keyOf(resolved, importAttributes);
  const known = esm.records.get(key);
  if (known !== undefined) return known;
  const record = createRecord(resolved, finalAttributes, type);
  esm.records.set(key, record);
  return record;
}

function createRecord({ url, format, resolution }, importAttributes, type) {
  const path = toPath(url);
  const isKnown = resolution !== undefined && resolution[0] <= URL_RESULT && esm.urlOf(resolution) === url;
  const own = isKnown || !/^(?:file|data):/.test(url) ? resolution : esm.resolve(url, path ?? '/');
  const defaultFormat = own === undefined ? undefined : formatOf(own);
  const loaded = hooks.load(url, { format, defaultFormat: defaultFormat ?? format, conditions: CONDITIONS, importAttributes }, true);
  if (!loaded.isUnchanged) return recordOf(url, loaded, type);
  if (url.startsWith('node:')) return esm.createRecord([BUILTIN, url.slice(5)], url, type);
  return esm.createRecord(own ?? esm.resolve(url, path ?? '/'), url, type);
}

/**
 * The record of the source that hooks returned. Without a format, the syntax decides between
 * CommonJS and ES module.
 */
function recordOf(url, { format, source }, type) {
  const path = toPath(url);
  const location = path ?? url;
  switch (format) {
    case 'builtin': return esm.createRecord([BUILTIN, url.replace(/^node:/, '')], url, type);
    case 'object': return require('internal/esm/synthetic').ofObject(url, source);
    case 'json': return require('internal/esm/synthetic').ofJsonText(url, textOf(source), location);
    case 'wasm': return require('internal/esm/wasm').createRecord(url, path, bytesOf(source));
    case 'addon': return require('internal/esm/synthetic').ofCommonJs(url, location);
    case 'commonjs':
    case 'commonjs-typescript': return commonJsOf(url, location, source);
    case 'module':
    case 'module-typescript': return new SourceRecord(url, path, loader.parseModule(location, countText(location, textOf(source), true), true));
    case undefined:
    case null: return detectFormat(url, path, textOf(source));
  }
  if (DATA_FORMATS.has(format) && path !== undefined && (source ?? undefined) === undefined) return esm.createRecord(esm.resolve(url, path), url, type);
  const { codes: { ERR_UNKNOWN_MODULE_FORMAT } } = require('internal/errors');
  throw new ERR_UNKNOWN_MODULE_FORMAT(format, url);
}

function countText(name, text, isModule) { return require('internal/inspector/block_coverage').countText(name, text, isModule); }

function detectFormat(url, path, source) {
  const text = countText(path ?? url, source, undefined);
  const parsed = loader.parseModule(path ?? url, text, false);
  return parsed === undefined ? commonJsOf(url, path ?? url, source) : new SourceRecord(url, path, parsed);
}

/** Without a source it is loaded by `require`, which calls synchronous hooks only. */
function commonJsOf(url, path, source) {
  const synthetic = require('internal/esm/synthetic');
  if ((source ?? undefined) === undefined) return synthetic.ofCommonJs(url, path);
  const text = textOf(source);
  if (hooks.asyncHooks === undefined) return synthetic.ofCommonJsText(url, path, text);
  return require('internal/esm/sync_hooks_commonjs').createRecord(url, path, text);
}

const textOf = (source) => hooks.textOf(source, 'string, array buffer, or typed array');

function bytesOf(source) {
  if (hooks.isBytes(source)) return source;
  throw hooks.invalidReturn('load', { expected: 'an ArrayBuffer or a TypedArray', property: 'source', value: source });
}

module.exports = { CONDITIONS, attributesOf, formatOf, importerOf, createRecord, parentOf, keyOf, recordOf, request, resolve };
