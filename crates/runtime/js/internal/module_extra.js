// The parts of `node:module` that no start needs. In: Module. Out: they are on it. Absent so far: source maps.
'use strict';

module.exports = {
  install(Module) {
    Module.syncBuiltinESMExports = function syncBuiltinESMExports() {
      require('internal/esm').syncBuiltins();
    };
    Module.registerHooks = Module.useHooks;
    Object.defineProperty(Module.registerHooks, 'name', { __proto__: null, value: 'registerHooks', configurable: true });
    delete Module.useHooks;
    Module.findPackageJSON = function findPackageJSON(specifier, base) {
      return require('internal/package_json').find(specifier, base);
    };
  },
};
