// `node:repl`: a stub. Absent: the REPL, which throws.
'use strict';

const { absent, absentFunction } = require('internal/not_implemented');
const { inspect } = require('internal/util/inspect');

module.exports = {
  start: absentFunction('repl', 'start'),
  writer: (value) => inspect(value, { ...inspect.defaultOptions, showProxy: true }),
  REPLServer: absent('repl', 'REPLServer'),
  REPL_MODE_SLOPPY: Symbol('repl-sloppy'),
  REPL_MODE_STRICT: Symbol('repl-strict'),
  Recoverable: class Recoverable extends SyntaxError {
    constructor(err) {
      super();
      this.err = err;
    }
  },
};
