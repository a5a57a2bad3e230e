// Objects of ours that are cloned for other threads: not JavaScript's own, they say what they
// consist of. In: an object with a method `[kParts]`. Out: `{ type, parts, shared }`: parts are
// what any message may hold, `shared` is a native object that both have; and from them the object
// again. The place for streams, keys and handles that learn it. Absent: what moves, and what is
// another object for the same thread (transfer.js).
'use strict';

const { kParts } = require('internal/messaging/symbols');
const { kTransfer } = require('internal/messaging/transfer');

/** How each type comes to be of its parts. */
const RECEIVERS = {
  __proto__: null,
  Blob: ({ bytes, type }) => new (require('internal/blob').Blob)([bytes], { type }),
  File: ({ bytes, type, name, lastModified }) => new (require('internal/file').File)([bytes], name, { type, lastModified }),
  BlockList: (_, list) => require('internal/net/block_list').fromHandle(list),
  SecretKey: (bytes) => require('internal/crypto/keys').createSecretKey(bytes),
  SocketAddress: (parts) => new (require('internal/net/socket_address').SocketAddress)(parts),
  DOMException({ message, name, stack }) {
    const { DOMException } = require('web/dom_exception');
    const copy = new DOMException(message, name);
    Object.defineProperty(copy, 'stack', { __proto__: null, value: stack, writable: true, configurable: true });
    return copy;
  },
};
const TYPES = Object.keys(RECEIVERS);

/** Whether an object is one of them, or one that only moves. */
const isOwn = (value) => value[kParts] !== undefined || value[kTransfer] !== undefined;
const hostIndex = (type) => TYPES.indexOf(type);
const receive = (index, parts, shared) => RECEIVERS[TYPES[index]](parts, shared);

/** Of objects that have no such method, for programs see what they have. */
function partsOf(value) {
  const { isDOMException } = require('web/dom_exception');
  return isDOMException(value) ? () => ({ type: 'DOMException', parts: { message: value.message, name: value.name, stack: `${value.stack}` } }) : undefined;
}

module.exports = { hostIndex, isOwn, kParts, partsOf, receive };
