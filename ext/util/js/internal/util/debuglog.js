// `util.debuglog`: lines on standard error for the sections that NODE_DEBUG names. In: a section.
// Out: a function that writes, or does nothing; which of them is found out when it is first used.
'use strict';

const { formatWithOptions, inspect } = require('internal/util/inspect');

let wanted;

/** Whether NODE_DEBUG has the section; `*` stands for anything. */
function isWanted(section) {
  if (wanted === undefined) {
    const list = require('process').env.NODE_DEBUG ?? '';
    const patterns = list.toUpperCase().split(',').filter(Boolean).map((name) => name.replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replace(/\*/g, '.*'));
    wanted = patterns.length === 0 ? null : new RegExp(`^(?:${patterns.join('|')})$`);
  }
  return wanted !== null && wanted.test(section);
}

function write(section, args) {
  const process = require('process');
  const colors = require('internal/console/console').shouldColorize(process.stderr);
  process.stderr.write(`${section} ${inspect(process.pid, { colors })}: ${formatWithOptions({ colors }, ...args)}\n`);
}

function debuglog(section, callback) {
  const name = `${section}`.toUpperCase();
  let isEnabled;
  const test = () => isEnabled ??= isWanted(name);
  let isTold = typeof callback !== 'function';
  const logger = (...args) => {
    // Who has asked already has been told.
    if (isEnabled === false) return;
    const isOn = test();
    if (!isTold) {
      isTold = true;
      callback(withEnabled(isOn ? function debug(...more) { write(name, more); } : function noop() {}, test));
    }
    if (isOn) write(name, args);
  };
  return withEnabled(logger, test);
}

function withEnabled(logger, test) {
  return Object.defineProperty(logger, 'enabled', { __proto__: null, get: () => test(), configurable: true, enumerable: true });
}

module.exports = { debuglog, formatTime: (ms) => require('internal/console/times').formatTime(ms) };
