// Synthetic module records: builtins, CommonJS, JSON and other data. In: a name or path. Out:
// records with names and values. Absent: `data:` URLs (esm/data_url.js).
'use strict';

const { SyntheticRecord, EVALUATED } = require('internal/esm/record');
const fail = require('internal/esm/failure');
const { FILE, FORMATS } = require('internal/modules/resolution_result');
const loader = internalBinding('loader');

/**
 * The values of the import attribute `type`, and the types by extension. Only JSON needs the
 * attribute, as in Node (`implicitType` of esm.js has the exceptions).
 */
const TYPES = new Set(['json', 'jsonc', 'json5', 'toml', 'yaml', 'xml', 'md', 'text', 'file', 'sqlite']);
const DATA = {
  __proto__: null, '.txt': 'text', '.jsonc': 'jsonc', '.json5': 'json5', '.toml': 'toml', '.yaml': 'yaml', '.yml': 'yaml', '.xml': 'xml',
  '.md': 'md', '.markdown': 'md', '.html': 'html', '.css': 'css',
};

/** Files that pages load: their value is the path, as in bun. */
const ASSET = /\.(?:svg|png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|mp[34]|webm|ogg|wav|pdf)$/;

function checkKnown(type, url) {
  if (type !== undefined && !TYPES.has(type)) {
    throw fail('ERR_IMPORT_ATTRIBUTE_UNSUPPORTED', `Import attribute "type" with value "${type}" is not supported in ${url}`, TypeError);
  }
}

function checkType(url, format, type) {
  checkKnown(type, url);
  if (format === 'json' && type === undefined) {
    throw fail('ERR_IMPORT_ATTRIBUTE_MISSING', `Module "${url}" needs an import attribute of "type: json"`, TypeError);
  }
  if (type === 'json' && format !== 'json' && format !== 'other') {
    throw fail('ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE', `Module "${url}" is not of type "json"`, TypeError);
  }
}

/** The data type by a file's extension; undefined for programs. */
function kindOfData(path) {
  const dot = path.lastIndexOf('.');
  return DATA[dot === -1 ? '' : path.slice(dot)] ?? (ASSET.test(path) ? 'file' : undefined);
}

/** The record of a data file; undefined for programs. */
function ofData(url, path, format, type) {
  const kind = type ?? kindOfData(path);
  if (kind === undefined) {
    if (format === 'other' || format === 'addon') throw unknownFormat(url, path);
    return undefined;
  }
  if (kind === 'json' || kind === 'text' || kind === 'file') {
    return new SyntheticRecord(url, ['default'], (record) => {
      record.bindings.default = kind === 'json' ? jsonOf(path) : kind === 'text' ? readText(path) : path;
    });
  }
  // Styles are for bundles: a program runs without them, as in bun.
  if (kind === 'css') return ofValue(url, {});
  if (kind === 'html') return ofValue(url, require('internal/dev_server/html_bundle').htmlBundle(path));
  if (kind === 'sqlite') return ofDatabase(url, path);
  return ofTable(url, readData(path, kind));
}

function ofValue(url, value) {
  return new SyntheticRecord(url, ['default'], ({ bindings }) => { bindings.default = value; });
}

/** A database, open while the program runs. */
function ofDatabase(url, path) {
  return new SyntheticRecord(url, ['db', 'default'], ({ bindings }) => { bindings.db = bindings.default = openDatabase(path); });
}

function openDatabase(path) {
  const { Database } = require('internal/sqlite/database');
  return new Database(path);
}

/** JSONC, JSON5, TOML, YAML, XML: members are named exports, too, as in bun. */
function ofTable(url, value) {
  const isTable = value !== null && typeof value === 'object' && !Array.isArray(value);
  const names = isTable ? Object.keys(value).filter((name) => name !== 'default') : [];
  return new SyntheticRecord(url, [...names, 'default'], ({ bindings }) => {
    for (const name of names) bindings[name] = value[name];
    bindings.default = value;
  });
}

/** The exports that a plugin of `Bun.plugin` returned. */
function ofObject(url, exports) {
  return new SyntheticRecord(url, Object.keys(exports), ({ bindings }) => { Object.assign(bindings, exports); });
}

function readText(path) { return loader.read(path).replace(/^\uFEFF/, ''); }

function readData(path, kind) {
  if (kind === 'file') return path;
  if (kind === 'css') return {};
  if (kind === 'html') return require('internal/dev_server/html_bundle').htmlBundle(path);
  if (kind === 'sqlite') return openDatabase(path);
  const { parsers } = require('internal/data_formats');
  try {
    // The document says how it is encoded.
    return parsers[kind](kind === 'xml' ? require('fs').readFileSync(path) : readText(path));
  } catch (error) {
    error.message = `${path}: ${error.message}`;
    throw error;
  }
}

/** JSON whose source a hook returned. */
function ofJsonText(url, text, path) {
  return new SyntheticRecord(url, ['default'], (record) => { record.bindings.default = parseJson(text, path); });
}

