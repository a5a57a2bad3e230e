// Functions of `cc` that take `napi_env` or `napi_value`, or return a value. In: names and
// signatures. Out: the source of an addon that calls them, with one function of Node-API for each;
// JavaScript functions over what that addon exports. It gets numbers and BigInts: conversions from
// other values, and to them, are made here.
'use strict';

const { parseSignature, usesNodeApi } = require('internal/ffi/types');
const { isBytes, stringAt, viewAddress } = require('internal/ffi/memory');
const { checkView, toAddress, toBytes, toFunctionAddress } = require('internal/ffi/stubs').helpers;

const toInteger = (value) => (typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value | 0);
const toWide = (value) => BigInt.asIntN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)) || 0));
const identity = (value) => value;
const toPointer = (value) => (typeof value === 'number' ? value : toAddress(value));
const orNull = (address) => (address === 0 ? null : address);
const toFast = (value) => (value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value);

/** How the addon reads an argument, as a statement on `v`, and how it makes a result of `r`. */
const C = {
  __proto__: null,
  integer: (type) => [type, 'int32_t', 'napi_get_value_int32(env, v, &n)', 'napi_create_double(env, (double)r, &made)'],
  wide: (type, made) => [type, 'int64_t', 'bool exact; napi_get_value_bigint_int64(env, v, &n, &exact)', `napi_create_bigint_${made}(env, r, &made)`],
  float: (type) => [type, 'double', 'napi_get_value_double(env, v, &n)', 'napi_create_double(env, r, &made)'],
  pointer: (type) => [type, 'double', 'napi_get_value_double(env, v, &n)', 'napi_create_double(env, (double)(uintptr_t)r, &made)'],
};

/** By kind: its C; the conversion of an argument; that of a result. */
const KINDS = {
  __proto__: null,
  char: [C.integer('char'), toInteger, identity],
  i8: [C.integer('int8_t'), toInteger, identity],
  u8: [C.integer('uint8_t'), toInteger, identity],
  i16: [C.integer('int16_t'), toInteger, identity],
  u16: [C.integer('uint16_t'), toInteger, identity],
  i32: [C.integer('int32_t'), toInteger, identity],
  u32: [C.integer('uint32_t'), toInteger, identity],
  i64: [C.wide('int64_t', 'int64'), toWide, identity],
  u64: [C.wide('uint64_t', 'uint64'), toWide, identity],
  i64_fast: [C.wide('int64_t', 'int64'), toWide, toFast],
  u64_fast: [C.wide('uint64_t', 'uint64'), toWide, toFast],
  f32: [C.float('float'), Number, identity],
  f64: [C.float('double'), Number, identity],
  bool: [C.integer('bool'), (value) => (value ? 1 : 0), Boolean],
  ptr: [C.pointer('void *'), toPointer, orNull],
  function: [C.pointer('void *'), toFunctionAddress, orNull],
  cstring: [C.pointer('void *'), toPointer, stringAt],
  buffer: [C.pointer('void *'), (value) => viewAddress(checkView(value))],
  buffer_length: [C.float('uint64_t'), (value) => checkView(value).byteLength],
  napi_env: [['napi_env'], () => undefined],
  napi_value: [['napi_value'], identity, identity],
  void: [['void'], undefined, identity],
};

