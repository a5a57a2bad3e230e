// Test reporters and their destinations. In: names from the command line: built-in ones, or
// modules. Out: reporters, connected to their destinations; without names `spec` on standard
// output.
'use strict';

const BUILTIN_REPORTERS = ['spec', 'tap', 'dot', 'junit'];

function loadBuiltin(name) {
  if (name === 'spec') return require('internal/test_runner/reporter/spec').make();
  if (BUILTIN_REPORTERS.includes(name)) return require(`internal/test_runner/reporter/${name}`);
  if (name === 'lcov') {
    const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
    throw new ERR_METHOD_NOT_IMPLEMENTED('lcov');
  }
  return undefined;
}

/** A module's reporter: its default export. */
async function loadModule(name) {
  const process = require('process');
  const { createRequire } = require('module');
  const requireFromCwd = createRequire(`${process.cwd()}/`);
  const specifier = name.startsWith('.') || name.startsWith('/') ? require('path').resolve(name) : name;
  const exported = name.startsWith('file:') ? requireFromCwd(require('url').fileURLToPath(name)) : requireFromCwd(specifier);
  const reporter = exported?.default ?? exported;
  if (reporter?.prototype && Object.hasOwn(Object.getOwnPropertyDescriptors(reporter), 'prototype') && /^class\b/.test(String(reporter))) {
    return new reporter();
  }
  return reporter;
}

function openDestination(name) {
  const process = require('process');
  if (name === undefined || name === 'stdout') return process.stdout;
  if (name === 'stderr') return process.stderr;
  return require('fs').createWriteStream(name);
}

/** Resolves when all reporters read the stream. */
function connect(config) {
  const names = config.reporters.length === 0 ? ['spec'] : config.reporters;
  const { destinations } = config;
  if (names.length !== Math.max(destinations.length, 1) || (names.length > 1 && destinations.length !== names.length)) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', config.reporters, 'must match the number of specified \'--test-reporter-destination\'');
  }
  return Promise.all(names.map((name, index) => connectOne(config.stream, name, destinations[index])));
}

async function connectOne(stream, name, destination) {
  const reporter = loadBuiltin(name) ?? await loadModule(name);
  stream.compose(reporter).pipe(openDestination(destination));
}

module.exports = { connect };
