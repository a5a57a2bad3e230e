// Errors of `v8.Serializer` and `v8.Deserializer`, with V8's and Node's messages.
'use strict';

/** Of an argument, with the message of Node's binding. */
function invalidArgType(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** Of malformed bytes. */
const deserializeError = () => new Error('Unable to deserialize cloned data.');
const versionError = () => new Error('Unable to deserialize cloned data due to invalid or unsupported version.');

/** Of a method of the deserializer: too few bytes. */
const readError = (name) => new Error(`${name}() failed`);

function constructCallRequired(name) {
  const { codes: { ERR_CONSTRUCT_CALL_REQUIRED } } = require('internal/errors');
  return Object.assign(new ERR_CONSTRUCT_CALL_REQUIRED(name), { message: `Class constructor ${name} cannot be invoked without 'new'` });
}

module.exports = { constructCallRequired, deserializeError, invalidArgType, readError, versionError };
