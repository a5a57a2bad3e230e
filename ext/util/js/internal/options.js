// Options that come before the program's name, and from NODE_OPTIONS. In: words. Out:
// `getOptionValue('--name')`, with Node's defaults. Options that are known and mean nothing here
// are taken all the same; see internal/process/allowed_flags.js for those NODE_OPTIONS may have.

'use strict';

/** Options that are on unless `--no-NAME` is there. */
const on = new Set(['--warnings', '--deprecation', '--global-search-paths', '--network-family-autoselection', '--verify-base-objects']);

/** Options that take a word. */
const words = new Set([
  '--unhandled-rejections', '--redirect-warnings', '--disable-warning', '--title', '--require', '--import', '--conditions',
  '--input-type', '--icu-data-dir', '--dns-result-order', '--max-http-header-size', '--stack-trace-limit', '--env-file',
  '--env-file-if-exists', '--eval', '--print', '--loader', '--experimental-loader', '--inspect-port', '--test-name-pattern',
  '--test-skip-pattern', '--test-reporter', '--test-reporter-destination', '--test-timeout',
  '--heapsnapshot-signal', '--diagnostic-dir', '--network-family-autoselection-attempt-timeout', '--secure-heap', '--secure-heap-min', '--trace-require-module',
]);

/** Options that may be there more than once. */
const lists = new Set([
  '--disable-warning', '--require', '--import', '--conditions', '--env-file', '--env-file-if-exists',
  '--test-name-pattern', '--test-skip-pattern', '--test-reporter', '--test-reporter-destination',
]);

const short = { '-r': '--require', '-C': '--conditions', '-e': '--eval', '-p': '--print' };

let values;

/** Splits as Node splits NODE_OPTIONS: blanks part words, quotation marks keep them. */
function split(text) {
  const found = [];
  for (const match of text.matchAll(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g)) {
    found.push(match[0].replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside) => inside.replace(/\\(.)/g, '$1')));
  }
  return found;
}

function add(name, value) {
  if (lists.has(name)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  } else {
    values.set(name, value);
  }
}

function take(list) {
  for (let index = 0; index < list.length; index++) {
    const [, given, value] = /^([^=]*)(?:=([^]*))?$/.exec(list[index]);
    const name = (short[given] ?? given).replaceAll('_', '-');
    if (value !== undefined) {
      add(name, value);
    } else if (words.has(name)) {
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
  const { read: variable } = require('internal/process/env');
  const words = variable('NODE_OPTIONS');
  if (words) {
    take(split(words));
  }
  take(internalBinding('process').start().execArgv);
  if (variable('NODE_PENDING_DEPRECATION') === '1') {
    add('--pending-deprecation', true);
  }
}

/** What an option says: `false` or `undefined` where it is not there, as its kind is. */
function getOptionValue(name) {
  if (values === undefined) {
    read();
  }
  if (values.has(name)) {
    return values.get(name);
  }
  if (on.has(name)) {
    return true;
  }
  return lists.has(name) ? [] : words.has(name) ? '' : false;
}

/** Whether `--no-NAME` is there. */
function isDenied(name) { return !on.has(name) && getOptionValue(name) === false && values.has(name); }

/** Whether an option takes a word. */
const isWordOption = (name) => words.has(name);

module.exports = { getOptionValue, isDenied, isWordOption, split };
