// Flags of a worker: `execArgv` and NODE_OPTIONS of its environment. In: words. Out: what they mean
// for it, or an error that names those that a worker cannot have: unknown ones, V8's, and those of
// the process as a whole.
'use strict';

const { codes: { ERR_WORKER_INVALID_EXEC_ARGV } } = require('internal/errors');
const { isWordOption, split } = require('internal/options');

/** Of the process as a whole. */
const OF_PROCESS = new Set(`
--title --trace-event-categories --trace-event-file-pattern --v8-pool-size --zero-fill-buffers --debug-arraybuffer-allocations --disable-proto
--node-snapshot --openssl-config --openssl-legacy-provider --openssl-shared-config --use-openssl-ca --use-bundled-ca --enable-fips --force-fips
--secure-heap --secure-heap-min --icu-data-dir --report-signal --force-context-aware --heapsnapshot-signal --max-http-header-size
`.trim().split(/\s+/));

const OF_V8 = new Set(`
--expose-gc --abort-on-uncaught-exception --max-old-space-size --max-old-space-size-percentage --max-semi-space-size --stack-trace-limit --jitless --perf-basic-prof
--perf-basic-prof-only-functions --perf-prof --perf-prof-unwinding-info --interpreted-frames-native-stack --huge-max-old-generation-size --stack-size
--disallow-code-generation-from-strings --enable-etw-stack-walking
`.trim().split(/\s+/));

/** Beside those that NODE_OPTIONS may have. */
const MORE = new Set(['--expose-internals', '--check', '--test', '--inspect-brk-node', '--prof-process', '--enable-source-maps', '--preserve-symlinks-main']);

/** How what a flag names is loaded: see internal/preloads.js. */
const PRELOADS = { '--require': 'require', '--import': 'import', '--loader': 'loader', '--experimental-loader': 'loader' };

const SHORT = { '-r': '--require', '-C': '--conditions' };

function isKnown(name) {
  const plain = name.replace(/^--no-/, '--');
  return MORE.has(plain) || isWordOption(plain) || require('internal/process/allowed_flags').allowedFlags().has(plain);
}

/** { preloads, conditions } */
function read(words, source) {
  const bad = [];
  const found = { preloads: [], conditions: [] };
  for (let index = 0; index < words.length; index++) {
    const [, given, text] = /^([^=]*)(?:=([^]*))?$/.exec(words[index]);
    const name = (SHORT[given] ?? given).replaceAll('_', '-');
    if (!name.startsWith('--') || !isKnown(name) || OF_PROCESS.has(name) || OF_V8.has(name)) {
      bad.push(words[index]);
      continue;
    }
    let value = text;
    if (value === undefined && isWordOption(name)) {
      value = words[++index];
      if (value === undefined) bad.push(`${name} requires an argument`);
    }
    if (Object.hasOwn(PRELOADS, name)) found.preloads.push(PRELOADS[name], value);
    if (name === '--conditions') found.conditions.push(value);
  }
  if (bad.length > 0) throw new ERR_WORKER_INVALID_EXEC_ARGV(bad, source);
  return found;
}

/** Flags that a worker is given. */
const readFlags = (words) => read(words, 'invalid execArgv flags');

/** Throws at variables that a worker cannot have; those that its starter has it has as well. */
function checkVariables(env) {
  const { NODE_OPTIONS: options } = env;
  if (typeof options === 'string' && options !== require('internal/process/env').read('NODE_OPTIONS')) {
    read(split(options), 'invalid NODE_OPTIONS env variable');
  }
}

module.exports = { checkVariables, readFlags };
