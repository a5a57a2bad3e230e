// What `import` asks while hooks of the program's are registered, and waits for: `require` of
// modules, `import.meta.resolve`, all where `registerHooks` has hooks. In: specifiers. Out: records
// of what the hooks say. Absent: asking without waiting (later.js).
'use strict';

const { SourceRecord } = require('internal/esm/record');
const { FILE, BUILTIN, URL: URL_RESULT, FORMATS } = require('internal/modules/resolution_result');
const { toUrl, toPath } = require('internal/modules/file_url');
const hooks = require('internal/modules/hooks');
const esm = require('internal/esm');
const loader = internalBinding('loader');

const CONDITIONS = Object.freeze(['node', 'import', 'module-sync', 'node-addons']);

/** What of data has a format that only we have. */
const OWN_FORMATS = new Set(['jsonc', 'toml', 'yaml', 'text', 'file']);

/** `attributes` are keys and values in turn. */
function attributesOf(attributes) {
  const given = { __proto__: null };
  for (let index = 0; index < attributes.length; index += 2) given[attributes[index]] = attributes[index + 1];
  return given;
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

/** The key of a record: what hooks say of attributes counts more than the import. */
function placeOf({ url, importAttributes }, given) {
  const attributes = importAttributes ?? given;
  const type = typeof attributes.type === 'string' ? attributes.type : undefined;
  return { key: type === undefined ? url : `${type}:${url}`, attributes, type };
}

/** What hooks say that a specifier stands for, and what it is without them where they asked. */
function resolve(specifier, importer, importAttributes, resolveOwn) {
  let found;
  const about = { parentURL: parentOf(importer), conditions: CONDITIONS, importAttributes };
  const result = hooks.resolve(specifier, about, (asked, context, conditions) => {
    const { parentURL } = context;
    if (hooks.provider?.resolveNow !== undefined) return hooks.provider.resolveNow(asked, context);
    const from = importerOf(parentURL);
    found = conditions === undefined || from[0] !== '/' ? resolveOwn(asked, from) : loader.resolve(asked, from, loader.importer.FILE, true, conditions);
    return { __proto__: null, url: esm.urlOf(found), format: formatOf(found) };
  });
  return { ...result, found };
}

/** As far as a name or a package says it. */
function formatOf(found) {
  if (found[0] === BUILTIN) return 'builtin';
  if (found[0] !== FILE) return undefined;
  const format = FORMATS[found[2]];
  return format === 'unspecified' || format === 'other' ? undefined : format;
}

function request(specifier, importer, attributes) {
  const given = attributesOf(attributes);
  const resolved = resolve(specifier, importer, given, esm.resolve);
  if (given.type === undefined && resolved.found !== undefined) given.type = esm.typeUnsaid(resolved.found, importer ?? '');
  const { key, type, attributes: about } = placeOf(resolved, given);
  const known = esm.records.get(key);
  if (known !== undefined) return known;
  const record = make(resolved, about, type);
  esm.records.set(key, record);
  return record;
}

function make({ url, format, found }, importAttributes, type) {
  const path = toPath(url);
  const isKnown = found !== undefined && found[0] <= URL_RESULT && esm.urlOf(found) === url;
  const own = isKnown || !/^(?:file|data):/.test(url) ? found : esm.resolve(url, path ?? '/');
  const usual = own === undefined ? undefined : formatOf(own);
  const loaded = hooks.load(url, { format, usual: usual ?? format, conditions: CONDITIONS, importAttributes }, true);
  if (!loaded.isOwn) return recordOf(url, loaded, type);
  if (url.startsWith('node:')) return esm.make([BUILTIN, url.slice(5)], url, type);
  return esm.make(own ?? esm.resolve(url, path ?? '/'), url, type);
}

/**
 * The record of what hooks gave; whose text is a module's is told by the text where they do not say
 * it.
 */
function recordOf(url, { format, source }, type) {
  const path = toPath(url);
  const place = path ?? url;
  switch (format) {
    case 'builtin': return esm.make([BUILTIN, url.replace(/^node:/, '')], url, type);
    case 'json': return require('internal/esm/synthetic').ofJsonText(url, textOf(source), place);
    case 'wasm': return require('internal/esm/wasm').make(url, path, bytesOf(source));
    case 'addon': return require('internal/esm/synthetic').ofCommonJs(url, place);
    case 'commonjs':
    case 'commonjs-typescript': return commonJsOf(url, place, source);
    case 'module':
    case 'module-typescript': return new SourceRecord(url, path, loader.parseModule(place, textOf(source), true));
    case undefined:
    case null: return unsaid(url, path, textOf(source));
  }
  if (OWN_FORMATS.has(format) && path !== undefined && (source ?? undefined) === undefined) return esm.make(esm.resolve(url, path), url, type);
  const { codes: { ERR_UNKNOWN_MODULE_FORMAT } } = require('internal/errors');
  throw new ERR_UNKNOWN_MODULE_FORMAT(format, url);
}

function unsaid(url, path, text) {
  const parsed = loader.parseModule(path ?? url, text, false);
  return parsed === undefined ? commonJsOf(url, path ?? url, text) : new SourceRecord(url, path, parsed);
}

/** Without a source it is loaded by `require`, which calls synchronous hooks only. */
function commonJsOf(url, path, source) {
  const synthetic = require('internal/esm/synthetic');
  if ((source ?? undefined) === undefined) return synthetic.ofCommonJs(url, path);
  const text = textOf(source);
  if (hooks.provider === undefined) return synthetic.ofCommonJsText(url, path, text);
  return require('internal/esm/sync_hooks_commonjs').make(url, path, text);
}

const textOf = (source) => hooks.textOf(source, 'string, array buffer, or typed array');

function bytesOf(source) {
  if (hooks.isBytes(source)) return source;
  throw hooks.refuse('load', { expected: 'an ArrayBuffer or a TypedArray', property: 'source', value: source });
}

module.exports = { CONDITIONS, attributesOf, formatOf, importerOf, make, parentOf, placeOf, recordOf, request, resolve };
