// Types of `bun:ffi`: bun's table. In: a name or a number. Out: the number, and what the type is in
// C, as a code of the binding's signatures. Absent: conversions (stubs.js).
'use strict';

/** Names and numbers of bun's `FFIType`. */
const FFIType = {
  __proto__: null,
  char: 0,
  int8_t: 1, i8: 1,
  uint8_t: 2, u8: 2,
  int16_t: 3, i16: 3,
  uint16_t: 4, u16: 4,
  int32_t: 5, i32: 5, int: 5, c_int: 5,
  uint32_t: 6, u32: 6, c_uint: 6,
  int64_t: 7, i64: 7, isize: 7,
  uint64_t: 8, u64: 8, usize: 8,
  double: 9, f64: 9,
  float: 10, f32: 10,
  bool: 11,
  'ptr': 12, 'pointer': 12, 'void*': 12, 'char*': 12,
  void: 13,
  cstring: 14,
  i64_fast: 15,
  u64_fast: 16,
  function: 17, callback: 17, fn: 17,
  napi_env: 18,
  napi_value: 19,
  buffer: 20,
  buffer_length: 21, buffer_bytelength: 21,
};

/** Canonical name and code by number. */
const KINDS = [
  ['char', 'b'], ['i8', 'b'], ['u8', 'B'], ['i16', 'h'], ['u16', 'H'], ['i32', 'i'], ['u32', 'I'], ['i64', 'q'], ['u64', 'Q'], ['f64', 'd'], ['f32', 'f'],
  ['bool', 'B'], ['ptr', 'P'], ['void', 'v'], ['cstring', 'P'], ['i64_fast', 'q'], ['u64_fast', 'Q'], ['function', 'P'], ['napi_env', 'P'],
  ['napi_value', 'P'], ['buffer', 'P'], ['buffer_length', 'Q'],
];

const NAPI = new Set([FFIType.napi_env, FFIType.napi_value]);
/** Types of arguments only. */
const ARGUMENT_ONLY = new Set([FFIType.buffer, FFIType.buffer_length]);

const numberOf = (type) => (typeof type === 'number' ? type : FFIType[`${type}`]);

function kindOf(type, what, withNodeApi) {
  const number = numberOf(type);
  if (NAPI.has(number) && !withNodeApi) throw new TypeError(`${what}: napi_env and napi_value are types of cc() only`);
  const kind = KINDS[number];
  if (kind === undefined) {
    throw new TypeError(`Unsupported type ${String(type)}. Must be one of: ${Object.keys(FFIType).toSorted().join(', ')}`);
  }
  return { name: kind[0], code: kind[1], number };
}

/** Whether a function has types of Node-API. */
function usesNodeApi(definition) {
  const { args, returns } = Object(definition);
  return (Array.isArray(args) && args.some((type) => NAPI.has(numberOf(type)))) || NAPI.has(numberOf(returns));
}

/**
 * The kinds of a function's arguments and of its result. `isCallback`: C calls it. `withNodeApi`:
 * types of Node-API are allowed.
 */
function parseSignature(definition, what, { isCallback = false, withNodeApi = false } = {}) {
  if (typeof definition !== 'object' || definition === null) throw new TypeError(`Expected an object for ${what}`);
  const { args = [], returns = FFIType.void } = definition;
  if (!Array.isArray(args)) throw new TypeError(`Expected "args" of ${what} to be an array`);
  const { ARGUMENTS_MAX } = internalBinding('ffi').layout;
  if (args.length > ARGUMENTS_MAX) throw new RangeError(`${what} has more than ${ARGUMENTS_MAX} arguments`);
  const kinds = args.map((type) => kindOf(type, what, withNodeApi));
  const result = kindOf(returns ?? FFIType.void, what, withNodeApi);
  for (const { name, number } of kinds) {
    if (number === FFIType.void) throw new TypeError(`${what}: an argument cannot be void`);
    if (isCallback && ARGUMENT_ONLY.has(number)) throw new TypeError(`${what}: a callback cannot have an argument of type ${name}`);
  }
  if (ARGUMENT_ONLY.has(result.number)) throw new TypeError(`${what}: a result cannot be of type ${result.name}`);
  return { kinds, result, codes: kinds.map(({ code }) => code).join(''), returns: result.code };
}

// Numbers are names, too: `FFIType['12']` is 12, as in bun.
for (let number = 0; number < KINDS.length; number++) FFIType[number] = number;

module.exports = { FFIType: { ...FFIType }, parseSignature, usesNodeApi };
