// `sys`: the old name of `util`. In: nothing. Out: `util`, and a warning of the name.

'use strict';

require('process').emitWarning('sys is deprecated. Use `node:util` instead.', 'DeprecationWarning', 'DEP0025');

module.exports = require('util');
