// `assert.ok`. In: the function that the program called, whose call the message quotes; its
// arguments. Out: nothing, or an AssertionError is thrown.
'use strict';

const { isError } = require('internal/util');
const AssertionError = require('internal/assert/assertion_error');

function assertOk(fn, args) {
  if (args[0]) return;
  let [, message] = args;
  let generated = false;
  if (args.length === 0) {
    generated = true;
    message = 'No value argument passed to `assert.ok()`';
  } else if (message == null) {
    generated = true;
    message = require('internal/assert/source').describeCall(fn);
  } else if (isError(message)) {
    throw message;
  }
  const error = new AssertionError({ actual: args[0], expected: true, message, operator: '==', stackStartFn: fn });
  error.generatedMessage = generated;
  throw error;
}

module.exports = { assertOk };
