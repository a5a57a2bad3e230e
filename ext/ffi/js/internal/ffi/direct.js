// Direct calls of C functions, for signatures of numbers that fit into registers. In: functions
// that stubs.js has made, with their signatures. Out: functions that do the same faster. Each is a
// WebAssembly function in a wrapper that converts: the binding replaces the code of the former by a
// call of C, and the optimizing compiler calls that with unboxed numbers. Its body, which calls the
// function of stubs.js, runs where there is no such code, and after the library was closed.
'use strict';

const binding = internalBinding('ffi');
const { views: { i32 } } = require('internal/ffi/memory');
const { THROWN } = binding.layout;
const { Instance, Module } = WebAssembly;

/** Registers of arguments in C. */
const INTEGERS = 6;
const FLOATS = 8;

/** Types of WebAssembly. */
const I32 = 0x7F;
const F32 = 0x7D;
const F64 = 0x7C;

const INTEGER = (p) => `${p} | 0`;
const FLOAT = (p) => `+${p}`;
const asSigned = (bits) => (value) => `${value} << ${32 - bits} >> ${32 - bits}`;
const same = (value) => value;

/** By canonical name: type, how a value is made primitive, how a primitive value is extended to 32
 * bits as C expects it, how a result is made a value. */
const KINDS = {
  __proto__: null,
  char: [I32, INTEGER, asSigned(8), asSigned(8)],
  i8: [I32, INTEGER, asSigned(8), asSigned(8)],
  u8: [I32, INTEGER, (a) => `${a} & 0xFF`, (r) => `${r} & 0xFF`],
  i16: [I32, INTEGER, asSigned(16), asSigned(16)],
  u16: [I32, INTEGER, (a) => `${a} & 0xFFFF`, (r) => `${r} & 0xFFFF`],
  i32: [I32, INTEGER, same, same],
  u32: [I32, INTEGER, same, (r) => `${r} >>> 0`],
  bool: [I32, (p) => `${p} ? 1 : 0`, same, (r) => `(${r} & 0xFF) !== 0`],
  f32: [F32, FLOAT, same, same],
  f64: [F64, FLOAT, same, same],
};

function isDirect({ kinds, result }) {
  if (result.name !== 'void' && KINDS[result.name] === undefined) return false;
  let integers = 0;
  let floats = 0;
  for (const { name } of kinds) {
    const kind = KINDS[name];
    if (kind === undefined) return false;
    if (kind[0] === I32) integers += 1;
    else floats += 1;
  }
  return integers <= INTEGERS && floats <= FLOATS;
}

/** An unsigned number as LEB128. */
function leb(number) {
  const bytes = [];
  for (; number > 0x7F; number >>>= 7) bytes.push((number & 0x7F) | 0x80);
  bytes.push(number);
  return bytes;
}

const vector = (items) => [...leb(items.length), ...items.flat()];
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const section = (id, items) => (items.length === 0 ? [] : [id, ...sized(vector(items))]);
const nameBytes = (index) => sized([...String(index)].map((digit) => digit.charCodeAt(0)));

/** Exports of a module by index. `types`: bytes; `bodies`: instructions; `imports`: functions of
 * the same types, which come before the module's own. */
function instantiate(types, bodies, imports) {
  const order = types.map((_, index) => leb(index));
  const bytes = [
    0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0,
    ...section(1, types),
    ...section(2, imports.map((_, index) => [1, 0x69, ...nameBytes(index), 0, ...order[index]])),
    ...section(3, order),
    ...section(7, order.map((_, index) => [...nameBytes(index), 0, ...leb(imports.length + index)])),
    ...section(10, bodies.map((body) => sized([0, ...body, 0x0B]))),
  ];
  const given = { __proto__: null };
  imports.forEach((own, index) => { given[index] = own; });
  return new Instance(new Module(new Uint8Array(bytes)), { i: given }).exports;
}

let isAvailable;

function available() {
  if (isAvailable === undefined) {
    const type = [0x60, 0, 1, I32];
    const seven = [0x41, 7];
    const probes = instantiate([type, type], [seven, seven], []);
    isAvailable = binding.verifyDirect(probes[0], probes[1]);
  }
  return isAvailable;
}

function typeOf({ kinds, result }) {
  const results = result.name === 'void' ? [] : [KINDS[result.name][0]];
  return [0x60, ...vector(kinds.map(({ name }) => KINDS[name][0])), ...vector(results)];
}

const bodyOf = ({ kinds }, index) => [...kinds.flatMap((_, k) => [0x20, k]), 0x10, ...leb(index)];

/** The source of the wrapper of `direct`. It has code of its own, so that the compiler knows which
 * function it calls. BigInts are left to `plain`: where they are converted in place, the compiler
 * does not know any more that numbers are numbers. */
function wrapperSource({ kinds, result }, direct, plain) {
  const parameters = kinds.map((_, k) => `p${k}`).join(', ');
  const lines = kinds.map(({ name }, k) => `const a${k} = ${KINDS[name][1](`p${k}`)};`);
  const bigints = kinds.flatMap(({ name }, k) => (name === 'bool' ? [] : [`typeof p${k} === 'bigint'`]));
  if (bigints.length > 0) lines.unshift(`if (${bigints.join(' || ')}) return ${plain}(${parameters});`);
  const values = kinds.map(({ name }, k) => KINDS[name][2](`a${k}`)).join(', ');
  const returns = result.name !== 'void';
  // The flag is read as a signed number: of an unsigned one the compiler checks the range.
  lines.push(`${returns ? 'const r = ' : ''}${direct}(${values});`, `if (i32[${2 * THROWN}] !== 0) rethrow();`);
  if (returns) lines.push(`return ${KINDS[result.name][3]('r')};`);
  return `(${parameters}) => {\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

/** Replaces functions by direct ones where the signature allows it. `made`: name, signature, index,
 * address, function. */
function makeDirect(made) {
  const direct = made.filter(({ signature }) => isDirect(signature));
  if (direct.length === 0 || !available()) return made;
  const signatures = direct.map(({ signature }) => signature);
  const exported = instantiate(signatures.map(typeOf), signatures.map(bodyOf), direct.map((own) => own.function));
  const names = direct.map((_, index) => `d${index}`);
  const sources = signatures.map((signature, index) => wrapperSource(signature, names[index], `plain${index}`));
  const text = `(function (i32, rethrow, ${names.join(', ')}, ${names.map((_, index) => `plain${index}`).join(', ')}) { 'use strict'; return [\n${sources.join(',\n')},\n]; })`;
  const wrappers = internalBinding('loader').evaluate(text, 'node:internal/ffi/direct')(i32, binding.rethrow, ...names.map((_, index) => exported[index]), ...direct.map((own) => own.function));
  const found = new Map();
  direct.forEach((own, index) => {
    const { signature: { result }, index: prepared, address } = own;
    const returnsInteger = result.name !== 'void' && KINDS[result.name][0] === I32;
    if (binding.direct(exported[index], prepared, address, returnsInteger)) found.set(own, wrappers[index]);
  });
  return made.map((own) => {
    const wrapper = found.get(own);
    if (wrapper === undefined) return own;
    Object.defineProperty(wrapper, 'name', { __proto__: null, value: own.name, configurable: true });
    return { ...own, function: wrapper };
  });
}

module.exports = { makeDirect };
