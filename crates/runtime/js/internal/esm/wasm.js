// WebAssembly/ESM integration. In: a file, or bytes that a hook returned. Out: a record whose
// requests are the module's imports and whose names are its exports, instantiated at evaluation;
// for `import source` the compiled module. Absent: string builtins.
'use strict';

const { SyntheticRecord } = require('internal/esm/record');
const namespace = require('internal/esm/namespace');

/** Prefixes that the proposal reserves for builtins of engines. */
const RESERVED_MODULE = /^wasm-js:/;
const RESERVED_NAME = /^wasm(?:-js)?:/;

const NO_ATTRIBUTES = Object.freeze([]);

function createRecord(url, path, bytes) {
  require('internal/process/warning').emitExperimentalWarning('Importing WebAssembly module instances');
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module);
  const exports = WebAssembly.Module.exports(module);
  check(imports, exports, url);
  const specifiers = [...new Set(imports.map(({ module: specifier }) => specifier))];
  const record = new SyntheticRecord(url, exports.map(({ name }) => name), () => instantiate(record, module, specifiers));
  record.path = path;
  record.requests = specifiers.map((specifier) => ({ specifier, phase: 0, attributes: NO_ATTRIBUTES }));
  record.loaded = undefined;
  return record;
}

/** A record for `import source`: compiled, not instantiated. */
function makeSource(url, path) {
  const record = new SyntheticRecord(url, [], () => {});
  record.path = path;
  record.source = new WebAssembly.Module(require('fs').readFileSync(path));
  return record;
}

function check(imports, exports, url) {
  for (const { module, name } of imports) {
    if (RESERVED_MODULE.test(module)) throw new WebAssembly.LinkError(`Invalid Wasm import "${module}" in ${url}`);
    if (RESERVED_NAME.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm import name "${name}" in ${url}`);
  }
  for (const { name } of exports) {
    if (RESERVED_NAME.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm export name "${name}" in ${url}`);
  }
}

function instantiate(record, module, specifiers) {
  const imports = { __proto__: null };
  for (const [index, specifier] of specifiers.entries()) imports[specifier] = namespace.of(record.loaded[index]);
  const { exports } = new WebAssembly.Instance(module, imports);
  for (const name of record.names) record.bindings[name] = valueOf(exports[name]);
}

/** The exported value; a global is exported as its value at instantiation. */
function valueOf(value) {
  if (!(value instanceof WebAssembly.Global)) return value;
  try {
    return value.value;
  } catch {
    // Values that JavaScript cannot represent: vectors.
    return undefined;
  }
}

module.exports = { createRecord, makeSource };
