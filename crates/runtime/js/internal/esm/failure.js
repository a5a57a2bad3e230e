// Errors of finding and loading modules. In: Node's code, the message, the class. Out: the error. Absent: their texts.
'use strict';

const { kIsNodeError } = require('internal/stack');

module.exports = function fail(code, message, Base) {
  const error = new Base(message);
  error.code = code;
  // Its code stands in the first line of its stack.
  Object.defineProperty(error, kIsNodeError, { __proto__: null, value: true });
  return error;
};

/** Of a module that has nothing to be imported but what it exports. */
module.exports.withoutSource = (url) => new SyntaxError(`Source phase import object is not defined for module '${url}'`);
