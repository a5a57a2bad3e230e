// CommonJS loading through the hooks of `module.registerHooks`. In: requests. Out: exports of
// modules whose resolution and source the hooks determined. Absent: loading without hooks
// (js/node/module.js), hooks of `module.register` (esm/sync_hooks_commonjs.js).
'use strict';

const Module = require('module');
const { FILE } = require('internal/modules/resolution_result');
const hooks = require('internal/modules/hooks');
const main = require('internal/modules/main_module');
const paths = require('internal/modules/paths');
const { isBuiltin } = Module;
const loader = internalBinding('loader');

/** Functions and state of js/node/module.js that it does not export. */
let commonJsFiles;
let extensionOf;
let kUrl;
let resolutionError;
let unfinishedExports;

const CONDITIONS = Object.freeze(['require', 'node', 'module-sync', 'node-addons']);

/** Runs the `resolve` hooks of the program. */
function resolveUrl(request, parent, isMain, options) {
  const parentURL = parent?.[kUrl] ?? (parent?.filename ? hooks.toUrl(parent.filename) : undefined);
  const context = { parentURL, conditions: CONDITIONS, importAttributes: {} };
  return hooks.resolve(request, context, (target, _, conditions) => {
    const filename = conditions === undefined || isBuiltin(target)
      ? Module._resolveFilename(target, parent, isMain, options)
      : resolveWithConditions(target, parent, conditions);
    return isBuiltin(filename)
      ? { __proto__: null, url: filename.startsWith('node:') ? filename : `node:${filename}`, format: 'builtin' }
      : { __proto__: null, url: hooks.toUrl(filename), format: formatOf(filename) };
  });
}

/** Resolves with the conditions that a hook set. */
function resolveWithConditions(request, parent, conditions) {
  const from = parent?.filename ?? loader.currentDir();
  const resolution = loader.resolve(request, from, parent?.filename ? loader.importer.FILE : loader.importer.DIRECTORY, false, conditions);
  if (resolution[0] === FILE) return resolution[1];
  throw resolutionError(resolution, request, parent);
}

function formatOf(filename) {
  if (commonJsFiles.has(filename)) return 'commonjs';
  if (filename.endsWith('.json')) return 'json';
  return filename.endsWith('.mjs') ? 'module' : undefined;
}

/** A builtin's name, without `node:` unless it is required. */
function builtinName(url) {
  const name = url.slice(5);
  return isBuiltin(name) ? name : url;
}

function load(request, parent, isMain) {
  const { url, format } = resolveUrl(request, parent, isMain);
  const filename = hooks.toPath(url) ?? url;
  const cached = url.startsWith('node:') ? undefined : Module._cache[filename];
  if (cached !== undefined) return cached.loaded ? cached.exports : unfinishedExports(cached);
  const context = { format, defaultFormat: formatOf(filename) ?? format, conditions: CONDITIONS, importAttributes: {} };
  const loaded = hooks.load(url, context, false);
  if (loaded.isUnchanged && url.startsWith('node:')) return require('internal/builtin_list').load(url.slice(5));
  const module = new Module(filename, parent);
  if (isMain) {
    main.value = module;
    module.id = '.';
  }
  if (url.startsWith('node:')) {
    evaluateInto(module, filename, loaded);
    return module.exports;
  }
  Module._cache[filename] = module;
  try {
    evaluateInto(module, filename, loaded);
    module.loaded = true;
  } catch (error) {
    delete Module._cache[filename];
    throw error;
  }
  return module.exports;
}

function evaluateInto(module, filename, { format, source, isUnchanged }) {
  module.filename = filename;
  module.paths = Module._nodeModulePaths(paths.dirname(filename));
  if (isUnchanged) Module._extensions[extensionOf(filename)](module, filename);
  else if (format === 'object') module.exports = source;
  else if (format === 'json') module.exports = JSON.parse(source);
  else module._compile(source, filename, format);
}

/** Resolves for `require.resolve`. */
function resolve(request, parent, options) {
  const { url } = resolveUrl(request, parent, false, options);
  return url.startsWith('node:') ? builtinName(url) : hooks.toPath(url) ?? url;
}

module.exports = {
  connect(internals) { ({ commonJsFiles, extensionOf, kUrl, resolutionError, unfinishedExports } = internals); },
  hasHooks: hooks.has,
  load,
  resolve,
};
