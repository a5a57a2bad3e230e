// Bytes of V8's form, read from the front. In: a view of bytes, which may be hostile. Out: numbers,
// strings, bytes; an error where there are too few. Absent: what values are (deserializer.js).
'use strict';

const { Buffer } = require('buffer');
const { TAGS } = require('internal/serdes/tags');
const { unreadable } = require('internal/serdes/failures');

class Reader {
  #bytes;
  #view;
  #at = 0;

  constructor(view) {
    this.#bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    this.#view = new DataView(view.buffer, view.byteOffset, view.byteLength);
  }

  get left() {
    return this.#bytes.length - this.#at;
  }

  /** Leaves out `count` bytes; gives where they begin. */
  skip(count) {
    if (count > this.left) throw unreadable();
    const at = this.#at;
    this.#at += count;
    return at;
  }

  byte() {
    return this.#bytes[this.skip(1)];
  }

  /** The next byte that is no padding, which stays; undefined at the end. */
  peekTag() {
    while (this.#bytes[this.#at] === TAGS.PADDING) this.#at++;
    return this.#bytes[this.#at];
  }

  tag() {
    this.peekTag();
    return this.byte();
  }

  /** The lowest 32 bits of what is there. */
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

  /** An Int32: its sign is the lowest bit. */
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

  oneByteText() {
    const length = this.varint();
    const at = this.skip(length);
    return this.#bytes.latin1Slice(at, at + length);
  }

  twoByteText() {
    const length = this.varint();
    if (length % 2 === 1) throw unreadable();
    const at = this.skip(length);
    return this.#bytes.ucs2Slice(at, at + length);
  }

  utf8Text() {
    const length = this.varint();
    const at = this.skip(length);
    return this.#bytes.utf8Slice(at, at + length);
  }

  /** A copy in a buffer of its own. */
  copy(length, options) {
    const at = this.skip(length);
    const buffer = new ArrayBuffer(length, options);
    new Uint8Array(buffer).set(this.#bytes.subarray(at, at + length));
    return buffer;
  }
}

module.exports = { Reader };
