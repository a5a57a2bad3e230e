// Colours of failure messages: green for what was expected, red for what was received. In: strings.
// Out: strings, with ANSI codes if messages go to a terminal that shows them.
'use strict';

const { state } = require('internal/expect/state');

const CODES = { green: 32, red: 31, dim: 2, bold: 1, inverse: 7, yellow: 33, cyan: 36 };
const CLOSING = { green: 39, red: 39, dim: 22, bold: 22, inverse: 27, yellow: 39, cyan: 39 };

/** Whether standard error shows colours; NO_COLOR and FORCE_COLOR decide first. */
function detect() {
  const { env, stderr } = require('process');
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stderr?.isTTY === true && env.TERM !== 'dumb';
}

let detected;
function hasColors() { return state.options.hasColors ?? (detected ??= detect()); }

function paint(name, text) {
  return hasColors() ? `\x1b[${CODES[name]}m${text}\x1b[${CLOSING[name]}m` : text;
}

module.exports = {
  hasColors,
  bold: (text) => paint('bold', text),
  dim: (text) => paint('dim', text),
  green: (text) => paint('green', text),
  inverse: (text) => paint('inverse', text),
  red: (text) => paint('red', text),
  yellow: (text) => paint('yellow', text),
};
