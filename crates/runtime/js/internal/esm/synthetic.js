// What is imported and is no module: builtins, CommonJS, JSON, strings. In: where it is. Out:
// records with names and values. Absent: addresses that are no files (esm/address.js).
'use strict';

const { SyntheticRecord, EVALUATED } = require('internal/esm/record');
const fail = require('internal/esm/failure');
const loader = internalBinding('loader');

/**
 * What an import may say of the format, and what it is without a word. JSON alone must be said, as
 * in Node (esm.js knows who need not).
 */
const TYPES = new Set(['json', 'jsonc', 'toml', 'yaml', 'text', 'file']);
const DATA = { __proto__: null, '.txt': 'text', '.jsonc': 'jsonc', '.toml': 'toml', '.yaml': 'yaml', '.yml': 'yaml' };

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

/** Of a file's name; undefined for programs. */
function kindOfData(path) {
  const dot = path.lastIndexOf('.');
  return DATA[dot === -1 ? '' : path.slice(dot)];
}

/** JSON and what is like it, strings, paths; undefined for programs. */
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
  return ofTable(url, readData(path, kind));
}

/** What is like JSON; its members are names, too, as in bun. */
function ofTable(url, value) {
  const isTable = value !== null && typeof value === 'object' && !Array.isArray(value);
  const names = isTable ? Object.keys(value).filter((name) => name !== 'default') : [];
  return new SyntheticRecord(url, [...names, 'default'], ({ bindings }) => {
    for (const name of names) bindings[name] = value[name];
    bindings.default = value;
  });
}

function readText(path) { return loader.read(path).replace(/^\uFEFF/, ''); }

function readData(path, kind) {
  const { parsers } = require('internal/data_formats');
  try {
    return parsers[kind](readText(path));
  } catch (error) {
    error.message = `${path}: ${error.message}`;
    throw error;
  }
}

/** JSON whose text somebody gave. */
function ofJsonText(url, text, path) {
  return new SyntheticRecord(url, ['default'], (record) => { record.bindings.default = parseJson(text, path); });
}

function unknownFormat(url, path) {
  const extension = /\.[^./]*$/.exec(path)?.[0] ?? '';
  return fail('ERR_UNKNOWN_FILE_EXTENSION', `Unknown file extension "${extension}" for ${path}`, TypeError);
}

/** What `require` gave of the file is what it is. */
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

/** Getters stay getters: a builtin loads on first use what few programs ask for. */
function ofBuiltin(name, url) {
  const value = require('internal/builtin_list').load(name);
  const isObject = value !== null && (typeof value === 'object' || typeof value === 'function');
  const names = isObject ? Object.keys(value).filter((key) => key !== 'default') : [];
  const record = new SyntheticRecord(url, [...names, 'default'], () => syncBuiltin(record));
  record.value = value;
  record.own = names;
  syncBuiltin(record);
  return record;
}

function syncBuiltin(record) {
  const { bindings, value } = record;
  bindings.default = value;
  for (const name of record.own) {
    const own = Object.getOwnPropertyDescriptor(value, name);
    const binding = { __proto__: null, configurable: true, enumerable: true };
    if (own === undefined) delete bindings[name];
    else if (own.get !== undefined) Object.defineProperty(bindings, name, { ...binding, get: () => value[name] });
    // What was a getter before may be a value now.
    else Object.defineProperty(bindings, name, { ...binding, value: value[name], writable: true });
  }
}

/** The names are found in the text; the values are there when it has run. */
function ofCommonJs(url, path) {
  const names = new Set(exportsOf(path, new Set()));
  names.add('default');
  names.add('module.exports');
  const record = new SyntheticRecord(url, names, () => {
    const Module = require('module');
    const main = require('internal/modules/main_module');
    // Hooks were asked when it was imported.
    const load = main.isHooked ? Module.loadUnhooked : Module._load;
    fill(record, main.path === path ? load(path, null, true) : load(path, undefined, false));
  });
  record.isCommonJs = true;
  record.path = path;
  return record;
}

/**
 * CommonJS whose text somebody gave; its names are what it exports when it has run, so it runs at
 * once.
 */
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

function fill({ bindings, names }, value) {
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
        // A getter of the program's: what it throws is not the importer's.
      }
    }
    bindings[name] = own;
  }
}

/** `text`: what is in it, where somebody gave that. */
function exportsOf(path, seen, text) {
  if (seen.has(path)) return [];
  seen.add(path);
  const [names, again] = loader.commonJsExports(path, text);
  const found = [...names];
  for (const specifier of again) {
    const other = loader.resolve(specifier, path, loader.importer.FILE, false);
    // FILE, and of a kind that has names in its text.
    if (other[0] === 0 && (other[2] === 1 || other[2] === 2)) found.push(...exportsOf(other[1], seen));
  }
  return found;
}

/** The same exports, and `__esModule`. */
function marked(record) {
  const names = record.exportedNames();
  const own = new SyntheticRecord(record.url, ['__esModule'], () => {});
  own.bindings.__esModule = true;
  own.status = EVALUATED;
  own.exportedNames = () => [...names, '__esModule'];
  own.resolveExport = (name) => (name === '__esModule' ? [own, name] : record.resolveExport(name));
  return own;
}

module.exports = {
  checkKnown, checkType, exportsOf, fill, kindOfData, marked, ofBuiltin, ofCommonJs, ofCommonJsText, ofData, ofJsonText, readData, syncBuiltin,
};
