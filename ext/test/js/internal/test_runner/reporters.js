// Test reporters and their destinations. In: names from the command line: built-in ones, or
// modules. Out: reporters, connected to their destinations; without names `spec` on standard
// output.
'use strict';

const BUILTIN_REPORTERS = ['tap', 'dot', 'junit'];

function loadBuiltin(name) {
  if (name === 'spec' || name === 'lcov') return require(`internal/test_runner/reporter/${name}`).make();
  if (BUILTIN_REPORTERS.includes(name)) return require(`internal/test_runner/reporter/${name}`);
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
  const child = require('internal/test_runner/run/child');
  if (child.isChild()) {
    child.report(config.stream);
    return Promise.resolve();
  }
  const names = config.reporters.length === 0 ? ['spec'] : config.reporters;
  const { destinations } = config;
  if (names.length !== Math.max(destinations.length, 1) || (names.length > 1 && destinations.length !== names.length)) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', config.reporters, 'must match the number of specified \'--test-reporter-destination\'');
  }
  return Promise.all(names.map((name, index) => connectOne(config, name, destinations[index])));
}

async function connectOne(config, name, destination) {
  const reporter = loadBuiltin(name) ?? await loadModule(name);
  const output = config.stream.compose(reporter);
  output.pipe(openDestination(destination));
  (config.outputs ??= []).push(output);
}

/** Resolves when all output is written. */
async function flush({ outputs = [] }) {
  const { finished } = require('stream/promises');
  await Promise.all(outputs.map((output) => finished(output).catch(() => {})));
}

module.exports = { connect, flush };
