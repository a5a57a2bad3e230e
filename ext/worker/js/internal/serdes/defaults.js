// `v8.serialize`, `v8.deserialize`, DefaultSerializer and DefaultDeserializer, as in Node's
// lib/v8.js. In: values; bytes. Out: bytes; values. Views are host objects: only their own bytes
// are written, and a Buffer stays a Buffer. Absent: the format (serializer.js, deserializer.js).
'use strict';

const { Buffer } = require('buffer');
const classes = { ...require('internal/serdes/serializer'), ...require('internal/serdes/deserializer') };
const { constructCallRequired } = require('internal/serdes/errors');
const { BUFFER_INDEX, VIEWS } = require('internal/serdes/tags');

/** The class, with Node's error if it is called without `new`. */
function callable(name) {
  const type = classes[name];
  function Constructor(...args) {
    if (new.target === undefined) throw constructCallRequired(name);
    return Reflect.construct(type, args, new.target);
  }
  Object.defineProperty(Constructor, 'name', { __proto__: null, value: name, configurable: true });
  Constructor.prototype = type.prototype;
  Object.defineProperty(Constructor.prototype, 'constructor', { __proto__: null, value: Constructor, writable: true, configurable: true });
  return Constructor;
}

const Serializer = callable('Serializer');
const Deserializer = callable('Deserializer');
Object.defineProperty(Serializer.prototype, '_getDataCloneError', {
  __proto__: null, value: Error, writable: true, enumerable: true, configurable: true,
});

const tagOfView = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }

  _writeHostObject(view) {
    if (!ArrayBuffer.isView(view)) {
      const { inspect } = require('internal/util/inspect');
      throw new this._getDataCloneError(`Unserializable host object: ${inspect(view)}`);
    }
    let index = BUFFER_INDEX;
    if (view.constructor !== Buffer) {
      const name = Reflect.apply(tagOfView, view, []) ?? 'DataView';
      index = VIEWS.findIndex((viewType) => viewType[0] === name);
    }
    this.writeUint32(index);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const viewType = VIEWS[this.readUint32()];
    if (viewType === undefined) throw new Error('Unable to deserialize cloned data.');
    const [name, , size] = viewType;
    const length = this.readUint32();
    const offset = this._readRawBytes(length) + this.buffer.byteOffset;
    if (name === 'Buffer') return Buffer.from(this.buffer.buffer, offset, length);
    if (offset % size === 0) return new globalThis[name](this.buffer.buffer, offset, length / size);
    // The offset is not aligned for such a view.
    const copy = this.buffer.buffer.slice(offset, offset + length);
    return new globalThis[name](copy, 0, length / size);
  }
}

function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}

module.exports = { DefaultDeserializer, DefaultSerializer, Deserializer, Serializer, deserialize, serialize };
