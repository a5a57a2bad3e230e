// Errors of the DevTools Protocol. In: a code of JSON-RPC, a message. Out: the error, which the
// dispatcher sends to the session.
'use strict';

const INVALID_PARAMS = -32602;
const SERVER_ERROR = -32000;

class ProtocolError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Checks parameters: `{ expression: 'string', objectId: 'string?' }`. */
function checkParams(params, types) {
  for (const [name, type] of Object.entries(types)) {
    const isOptional = type.endsWith('?');
    const value = params[name];
    if (value === undefined && isOptional) continue;
    if (typeof value !== (isOptional ? type.slice(0, -1) : type)) throw new ProtocolError(INVALID_PARAMS, 'Invalid parameters');
  }
}

const serverError = (message) => new ProtocolError(SERVER_ERROR, message);

module.exports = { ProtocolError, checkParams, serverError };
