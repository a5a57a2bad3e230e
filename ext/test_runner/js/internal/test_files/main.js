// Entry points of a test worker. `prepare` loads what every test file needs, once, before the
// process forks; `run` runs the files of one request. In: the request (binding). Out: events; the
// process exits. Absent: forking and receiving requests (src/worker.rs).
'use strict';

const binding = internalBinding('test_runner');
const events = require('internal/test_files/events');

const OK = 0;
const FAILED = 1;

let settings;

/** Loads builtins; all children share the memory. */
function prepare() {
  require('process');
  require('internal/console/global');
  require('internal/process/execution');
  require('bun/test');
  require('internal/test_files/run_file');
  require('internal/esm');
  require('module');
  require('path');
  require('fs');
  require('url');
  require('util');
  require('internal/modules/preloads');
  require('internal/test_files/globals').install(globalThis);
}

/** Runs the request's files one after another, each with its own tree. */
async function run() {
  const request = JSON.parse(binding.request());
  settings = request.settings;
  require('internal/test_files/random').reseed(globalThis.Math, binding.random());
  const { env } = require('process');
  env.BUN_TEST_WORKER_ID = env.JEST_WORKER_ID = `${request.worker}`;
  const { runFile } = require('internal/test_files/run_file');
  let code = OK;
  for (const [index, path] of request.files) {
    if (!await runFile(path, index, settings)) code = FAILED;
  }
  end(code);
}

/** Emits 'exit' and ends the process; whatever is still open is closed by the kernel. */
function end(code) {
  const process = require('process');
  try {
    if (!process._exiting) {
      process._exiting = true;
      process.emit('exit', process.exitCode ?? code);
    }
  } catch (error) {
    events.add({ t: 'error', e: events.describeError(error) });
  }
  events.add({ t: 'bye' });
  events.flush();
  internalBinding('process').exit(code);
}

module.exports = { prepare, run };
