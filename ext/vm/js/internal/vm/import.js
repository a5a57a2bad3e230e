// What `import()` does in strings of `node:vm`: what the program says with
// `importModuleDynamically`. In: that, and who is told of as the one who imports. Out: a function,
// called with a specifier and options. Absent: what modules are (vm/module.js).
'use strict';

const {
  codes: { ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING, ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG, ERR_VM_MODULE_NOT_MODULE },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const constants = require('internal/vm/constants');

/**
 * @param referrer gives the script, function or module that imports @param place its name, a path
 *   or an URL where it has one
 */
function importer(given, referrer, place) {
  if (given === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) return (specifier, options) => require('internal/esm').importDynamic(specifier, fileOf(place), options);
  if (given === undefined) return async () => { throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING(); };
  validateFunction(given, 'options.importModuleDynamically');
  if (!hasModules()) return async () => { throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG(); };
  return async (specifier, options) => {
    const attributes = { __proto__: null, ...options?.with };
    return namespaceOf(await Reflect.apply(given, undefined, [`${specifier}`, referrer(), attributes, 'evaluation']));
  };
}

/** Of a module, linked and run, or a namespace itself. */
async function namespaceOf(value) {
  if (require('internal/esm/namespace').isNamespace(value)) return value;
  const { Module } = require('internal/vm/module');
  if (Module.recordOf(value) === undefined) throw new ERR_VM_MODULE_NOT_MODULE();
  const { status } = value;
  if (status === 'errored') throw value.error;
  if (status === 'linked' || status === 'evaluating' || status === 'evaluated') await value.evaluate();
  return value.namespace;
}

function fileOf(place) {
  const { toPath } = require('internal/modules/file_url');
  return toPath(place) ?? `${internalBinding('loader').currentDir()}/[eval]`;
}

/** Whether the program asked for modules of its own. */
function hasModules() { return require('internal/options').getOptionValue('--experimental-vm-modules') === true; }

module.exports = { importer, hasModules };
