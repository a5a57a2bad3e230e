// JavaScriptCore's serialization format (SerializedScriptValue), as bun writes `advanced` messages.
// In: values; bytes. Out: bytes; values. Absent: blobs, message ports, crypto keys and shared
// memory, which other processes cannot use.
'use strict';

module.exports = {
  deserialize: (bytes) => require('internal/ipc/jsc_serialization/deserializer').deserialize(bytes),
  serialize: (value) => require('internal/ipc/jsc_serialization/serializer').serialize(value),
};
