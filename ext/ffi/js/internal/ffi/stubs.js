// Functions of `bun:ffi`, by signature. In: kinds of arguments and of the result. Out: a stub of
// machine code, where the binding makes one; else, and for values that a stub does not convert, a
// generated function that writes its arguments to the slots, calls, and reads the result; the same
// in the other direction for callbacks. Each store has a fixed index and type, so the compiler
// makes plain moves of them: there is no loop over arguments.
'use strict';

const binding = internalBinding('ffi');
const { views, stringAt, viewAddress, isBytes } = require('internal/ffi/memory');
const { RESULT } = binding.layout;

/** Converts what is no number to an address. */
function toAddress(value) {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'bigint') return Number(value);
  if (isBytes(value)) return value.byteLength === 0 ? 0 : viewAddress(value);
  if (typeof value === 'string') throw new TypeError('To convert a string to a pointer, encode it as a buffer');
  if (typeof value === 'object' && typeof value.ptr === 'number') return value.ptr;
  throw new TypeError(`Unable to convert ${typeof value === 'object' ? Object.prototype.toString.call(value) : String(value)} to a pointer`);
}

function toFunctionAddress(value) {
  const address = typeof value === 'bigint' ? Number(value) : typeof value === 'object' && value !== null ? value.ptr : value;
  if (typeof address !== 'number' || address === 0) throw new TypeError('Expected function to be a JSCallback or a number');
  return address;
}

/** A view, for a parameter that only takes views. */
function checkView(value) {
  if (!ArrayBuffer.isView(value)) throw new TypeError('Expected a TypedArray');
  return value;
}

/** A string as bytes with a NUL; other values as they are. */
function toBytes(value) { return typeof value === 'string' ? Buffer.from(`${value}\0`) : value; }

const toInteger = (value) => Math.trunc(Number(value)) || 0;

const helpers = { toAddress, toFunctionAddress, checkView, toBytes, toInteger, stringAt, viewAddress };

/** How a value `p` is made primitive, before any slot is written: this may run programs. */
const CONVERT = {
  __proto__: null,
  integer: (p) => `typeof ${p} === 'bigint' ? Number(BigInt.asIntN(32, ${p})) : ${p} | 0`,
  float: (p) => `typeof ${p} === 'number' ? ${p} : Number(${p})`,
  wide: (p) => `typeof ${p} === 'bigint' || Number.isSafeInteger(${p}) ? ${p} : toInteger(${p})`,
  bool: (p) => `${p} ? 1 : 0`,
  pointer: (p) => `typeof ${p} === 'number' ? ${p} : toAddress(${p})`,
  function: (p) => `typeof ${p} === 'number' && ${p} !== 0 ? ${p} : toFunctionAddress(${p})`,
  buffer: (p) => `viewAddress(checkView(${p}))`,
  length: (p) => `checkView(${p}).byteLength`,
};

/** How a primitive `a` is written to slot `k`. */
const STORE = {
  __proto__: null,
  signed: (bits) => (a, k) => `i32[${2 * k}] = ${bits === 32 ? a : `${a} << ${32 - bits} >> ${32 - bits}`}; i32[${2 * k + 1}] = ${bits === 32 ? a : `${a} << ${32 - bits}`} >> 31;`,
  unsigned: (mask) => (a, k) => `u32[${2 * k}] = ${mask === undefined ? a : `${a} & ${mask}`}; u32[${2 * k + 1}] = 0;`,
  f32: (a, k) => `f32[${2 * k}] = ${a}; u32[${2 * k + 1}] = 0;`,
  f64: (a, k) => `f64[${k}] = ${a};`,
  wide: (a, k) => `if (typeof ${a} === 'bigint') u64[${k}] = ${a}; else { u32[${2 * k}] = ${a}; i32[${2 * k + 1}] = Math.floor(${a} / 4294967296); }`,
  address: (a, k) => `u32[${2 * k}] = ${a}; u32[${2 * k + 1}] = Math.floor(${a} / 4294967296);`,
};

const pointerAt = (k) => `u32[${2 * k + 1}] * 4294967296 + u32[${2 * k}]`;
const orNull = (k) => `(u32[${2 * k}] | u32[${2 * k + 1}]) === 0 ? null : ${pointerAt(k)}`;
const fast = (view) => (k) => `${view}[${k}] >= -9007199254740991n && ${view}[${k}] <= 9007199254740991n ? Number(${view}[${k}]) : ${view}[${k}]`;

