// Entry point of a test worker: runs the files that share this global object. In: settings, files
// (binding). Out: events; the worker learns that all is done. Absent: which files share a global
// object (src/worker.rs).
'use strict';

const binding = internalBinding('test_runner');
const events = require('internal/test_files/events');
const { importModule, runFile, wait } = require('internal/test_files/run_file');
const { Preloads } = require('internal/test_files/preloads');

const OK = 0;
const FAILED = 1;

let isPrepared = false;

/** Loads what every file needs, before there is one. */
function prepare() {
  if (!isPrepared) {
    isPrepared = true;
    require.keepIntrinsics();
    require('internal/test_files/globals').install(globalThis);
    require('internal/esm');
    require('internal/esm/synthetic');
    require('internal/esm/link').awaitNames();
  }
  if (binding.isWatched()) require('internal/test_files/reuse').record();
}

/** Tells whether the next file can have the same global object. */
function judge() { require('internal/test_files/reuse').judge(); }

/** Those of the process. */
let settings;

async function run() {
  try {
    settings ??= JSON.parse(binding.settings());
    await runFiles(settings);
  } catch (error) {
    events.add({ t: 'error', e: events.describeError(error) });
  } finally {
    events.post();
    binding.finish();
  }
}

async function runFiles(settings) {
  prepare();
  if (settings.coverageRoot !== undefined) require('internal/test_files/coverage').start(settings.coverageRoot);
  const files = binding.files();
  const preloads = new Preloads(settings.preloads, importModule);
  let code = OK;
  for (let at = 0; at < files.length; at += 2) {
    if (!await runFile(files[at + 1], files[at], settings, preloads, at + 2 >= files.length)) code = FAILED;
  }
  if (require.isLoaded('process')) emitExit(code);
}

function emitExit(code) {
  const process = require('process');
  try {
    if (!process._exiting) {
      process._exiting = true;
      process.emit('exit', process.exitCode ?? code);
    }
  } catch (error) {
    events.add({ t: 'error', e: events.describeError(error) });
  }
}

module.exports = { judge, prepare, run, wait };
