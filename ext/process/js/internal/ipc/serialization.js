// Serialization formats of IPC messages. In: a value. Out: a string or bytes, and back. Input is
// untrusted: what is not a message throws. Absent: framing (crates/ipc).
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const { parse, stringify } = JSON;

/** `serialization: 'json'` of Node and bun. */
const json = {
  deserialize: (text) => parse(text),
  serialize(value) {
    const text = stringify(value);
    // Where `toJSON` returns undefined, Node sends a line that no receiver can parse.
    if (text === undefined) throw new ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], undefined);
    return text;
  },
};

/** Tags before a host object, as in Node's lib/internal/child_process/serialization.js. */
const ARRAY_BUFFER_VIEW = 0;
const NOT_ARRAY_BUFFER_VIEW = 1;

/** V8's format, `serialization: 'advanced'` of Node. */
function v8Serializer() {
  const { DefaultDeserializer, DefaultSerializer } = require('internal/serdes/defaults');
  class Serializer extends DefaultSerializer {
    _writeHostObject(object) {
      const isView = ArrayBuffer.isView(object);
      this.writeUint32(isView ? ARRAY_BUFFER_VIEW : NOT_ARRAY_BUFFER_VIEW);
      if (isView) super._writeHostObject(object);
      else this.writeValue({ ...object });
    }
  }
  class Deserializer extends DefaultDeserializer {
    _readHostObject() {
      return this.readUint32() === NOT_ARRAY_BUFFER_VIEW ? this.readValue() : super._readHostObject();
    }
  }
  return {
    deserialize(bytes) {
      const deserializer = new Deserializer(bytes);
      deserializer.readHeader();
      return deserializer.readValue();
    },
    serialize(value) {
      const serializer = new Serializer();
      serializer.writeHeader();
      serializer.writeValue(value);
      return serializer.releaseBuffer();
    },
  };
}

let v8;

/** @param {'json' | 'advanced' | 'bun'} format */
function serializerFor(format) {
  if (format === 'json') return json;
  if (format === 'bun') return require('internal/ipc/jsc_serialization');
  v8 ??= v8Serializer();
  return v8;
}

module.exports = { serializerFor };