/** The function of Node-API that calls `name`. */
function bridge(name, { kinds, result }) {
  const lines = [`size_t count = ${kinds.length};`, `napi_value values[${kinds.length + 1}];`, 'napi_get_cb_info(env, info, &count, values, NULL, NULL);'];
  const parameters = kinds.map(({ name: kind }, index) => {
    const [type, read, call] = KINDS[kind][0];
    if (kind === 'napi_env') return 'env';
    if (kind === 'napi_value') return `values[${index}]`;
    lines.push(`${type} a${index}; { napi_value v = values[${index}]; ${read} n = 0; ${call}; a${index} = (${type})${type === 'void *' ? '(uintptr_t)' : ''}n; }`);
    return `a${index}`;
  });
  const call = `${name}(${parameters.join(', ')})`;
  const [type, , , make] = KINDS[result.name][0];
  if (result.name === 'void') lines.push(`${call};`, 'return NULL;');
  else if (result.name === 'napi_value') lines.push(`return ${call};`);
  else lines.push(`${type} r = ${call};`, 'napi_value made = NULL;', `${make};`, 'return made;');
  const types = kinds.map(({ name: kind }) => KINDS[kind][0][0]);
  // Weak: a function that the sources lack is null, and not an error of the dynamic linker.
  return `extern __attribute__((weak)) ${type} ${name}(${types.join(', ') || 'void'});
static napi_value call_${name}(napi_env env, napi_callback_info info) {
${lines.map((line) => `  ${line}\n`).join('')}}
`;
}

/** The signatures of the functions that need Node-API, by name; undefined: there are none. */
function nodeApiSignatures(symbols) {
  if (typeof symbols !== 'object' || symbols === null) return undefined;
  const names = Object.keys(symbols).filter((name) => usesNodeApi(symbols[name]));
  if (names.length === 0) return undefined;
  return new Map(names.map((name) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new TypeError(`"${name}" is not a name of C`);
    const signature = parseSignature(symbols[name], `"${name}"`, { withNodeApi: true });
    if (signature.result.name === 'napi_env') throw new TypeError(`"${name}": a result cannot be of type napi_env`);
    return [name, signature];
  }));
}

/** The source of the addon. */
function addonSource(signatures) {
  const names = [...signatures.keys()];
  return `#include <stdbool.h>
#include <stdint.h>
#include <node_api.h>
${names.map((name) => bridge(name, signatures.get(name))).join('')}
static void add(napi_env env, napi_value exports, const char *name, bool is_there, napi_callback callback) {
  napi_value function;
  if (is_there && napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function) == napi_ok)
    napi_set_named_property(env, exports, name, function);
}
NAPI_MODULE_INIT() {
${names.map((name) => `  add(env, exports, "${name}", ${name} != NULL, call_${name});\n`).join('')}  return exports;
}
`;
}

/** A function over the addon's, which throws once `state` is closed. */
function makeFunction(name, { kinds, result }, call, state) {
  const own = kinds.map(({ name: kind }) => (kind === 'cstring' ? (value) => value : KINDS[kind][1]));
  const strings = kinds.flatMap(({ name: kind }, index) => (kind === 'cstring' ? [index] : []));
  const read = KINDS[result.name][2];
  const made = (...values) => {
    if (state.isClosed) throw new TypeError('the function\'s library was closed');
    const converted = own.map((convert, index) => convert(values[index]));
    for (const index of strings) {
      values[index] = toBytes(values[index]);
      converted[index] = toPointer(values[index]);
    }
    // The addon does not look at the rest, which keeps the memory alive during the call.
    return read(call(...converted, ...values.filter(isBytes)));
  };
  Object.defineProperty(made, 'name', { __proto__: null, value: name, configurable: true });
  return made;
}

/**
 * Loads the addon; its functions by name. `missing` makes the error of a function that is not
 * there.
 */
function loadFunctions(path, signatures, state, missing) {
  const loaded = { exports: {} };
  require('internal/addons').dlopen(loaded, path);
  const functions = {};
  for (const [name, signature] of signatures) {
    const call = loaded.exports[name];
    if (call === undefined) throw missing(name);
    functions[name] = makeFunction(name, signature, call, state);
  }
  return functions;
}

/** Directories of `node_api.h`, also as `node/node_api.h`; none where they cannot be written. */
function includeDirectories() {
  const { node_prefix: prefix, use_prefix_to_find_headers: isThere } = require('internal/process/versions').getConfig().variables;
  return isThere ? [`${prefix}/include`, `${prefix}/include/node`] : [];
}

module.exports = { addonSource, includeDirectories, loadFunctions, nodeApiSignatures };
