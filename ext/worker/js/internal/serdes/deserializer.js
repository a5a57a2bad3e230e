// `v8.Deserializer`: bytes in V8's format to values. In: untrusted bytes. Out: values. Programs may
// override _readHostObject for other objects. Absent: WebAssembly modules, versions before 13.
'use strict';

const { Reader } = require('internal/serdes/reader');
const { readError, versionError, deserializeError, invalidArgType } = require('internal/serdes/errors');
const {
  ERRORS, ERROR_CAUSE, ERROR_END, ERROR_MESSAGE, ERROR_STACK, FLAGS, LENGTH_TRACKING, BACKED_BY_RESIZABLE, TAGS, VERSION, VERSION_MIN, VIEWS,
} = require('internal/serdes/tags');

const { apply } = Reflect;
/** The longest array; a sparse one may have fewer elements than its length. */
const SPARSE_LENGTH_MAX = 2 ** 32 - 1;

/** Creates an own property, without calling a setter of the prototype. */
function setProperty(object, key, value) {
  if (!(key in object)) object[key] = value;
  else Object.defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

class Deserializer {
  #reader;
  #version = 0;
  #objects = new Map();
  #nextId = 0;
  #transferred = new Map();

  constructor(buffer) {
    if (!ArrayBuffer.isView(buffer)) throw invalidArgType('buffer must be a TypedArray or a DataView');
    this.buffer = buffer;
    this.#reader = new Reader(buffer);
  }

  readHeader() {
    const reader = this.#reader;
    if (reader.remaining < 2 || reader.byte() !== TAGS.VERSION) throw versionError();
    this.#version = reader.varint();
    if (this.#version > VERSION || this.#version < VERSION_MIN) throw versionError();
    return true;
  }

  getWireFormatVersion() {
    return this.#version;
  }

  transferArrayBuffer(id, buffer) {
    this.#transferred.set(id >>> 0, buffer);
  }

  readValue() {
    if (this.#version === 0) throw deserializeError();
    return this.#readObject();
  }

  readUint32() {
    return this.#readOrThrow('ReadUint32', () => this.#reader.varint());
  }

  readUint64() {
    const value = this.#readOrThrow('ReadUint64', () => this.#reader.varint64());
    return [Number(value >> 32n), Number(value & 0xffffffffn)];
  }

  readDouble() {
    return this.#readOrThrow('ReadDouble', () => this.#reader.double());
  }

  /** Returns their offset in `buffer`. */
  _readRawBytes(length) {
    return this.#readOrThrow('ReadRawBytes', () => this.#reader.skip(length));
  }

  readRawBytes(length) {
    const { Buffer } = require('buffer');
    const at = this._readRawBytes(length);
    return Buffer.from(this.buffer.buffer, this.buffer.byteOffset + at, length);
  }

  #readOrThrow(name, read) {
    try {
      return read();
    } catch {
      throw readError(name);
    }
  }

  /** Reads a value. If a view follows a buffer, the value is the view. */
  #readObject() {
    const value = this.#readTagged(this.#reader.tag());
    if (typeof value === 'object' && value !== null && this.#reader.remaining > 0 && this.#reader.peekTag() === TAGS.VIEW && isBuffer(value)) {
      this.#reader.tag();
      return this.#readView(value);
    }
    return value;
  }

  #readTagged(tag) {
    const reader = this.#reader;
    switch (tag) {
      case TAGS.UNDEFINED: return undefined;
      case TAGS.NULL: return null;
      case TAGS.TRUE: return true;
      case TAGS.FALSE: return false;
      case TAGS.INT32: return reader.zigzag();
      case TAGS.UINT32: return reader.varint();
      case TAGS.DOUBLE: return reader.double();
      case TAGS.BIGINT: return reader.bigint();
      case TAGS.UTF8: return reader.utf8String();
      case TAGS.ONE_BYTE: return reader.oneByteString();
      case TAGS.TWO_BYTE: return reader.twoByteString();
      case TAGS.REFERENCE: return this.#readReference(reader.varint());
      default: return this.#readReceiver(tag, this.#nextId++);
    }
  }

  #readReference(id) {
    if (!this.#objects.has(id)) throw deserializeError();
    return this.#objects.get(id);
  }

  #addObject(id, object) {
    this.#objects.set(id, object);
    return object;
  }

  #readReceiver(tag, id) {
    const reader = this.#reader;
    switch (tag) {
      case TAGS.OBJECT: return this.#readProperties(this.#addObject(id, {}), TAGS.OBJECT_END);
      case TAGS.SPARSE: return this.#readSparseArray(id);
      case TAGS.DENSE: return this.#readDenseArray(id);
      case TAGS.DATE: return this.#addObject(id, new Date(reader.double()));
      case TAGS.TRUE_OBJECT: return this.#addObject(id, Object(true));
      case TAGS.FALSE_OBJECT: return this.#addObject(id, Object(false));
      case TAGS.NUMBER_OBJECT: return this.#addObject(id, Object(reader.double()));
      case TAGS.BIGINT_OBJECT: return this.#addObject(id, Object(reader.bigint()));
      case TAGS.STRING_OBJECT: return this.#addObject(id, Object(this.#readString()));
      case TAGS.REGEXP: return this.#addObject(id, this.#readRegExp());
      case TAGS.MAP: return this.#readMap(this.#addObject(id, new Map()));
      case TAGS.SET: return this.#readSet(this.#addObject(id, new Set()));
      case TAGS.BUFFER: return this.#addObject(id, reader.copy(reader.varint()));
      case TAGS.RESIZABLE_BUFFER: return this.#addObject(id, this.#readResizableBuffer());
      case TAGS.TRANSFERRED_BUFFER: case TAGS.SHARED_BUFFER: return this.#addObject(id, this.#readTransferred());
      case TAGS.HOST: return this.#addObject(id, this.#readHostObject());
      case TAGS.ERROR: return this.#readError(id);
      default: throw deserializeError();
    }
  }

  #readString() {
    const string = this.#readTagged(this.#reader.tag());
    if (typeof string !== 'string') throw deserializeError();
    return string;
  }

  /** Keys and values up to the tag `end`, then their count. */
  #readProperties(object, end) {
    let count = 0;
    for (; this.#reader.peekTag() !== end; count++) {
      const key = this.#readObject();
      if (typeof key !== 'string' && typeof key !== 'number') throw deserializeError();
      setProperty(object, key, this.#readObject());
    }
    this.#readEnd(end, count);
    return object;
  }

  #readEnd(end, count) {
    if (this.#reader.tag() !== end || this.#reader.varint() !== count) throw deserializeError();
  }

  #readSparseArray(id) {
    const length = this.#reader.varint();
    if (length > SPARSE_LENGTH_MAX) throw deserializeError();
    const array = this.#addObject(id, []);
    array.length = length;
    this.#readProperties(array, TAGS.SPARSE_END);
    if (this.#reader.varint() !== length) throw deserializeError();
    return array;
  }

  /** Each element has at least one byte, which limits the length. */
  #readDenseArray(id) {
    const reader = this.#reader;
    const length = reader.varint();
    if (length > reader.remaining) throw deserializeError();
    const array = this.#addObject(id, []);
    for (let i = 0; i < length; i++) {
      if (reader.peekTag() === TAGS.HOLE) reader.tag();
      else setProperty(array, i, this.#readObject());
    }
    array.length = length;
    this.#readProperties(array, TAGS.DENSE_END);
    if (reader.varint() !== length) throw deserializeError();
    return array;
  }

  #readRegExp() {
    const source = this.#readString();
    const bits = this.#reader.varint();
    let flags = '';
    for (let bit = 0; bit < 32; bit++) if (bits & (1 << bit)) flags += FLAGS[bit] ?? '?';
    try {
      // `l` (linear) is V8's own flag for its matching algorithm.
      return new RegExp(source, flags.replace('l', ''));
    } catch {
      throw deserializeError();
    }
  }

  #readMap(map) {
    let count = 0;
    for (; this.#reader.peekTag() !== TAGS.MAP_END; count += 2) map.set(this.#readObject(), this.#readObject());
    this.#readEnd(TAGS.MAP_END, count);
    return map;
  }

  #readSet(set) {
    let count = 0;
    for (; this.#reader.peekTag() !== TAGS.SET_END; count++) set.add(this.#readObject());
    this.#readEnd(TAGS.SET_END, count);
    return set;
  }

  #readResizableBuffer() {
    const length = this.#reader.varint();
    const maxByteLength = this.#reader.varint();
    if (length > maxByteLength) throw deserializeError();
    try {
      return this.#reader.copy(length, { maxByteLength });
    } catch {
      throw deserializeError();
    }
  }

  #readTransferred() {
    const id = this.#reader.varint();
    if (!this.#transferred.has(id)) throw deserializeError();
    return this.#transferred.get(id);
  }

  #readView(buffer) {
    const reader = this.#reader;
    const character = String.fromCharCode(reader.byte());
    const viewType = VIEWS.find((view) => view[1] === character);
    const offset = reader.varint();
    const bytes = reader.varint();
    const flags = this.#version >= 14 ? reader.varint() : 0;
    if (viewType === undefined) throw deserializeError();
    const [name, , size] = viewType;
    if (offset % size !== 0 || bytes % size !== 0 || offset + bytes > buffer.byteLength) throw deserializeError();
    if (Boolean(flags & BACKED_BY_RESIZABLE) !== Boolean(buffer.resizable)) throw deserializeError();
    const length = flags & LENGTH_TRACKING ? undefined : bytes / size;
    return this.#addObject(this.#nextId++, new globalThis[name](buffer, offset, length));
  }

  #readHostObject() {
    const read = this._readHostObject;
    if (typeof read !== 'function') throw deserializeError();
    const value = apply(read, this, []);
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
      throw new TypeError('readHostObject must return an object');
    }
    return value;
  }

  #readError(id) {
    const reader = this.#reader;
    const character = String.fromCharCode(reader.byte());
    let name = Object.keys(ERRORS).find((key) => ERRORS[key] === character);
    let tag = name === undefined ? character.charCodeAt(0) : reader.byte();
    name ??= 'Error';
    const fields = { __proto__: null };
    // The cause may refer to the error.
    const error = this.#addObject(id, new globalThis[name]());
    for (; tag !== ERROR_END; tag = reader.byte()) {
      switch (tag) {
        case ERROR_MESSAGE: fields.message = this.#readString(); break;
        case ERROR_STACK: fields.stack = this.#readString(); break;
        case ERROR_CAUSE: fields.cause = this.#readObject(); break;
        default: throw deserializeError();
      }
    }
    for (const key of ['stack', 'message', 'cause']) {
      const isPresent = key in fields;
      if (isPresent || key === 'stack') {
        Object.defineProperty(error, key, { __proto__: null, value: fields[key], writable: true, enumerable: false, configurable: true });
      }
    }
    return error;
  }
}

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;

function isBuffer(value) {
  if (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer) return true;
  try {
    apply(byteLength, value, []);
    return true;
  } catch {
    return false;
  }
}

module.exports = { Deserializer };
