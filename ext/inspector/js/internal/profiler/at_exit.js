// `--cpu-prof`: a CPU profile of the program, or of a worker, from its start to its exit. In: the
// flags `--cpu-prof-dir`, `--cpu-prof-name`. Out: a file.
'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');
const { start, stop } = require('internal/profiler/sampler');

const directory = getOptionValue('--cpu-prof-dir') || getOptionValue('--diagnostic-dir') || process.cwd();
const name = getOptionValue('--cpu-prof-name');
const recording = start();

/** Node's placeholder in the name of a profile. */
const PROCESS_ID = '${pid}';

function write() {
  const { toProfile } = require('internal/profiler/cpu_profile');
  const text = JSON.stringify(toProfile(stop(recording)));
  const fs = require('fs');
  const file = name ? name.replaceAll(PROCESS_ID, process.pid) : require('internal/process/diagnostic_name')('CPU', 'cpuprofile');
  const path = require('path').resolve(directory, file);
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(path, text);
  } catch (error) {
    process._rawDebug(`error: the CPU profile is not written: ${error.message}`);
  }
}

require('internal/process/execution').addExitHook(write);
