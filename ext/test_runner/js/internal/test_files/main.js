// Entry points of a test worker. `prepare` loads what every test file needs, once, before the
// process forks; `run` runs the files of one request. In: the request (binding). Out: events; the
// process exits. Absent: forking and receiving requests (src/worker.rs).
'use strict';

const binding = internalBinding('test_runner');
const events = require('internal/test_files/events');

const OK = 0;
const FAILED = 1;

let settings;

/** Builtins that a file with a test needs in any case. */
const PRELOADED = [
  'process', 'module', 'path', 'fs', 'url', 'util', 'bun/test', 'internal/builtin_list', 'internal/console/global', 'internal/errors/system', 'internal/esm',
  'internal/esm/synthetic', 'internal/modules/preloads', 'internal/process/active_resources', 'internal/process/env', 'internal/process/execution',
  'internal/process/per_thread', 'internal/test_files/random', 'internal/test_files/run_file', 'internal/test_files/shuffle',
];

/** Loads builtins; all children share the memory. */
function prepare() {
  for (const id of PRELOADED) require(id);
  require('internal/test_files/globals').install(globalThis);
}

/** Uses what most files use; it reads no file. */
const SAMPLE = `data:text/javascript,${encodeURIComponent(`
import { beforeEach, describe, expect, test } from 'bun:test';
describe('group', () => {
  beforeEach(() => {});
  test('synchronous', () => {});
  test('asynchronous', async () => { await 0; });
  test.each([[1]])('row %d', () => {});
});
`)}`;

const SAMPLE_SETTINGS = { timeout: 1000, retry: 0, maxConcurrency: 1, preloads: [], isCi: false };

/**
 * Runs a file of three tests, without events: the engine reads a function when it is first called,
 * and children share what it has read.
 */
async function warmUp() {
  await require('internal/test_files/run_file').runFile(SAMPLE, 0, SAMPLE_SETTINGS);
  events.drop();
  require('internal/esm').records.delete(SAMPLE);
  Object.assign(require('internal/modules/main_module'), { path: undefined, script: undefined });
}

/** Runs the request's files one after another, each with its own tree. */
async function run() {
  const request = JSON.parse(binding.request());
  settings = request.settings;
  require('internal/test_files/random').reseed(globalThis.Math, binding.random());
  const process = require('process');
  // That of the process that has forked.
  Object.defineProperty(process, 'pid', { __proto__: null, value: binding.pid() });
  const { env } = process;
  env.BUN_TEST_WORKER_ID = env.JEST_WORKER_ID = `${request.worker}`;
  if (settings.coverageRoot !== undefined) require('internal/test_files/coverage').start(settings.coverageRoot);
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

module.exports = { prepare, run, warmUp };
