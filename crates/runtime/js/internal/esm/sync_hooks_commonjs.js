// CommonJS whose text hooks of `module.register` gave. In: that text. Out: a record with the names
// that stand in it; what it requires goes through the hooks, too. Absent: CommonJS whose text they
// left alone, which is js/node/module.js'.
'use strict';

const { SyntheticRecord, SourceRecord, NEW } = require('internal/esm/record');
const { toUrl, toPath } = require('internal/modules/file_url');
const { dirname } = require('internal/modules/paths');
const { validateString } = require('internal/validators');
const hooks = require('internal/modules/hooks');
const hooked = require('internal/esm/sync_hooks');
const esm = require('internal/esm');
const Module = require('module');
const loader = internalBinding('loader');

/** Of a function whose text asks for the file's own object: docs/contributing/transpile.md. */
const OWN_ARGUMENTS = 6;

function make(url, path, text) {
  const { exportsOf, fill } = require('internal/esm/synthetic');
  const names = new Set([...exportsOf(path, new Set(), text), 'default', 'module.exports']);
  const record = new SyntheticRecord(url, names, () => {
    const module = moduleOf(path);
    record.module = module;
    run(module, path, text);
    module.loaded = true;
    fill(record, module.exports);
  });
  record.isCommonJs = true;
  record.path = path;
  return record;
}

function moduleOf(path) {
  const main = require('internal/modules/main_module');
  const module = new Module(path);
  module.filename = path;
  module.paths = Module._nodeModulePaths(module.path);
  if (main.path === path) {
    main.value = module;
    module.id = '.';
  }
  return module;
}

function run(module, path, text) {
  const compiled = loader.compileText(path, text, true);
  const own = compiled.length === OWN_ARGUMENTS ? new (require('internal/transpiler_runtime').Own)(path) : undefined;
  Reflect.apply(compiled, module.exports, [module.exports, requireOf(module), module, path, dirname(path), own]);
}

function requireOf(module) {
  const own = Module.makeRequire(module);
  module.require = function require(id) {
    validateString(id, 'id');
    return requireThrough(module, id);
  };
  own.resolve = function resolve(id, options) {
    validateString(id, 'id');
    if (Module.isBuiltin(id)) return id;
    const { url } = hooked.resolve(placeOf(module, id, options), module.filename, { __proto__: null }, esm.resolve);
    return url.startsWith('node:') ? url.slice(5) : toPath(url) ?? url;
  };
  return own;
}

/**
 * The resolution of `require` as hooks get it; synchronous hooks may change it.
 */
function placeOf(module, id, options) {
  let found;
  try {
    found = Module._resolveFilename(id, module, false, options);
  } catch (error) {
    if (!hooks.has()) throw error;
    return id;
  }
  return Module.isBuiltin(found) ? found : toUrl(found);
}

function requireThrough(module, id) {
  if (Module.isBuiltin(id)) return exportsOf(hooked.request(id, module.filename, []), module);
  const place = placeOf(module, id);
  if (place.endsWith('.node')) return Module._load(id, module, false);
  return exportsOf(hooked.request(place, module.filename, place.endsWith('.json') ? ['type', 'json'] : []), module);
}

function exportsOf(record, module) {
  if (record instanceof SourceRecord) {
    esm.checkRequire(record.path, module.filename);
    return esm.requireRecord(record, module.filename);
  }
  // One that has begun is in a cycle with this one, or has run.
  if (record.module !== undefined) return record.module.exports;
  if (record.isCommonJs && record.status !== NEW && Module._cache[record.path] !== undefined) return Module._cache[record.path].exports;
  esm.requireRecord(record, module.filename);
  return record.isCommonJs ? record.bindings['module.exports'] : record.bindings.default;
}

module.exports = { make };
