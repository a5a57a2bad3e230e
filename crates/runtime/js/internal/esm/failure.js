// Errors of finding and loading modules. In: Node's code, the message, the class. Out: the error.
// Absent: their strings.
'use strict';

const { kIsNodeError } = require('internal/stack');

module.exports = function fail(code, message, Base) {
  const error = new Base(message);
  error.code = code;
  // Its code stands in the first line of its stack.
  Object.defineProperty(error, kIsNodeError, { __proto__: null, value: true });
  return error;
};

/** Codes of failed resolutions that are a TypeError in Node. */
const TYPE_ERRORS = new Set(['ERR_INVALID_MODULE_SPECIFIER', 'ERR_PACKAGE_IMPORT_NOT_DEFINED', 'ERR_INVALID_FILE_URL_HOST', 'ERR_INVALID_FILE_URL_PATH']);
module.exports.unresolved = (code, message) => module.exports(code, message, TYPE_ERRORS.has(code) ? TypeError : Error);

/** Of a module that has nothing to be imported but what it exports. */
module.exports.withoutSource = (url) => new SyntaxError(`Source phase import object is not defined for module '${url}'`);