/** By canonical name: conversion of an argument, its store, how a value is read from a slot. */
const KINDS = {
  __proto__: null,
  char: [CONVERT.integer, STORE.signed(8), (k) => `i32[${2 * k}]`],
  i8: [CONVERT.integer, STORE.signed(8), (k) => `i32[${2 * k}]`],
  u8: [CONVERT.integer, STORE.unsigned('0xFF'), (k) => `u32[${2 * k}]`],
  i16: [CONVERT.integer, STORE.signed(16), (k) => `i32[${2 * k}]`],
  u16: [CONVERT.integer, STORE.unsigned('0xFFFF'), (k) => `u32[${2 * k}]`],
  i32: [CONVERT.integer, STORE.signed(32), (k) => `i32[${2 * k}]`],
  u32: [CONVERT.integer, STORE.unsigned(), (k) => `u32[${2 * k}]`],
  i64: [CONVERT.wide, STORE.wide, (k) => `i64[${k}]`],
  u64: [CONVERT.wide, STORE.wide, (k) => `u64[${k}]`],
  i64_fast: [CONVERT.wide, STORE.wide, fast('i64')],
  u64_fast: [CONVERT.wide, STORE.wide, fast('u64')],
  f32: [CONVERT.float, STORE.f32, (k) => `f32[${2 * k}]`],
  f64: [CONVERT.float, STORE.f64, (k) => `f64[${k}]`],
  bool: [CONVERT.bool, STORE.unsigned(), (k) => `(u32[${2 * k}] & 0xFF) !== 0`],
  ptr: [CONVERT.pointer, STORE.address, orNull],
  function: [CONVERT.function, STORE.address, orNull],
  cstring: [CONVERT.pointer, STORE.address, (k) => `stringAt(${pointerAt(k)})`],
  buffer: [CONVERT.buffer, STORE.address, undefined],
  buffer_length: [CONVERT.length, STORE.wide, undefined],
  void: [undefined, undefined, () => 'undefined'],
};

/** Parameters that may be objects with memory, which the call keeps alive. */
const WITH_MEMORY = new Set(['ptr', 'cstring', 'buffer']);

/** The source of a function that calls C. */
function callSource({ kinds, result }, name) {
  const parameters = kinds.map((_, k) => `p${k}`);
  const lines = [];
  kinds.forEach(({ name: kind }, k) => {
    if (kind === 'cstring') lines.push(`const b${k} = toBytes(p${k});`);
    lines.push(`const a${k} = ${KINDS[kind][0](kind === 'cstring' ? `b${k}` : `p${k}`)};`);
  });
  kinds.forEach(({ name: kind }, k) => { lines.push(KINDS[kind][1](`a${k}`, k)); });
  const alive = kinds.map(({ name: kind }, k) => (WITH_MEMORY.has(kind) ? `${kind === 'cstring' ? 'b' : 'p'}${k}` : undefined)).filter(Boolean);
  lines.push(`call(${['index', ...alive].join(', ')});`);
  if (result.name !== 'void') lines.push(`return ${KINDS[result.name][2](RESULT)};`);
  const own = /^[A-Za-z_$][\w$]*$/.test(name) ? name : '';
  return functionSource(own, parameters, lines);
}

/** The source of a function that C calls by the binding: it calls `body`. */
function callbackSource({ kinds, result }) {
  const lines = kinds.map(({ name: kind }, k) => `const a${k} = ${KINDS[kind][2](k)};`);
  const call = `body(${kinds.map((_, k) => `a${k}`).join(', ')})`;
  if (result.name === 'void') {
    lines.push(`${call};`);
  } else {
    const [convert, store] = KINDS[result.name];
    lines.push(`let r = ${call};`);
    if (result.name === 'cstring') lines.push('r = keep(toBytes(r));');
    else if (result.name === 'ptr') lines.push('r = keep(r);');
    lines.push(`const result = ${convert('r')};`, store('result', RESULT));
  }
  return functionSource('', [], lines);
}

function functionSource(name, parameters, lines) {
  return `function ${name}(${parameters.join(', ')}) {\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

/** Names that generated code uses. */
const SCOPE = ['u32', 'i32', 'f32', 'f64', 'u64', 'i64', ...Object.keys(helpers), 'call'];
const VALUES = [...SCOPE.slice(0, 6).map((name) => views[name]), ...Object.values(helpers), binding.call];

/** Factories by source: functions of one signature share their code. */
const factories = new Map();

function factory(source, own) {
  const text = `(function (${[...SCOPE, ...own].join(', ')}) { 'use strict'; return ${source}; })`;
  let found = factories.get(text);
  if (found === undefined) {
    found = internalBinding('loader').evaluate(text, 'node:internal/ffi/stub');
    factories.set(text, found);
  }
  return found;
}

/** Codes of types for the binding's stubs: arguments, and results that differ. */
const STUB_CODES = {
  __proto__: null,
  char: 'b', i8: 'b', u8: 'B', i16: 'h', u16: 'H', i32: 'i', u32: 'I', i64: 'w', u64: 'w', i64_fast: 'w', u64_fast: 'w',
  f32: 'f', f64: 'd', bool: '?', ptr: 'p', function: 'F', cstring: 's', buffer: 'V', void: 'v',
};

function makeStub({ kinds, result }, index, name, address, make) {
  const codes = kinds.map(({ name: kind }) => STUB_CODES[kind]);
  if (codes.includes(undefined)) return undefined;
  let made;
  return binding.stub(index, address, codes.join(''), STUB_CODES[result.name], name, (...values) => (made ??= make())(...values));
}

/** A JavaScript function for a prepared function of C at an address. */
function makeFunction(signature, index, name, address) {
  const make = () => factory(callSource(signature, ''), ['index'])(...VALUES, index);
  const made = makeStub(signature, index, name, address, make) ?? make();
  Object.defineProperty(made, 'name', { __proto__: null, value: name, configurable: true });
  return made;
}

/** What the binding calls for C. The last result stays alive until the next call. */
function makeTrampoline(signature, body) {
  let last;
  const keep = (value) => (last = value);
  void last;
  return factory(callbackSource(signature), ['body', 'keep'])(...VALUES, body, keep);
}

module.exports = { makeFunction, makeTrampoline, callSource, callbackSource, helpers };
