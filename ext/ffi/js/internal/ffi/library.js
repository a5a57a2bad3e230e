// Libraries of `bun:ffi`: `dlopen`, `linkSymbols`, `CFunction`. In: a library's name or addresses,
// and signatures. Out: JavaScript functions. Absent: their code (stubs.js).
'use strict';

const binding = internalBinding('ffi');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { parseSignature } = require('internal/ffi/types');
const { makeDirect } = require('internal/ffi/direct');
const { makeFunction } = require('internal/ffi/stubs');

function failure(message, Class = Error) {
  const error = new Class(message);
  error.code = 'ERR_DLOPEN_FAILED';
  return error;
}

/** A path or a name, of a string, a `file:` URL or a `Bun.file`. */
function toPath(name, what) {
  if (name instanceof URL || (typeof name === 'string' && name.startsWith('file:'))) return require('url').fileURLToPath(name);
  if (typeof name === 'object' && name !== null && typeof name.name === 'string') return name.name;
  if (typeof name !== 'string') throw new ERR_INVALID_ARG_TYPE(what, ['string', 'URL', 'BunFile'], name);
  return name;
}

function openLibrary(name) {
  if (name === null) return binding.open(null);
  try {
    return binding.open(name);
  } catch ({ message }) {
    // dlopen(3) searches a name without a slash in the system's directories only.
    const path = require('path').resolve(name);
    if (!name.includes('/') && require('fs').existsSync(path)) return binding.open(path);
    throw failure(`Failed to open library "${name}": ${message}`);
  }
}

/** An object of functions, and what releases them. */
function makeSymbols(symbols, addressOf) {
  if (typeof symbols !== 'object' || symbols === null) throw new ERR_INVALID_ARG_TYPE('symbols', 'Object', symbols);
  const prepared = Object.keys(symbols).map((name) => {
    const signature = parseSignature(symbols[name], `"${name}"`);
    return [name, signature, addressOf(name, symbols[name])];
  });
  const indices = [];
  const made = prepared.map(([name, signature, address]) => {
    const index = binding.prepare(address, signature.codes, signature.returns);
    indices.push(index);
    return { name, signature, index, address, function: makeFunction(signature, index, name, address) };
  });
  const functions = {};
  for (const { name, address, function: own } of makeDirect(made)) {
    own.ptr = address;
    own.native = own;
    functions[name] = own;
  }
  return { functions, release() { while (indices.length > 0) binding.release(indices.pop()); } };
}

/** Calling a function of a closed library throws. */
function dlopen(name, symbols) {
  return openSymbols(name === null ? null : toPath(name, 'name'), symbols);
}

function openSymbols(path, symbols) {
  const library = openLibrary(path);
  return closable(symbols, path, (symbol) => binding.symbol(library, symbol), () => binding.close(library));
}

/** Functions of a program that the binding has compiled. */
function compiledSymbols(program, source, symbols) {
  return closable(symbols, source, (symbol) => binding.compiledSymbol(program, symbol), () => binding.closeCompiled(program));
}

/** Functions of something that is closed after them. */
function closable(symbols, path, find, closeOwner) {
  let made;
  try {
    made = makeSymbols(symbols, (symbol, { ptr }) => (ptr ? givenAddress(ptr, symbol) : symbolAddress(find(symbol), path, symbol)));
  } catch (error) {
    closeOwner();
    throw error;
  }
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    made.release();
    closeOwner();
  };
  return { symbols: made.functions, close, [Symbol.dispose]: close };
}

function symbolAddress(address, path, symbol) {
  if (address === undefined) throw symbolNotFound(symbol, path ?? 'the program');
  return address;
}

function symbolNotFound(symbol, path) { return failure(`Symbol "${symbol}" not found in "${path}"`); }

function givenAddress(ptr, symbol) {
  const address = typeof ptr === 'bigint' ? Number(ptr) : ptr;
  if (typeof address !== 'number' || !Number.isInteger(address) || address <= 0) {
    throw new TypeError(`Expected "ptr" of "${symbol}" to be a pointer that is not null`);
  }
  return address;
}

function linkSymbols(symbols) {
  const { functions, release } = makeSymbols(symbols, (symbol, { ptr }) => givenAddress(ptr, symbol));
  return { symbols: functions, close: release, [Symbol.dispose]: release };
}

/** Releases functions that a program has dropped without closing them. */
let dropped;

function CFunction(definition) {
  const { functions: { CFunction: made }, release } = makeSymbols({ CFunction: definition }, (symbol, { ptr }) => givenAddress(ptr, symbol));
  dropped ??= new FinalizationRegistry((releaseDropped) => releaseDropped());
  dropped.register(made, release, made);
  made.close = () => {
    dropped.unregister(made);
    release();
  };
  return made;
}

module.exports = { CFunction, compiledSymbols, dlopen, failure, linkSymbols, openSymbols, symbolNotFound, toPath };
