// TAP reporter: version 13 of the Test Anything Protocol. In: events. Out: a line for each test
// below its parents, with a YAML block of details.
'use strict';

const { inspectWithNoCustomRetry, isTestFailureError, failureTypes } = require('internal/test_runner/failure');
const { isDate, isMap, isSet } = require('internal/util/types');

/** Failures whose cause is the program's own error. */
const UNWRAPPED = new Set([failureTypes.code, failureTypes.hook, failureTypes.exception, failureTypes.rejection]);
const ESCAPES = { '\b': '\\\\b', '\f': '\\\\f', '\n': '\\\\n', '\r': '\\\\r', '\t': '\\\\t', '\v': '\\\\v', '\\': '\\\\', '#': '\\#' };

module.exports = async function* tap(source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    const prefix = '    '.repeat(data.nesting ?? 0);
    switch (type) {
      case 'test:pass':
        yield line(prefix, 'ok', data);
        yield details(prefix, data);
        break;
      case 'test:fail':
        yield line(prefix, 'not ok', data);
        yield details(prefix, data);
        break;
      case 'test:plan':
        yield `${prefix}1..${data.count}\n`;
        break;
      case 'test:start':
        yield `${prefix}# Subtest: ${escape(data.name)}\n`;
        break;
      case 'test:coverage':
        yield require('internal/test_runner/reporter/coverage_table').renderCoverage(data.summary, `${prefix}# `);
        break;
      case 'test:stderr':
      case 'test:stdout':
        for (const text of data.message.replace(/\n$/, '').split(/\n|\r\n/)) yield `${prefix}# ${escape(text)}\n`;
        break;
      case 'test:diagnostic':
        yield `${prefix}# ${escape(data.message)}\n`;
        break;
    }
  }
};

function escape(text) {
  return String(text).replace(/[\b\f\n\r\t\v\\#]/g, (char) => ESCAPES[char]);
}

function directive(name, value) {
  if (value === undefined) return '';
  return ` # ${name.toUpperCase()}${typeof value === 'string' && value.length > 0 ? ` ${escape(value)}` : ''}`;
}

function line(prefix, status, { name, testNumber, skip, todo, expectFailure }) {
  const marks = skip !== undefined ? directive('skip', skip) :
    todo !== undefined ? directive('todo', todo) : directive('expected failure', expectFailure);
  return `${prefix}${status} ${testNumber} - ${escape(name)}${marks}\n`;
}

function details(prefix, { details: { duration_ms: duration, type, error }, file, line, column }) {
  const own = `${prefix}  `;
  let text = `${own}---\n${field(own, 'duration_ms', duration)}`;
  if (type !== undefined) text += field(own, 'type', type);
  if (error !== undefined) {
    if (file !== undefined) text += field(own, 'location', `${file}:${line}:${column}`);
    text += error instanceof Error || isTestFailureError(error) || typeof error === 'object' ? renderError(own, error) : field(own, 'error', error);
  }
  return `${text}${own}...\n`;
}

/** Fields of an error; those of its cause where that is the program's error. */
function renderError(prefix, error, seen = []) {
  const { failureType, cause } = error;
  const isUnwrapped = isTestFailureError(error) && UNWRAPPED.has(failureType) && cause !== undefined;
  const own = isUnwrapped && typeof cause === 'object' && cause !== null ? cause : error;
  const has = (key) => isUnwrapped && own === cause && key in own;
  let text = '';
  if (failureType !== undefined) text += field(prefix, 'failureType', failureType);
  text += field(prefix, 'error', isUnwrapped ? messageOf(cause, error) : error.message);
  const code = own.code ?? error.code;
  if (code !== undefined && code !== '') text += field(prefix, 'code', code);
  const name = isTestFailureError(own) ? undefined : own.name;
  if (name !== undefined && name !== '' && name !== 'Error') text += field(prefix, 'name', name);
  if (own.code === 'ERR_ASSERTION' || (has('expected') && has('actual'))) {
    text += field(prefix, 'expected', own.expected, seen) + field(prefix, 'actual', own.actual, seen);
    if (own.operator !== undefined) text += field(prefix, 'operator', own.operator);
  }
  return text + frames(prefix, isUnwrapped && own !== cause ? undefined : own.stack);
}

function messageOf(cause, error) {
  if (typeof cause === 'object' && cause !== null && 'message' in cause) return cause.message;
  return error.message;
}

function frames(prefix, stack) {
  if (typeof stack !== 'string') return '';
  const lines = [];
  for (const line of stack.split(/\n|\r\n/)) {
    const match = /^\s+at (.+)$/.exec(line);
    if (match !== null) lines.push(`${prefix}  ${match[1]}`);
  }
  return lines.length === 0 ? '' : `${prefix}stack: |-\n${lines.join('\n')}\n`;
}

/** A key and its value as YAML; `seen`: the enclosing objects. */
function field(prefix, key, value, seen = []) {
  if (value === null) return `${prefix}${key}: ~\n`;
  if (value === undefined) return '';
  if (typeof value === 'string') {
    const lines = value.split(/\r?\n/);
    if (lines.length === 1) return `${prefix}${key}: ${inspectWithNoCustomRetry(value)}\n`;
    return `${prefix}${key}: |-\n${lines.map((text) => `${prefix}  ${text}\n`).join('')}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `${prefix}${key}: ${value}\n`;
  if (typeof value !== 'object') return `${prefix}${key}: ${inspectWithNoCustomRetry(value)}\n`;
  if (isDate(value)) return `${prefix}${key}: ${value.toISOString()}\n`;
  if (seen.includes(value)) return `${prefix}${key}: <Circular>\n`;
  const enclosing = [...seen, value];
  // As in Node, the fields of a nested error are not indented.
  if (value instanceof Error) return `${prefix}${key}:\n${renderError(prefix, value, enclosing)}`;
  const members = isMap(value) ? [...value] : isSet(value) ? [...value].entries() : Object.entries(value);
  let text = `${prefix}${key}:\n`;
  for (const [name, member] of members) text += field(`${prefix}  `, String(name), member, enclosing);
  return text;
}
