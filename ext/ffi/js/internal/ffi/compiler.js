// `cc` of `bun:ffi`: compiles C and opens the result. In: source files, options. Out: a library.
// Without `CC`, TinyCC compiles within the process, where the distribution has its library.
// Otherwise the system's compiler makes a shared library in a private temporary directory, which is
// removed once it is open. With types of Node-API it is an addon, too (node_api.js).
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { compiledSymbols, failure, openSymbols, symbolNotFound, toPath } = require('internal/ffi/library');
const { addonSource, includeDirectories, loadFunctions, nodeApiSignatures } = require('internal/ffi/node_api');

/** Compilers in the order of preference, after the one that `CC` names. */
const COMPILERS = ['cc', 'gcc', 'clang', 'tcc'];

const list = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]);

function cc(options) {
  const { getOptionValue, isDenied } = require('internal/options');
  if (!getOptionValue('--addons') || isDenied('--ffi-cc')) {
    throw Object.assign(new Error('cc() is disabled by --no-addons or --no-ffi-cc'), { code: 'ERR_FFI_CC_DISABLED' });
  }
  if (typeof options !== 'object' || options === null) throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  const { source, symbols, library, include, define, flags } = options;
  const path = require('path');
  const sources = list(source).map((file) => path.resolve(toPath(file, 'options.source')));
  if (sources.length === 0) throw new ERR_INVALID_ARG_TYPE('options.source', ['string', 'URL', 'BunFile'], source);
  const own = typeof flags === 'string' ? flags.split(/\s+/).filter(Boolean) : list(flags).map(String);
  const macros = Object.entries(define ?? {});
  const includes = list(include).map((directory) => toPath(directory, 'options.include'));
  const libraries = list(library).map(String);
  const signatures = nodeApiSignatures(symbols);
  if (signatures === undefined && !require('process').env.CC) {
    const program = compileInProcess(sources, includes, libraries, macros, own);
    if (program !== undefined) return compiledSymbols(program, sources.join(', '), symbols);
  }
  if (signatures !== undefined) includes.push(...includeDirectories());
  const fs = require('fs');
  const directory = fs.mkdtempSync(path.join(require('os').tmpdir(), 'rusk-cc-'));
  try {
    const output = path.join(directory, 'library.so');
    if (signatures !== undefined) {
      sources.push(path.join(directory, 'node_api.c'));
      fs.writeFileSync(sources.at(-1), addonSource(signatures));
    }
    compile([
      '-shared', '-fPIC', '-O2', ...own, ...macros.map(([name, value]) => `-D${name}=${value}`), ...includes.map((one) => `-I${one}`),
      ...sources, ...libraries.map((name) => `-l${name}`), '-o', output,
    ]);
    return signatures === undefined ? openSymbols(output, symbols) : openAddon(output, symbols, signatures);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** A library that is an addon, too. Once it is closed, calls of both kinds of functions throw. */
function openAddon(output, symbols, signatures) {
  const plain = Object.entries(symbols).filter(([name]) => !signatures.has(name));
  const { symbols: functions, close: closeLibrary } = openSymbols(output, Object.fromEntries(plain));
  const state = { isClosed: false };
  const close = () => {
    state.isClosed = true;
    closeLibrary();
  };
  try {
    const added = loadFunctions(output, signatures, state, (name) => symbolNotFound(name, output));
    return { symbols: { ...functions, ...added }, close, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/** By TinyCC; undefined if it is not here. */
function compileInProcess(sources, includes, libraries, macros, flags) {
  const names = macros.map(([name]) => name);
  try {
    return internalBinding('ffi').compile(sources, includes, libraries, names, macros.map(([, value]) => `${value}`), flags);
  } catch ({ message }) {
    throw failure(`TinyCC failed:\n${message}`);
  }
}

function compile(parameters) {
  const { spawnSync } = require('child_process');
  const own = require('process').env.CC;
  for (const compiler of own ? [own] : COMPILERS) {
    const { error, status, signal, stderr } = spawnSync(compiler, parameters, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
    if (error?.code === 'ENOENT') continue;
    if (error) throw error;
    if (status !== 0) throw failure(`${compiler} failed with ${signal ?? `code ${status}`}:\n${stderr.trim()}`);
    return;
  }
  throw failure(own ? `the C compiler of CC, \`${own}\`, does not exist` : 'cc() needs a C compiler, for example gcc, and none is on PATH');
}

module.exports = { cc };
