// Errors of finding and loading modules. In: Node's code, the message, the class. Out: the error. Absent: their texts.
'use strict';

module.exports = function fail(code, message, Base) {
  const error = new Base(message);
  error.code = code;
  return error;
};
