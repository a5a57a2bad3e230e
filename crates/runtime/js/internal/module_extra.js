// The parts of `node:module` that no start needs. In: their arguments. Out: what Node's give. Absent so far: source maps.
'use strict';

module.exports = {
  syncBuiltinESMExports() { require('internal/esm').syncBuiltins(); },

  registerHooks(given) {
    const hooks = require('internal/hooks');
    require('module').setHooks(hooks);
    require('internal/main_module').isHooked = true;
    return hooks.register(given);
  },

  findPackageJSON(specifier, base) { return require('internal/package_json').find(specifier, base); },
};
