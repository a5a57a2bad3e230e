// Output shared by the spec and dot reporters: symbols, colors, failed tests. In: events. Out:
// lines.
'use strict';

const { inspectWithNoCustomRetry, failureTypes } = require('internal/test_runner/failure');

const SYMBOLS = { __proto__: null, pass: '\u2714 ', fail: '\u2716 ', skip: '\uFE63 ', todo: '\u26A0 ', info: '\u2139 ', arrow: '\u25B6 ' };
const COLOR_CODES = { __proto__: null, green: 32, red: 31, yellow: 33, blue: 34, gray: 90, white: 39 };

let isColored;

function hasColors() {
  return isColored ??= require('internal/console/console').shouldColorize(require('process').stdout);
}

function paint(color, text) {
  return hasColors() ? `\u001B[${COLOR_CODES[color]}m${text}\u001B[39m` : text;
}

const indent = (nesting) => '  '.repeat(nesting);

/** The error that the program threw, under a failed test. */
function renderError(error, prefix) {
  const cause = error.code === 'ERR_TEST_FAILURE' && 'cause' in error ? error.cause : error;
  const text = inspectWithNoCustomRetry(cause, { colors: hasColors(), breakLength: Infinity });
  return `\n${prefix}  ${text.split(/\r?\n/).join(`\n${prefix}  `)}\n`;
}

/** The line of a test, with its error where `withError` is set. */
function renderTest(kind, data, prefix, withError = false) {
  const { skip, todo, expectFailure } = data;
  const [symbol, color] = isSet(skip) ? ['skip', 'gray'] : kind === 'pass' ? ['pass', 'green'] : isSet(todo) ? ['todo', 'yellow'] : ['fail', 'red'];
  const duration = !data.details?.duration_ms ? '' : ` ${paint('gray', `(${data.details.duration_ms}ms)`)}`;
  let title = `${data.name}${duration}`;
  if (isSet(skip)) title += ` # ${reason(skip, 'skip')}`;
  else if (isSet(todo)) title += ` # ${reason(todo, 'todo')}`;
  else if (isSet(expectFailure)) title += ' # EXPECTED FAILURE';
  const error = withError && data.details?.error ? renderError(data.details.error, prefix) : '';
  return `${prefix}${paint(color, `${SYMBOLS[symbol]}${title}`)}${error}`;
}

/** The program's message, or the directive's name. */
function reason(directive, name) {
  return typeof directive === 'string' && directive.length > 0 ? directive : name.toUpperCase();
}

const isSet = (directive) => directive !== undefined;

/** Whether the test itself failed, and not only its subtests. */
function isDirectFailure({ details }) {
  return details?.error?.failureType !== failureTypes.subtests;
}

module.exports = { SYMBOLS, indent, isDirectFailure, paint, renderTest };
