// The engine's Promise class, which async functions return, even if a program replaces the global.
// Out: the class.
'use strict';

module.exports = Promise;
