// `run`: runs test files and returns the stream of their events. In: options (run/options.js). Out:
// a TestsStream. With isolation `process` each file has a process of its own, with `none` all files
// are loaded by this one, and their tests run after that.
'use strict';

const process = require('process');
const { resolve } = require('path');
const { createTestFailure, failureTypes } = require('internal/test_runner/failure');
const { TestCounters, conclude, makeRoot, summarize } = require('internal/test_runner/root');
const { FileTest, runFile } = require('internal/test_runner/run/file_test');
const { findFiles } = require('internal/test_runner/run/files');
const { now } = require('internal/perf/clock');
const { kResistStopPropagation } = require('internal/events/symbols');
const { setImmediate } = internalBinding('queues');

const RECURSIVE = 'node:test run() is being called recursively within a test file. skipping running files.';

function run(options = {}) {
  return start(require('internal/test_runner/run/options').readRunOptions(options));
}

/** `config`: of `run` or of the command line. */
function start(config) {
  const root = makeRoot(config);
  if (process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning(RECURSIVE);
    config.files = [];
  }
  begin(root).catch((error) => {
    root.fail(createTestFailure(error, failureTypes.code));
    conclude(root);
  });
  return config.stream;
}

async function begin(root) {
  const { config } = root;
  const { setUp, tearDown } = require('internal/test_runner/global_setup');
  // Listeners of the stream are added first.
  await new Promise(setImmediate);
  await config.setup?.(config.stream);
  await setUp(config.globalSetupPath, config.cwd);
  const files = findFiles(config);
  if (config.isolation === 'none') await require('internal/test_runner/run/in_process').run(root, files);
  else if (config.watch) return watchFiles(root, files);
  else await Promise.all(new FileProcesses(root).runAll(files));
  await tearDown();
  conclude(root);
}

/** The processes of test files, each with the number of a slot. */
class FileProcesses {
  #root;
  #freeWorkers;
  onLoaded;
  /** By file, of watch mode. */
  running = new Map();

  constructor(root) {
    this.#root = root;
    this.#freeWorkers = [];
    this.workers = 0;
  }

  runAll(files) { return files.map((file) => this.run(file)); }

  async run(file) {
    const root = this.#root;
    const { config } = root;
    const location = { file: resolve(config.cwd, file), line: 1, column: 1 };
    const test = root.createSubtest(FileTest, { name: file, location, options: { signal: config.signal }, fn: async (context) => {
      const worker = this.#freeWorkers.shift() ?? ++this.workers;
      try {
        const onStart = (child) => { this.running.set(file, child); };
        await runFile(file, test, { config, worker, signal: context.signal, onStart, onLoaded: (paths) => this.onLoaded?.(file, paths) });
      } finally {
        this.running.delete(file);
        this.#freeWorkers.push(worker);
        this.#freeWorkers.sort((a, b) => a - b);
      }
    } });
    await test.start();
  }
}

/** Runs the files, and again after changes, until the signal aborts. */
async function watchFiles(root, files) {
  const { config: { stream, signal, cwd } } = root;
  const { FileWatcher } = require('internal/test_runner/run/watch');
  const processes = new FileProcesses(root);
  let pending = 0;
  const runAll = async (chosen) => {
    pending++;
    await Promise.all(processes.runAll(chosen));
    if (--pending > 0 || signal?.aborted === true) return;
    stream.emitEvent('watch:drained');
    summarize(root);
  };
  const watcher = new FileWatcher((changed) => {
    if (pending === 0) Object.assign(root, { counts: new TestCounters(), startTime: now(), endTime: null });
    stream.emitEvent('watch:restarted');
    for (const file of changed) processes.running.get(file)?.kill();
    runAll(changed);
  });
  for (const file of files) watcher.add(resolve(cwd, file), file);
  processes.onLoaded = (file, paths) => { for (const path of paths) watcher.add(path, file); };
  const ended = signal === undefined ? new Promise(() => {}) : new Promise((end) => {
    signal.addEventListener('abort', end, { __proto__: null, once: true, [kResistStopPropagation]: true });
  });
  runAll(files);
  await ended;
  watcher.close();
  await require('internal/test_runner/global_setup').tearDown();
  stream.end();
}

module.exports = { run, start };
