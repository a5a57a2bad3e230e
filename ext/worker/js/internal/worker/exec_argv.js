// Flags of a worker: `execArgv`, and NODE_OPTIONS of its environment. In: arguments. Out: preloads
// and conditions, or ERR_WORKER_INVALID_EXEC_ARGV with the flags that a worker cannot have: unknown
// ones, V8's, and those of the process.
'use strict';

const { codes: { ERR_WORKER_INVALID_EXEC_ARGV } } = require('internal/errors');
const { isWordOption, split } = require('internal/options');

/** Flags of the process. */
const PER_PROCESS_FLAGS = new Set(`
--title --trace-event-categories --trace-event-file-pattern --v8-pool-size --zero-fill-buffers --debug-arraybuffer-allocations --disable-proto
--node-snapshot --openssl-config --openssl-legacy-provider --openssl-shared-config --use-openssl-ca --use-bundled-ca --enable-fips --force-fips
--secure-heap --secure-heap-min --icu-data-dir --report-signal --force-context-aware --heapsnapshot-signal --max-http-header-size
`.trim().split(/\s+/));

const V8_FLAGS = new Set(`
--expose-gc --abort-on-uncaught-exception --max-old-space-size --max-old-space-size-percentage --max-semi-space-size --stack-trace-limit --jitless --perf-basic-prof
--perf-basic-prof-only-functions --perf-prof --perf-prof-unwinding-info --interpreted-frames-native-stack --huge-max-old-generation-size --stack-size
--disallow-code-generation-from-strings --enable-etw-stack-walking
`.trim().split(/\s+/));

/** Known flags that NODE_OPTIONS does not allow. */
const OTHER_FLAGS = new Set(['--expose-internals', '--check', '--test', '--inspect-brk-node', '--prof-process', '--enable-source-maps', '--preserve-symlinks-main']);

/** Kinds of preloads, by flag (internal/preloads.js). */
const PRELOADS = { '--require': 'require', '--import': 'import', '--loader': 'loader', '--experimental-loader': 'loader' };

const SHORT_FLAGS = { '-r': '--require', '-C': '--conditions' };

function isKnownFlag(name) {
  const positive = name.replace(/^--no-/, '--');
  return OTHER_FLAGS.has(positive) || isWordOption(positive) || require('internal/process/allowed_flags').allowedFlags().has(positive);
}

/** { preloads, conditions } */
function parse(args, source) {
  const invalid = [];
  const parsed = { preloads: [], conditions: [] };
  for (let index = 0; index < args.length; index++) {
    const [, flag, inlineValue] = /^([^=]*)(?:=([^]*))?$/.exec(args[index]);
    const name = (SHORT_FLAGS[flag] ?? flag).replaceAll('_', '-');
    if (!name.startsWith('--') || !isKnownFlag(name) || PER_PROCESS_FLAGS.has(name) || V8_FLAGS.has(name)) {
      invalid.push(args[index]);
      continue;
    }
    let value = inlineValue;
    if (value === undefined && isWordOption(name)) {
      value = args[++index];
      if (value === undefined) invalid.push(`${name} requires an argument`);
    }
    if (Object.hasOwn(PRELOADS, name)) parsed.preloads.push(PRELOADS[name], value);
    if (name === '--conditions') parsed.conditions.push(value);
  }
  if (invalid.length > 0) throw new ERR_WORKER_INVALID_EXEC_ARGV(invalid, source);
  return parsed;
}

/**
 * Parses the option `execArgv`: { flags, preloads, conditions }. What is no flag ends the flags, as
 * on a command line.
 */
function parseExecArgv(args) {
  const flags = flagsOf(args.map(String));
  return { flags, ...parse(flags, 'invalid execArgv flags') };
}

function flagsOf(args) {
  for (let index = 0; index < args.length; index++) {
    const [, flag, inlineValue] = /^([^=]*)(?:=([^]*))?$/.exec(args[index]);
    if (flag === '-' || flag === '--' || !flag.startsWith('-')) return args.slice(0, index);
    if (inlineValue === undefined && isWordOption((SHORT_FLAGS[flag] ?? flag).replaceAll('_', '-'))) index++;
  }
  return args;
}

/** Throws for NODE_OPTIONS that a worker cannot have, unless they are those of this thread. */
function validateNodeOptions(env) {
  const { NODE_OPTIONS: options } = env;
  if (typeof options === 'string' && options !== require('internal/process/env').read('NODE_OPTIONS')) {
    parse(split(options), 'invalid NODE_OPTIONS env variable');
  }
}

module.exports = { parseExecArgv, validateNodeOptions };
