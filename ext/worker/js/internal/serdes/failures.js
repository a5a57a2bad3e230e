// What goes wrong with values in V8's form. Out: errors with its words.
'use strict';

/** Of an argument, as Node's native half says it. */
function wrongType(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** Of bytes that are not what was expected. */
const unreadable = () => new Error('Unable to deserialize cloned data.');
const unknownVersion = () => new Error('Unable to deserialize cloned data due to invalid or unsupported version.');

/** A method of the deserializer found too few bytes. */
const tooShort = (name) => new Error(`${name}() failed`);

function withoutNew(name) {
  const { codes: { ERR_CONSTRUCT_CALL_REQUIRED } } = require('internal/errors');
  return Object.assign(new ERR_CONSTRUCT_CALL_REQUIRED(name), { message: `Class constructor ${name} cannot be invoked without 'new'` });
}

module.exports = { tooShort, unknownVersion, unreadable, withoutNew, wrongType };
