// Checks of arguments of matchers, with bun's messages. In: the call, a value. Out: nothing, or an
// error.
'use strict';

const failures = () => require('internal/expect/failure');
const misuse = (...args) => failures().misuse(...args);
const show = (...args) => failures().show(...args);

function requireArguments(call, args, count) {
  if (args.length < count) throw misuse(call, `${call.name}() requires ${count === 1 ? 'at least 1 argument' : `${count} arguments`}`);
}

function requireString(call, value, message = `${call.name}() requires the first argument to be a string`) {
  if (typeof value !== 'string') throw misuse(call, message);
}

function requireNumber(call, value, which = 'first') {
  if (typeof value !== 'number') throw misuse(call, `${call.name}() requires the ${which} argument to be a number`);
}

function requireArray(call, value) {
  if (!Array.isArray(value)) throw misuse(call, `Expected expected to be a array for '${call.name}'.`);
}

function requireCount(call, value, message) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw misuse(call, message ?? `Expected value must be a non-negative integer: ${show(value)}`);
  }
}

module.exports = { requireArguments, requireArray, requireCount, requireNumber, requireString };
