// Who tells of a run. In: names from the command line: our own, or a module's. Out: each is
// connected to its destination; without names it is `spec`, on standard output.
'use strict';

const OWN = ['spec', 'tap', 'dot', 'junit'];

function load(name) {
  if (name === 'spec') return require('internal/test_runner/reporters/spec').make();
  if (OWN.includes(name)) return require(`internal/test_runner/reporters/${name}`);
  if (name === 'lcov') {
    const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
    throw new ERR_METHOD_NOT_IMPLEMENTED('lcov');
  }
  return undefined;
}

/** A reporter of the program's own: what a module exports as its default. */
async function loadOwn(name) {
  const process = require('process');
  const { createRequire } = require('module');
  const from = createRequire(`${process.cwd()}/`);
  const specifier = name.startsWith('.') || name.startsWith('/') ? require('path').resolve(name) : name;
  const found = name.startsWith('file:') ? from(require('url').fileURLToPath(name)) : from(specifier);
  const reporter = found?.default ?? found;
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

/** Out: when the stream is being read. */
function connect(settings) {
  const names = settings.reporters.length === 0 ? ['spec'] : settings.reporters;
  const { destinations } = settings;
  if (names.length !== Math.max(destinations.length, 1) || (names.length > 1 && destinations.length !== names.length)) {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', settings.reporters, 'must match the number of specified \'--test-reporter-destination\'');
  }
  return Promise.all(names.map((name, index) => connectOne(settings.stream, name, destinations[index])));
}

async function connectOne(stream, name, destination) {
  const reporter = load(name) ?? await loadOwn(name);
  stream.compose(reporter).pipe(openDestination(destination));
}

module.exports = { connect };
