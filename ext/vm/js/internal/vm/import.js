// Dynamic import in sources of `node:vm`: the option `importModuleDynamically`. In: the option, and
// the referrer. Out: a function, called with a specifier and options. Absent: modules
// (vm/module.js).
'use strict';

const {
  codes: { ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING, ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG, ERR_VM_MODULE_NOT_MODULE },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const constants = require('internal/vm/constants');

/**
 * @param option the option's value @param referrer returns the script, function or module that
 *   imports @param filename its name: a path or a URL where it has one
 */
function importer(option, referrer, filename) {
  if (option === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) return (specifier, options) => require('internal/esm').importDynamic(specifier, pathOf(filename), options);
  if (option === undefined) return async () => { throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING(); };
  validateFunction(option, 'options.importModuleDynamically');
  if (!hasModules()) return async () => { throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG(); };
  return async (specifier, options) => {
    const attributes = { __proto__: null, ...options?.with };
    return namespaceOf(await Reflect.apply(option, undefined, [`${specifier}`, referrer(), attributes, 'evaluation']));
  };
}

/**
 * The namespace of a `vm.Module`, which is evaluated if necessary; a namespace is returned as is.
 */
async function namespaceOf(value) {
  if (require('internal/esm/namespace').isNamespace(value)) return value;
  const { Module } = require('internal/vm/module');
  if (Module.recordOf(value) === undefined) throw new ERR_VM_MODULE_NOT_MODULE();
  const { status } = value;
  if (status === 'errored') throw value.error;
  if (status === 'linked' || status === 'evaluating' || status === 'evaluated') await value.evaluate();
  return value.namespace;
}

function pathOf(filename) {
  const { toPath } = require('internal/modules/file_url');
  return toPath(filename) ?? `${internalBinding('loader').currentDir()}/[eval]`;
}

/** Whether `vm.Module` is enabled. */
function hasModules() { return require('internal/options').getOptionValue('--experimental-vm-modules') === true; }

module.exports = { importer, hasModules };
