// `util.debuglog`: lines on standard error for the sections that NODE_DEBUG names. In: a section. Out: a function that writes, or does
// nothing; which of them is found out when it is first used.
'use strict';

const { format } = require('internal/util/inspect');

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
  const { colors } = require('internal/util/inspect').inspect;
  const isColored = process.stderr.hasColors?.() ?? false;
  const text = isColored ? require('internal/util/inspect').formatWithOptions({ colors: true }, ...args) : format(...args);
  const number = isColored ? `\u001b[${colors.bold[0]}m${process.pid}\u001b[${colors.bold[1]}m` : process.pid;
  process.stderr.write(`${section} ${number}: ${text}\n`);
}

function debuglog(section, callback) {
  const name = `${section}`.toUpperCase();
  let isEnabled;
  const test = () => isEnabled ??= isWanted(name);
  const logger = (...args) => {
    const wasKnown = isEnabled !== undefined;
    if (!test()) return;
    if (!wasKnown && typeof callback === 'function') callback((...more) => write(name, more));
    write(name, args);
  };
  Object.defineProperty(logger, 'enabled', { __proto__: null, get: () => test(), configurable: true, enumerable: true });
  return logger;
}

module.exports = { debuglog, formatTime: (ms) => require('internal/console/times').formatTime(ms) };
