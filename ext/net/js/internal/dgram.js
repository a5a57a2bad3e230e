// Creation of UDP handles, as Node's internal/dgram. Node's own tests use these names. In: a socket
// type, a lookup function. Out: a handle with `lookup`, which resolves hosts to its family.
'use strict';

const { codes: { ERR_SOCKET_BAD_TYPE } } = require('internal/errors');
const { isInt32, validateFunction } = require('internal/validators');
const { UDP } = require('internal/dgram/handle');

/** The property of a socket that holds its handle and state. */
const kStateSymbol = Symbol('state symbol');

const UV_EINVAL = -22;

/** By type: the family, and the default destination of messages. */
const TYPES = { __proto__: null, udp4: [4, '127.0.0.1'], udp6: [6, '::1'] };

function newHandle(type, lookup) {
  if (lookup !== undefined) validateFunction(lookup, 'lookup');
  const defaults = typeof type === 'string' ? TYPES[type] : undefined;
  if (defaults === undefined) throw new ERR_SOCKET_BAD_TYPE();
  const [family, loopback] = defaults;
  const handle = new UDP(family);
  const resolve = lookup ?? require('dns').lookup;
  handle.lookup = (host, callback) => resolve(host || loopback, family, callback);
  return handle;
}

/** A handle, which is bound if there is a port, an address or a descriptor; or a negative errno. */
function _createSocketHandle(address, port, addressType, fd, flags) {
  const handle = newHandle(addressType);
  let errno = 0;
  if (isInt32(fd) && fd > 0) {
    errno = internalBinding('stream_handle').kind(fd) === 'UDP' ? handle.open(fd) : UV_EINVAL;
  } else if (port || address) {
    errno = handle.bind(address, port || 0, flags);
  }
  if (errno === 0) return handle;
  handle.close();
  return errno;
}

module.exports = { _createSocketHandle, kStateSymbol, newHandle };
