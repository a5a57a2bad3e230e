// `util.debuglog`: debug messages on standard error for the sections in NODE_DEBUG. In: a section.
// Out: a function that writes or does nothing; NODE_DEBUG is read on first use.
'use strict';

const { formatWithOptions, inspect } = require('internal/util/inspect');

let sections;

/** Whether NODE_DEBUG has the section; `*` stands for anything. */
function isSectionEnabled(section) {
  if (sections === undefined) {
    const list = require('process').env.NODE_DEBUG ?? '';
    const patterns = list.toUpperCase().split(',').filter(Boolean).map((name) => name.replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replace(/\*/g, '.*'));
    sections = patterns.length === 0 ? null : new RegExp(`^(?:${patterns.join('|')})$`);
  }
  return sections !== null && sections.test(section);
}

function write(section, args) {
  const process = require('process');
  const colors = require('internal/console/console').shouldColorize(process.stderr);
  process.stderr.write(`${section} ${inspect(process.pid, { colors })}: ${formatWithOptions({ colors }, ...args)}\n`);
}

function debuglog(section, callback) {
  const name = `${section}`.toUpperCase();
  let isEnabled;
  const test = () => isEnabled ??= isSectionEnabled(name);
  let isCallbackCalled = typeof callback !== 'function';
  const logger = (...args) => {
    // Fast path: the section is known to be disabled.
    if (isEnabled === false) return;
    const isOn = test();
    if (!isCallbackCalled) {
      isCallbackCalled = true;
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
