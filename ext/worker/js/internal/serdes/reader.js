// Reader of V8's serialization format. In: a view of untrusted bytes. Out: numbers, strings, bytes;
// an error if there are too few. Absent: values (deserializer.js).
'use strict';

const { Buffer } = require('buffer');
const { TAGS } = require('internal/serdes/tags');
const { deserializeError } = require('internal/serdes/errors');

class Reader {
  #bytes;
  #view;
  #at = 0;

  constructor(view) {
    this.#bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    this.#view = new DataView(view.buffer, view.byteOffset, view.byteLength);
  }

  get remaining() {
    return this.#bytes.length - this.#at;
  }

  /** Skips `count` bytes; returns their offset. */
  skip(count) {
    if (count > this.remaining) throw deserializeError();
    const at = this.#at;
    this.#at += count;
    return at;
  }

  byte() {
    return this.#bytes[this.skip(1)];
  }

  /** The next byte after padding, without consuming it; undefined at the end. */
  peekTag() {
    while (this.#bytes[this.#at] === TAGS.PADDING) this.#at++;
    return this.#bytes[this.#at];
  }

  tag() {
    this.peekTag();
    return this.byte();
  }

  /** The lowest 32 bits of a varint. */
  varint() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  varint64() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      if (shift < 64n) value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  }

  /** An Int32 in zigzag encoding. */
  zigzag() {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  double() {
    return this.#view.getFloat64(this.skip(8), true);
  }

  bigint() {
    const bits = this.varint();
    const length = bits >>> 1;
    const at = this.skip(length);
    let hex = '';
    for (let i = length - 1; i >= 0; i--) hex += this.#bytes[at + i].toString(16).padStart(2, '0');
    const value = hex === '' ? 0n : BigInt(`0x${hex}`);
    return bits & 1 ? -value : value;
  }

  oneByteString() {
    const length = this.varint();
    const at = this.skip(length);
    return this.#bytes.latin1Slice(at, at + length);
  }

  twoByteString() {
    const length = this.varint();
    if (length % 2 === 1) throw deserializeError();
    const at = this.skip(length);
    return this.#bytes.ucs2Slice(at, at + length);
  }

  utf8String() {
    const length = this.varint();
    const at = this.skip(length);
    return this.#bytes.utf8Slice(at, at + length);
  }

  /** Copies bytes to a new ArrayBuffer. */
  copy(length, options) {
    const at = this.skip(length);
    const buffer = new ArrayBuffer(length, options);
    new Uint8Array(buffer).set(this.#bytes.subarray(at, at + length));
    return buffer;
  }
}

module.exports = { Reader };
