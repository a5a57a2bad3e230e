// Entry point of `rusk --test`: runs test files as `node --test` does. In: the command line. Out:
// reports; the exit code. Absent: `rusk test`.
'use strict';

const process = require('process');
const { getOptionValue } = require('internal/options');

async function runFiles() {
  const { readConfig } = require('internal/test_runner/config');
  const { start } = require('internal/test_runner/run');
  const { hasMagic } = require('internal/test_runner/run/files');
  const names = process.argv.slice(1);
  const config = { ...readConfig(), ...readFlags(), isOfCommandLine: true };
  if (names.length > 0 && !names.some(hasMagic)) {
    const { existsSync } = require('fs');
    config.files = names.filter((name) => existsSync(name));
    if (config.files.length === 0) {
      require('internal/console/global').error(`Could not find '${names.join(', ')}'`);
      process.exit(1);
    }
    if (config.files.some((name) => require('fs').statSync(name).isDirectory())) config.files = names;
  } else if (names.length > 0) {
    config.globPatterns = names;
  }
  if (config.isolation === 'none') await loadPreloads();
  const stream = start(config);
  stream.on('test:summary', ({ success, file }) => { if (file === undefined && !success) process.exitCode = 1; });
  await require('internal/test_runner/reporters').connect(config);
  if (config.forceExit) stream.on('end', () => { require('internal/test_runner/reporters').flush(config).then(() => process.exit()); });
}

/** With a process for each file, that process loads them. */
function loadPreloads() {
  const preloads = internalBinding('loader').preloads();
  if (preloads.length === 0) return undefined;
  return new Promise((resolve) => { require('internal/modules/preloads').run(preloads, resolve); });
}

/** What only a run of files has; the rest is in config.js. */
function readFlags() {
  const isolation = getOptionValue('--test-isolation') || getOptionValue('--experimental-test-isolation') || 'process';
  if (!['process', 'none'].includes(isolation)) return refuse('--test-isolation', isolation, 'must be one of: \'process\', \'none\'');
  const concurrency = getOptionValue('--test-concurrency');
  const processes = Math.max(require('os').availableParallelism() - 1, 1);
  return {
    isolation, concurrency: isolation === 'none' ? 1 : concurrency === '' ? processes : Number(concurrency) || processes, watch: getOptionValue('--watch') === true,
    fileTimeout: undefined, namePatterns: [], skipPatterns: [], execArgv: [], argv: [], cwd: process.cwd(), shard: readShard(getOptionValue('--test-shard')),
    ...isolation === 'process' ? { filter: undefined, timeout: undefined, only: false } : {},
  };
}

function readShard(text) {
  if (text === '') return undefined;
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? refuse('--test-shard', text, 'must be in the form of <index>/<total>');
  if (Number(total) < 1 || Number(index) < 1 || Number(index) > Number(total)) {
    const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
    throw new ERR_OUT_OF_RANGE('options.shard.index', `>= 1 && <= ${total} ("options.shard.total")`, Number(index));
  }
  return { index: Number(index), total: Number(total) };
}

function refuse(name, value, reason) {
  const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
  throw new ERR_INVALID_ARG_VALUE(name, value, reason);
}

module.exports = { runFiles };
