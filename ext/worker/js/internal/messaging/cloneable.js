// Serializable platform objects of the HTML standard: Blob, BlockList, keys. In: an object with a
// method `[kSerialize]`, which returns `{ type, data, native }`: `data` is any cloneable value,
// `native` a native object that both threads share. Out: the object, created from these in another
// thread. Absent: transferable objects, copies in the same thread (transfer.js).
'use strict';

const { kSerialize } = require('internal/messaging/symbols');
const { kTransfer } = require('internal/messaging/transfer');

/** Creates an object of each type. */
const DESERIALIZERS = {
  __proto__: null,
  Blob: ({ bytes, type }) => new (require('internal/blob').Blob)([bytes], { type }),
  File: ({ bytes, type, name, lastModified }) => new (require('internal/file').File)([bytes], name, { type, lastModified }),
  BlockList: (_, native) => require('internal/net/block_list').fromHandle(native),
  KeyObject: (_, native) => require('internal/crypto/keys').fromHandle(native),
  CryptoKey: (data, native) => require('internal/crypto/crypto_key').fromMessage(data, native),
  X509Certificate: (raw) => require('internal/crypto/x509').fromMessage(raw),
  SocketAddress: (data) => new (require('internal/net/socket_address').SocketAddress)(data),
  DOMException({ message, name, stack }) {
    const { DOMException } = require('web/dom_exception');
    const copy = new DOMException(message, name);
    Object.defineProperty(copy, 'stack', { __proto__: null, value: stack, writable: true, configurable: true });
    return copy;
  },
};
const TYPES = Object.keys(DESERIALIZERS);

/** Whether an object is serializable or transferable in its own way. */
const isPlatformObject = (value) => value[kSerialize] !== undefined || value[kTransfer] !== undefined;
const typeIndex = (type) => TYPES.indexOf(type);
const deserialize = (index, data, native) => DESERIALIZERS[TYPES[index]](data, native);

/** The serializer of an object without the method, which programs would see. */
function serializerOf(value) {
  const { isDOMException } = require('web/dom_exception');
  return isDOMException(value) ? () => ({ type: 'DOMException', data: { message: value.message, name: value.name, stack: `${value.stack}` } }) : undefined;
}

module.exports = { deserialize, isPlatformObject, kSerialize, serializerOf, typeIndex };
