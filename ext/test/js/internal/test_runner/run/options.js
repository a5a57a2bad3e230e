// Options of `run`. In: the program's object. Out: a configuration as config.js reads it from the
// command line, with the files to run; or Node's error for the first wrong option.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  validateAbortSignal, validateArray, validateBoolean, validateFunction, validateInteger, validateNumber, validateObject, validateOneOf, validateString,
  validateStringArray,
} = require('internal/validators');
const { isRegExp } = require('internal/util/types');
const { convertStringToRegExp, makeFilterOf } = require('internal/test_runner/config');
const { TIMEOUT_MAX } = require('internal/test_runner/runnable');

const isSet = (value) => value !== undefined && value !== null;

function readRunOptions(options) {
  validateObject(options, 'options');
  validateKinds(options);
  const config = readConfig(options);
  validateCombinations(config);
  return config;
}

/** Options that are wrong by themselves. */
function validateKinds(options) {
  const { files, globPatterns, watch, forceExit, only, coverage, setup, signal, timeout, cwd, env, globalSetupPath, isolation } = options;
  if (isSet(files)) validateArray(files, 'options.files');
  if (isSet(globPatterns)) validateArray(globPatterns, 'options.globPatterns');
  for (const [name, value] of Object.entries({ watch, forceExit, only, coverage })) {
    if (isSet(value)) validateBoolean(value, `options.${name}`);
  }
  if (isSet(setup)) validateFunction(setup, 'options.setup');
  validateAbortSignal(signal, 'options.signal');
  if (isSet(timeout) && timeout !== Infinity) validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);
  if (isSet(cwd)) validateString(cwd, 'options.cwd');
  if (isSet(env)) validateObject(env, 'options.env');
  if (isSet(globalSetupPath)) validateString(globalSetupPath, 'options.globalSetupPath');
  if (isSet(isolation)) validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  for (const name of ['argv', 'execArgv']) if (isSet(options[name])) validateStringArray(options[name], `options.${name}`);
}

function readConfig(options) {
  const process = require('process');
  const { concurrency, timeout, signal, setup, watch = false, forceExit = false, only = false, isolation = 'process', cwd = process.cwd() } = options;
  const namePatterns = readPatterns(options.testNamePatterns, 'options.testNamePatterns');
  const skipPatterns = readPatterns(options.testSkipPatterns, 'options.testSkipPatterns');
  return {
    concurrency: readConcurrency(concurrency), timeout: isolation === 'none' ? timeout ?? undefined : undefined, fileTimeout: timeout ?? undefined, signal: signal ?? undefined,
    setup, watch, forceExit, only: isolation === 'none' && only, filesOnly: only, isolation, cwd, namePatterns, skipPatterns,
    filter: isolation === 'none' ? makeFilterOf(namePatterns, skipPatterns) : undefined,
    files: options.files ?? undefined, globPatterns: options.globPatterns ?? undefined, shard: readShard(options.shard), env: options.env ?? undefined,
    argv: options.argv ?? [], execArgv: options.execArgv ?? [], globalSetupPath: options.globalSetupPath ?? undefined, coverage: readCoverage(options, cwd),
  };
}

/** `true`: one process for each processor but one. */
function readConcurrency(concurrency) {
  if (concurrency === true) return Math.max(require('os').availableParallelism() - 1, 1);
  return isSet(concurrency) ? concurrency : 1;
}

function readPatterns(patterns, name) {
  if (!isSet(patterns)) return [];
  return (Array.isArray(patterns) ? patterns : [patterns]).map((pattern, index) => {
    if (isRegExp(pattern)) return pattern;
    if (typeof pattern === 'string') return convertStringToRegExp(pattern);
    throw new ERR_INVALID_ARG_TYPE(`${name}[${index}]`, ['string', 'RegExp'], pattern);
  });
}

function readShard(shard) {
  if (!isSet(shard)) return undefined;
  validateObject(shard, 'options.shard');
  const { index, total } = shard;
  validateInteger(total, 'options.shard.total', 1);
  validateInteger(index, 'options.shard.index', 1, total);
  return { index, total };
}

function readCoverage(options, cwd) {
  if (options.coverage !== true) return undefined;
  const { coverageIncludeGlobs, coverageExcludeGlobs, lineCoverage = 0, branchCoverage = 0, functionCoverage = 0 } = options;
  const globs = (value, name) => {
    if (!isSet(value)) return [];
    const list = Array.isArray(value) ? value : [value];
    validateStringArray(list, name);
    return list.filter((glob) => glob !== '');
  };
  const included = globs(coverageIncludeGlobs, 'options.coverageIncludeGlobs');
  const excluded = globs(coverageExcludeGlobs, 'options.coverageExcludeGlobs');
  for (const [name, value] of Object.entries({ lineCoverage, branchCoverage, functionCoverage })) validateInteger(value, `options.${name}`, 0, 100);
  const { CoverageReport } = require('internal/test_runner/coverage');
  return new CoverageReport(cwd, { included, excluded, thresholds: { line: lineCoverage, branch: branchCoverage, function: functionCoverage } });
}

function validateCombinations({ files, globPatterns, watch, forceExit, shard, env, isolation }) {
  if (forceExit && watch) throw new ERR_INVALID_ARG_VALUE('options.forceExit', watch, 'is not supported with watch mode');
  if (files?.length > 0 && globPatterns?.length > 0) {
    throw new ERR_INVALID_ARG_VALUE('options.globPatterns', globPatterns, 'is not supported when specifying \'options.files\'');
  }
  if (watch && shard !== undefined) throw new ERR_INVALID_ARG_VALUE('options.shard', watch, 'shards not supported with watch mode');
  if (env !== undefined && isolation === 'none') {
    throw new ERR_INVALID_ARG_VALUE('options.env', env, 'is not supported with isolation=\'none\'');
  }
}

module.exports = { readRunOptions };
