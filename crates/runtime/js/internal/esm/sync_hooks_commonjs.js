// CommonJS whose source hooks of `module.register` returned. In: the source. Out: a record with the
// statically detected exports; its `require` goes through the hooks, too. Absent: CommonJS whose
// source they did not change (js/node/module.js).
'use strict';

const { SyntheticRecord, SourceRecord, NEW } = require('internal/esm/record');
const { toUrl, toPath } = require('internal/modules/file_url');
const { dirname } = require('internal/modules/paths');
const { validateString } = require('internal/validators');
const hooks = require('internal/modules/hooks');
const syncHooks = require('internal/esm/sync_hooks');
const esm = require('internal/esm');
const Module = require('module');
const loader = internalBinding('loader');

function createRecord(url, path, text) {
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
  const counted = require('internal/inspector/block_coverage').countText(path, text, false);
  const compiled = loader.compileText(path, counted, true);
  const { TranspilerRuntime } = require('internal/transpiler_runtime');
  Reflect.apply(TranspilerRuntime.fileFunction(compiled, path), module.exports, [module.exports, requireOf(module), module, path, dirname(path)]);
}

function requireOf(module) {
  const requireFunction = Module.makeRequire(module);
  module.require = function require(id) {
    validateString(id, 'id');
    return requireThrough(module, id);
  };
  requireFunction.resolve = function resolve(id, options) {
    validateString(id, 'id');
    if (Module.isBuiltin(id)) return id;
    const { url } = syncHooks.resolve(requestFor(module, id, options), module.filename, { __proto__: null }, esm.resolve);
    return url.startsWith('node:') ? url.slice(5) : toPath(url) ?? url;
  };
  return requireFunction;
}

/**
 * The resolution of `require` as hooks get it; synchronous hooks may change it.
 */
function requestFor(module, id, options) {
  let filename;
  try {
    filename = Module._resolveFilename(id, module, false, options);
  } catch (error) {
    if (!hooks.has()) throw error;
    return id;
  }
  return Module.isBuiltin(filename) ? filename : toUrl(filename);
}

function requireThrough(module, id) {
  if (Module.isBuiltin(id)) return exportsOf(syncHooks.request(id, module.filename, []), module);
  const request = requestFor(module, id);
  if (request.endsWith('.node')) return Module._load(id, module, false);
  return exportsOf(syncHooks.request(request, module.filename, request.endsWith('.json') ? ['type', 'json'] : []), module);
}

function exportsOf(record, module) {
  if (record instanceof SourceRecord) {
    esm.checkRequire(record.path, module.filename);
    return esm.requireRecord(record, module.filename);
  }
  // A module that was started is in a cycle with this one, or has finished.
  if (record.module !== undefined) return record.module.exports;
  if (record.isCommonJs && record.status !== NEW && Module._cache[record.path] !== undefined) return Module._cache[record.path].exports;
  esm.requireRecord(record, module.filename);
  return record.isCommonJs ? record.bindings['module.exports'] : record.bindings.default;
}

module.exports = { createRecord };
