// WebAssembly that is imported. In: a file, or bytes that a hook gave. Out: a record: what it
// imports are modules, what it exports are names; it is made when those have run; for `import
// source` the module alone. Absent: string builtins.
'use strict';

const { SyntheticRecord } = require('internal/esm/record');
const namespace = require('internal/esm/namespace');

/** Beginnings that are kept for what engines bring along. */
const KEPT_MODULE = /^wasm-js:/;
const KEPT_NAME = /^wasm(?:-js)?:/;

const NO_ATTRIBUTES = Object.freeze([]);

function make(url, path, bytes) {
  require('internal/process/warning').emitExperimentalWarning('Importing WebAssembly module instances');
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module);
  const exports = WebAssembly.Module.exports(module);
  check(imports, exports, url);
  const specifiers = [...new Set(imports.map((wanted) => wanted.module))];
  const record = new SyntheticRecord(url, exports.map(({ name }) => name), () => instantiate(record, module, specifiers));
  record.path = path;
  record.requests = specifiers.map((specifier) => ({ specifier, phase: 0, attributes: NO_ATTRIBUTES }));
  record.loaded = undefined;
  return record;
}

/** Compiled, and nothing more. */
function makeSource(url, path) {
  const record = new SyntheticRecord(url, [], () => {});
  record.path = path;
  record.source = new WebAssembly.Module(require('fs').readFileSync(path));
  return record;
}

function check(imports, exports, url) {
  for (const { module, name } of imports) {
    if (KEPT_MODULE.test(module)) throw new WebAssembly.LinkError(`Invalid Wasm import "${module}" in ${url}`);
    if (KEPT_NAME.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm import name "${name}" in ${url}`);
  }
  for (const { name } of exports) {
    if (KEPT_NAME.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm export name "${name}" in ${url}`);
  }
}

function instantiate(record, module, specifiers) {
  const given = { __proto__: null };
  for (const [index, specifier] of specifiers.entries()) given[specifier] = namespace.of(record.loaded[index]);
  const { exports } = new WebAssembly.Instance(module, given);
  for (const name of record.names) record.bindings[name] = valueOf(exports[name]);
}

/** A global is what is in it, when it was made; one that changes is itself. */
function valueOf(value) {
  if (!(value instanceof WebAssembly.Global)) return value;
  try {
    return value.value;
  } catch {
    // What JavaScript cannot hold: vectors.
    return undefined;
  }
}

module.exports = { make, makeSource };
