// Values from bytes in the engine's own form. In: bytes that bun wrote, or anybody. Out: the value;
// an error where they are none. No length is believed before its bytes are there.
'use strict';

const T = require('internal/ipc/bun_form/tags');

const DIGIT_BITS = 64n;

const unreadable = () => new Error('Unable to deserialize data.');

class Reader {
  #bytes;
  #view;
  #at = 0;
  #texts = [];
  #objects = [];

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd() { return this.#at === this.#bytes.length; }

  #skip(count) {
    const at = this.#at;
    if (!(count <= this.#bytes.length - at)) throw unreadable();
    this.#at = at + count;
    return at;
  }

  #byte() { return this.#bytes[this.#skip(1)]; }

  word() { return this.#view.getUint32(this.#skip(4), true); }

  #long() { return this.#view.getBigUint64(this.#skip(8), true); }

  #double() { return this.#view.getFloat64(this.#skip(8), true); }

  #place(list) {
    const { length } = list;
    const index = length <= 0xff ? this.#byte() : length <= 0xffff ? this.#view.getUint16(this.#skip(2), true) : this.word();
    if (index >= length) throw unreadable();
    return list[index];
  }

  #text(head = this.word()) {
    if (head === T.KNOWN_TEXT) return this.#place(this.#texts);
    const isNarrow = head >= T.NARROW;
    const length = isNarrow ? head - T.NARROW : head;
    const bytes = isNarrow ? length : length * 2;
    const at = this.#skip(bytes);
    const { Buffer } = require('buffer');
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, bytes).toString(isNarrow ? 'latin1' : 'utf16le');
    this.#texts.push(text);
    return text;
  }

  #textOrNot() { return this.word() === 0 ? this.#text() : undefined; }

  value() {
    const tag = this.#byte();
    switch (tag) {
      case T.UNDEFINED: return undefined;
      case T.NULL: return null;
      case T.TRUE: return true;
      case T.FALSE: return false;
      case T.ZERO: return 0;
      case T.ONE: return 1;
      case T.INT: return this.word() | 0;
      case T.DOUBLE: return this.#double();
      case T.BIGINT: return this.#bigint();
      case T.EMPTY_STRING: return '';
      case T.STRING: return this.#text();
      case T.REFERENCE: return this.#place(this.#objects);
      case T.VIEW: return this.#viewOf();
      default: return this.#object(tag);
    }
  }

  #keep(object) {
    this.#objects.push(object);
    return object;
  }

  #object(tag) {
    switch (tag) {
      case T.OBJECT: return this.#members(this.#keep({}));
      case T.ARRAY: return this.#array();
      case T.MAP: return this.#map(this.#keep(new Map()));
      case T.SET: return this.#set(this.#keep(new Set()));
      case T.DATE: return this.#keep(new Date(this.#double()));
      case T.REGEXP: return this.#keep(new RegExp(this.#text(), this.#text()));
      case T.TRUE_OBJECT: return this.#keep(Object(true));
      case T.FALSE_OBJECT: return this.#keep(Object(false));
      case T.NUMBER_OBJECT: return this.#keep(Object(this.#double()));
      case T.STRING_OBJECT: return this.#keep(Object(this.#text()));
      case T.EMPTY_STRING_OBJECT: return this.#keep(Object(''));
      case T.BIGINT_OBJECT: return this.#keep(Object(this.#bigint()));
      case T.BUFFER: return this.#keep(this.#buffer(Number(this.#long()), undefined));
      case T.RESIZABLE_BUFFER: return this.#keep(this.#buffer(Number(this.#long()), Number(this.#long())));
      case T.ERROR: return this.#keep(this.#error());
      case T.DOM_EXCEPTION: return this.#keep(new (require('web/dom_exception').DOMException)(this.#text(), this.#text()));
      default: throw unreadable();
    }
  }

  #bigint() {
    const isNegative = this.#byte() !== 0;
    const count = this.word();
    const at = this.#skip(count * 8);
    let value = 0n;
    for (let i = count - 1; i >= 0; i--) value = (value << DIGIT_BITS) | this.#view.getBigUint64(at + i * 8, true);
    return isNegative ? -value : value;
  }

  #members(object) {
    for (let head = this.word(); head !== T.END; head = this.word()) {
      const value = { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true };
      const key = this.#text(head);
      value.value = this.value();
      Object.defineProperty(object, key, value);
    }
    return object;
  }

  #array() {
    const array = this.#keep([]);
    const length = this.word();
    array.length = length;
    for (let index = this.word(); index !== T.END; index = this.word()) {
      if (index === T.NAMED) return this.#members(array);
      if (index >= length) throw unreadable();
      array[index] = this.value();
    }
    return array;
  }

  #map(map) {
    while (this.#bytes[this.#at] !== T.MAP_END) map.set(this.value(), this.value());
    this.#byte();
    return this.#members(map);
  }

  #set(set) {
    while (this.#bytes[this.#at] !== T.SET_END) set.add(this.value());
    this.#byte();
    return this.#members(set);
  }

  #buffer(length, most) {
    const at = this.#skip(length);
    const buffer = most === undefined ? new ArrayBuffer(length) : new ArrayBuffer(length, { maxByteLength: most });
    new Uint8Array(buffer).set(this.#bytes.subarray(at, at + length));
    return buffer;
  }

  #viewOf() {
    const type = globalThis[T.VIEWS[this.#byte()] ?? ''];
    const offset = Number(this.#long());
    const length = this.#long();
    const buffer = this.value();
    if (type === undefined || !(buffer instanceof ArrayBuffer)) throw unreadable();
    const size = type.BYTES_PER_ELEMENT ?? 1;
    return this.#keep(length === T.WHOLE ? new type(buffer, offset) : new type(buffer, offset, Number(length) / size));
  }

  #error() {
    const name = T.ERRORS[this.#byte()];
    if (name === undefined) throw unreadable();
    const message = this.#textOrNot();
    this.word();
    this.word();
    this.#textOrNot();
    const stack = this.#textOrNot();
    const error = new globalThis[name](message);
    const value = stack ?? `${error}`;
    Object.defineProperty(error, 'stack', { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    return error;
  }
}

function read(bytes) {
  const reader = new Reader(bytes);
  if (reader.word() > T.RELEASE) throw unreadable();
  const value = reader.value();
  if (!reader.isAtEnd) throw unreadable();
  return value;
}

module.exports = { read };
