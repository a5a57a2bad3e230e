// What a socket of datagrams stands on, under the names that Node's own tests look for. In: a type,
// a function that finds hosts. Out: a handle with `lookup`, by which it finds hosts of its family.
'use strict';

const { codes: { ERR_SOCKET_BAD_TYPE } } = require('internal/errors');
const { isInt32, validateFunction } = require('internal/validators');
const { UDP } = require('internal/dgram/handle');

/** Where a socket keeps its handle and what else it knows. */
const kStateSymbol = Symbol('state symbol');

const BAD_ARGUMENT = -22;

/** By type: the family, and the default destination of messages. */
const TYPES = { __proto__: null, udp4: [4, '127.0.0.1'], udp6: [6, '::1'] };

function newHandle(type, lookup) {
  if (lookup !== undefined) validateFunction(lookup, 'lookup');
  const known = typeof type === 'string' ? TYPES[type] : undefined;
  if (known === undefined) throw new ERR_SOCKET_BAD_TYPE();
  const [family, nearest] = known;
  const handle = new UDP(family);
  const find = lookup ?? require('dns').lookup;
  handle.lookup = (host, callback) => find(host || nearest, family, callback);
  return handle;
}

/** A handle that is bound if there is anything to bind it to, or a number less than 0. */
function _createSocketHandle(address, port, addressType, fd, flags) {
  const handle = newHandle(addressType);
  let errno = 0;
  if (isInt32(fd) && fd > 0) {
    errno = internalBinding('stream_handle').kind(fd) === 'UDP' ? handle.open(fd) : BAD_ARGUMENT;
  } else if (port || address) {
    errno = handle.bind(address, port || 0, flags);
  }
  if (errno === 0) return handle;
  handle.close();
  return errno;
}

module.exports = { _createSocketHandle, kStateSymbol, newHandle };
