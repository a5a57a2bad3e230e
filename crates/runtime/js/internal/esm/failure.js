// Errors of module resolution and loading. In: Node's code, a message, a class. Out: the error.
// Absent: the messages.
'use strict';

const { kIsNodeError } = require('internal/stack');

module.exports = function fail(code, message, Base) {
  const error = new Base(message);
  error.code = code;
  // The first line of its stack has the code.
  Object.defineProperty(error, kIsNodeError, { __proto__: null, value: true });
  return error;
};

/** Error codes of resolution that are a TypeError in Node. */
const TYPE_ERRORS = new Set(['ERR_INVALID_MODULE_SPECIFIER', 'ERR_PACKAGE_IMPORT_NOT_DEFINED', 'ERR_INVALID_FILE_URL_HOST', 'ERR_INVALID_FILE_URL_PATH']);
module.exports.unresolved = (code, message) => module.exports(code, message, TYPE_ERRORS.has(code) ? TypeError : Error);

/** The error of `import source` for a module without a source phase object. */
module.exports.withoutSource = (url) => new SyntaxError(`Source phase import object is not defined for module '${url}'`);
