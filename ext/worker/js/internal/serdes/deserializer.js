// `v8.Deserializer`: values from bytes in V8's form. In: bytes, which may be hostile. Out: values.
// Objects of kinds that only the writer knows it asks its own method _readHostObject for, which
// programs may replace. Absent: WebAssembly's modules, versions before 13.
'use strict';

const { Reader } = require('internal/serdes/reader');
const { tooShort, unknownVersion, unreadable, wrongType } = require('internal/serdes/failures');
const {
  ERRORS, ERROR_CAUSE, ERROR_END, ERROR_MESSAGE, ERROR_STACK, FLAGS, LENGTH_TRACKING, OF_RESIZABLE, TAGS, VERSION, VERSION_MIN, VIEWS,
} = require('internal/serdes/tags');

const { apply } = Reflect;
/**
 * So long an array may be without as many items: longer ones are not asked of the engine at once.
 */
const SPARSE_LENGTH_MAX = 2 ** 32 - 1;

/** A setter of a prototype does not hear of it. */
function put(object, key, value) {
  if (!(key in object)) object[key] = value;
  else Object.defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

class Deserializer {
  #reader;
  #version = 0;
  #known = new Map();
  #nextId = 0;
  #transferred = new Map();

  constructor(buffer) {
    if (!ArrayBuffer.isView(buffer)) throw wrongType('buffer must be a TypedArray or a DataView');
    this.buffer = buffer;
    this.#reader = new Reader(buffer);
  }

  readHeader() {
    const reader = this.#reader;
    if (reader.left < 2 || reader.byte() !== TAGS.VERSION) throw unknownVersion();
    this.#version = reader.varint();
    if (this.#version > VERSION || this.#version < VERSION_MIN) throw unknownVersion();
    return true;
  }

  getWireFormatVersion() {
    return this.#version;
  }

  transferArrayBuffer(id, buffer) {
    this.#transferred.set(id >>> 0, buffer);
  }

  readValue() {
    if (this.#version === 0) throw unreadable();
    return this.#read();
  }

  readUint32() {
    return this.#orFail('ReadUint32', () => this.#reader.varint());
  }

  readUint64() {
    const value = this.#orFail('ReadUint64', () => this.#reader.varint64());
    return [Number(value >> 32n), Number(value & 0xffffffffn)];
  }

  readDouble() {
    return this.#orFail('ReadDouble', () => this.#reader.double());
  }

  /** Where in `buffer` they begin. */
  _readRawBytes(length) {
    return this.#orFail('ReadRawBytes', () => this.#reader.skip(length));
  }

  readRawBytes(length) {
    const { Buffer } = require('buffer');
    const at = this._readRawBytes(length);
    return Buffer.from(this.buffer.buffer, this.buffer.byteOffset + at, length);
  }

  #orFail(name, read) {
    try {
      return read();
    } catch {
      throw tooShort(name);
    }
  }

  /** A value; a buffer takes the view along that stands behind it. */
  #read() {
    const value = this.#readOne(this.#reader.tag());
    if (typeof value === 'object' && value !== null && this.#reader.left > 0 && this.#reader.peekTag() === TAGS.VIEW && isBuffer(value)) {
      this.#reader.tag();
      return this.#view(value);
    }
    return value;
  }

  #readOne(tag) {
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
      case TAGS.UTF8: return reader.utf8Text();
      case TAGS.ONE_BYTE: return reader.oneByteText();
      case TAGS.TWO_BYTE: return reader.twoByteText();
      case TAGS.REFERENCE: return this.#reference(reader.varint());
      default: return this.#object(tag, this.#nextId++);
    }
  }

  #reference(id) {
    if (!this.#known.has(id)) throw unreadable();
    return this.#known.get(id);
  }

  #keep(id, object) {
    this.#known.set(id, object);
    return object;
  }

  #object(tag, id) {
    const reader = this.#reader;
    switch (tag) {
      case TAGS.OBJECT: return this.#members(this.#keep(id, {}), TAGS.OBJECT_END);
      case TAGS.SPARSE: return this.#sparse(id);
      case TAGS.DENSE: return this.#dense(id);
      case TAGS.DATE: return this.#keep(id, new Date(reader.double()));
      case TAGS.TRUE_OBJECT: return this.#keep(id, Object(true));
      case TAGS.FALSE_OBJECT: return this.#keep(id, Object(false));
      case TAGS.NUMBER_OBJECT: return this.#keep(id, Object(reader.double()));
      case TAGS.BIGINT_OBJECT: return this.#keep(id, Object(reader.bigint()));
      case TAGS.STRING_OBJECT: return this.#keep(id, Object(this.#text()));
      case TAGS.REGEXP: return this.#keep(id, this.#regExp());
      case TAGS.MAP: return this.#map(this.#keep(id, new Map()));
      case TAGS.SET: return this.#set(this.#keep(id, new Set()));
      case TAGS.BUFFER: return this.#keep(id, reader.copy(reader.varint()));
      case TAGS.RESIZABLE_BUFFER: return this.#keep(id, this.#resizable());
      case TAGS.TRANSFERRED_BUFFER: case TAGS.SHARED_BUFFER: return this.#keep(id, this.#handedOver());
      case TAGS.HOST: return this.#keep(id, this.#foreign());
      case TAGS.ERROR: return this.#error(id);
      default: throw unreadable();
    }
  }

  #text() {
    const text = this.#readOne(this.#reader.tag());
    if (typeof text !== 'string') throw unreadable();
    return text;
  }

  /** Keys and values up to `end` and their count. */
  #members(object, end) {
    let count = 0;
    for (; this.#reader.peekTag() !== end; count++) {
      const key = this.#read();
      if (typeof key !== 'string' && typeof key !== 'number') throw unreadable();
      put(object, key, this.#read());
    }
    this.#end(end, count);
    return object;
  }

  #end(end, count) {
    if (this.#reader.tag() !== end || this.#reader.varint() !== count) throw unreadable();
  }

  #sparse(id) {
    const length = this.#reader.varint();
    if (length > SPARSE_LENGTH_MAX) throw unreadable();
    const array = this.#keep(id, []);
    array.length = length;
    this.#members(array, TAGS.SPARSE_END);
    if (this.#reader.varint() !== length) throw unreadable();
    return array;
  }

  /** Each item is a byte at least. */
  #dense(id) {
    const reader = this.#reader;
    const length = reader.varint();
    if (length > reader.left) throw unreadable();
    const array = this.#keep(id, []);
    for (let i = 0; i < length; i++) {
      if (reader.peekTag() === TAGS.HOLE) reader.tag();
      else put(array, i, this.#read());
    }
    array.length = length;
    this.#members(array, TAGS.DENSE_END);
    if (reader.varint() !== length) throw unreadable();
    return array;
  }

  #regExp() {
    const source = this.#text();
    const bits = this.#reader.varint();
    let flags = '';
    for (let bit = 0; bit < 32; bit++) if (bits & (1 << bit)) flags += FLAGS[bit] ?? '?';
    try {
      // `l` is V8's own, and says how to search.
      return new RegExp(source, flags.replace('l', ''));
    } catch {
      throw unreadable();
    }
  }

  #map(map) {
    let count = 0;
    for (; this.#reader.peekTag() !== TAGS.MAP_END; count += 2) map.set(this.#read(), this.#read());
    this.#end(TAGS.MAP_END, count);
    return map;
  }

  #set(set) {
    let count = 0;
    for (; this.#reader.peekTag() !== TAGS.SET_END; count++) set.add(this.#read());
    this.#end(TAGS.SET_END, count);
    return set;
  }

  #resizable() {
    const length = this.#reader.varint();
    const maxByteLength = this.#reader.varint();
    if (length > maxByteLength) throw unreadable();
    try {
      return this.#reader.copy(length, { maxByteLength });
    } catch {
      throw unreadable();
    }
  }

  #handedOver() {
    const id = this.#reader.varint();
    if (!this.#transferred.has(id)) throw unreadable();
    return this.#transferred.get(id);
  }

  #view(buffer) {
    const reader = this.#reader;
    const letter = String.fromCharCode(reader.byte());
    const known = VIEWS.find((view) => view[1] === letter);
    const offset = reader.varint();
    const bytes = reader.varint();
    const flags = this.#version >= 14 ? reader.varint() : 0;
    if (known === undefined) throw unreadable();
    const [name, , size] = known;
    if (offset % size !== 0 || bytes % size !== 0 || offset + bytes > buffer.byteLength) throw unreadable();
    if (Boolean(flags & OF_RESIZABLE) !== Boolean(buffer.resizable)) throw unreadable();
    const length = flags & LENGTH_TRACKING ? undefined : bytes / size;
    return this.#keep(this.#nextId++, new globalThis[name](buffer, offset, length));
  }

  #foreign() {
    const read = this._readHostObject;
    if (typeof read !== 'function') throw unreadable();
    const value = apply(read, this, []);
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
      throw new TypeError('readHostObject must return an object');
    }
    return value;
  }

  #error(id) {
    const reader = this.#reader;
    const letter = String.fromCharCode(reader.byte());
    let name = Object.keys(ERRORS).find((known) => ERRORS[known] === letter);
    let tag = name === undefined ? letter.charCodeAt(0) : reader.byte();
    name ??= 'Error';
    const parts = { __proto__: null };
    // What caused it may hold it.
    const error = this.#keep(id, new globalThis[name]());
    for (; tag !== ERROR_END; tag = reader.byte()) {
      switch (tag) {
        case ERROR_MESSAGE: parts.message = this.#text(); break;
        case ERROR_STACK: parts.stack = this.#text(); break;
        case ERROR_CAUSE: parts.cause = this.#read(); break;
        default: throw unreadable();
      }
    }
    for (const key of ['stack', 'message', 'cause']) {
      const isGiven = key in parts;
      if (isGiven || key === 'stack') {
        Object.defineProperty(error, key, { __proto__: null, value: parts[key], writable: true, enumerable: false, configurable: true });
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