function unknownFormat(url, path) {
  const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
  return fail('ERR_UNKNOWN_FILE_EXTENSION', `Unknown file extension "${extension}" for ${path}`, TypeError);
}

/** The value of a JSON file; shared with `require`. */
function jsonOf(path) {
  const known = require('module')._cache[path];
  return known?.loaded === true ? known.exports : parseJson(readText(path), path);
}

function parseJson(text, path) {
  try {
    return JSON.parse(text);
  } catch (error) {
    error.message = `${path}: ${error.message}`;
    throw error;
  }
}

/** Of the module 'bun': names that can be imported and are undefined. */
const kAbsentExports = Symbol.for('rusk.absentExports');

/** Getters stay getters: a builtin loads rarely used parts on first access. */
function ofBuiltin(name, url) {
  const value = require('internal/builtin_list').load(name);
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  const names = isObject ? Object.keys(value).filter((key) => key !== 'default') : [];
  const absent = isObject ? value[kAbsentExports] ?? [] : [];
  const record = new SyntheticRecord(url, [...names, ...absent, 'default'], () => syncBuiltin(record));
  for (const name of absent) record.bindings[name] = undefined;
  record.value = value;
  record.own = names;
  record.hasDefault = isObject && Object.hasOwn(value, 'default');
  syncBuiltin(record);
  return record;
}

function syncBuiltin(record) {
  const { bindings, value } = record;
  bindings.default = record.hasDefault ? value.default : value;
  for (const name of record.own) {
    const own = Object.getOwnPropertyDescriptor(value, name);
    const binding = { __proto__: null, configurable: true, enumerable: true };
    if (own === undefined) delete bindings[name];
    else if (own.get !== undefined) Object.defineProperty(bindings, name, { ...binding, get: () => value[name] });
    // A lazy getter may have become a value.
    else Object.defineProperty(bindings, name, { ...binding, value: value[name], writable: true });
  }
}

/** Names come from static detection; values when it was evaluated. */
function ofCommonJs(url, path) {
  const names = new Set(exportsOf(path, new Set()));
  names.add('default');
  names.add('module.exports');
  const record = new SyntheticRecord(url, names, () => {
    const Module = require('module');
    const main = require('internal/modules/main_module');
    // The hooks ran when it was imported.
    const load = main.isHooked ? Module.loadUnhooked : Module._load;
    fill(record, main.path === path ? load(path, null, true) : load(path, undefined, false));
  });
  record.isCommonJs = true;
  record.path = path;
  return record;
}

/** CommonJS whose source a hook returned. It is evaluated at once, for the names of its exports. */
function ofCommonJsText(url, path, text) {
  const Module = require('module');
  const module = new Module(path);
  module.filename = path;
  module.paths = Module._nodeModulePaths(require('internal/modules/paths').dirname(path));
  module._compile(text, path, 'commonjs');
  module.loaded = true;
  const value = module.exports;
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  const names = new Set([...(isObject ? Object.keys(value) : []), 'default', 'module.exports']);
  return new SyntheticRecord(url, names, (record) => fill(record, value));
}

function fill(record, value) {
  const { bindings, names, awaited } = record;
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  bindings['module.exports'] = value;
  bindings.default = value;
  for (const name of names) {
    if (name === 'default' || name === 'module.exports') continue;
    let own;
    if (isObject && Object.hasOwn(value, name)) {
      try {
        own = value[name];
      } catch {
        // A getter of the program; the importer does not see what it throws.
      }
    }
    bindings[name] = own;
  }
  if (awaited !== undefined) for (const [name, fail] of awaited) fillName(record, name, fail);
}

/** A name that was not detected. `fail` throws. */
function fillName({ bindings }, name, fail) {
  const { default: value } = bindings;
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  if (!isObject || !(name in value)) fail();
  bindings[name] = value[name];
}

/**
 * Statically detected exports, with those that it re-exports. `text`: source that a hook returned.
 */
function exportsOf(path, visited, text) {
  if (visited.has(path)) return [];
  visited.add(path);
  const [names, reexports] = loader.commonJsExports(path, text);
  const found = [...names];
  for (const specifier of reexports) {
    const other = loader.resolve(specifier, path, loader.importer.FILE, false);
    if (other[0] === FILE && (FORMATS[other[2]] === 'commonjs' || FORMATS[other[2]] === 'unspecified')) found.push(...exportsOf(other[1], visited));
  }
  return found;
}

/** A record with the same exports and `__esModule`. */
function withEsModuleMark(record) {
  const names = record.exportedNames();
  const own = new SyntheticRecord(record.url, ['__esModule'], () => {});
  own.bindings.__esModule = true;
  own.status = EVALUATED;
  own.exportedNames = () => [...names, '__esModule'];
  own.resolveExport = (name) => (name === '__esModule' ? [own, name] : record.resolveExport(name));
  return own;
}

module.exports = {
  checkKnown, checkType, exportsOf, fill, fillName, kindOfData, withEsModuleMark, ofBuiltin, ofCommonJs, ofCommonJsText, ofData, ofJsonText, ofObject, readData, syncBuiltin,
};
