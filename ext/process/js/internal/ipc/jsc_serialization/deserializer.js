// Deserializer for JavaScriptCore's serialization format. In: untrusted bytes. Out: the value, or
// an error. A length is used only after a check that so many bytes follow.
'use strict';

const T = require('internal/ipc/jsc_serialization/tags');

const DIGIT_BITS = 64n;

const formatError = () => new Error('Unable to deserialize data.');

class Deserializer {
  #bytes;
  #view;
  #at = 0;
  #strings = [];
  #objects = [];

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd() { return this.#at === this.#bytes.length; }

  /** Advances past `count` bytes; returns their offset. */
  #advance(count) {
    const at = this.#at;
    if (!(count <= this.#bytes.length - at)) throw formatError();
    this.#at = at + count;
    return at;
  }

  #uint8() { return this.#bytes[this.#advance(1)]; }

  uint32() { return this.#view.getUint32(this.#advance(4), true); }

  #uint64() { return this.#view.getBigUint64(this.#advance(8), true); }

  #double() { return this.#view.getFloat64(this.#advance(8), true); }

  #index(list) {
    const { length } = list;
    const index = length <= 0xff ? this.#uint8() : length <= 0xffff ? this.#view.getUint16(this.#advance(2), true) : this.uint32();
    if (index >= length) throw formatError();
    return list[index];
  }

  #string(lengthOrTag = this.uint32()) {
    if (lengthOrTag === T.STRING_POOL) return this.#index(this.#strings);
    const isLatin1 = lengthOrTag >= T.LATIN1;
    const length = isLatin1 ? lengthOrTag - T.LATIN1 : lengthOrTag;
    const bytes = isLatin1 ? length : length * 2;
    const at = this.#advance(bytes);
    const { Buffer } = require('buffer');
    const string = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, bytes).toString(isLatin1 ? 'latin1' : 'utf16le');
    this.#strings.push(string);
    return string;
  }

  #optionalString() { return this.uint32() === 0 ? this.#string() : undefined; }

  value() {
    const tag = this.#uint8();
    switch (tag) {
      case T.UNDEFINED: return undefined;
      case T.NULL: return null;
      case T.TRUE: return true;
      case T.FALSE: return false;
      case T.ZERO: return 0;
      case T.ONE: return 1;
      case T.INT: return this.uint32() | 0;
      case T.DOUBLE: return this.#double();
      case T.BIGINT: return this.#bigint();
      case T.EMPTY_STRING: return '';
      case T.STRING: return this.#string();
      case T.OBJECT_REFERENCE: return this.#index(this.#objects);
      case T.ARRAY_BUFFER_VIEW: return this.#arrayBufferView();
      default: return this.#object(tag);
    }
  }

  #addObject(object) {
    this.#objects.push(object);
    return object;
  }

  #object(tag) {
    switch (tag) {
      case T.OBJECT: return this.#properties(this.#addObject({}));
      case T.ARRAY: return this.#array();
      case T.MAP: return this.#map(this.#addObject(new Map()));
      case T.SET: return this.#set(this.#addObject(new Set()));
      case T.DATE: return this.#addObject(new Date(this.#double()));
      case T.REGEXP: return this.#addObject(new RegExp(this.#string(), this.#string()));
      case T.TRUE_OBJECT: return this.#addObject(Object(true));
      case T.FALSE_OBJECT: return this.#addObject(Object(false));
      case T.NUMBER_OBJECT: return this.#addObject(Object(this.#double()));
      case T.STRING_OBJECT: return this.#addObject(Object(this.#string()));
      case T.EMPTY_STRING_OBJECT: return this.#addObject(Object(''));
      case T.BIGINT_OBJECT: return this.#addObject(Object(this.#bigint()));
      case T.ARRAY_BUFFER: return this.#addObject(this.#arrayBuffer(Number(this.#uint64()), undefined));
      case T.RESIZABLE_ARRAY_BUFFER: return this.#addObject(this.#arrayBuffer(Number(this.#uint64()), Number(this.#uint64())));
      case T.ERROR: return this.#addObject(this.#error());
      case T.DOM_EXCEPTION: return this.#addObject(new (require('web/dom_exception').DOMException)(this.#string(), this.#string()));
      default: throw formatError();
    }
  }

  #bigint() {
    const isNegative = this.#uint8() !== 0;
    const count = this.uint32();
    const at = this.#advance(count * 8);
    let value = 0n;
    for (let i = count - 1; i >= 0; i--) value = (value << DIGIT_BITS) | this.#view.getBigUint64(at + i * 8, true);
    return isNegative ? -value : value;
  }

  #properties(object) {
    for (let tag = this.uint32(); tag !== T.TERMINATOR; tag = this.uint32()) {
      const descriptor = { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true };
      const key = this.#string(tag);
      descriptor.value = this.value();
      Object.defineProperty(object, key, descriptor);
    }
    return object;
  }

  #array() {
    const array = this.#addObject([]);
    const length = this.uint32();
    array.length = length;
    for (let index = this.uint32(); index !== T.TERMINATOR; index = this.uint32()) {
      if (index === T.NON_INDEX_PROPERTIES) return this.#properties(array);
      if (index >= length) throw formatError();
      array[index] = this.value();
    }
    return array;
  }

  #map(map) {
    while (this.#bytes[this.#at] !== T.MAP_END) map.set(this.value(), this.value());
    this.#uint8();
    return this.#properties(map);
  }

  #set(set) {
    while (this.#bytes[this.#at] !== T.SET_END) set.add(this.value());
    this.#uint8();
    return this.#properties(set);
  }

  #arrayBuffer(length, maxByteLength) {
    const at = this.#advance(length);
    const buffer = maxByteLength === undefined ? new ArrayBuffer(length) : new ArrayBuffer(length, { maxByteLength });
    new Uint8Array(buffer).set(this.#bytes.subarray(at, at + length));
    return buffer;
  }

  #arrayBufferView() {
    const type = globalThis[T.VIEWS[this.#uint8()] ?? ''];
    const offset = Number(this.#uint64());
    const length = this.#uint64();
    const buffer = this.value();
    if (type === undefined || !(buffer instanceof ArrayBuffer)) throw formatError();
    const size = type.BYTES_PER_ELEMENT ?? 1;
    return this.#addObject(length === T.LENGTH_TRACKING ? new type(buffer, offset) : new type(buffer, offset, Number(length) / size));
  }

  #error() {
    const name = T.ERRORS[this.#uint8()];
    if (name === undefined) throw formatError();
    const message = this.#optionalString();
    this.uint32();
    this.uint32();
    this.#optionalString();
    const stack = this.#optionalString();
    const error = new globalThis[name](message);
    const value = stack ?? `${error}`;
    Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    return error;
  }
}

function deserialize(bytes) {
  const deserializer = new Deserializer(bytes);
  if (deserializer.uint32() > T.VERSION) throw formatError();
  const value = deserializer.value();
  if (!deserializer.isAtEnd) throw formatError();
  return value;
}

module.exports = { deserialize };
