// Lazily loaded parts of `node:module`: source map support, hooks, the compile cache.
'use strict';

let support = { nodeModules: true, generatedCode: true };

module.exports = {
  /** Stacks tell the sources of all files or of none. */
  setSourceMapsSupport(enabled, options = {}) {
    const { validateBoolean, validateObject } = require('internal/validators');
    validateBoolean(enabled, 'enabled');
    validateObject(options, 'options');
    const { nodeModules = false, generatedCode = false } = options;
    validateBoolean(nodeModules, 'options.nodeModules');
    validateBoolean(generatedCode, 'options.generatedCode');
    support = { nodeModules, generatedCode };
    internalBinding('source_positions').enableSourceMaps(enabled);
  },

  getSourceMapsSupport() {
    const enabled = internalBinding('source_positions').areSourceMapsEnabled();
    return Object.freeze({ __proto__: null, enabled, ...(enabled ? support : { nodeModules: false, generatedCode: false }) });
  },

  syncBuiltinESMExports() { require('internal/esm').syncBuiltins(); },

  registerHooks(given) {
    const hooks = require('internal/modules/hooks');
    require('module').enableHooks();
    require('internal/modules/main_module').isHooked = true;
    return hooks.register(given);
  },

  /** A file of hooks, on a thread of their own. */
  register(specifier, parentURL = undefined, options = undefined) {
    const { isURL } = require('internal/url');
    if (parentURL !== null && typeof parentURL === 'object' && !isURL(parentURL)) {
      options = parentURL;
      ({ parentURL } = options);
    }
    require('internal/esm/hooks_thread').register(`${specifier}`, `${parentURL ?? 'data:'}`, options?.data, options?.transferList);
  },

  get SourceMap() { return require('internal/source_map').SourceMap; },
  findSourceMap(path) { return require('internal/source_map').findSourceMap(path); },

  get constants() { return require('internal/modules/compile_cache').constants; },
  enableCompileCache(options) { return require('internal/modules/compile_cache').enableCompileCache(options); },
  flushCompileCache() { require('internal/modules/compile_cache').flushCompileCache(); },
  getCompileCacheDir() { return require('internal/modules/compile_cache').getCompileCacheDir(); },

  findPackageJSON(specifier, base) { return require('internal/modules/package_json').find(specifier, base); },
};
