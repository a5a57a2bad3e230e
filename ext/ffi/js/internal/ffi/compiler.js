// `cc` of `bun:ffi`: compiles C and opens the result. In: source files, options. Out: a library.
// Without `CC`, TinyCC compiles within the process, where the distribution has its library.
// Otherwise the system's compiler makes a shared library in a private temporary directory, which is
// removed once it is open. Absent: types of Node-API.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { compiledSymbols, failure, openSymbols, toPath } = require('internal/ffi/library');

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
  if (!require('process').env.CC) {
    const program = compileInProcess(sources, includes, libraries, macros, own);
    if (program !== undefined) return compiledSymbols(program, sources.join(', '), symbols);
  }
  const parameters = [
    '-shared', '-fPIC', '-O2', ...own, ...macros.map(([name, value]) => `-D${name}=${value}`), ...includes.map((directory) => `-I${directory}`),
    ...sources, ...libraries.map((name) => `-l${name}`),
  ];
  const fs = require('fs');
  const directory = fs.mkdtempSync(path.join(require('os').tmpdir(), 'rusk-cc-'));
  try {
    const output = path.join(directory, 'library.so');
    compile([...parameters, '-o', output]);
    return openSymbols(output, symbols);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
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
