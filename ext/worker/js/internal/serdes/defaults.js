// `v8.serialize`, `v8.deserialize` and the classes behind them. In: values; bytes. Out: bytes;
// values. Views are written as Node writes them: without the rest of their buffers, a Buffer as a
// Buffer. Absent: the format (serializer.js, deserializer.js).
'use strict';

const { Buffer } = require('buffer');
const inner = { ...require('internal/serdes/serializer'), ...require('internal/serdes/deserializer') };
const { withoutNew } = require('internal/serdes/failures');
const { BUFFER_INDEX, VIEWS } = require('internal/serdes/tags');

/** The class, with Node's error where it is called without `new`. */
function constructible(name) {
  const type = inner[name];
  function own(...args) {
    if (new.target === undefined) throw withoutNew(name);
    return Reflect.construct(type, args, new.target);
  }
  Object.defineProperty(own, 'name', { __proto__: null, value: name, configurable: true });
  own.prototype = type.prototype;
  Object.defineProperty(own.prototype, 'constructor', { __proto__: null, value: own, writable: true, configurable: true });
  return own;
}

const Serializer = constructible('Serializer');
const Deserializer = constructible('Deserializer');
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
      index = VIEWS.findIndex((known) => known[0] === name);
    }
    this.writeUint32(index);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const known = VIEWS[this.readUint32()];
    if (known === undefined) throw new Error('Unable to deserialize cloned data.');
    const [name, , size] = known;
    const length = this.readUint32();
    const offset = this._readRawBytes(length) + this.buffer.byteOffset;
    if (name === 'Buffer') return Buffer.from(this.buffer.buffer, offset, length);
    if (offset % size === 0) return new globalThis[name](this.buffer.buffer, offset, length / size);
    // It is not where such a view may begin.
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
