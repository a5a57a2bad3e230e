// Command-line options of the runtime, of NODE_OPTIONS and of bunfig.toml. In: arguments before the
// program's name.
// Out: `getOptionValue('--name')`, with Node's defaults. Node's options without a meaning here are
// accepted, too; internal/process/allowed_flags.js has those that NODE_OPTIONS may contain.

'use strict';

/** Options that are enabled unless `--no-NAME` is passed. */
const enabledByDefault = new Set(['--warnings', '--addons', '--deprecation', '--global-search-paths', '--network-family-autoselection', '--verify-base-objects']);

/** Options with a value. */
const valueOptions = new Set([
  '--unhandled-rejections', '--redirect-warnings', '--disable-warning', '--title', '--require', '--import', '--conditions',
  '--input-type', '--icu-data-dir', '--dns-result-order', '--max-http-header-size', '--stack-trace-limit', '--env-file',
  '--env-file-if-exists', '--eval', '--print', '--loader', '--experimental-loader', '--inspect-port', '--test-name-pattern',
  '--test-skip-pattern', '--test-reporter', '--test-reporter-destination', '--test-timeout', '--test-concurrency', '--test-isolation',
  '--experimental-test-isolation', '--test-shard', '--test-global-setup', '--test-coverage-include', '--test-coverage-exclude',
  '--test-coverage-lines', '--test-coverage-branches', '--test-coverage-functions',
  '--cpu-prof-dir', '--cpu-prof-interval', '--cpu-prof-name', '--heapsnapshot-signal', '--report-directory', '--report-dir', '--report-filename', '--report-signal', '--diagnostic-dir', '--network-family-autoselection-attempt-timeout', '--secure-heap', '--secure-heap-min', '--tls-cipher-list', '--tls-keylog', '--trace-require-module', '--port', '--console-depth', '--user-agent',
]);

/** Options that can be repeated. */
const listOptions = new Set([
  '--disable-warning', '--require', '--import', '--conditions', '--env-file', '--env-file-if-exists',
  '--test-name-pattern', '--test-skip-pattern', '--test-reporter', '--test-reporter-destination', '--test-coverage-include', '--test-coverage-exclude',
]);

const aliases = { '-r': '--require', '-C': '--conditions', '-e': '--eval', '-p': '--print' };

let values;

/** Splits NODE_OPTIONS as Node does: at spaces that are not in quotes. */
function split(text) {
  const args = [];
  for (const match of text.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g)) {
    args.push(match[0].replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside) => inside.replace(/\\(.)/g, '$1')));
  }
  return args;
}

function add(name, value) {
  if (listOptions.has(name)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  } else {
    values.set(name, value);
  }
}

function parseArguments(list) {
  for (let index = 0; index < list.length; index++) {
    const [, option, value] = /^([^=]*)(?:=([^]*))?$/.exec(list[index]);
    const name = (aliases[option] ?? option).replaceAll('_', '-');
    if (value !== undefined) {
      add(name, value);
    } else if (valueOptions.has(name)) {
      add(name, list[++index]);
    } else if (name.startsWith('--no-')) {
      add(`--${name.slice(5)}`, false);
    } else {
      add(name, true);
    }
  }
}

function read() {
  values = new Map();
  const { execArgv, configuredArgv } = internalBinding('process').start();
  parseArguments(configuredArgv);
  const { read: readEnv } = require('internal/process/env');
  const nodeOptions = readEnv('NODE_OPTIONS');
  if (nodeOptions) {
    parseArguments(split(nodeOptions));
  }
  parseArguments(execArgv);
  if (readEnv('NODE_USE_ENV_PROXY') === '1' && !values.has('--use-env-proxy')) {
    add('--use-env-proxy', true);
  }
  if (readEnv('NODE_PENDING_DEPRECATION') === '1') {
    add('--pending-deprecation', true);
  }
}

/** An option's value; without the option false, an empty string or an empty list, by its kind. */
function getOptionValue(name) {
  if (values === undefined) {
    read();
  }
  if (values.has(name)) {
    return values.get(name);
  }
  if (enabledByDefault.has(name)) {
    return true;
  }
  return listOptions.has(name) ? [] : valueOptions.has(name) ? '' : false;
}

/** Whether `--no-NAME` is passed. */
function isDenied(name) { return !enabledByDefault.has(name) && getOptionValue(name) === false && values.has(name); }

/** Whether an option has a value. */
const isWordOption = (name) => valueOptions.has(name);

module.exports = { getOptionValue, isDenied, isWordOption, split };
