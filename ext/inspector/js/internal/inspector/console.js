// `inspector.console`: messages for an attached debugger only. None can attach, so, as in Node
// without one, each method does nothing that a program sees.
'use strict';

const NAMES = [
  'debug', 'error', 'info', 'log', 'warn', 'dir', 'dirxml', 'table', 'trace', 'group', 'groupCollapsed', 'groupEnd', 'clear', 'count', 'countReset',
  'assert', 'profile', 'profileEnd', 'time', 'timeLog', 'timeEnd', 'timeStamp', 'context',
];

const console = Object.fromEntries(NAMES.map((name) => [name, { [name]() {} }[name]]));
Object.defineProperty(console, Symbol.toStringTag, { __proto__: null, value: 'console', configurable: true });

module.exports = console;
