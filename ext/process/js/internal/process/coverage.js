// NODE_V8_COVERAGE: writes what the program ran, for tools like c8. In: a directory. Out: a file of
// each thread with `Profiler.ScriptCoverage[]` and source maps, at the end and by
// `v8.takeCoverage()`. Absent: counting (internal/inspector/block_coverage).
'use strict';

const process = require('process');
const coverage = require('internal/inspector/block_coverage');

const user = {};
const directory = require('path').resolve(process.env.NODE_V8_COVERAGE);
// Processes of the program write to the same directory, wherever they run.
process.env.NODE_V8_COVERAGE = directory;
let count = 0;
let isRunning = true;

coverage.start(user);
require('internal/process/execution').addExitHook(take);

/** Writes what ran since the last call. */
function take() {
  if (!isRunning) return;
  const result = coverage.take();
  const text = JSON.stringify({ result, timestamp: process.hrtime()[0] * 1e6 + process.hrtime()[1] / 1e3, 'source-map-cache': coverage.sourceMapCache() });
  const { threadId } = require('worker_threads');
  const fs = require('fs');
  const file = require('path').join(directory, `coverage-${process.pid}-${Date.now()}-${threadId * 1000 + count++}.json`);
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(file, text);
  } catch (error) {
    process._rawDebug(`error: the coverage is not written: ${error.message}`);
  }
}

/** Ends counting; what was counted since the last file is lost, as in Node. */
function stop() {
  isRunning = false;
  coverage.stop(user);
}

module.exports = { take, stop };
