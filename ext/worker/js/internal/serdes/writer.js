// Growing byte buffer for V8's serialization format. In: numbers, strings, bytes. Out: their
// encodings, appended. Absent: values (serializer.js).
'use strict';

const { Buffer } = require('buffer');
const { TAGS } = require('internal/serdes/tags');

const BYTES_MIN = 256;
/** Longer strings are tested and copied natively, shorter ones by code unit. */
const SHORT_LENGTH_MAX = 24;
const TWO_BYTE = /[^\0-\xff]/;

class Writer {
  #bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Appends `count` bytes; returns their offset. */
  #grow(count) {
    const at = this.#length;
    this.#length = at + count;
    if (this.#length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  byte(value) {
    const at = this.#grow(1);
    this.#bytes[at] = value;
  }

  /** Seven bits per byte, the lowest first. `value` is an integer below 2^53. */
  varint(value) {
    while (value >= 0x80) {
      this.byte((value % 0x80) | 0x80);
      value = Math.floor(value / 0x80);
    }
    this.byte(value);
  }

  varint64(value) {
    for (; value >= 0x80n; value >>= 7n) this.byte(Number(value & 0x7fn) | 0x80);
    this.byte(Number(value));
  }

  double(value) {
    const at = this.#grow(8);
    this.#view.setFloat64(at, value, true);
  }

  uint64(value) {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, value, true);
  }

  raw(bytes) {
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  string(string) {
    const { length } = string;
    if (length <= SHORT_LENGTH_MAX ? !this.#writeShortOneByte(string) : TWO_BYTE.test(string)) return this.#writeTwoByte(string);
    if (length > SHORT_LENGTH_MAX) {
      this.byte(TAGS.ONE_BYTE);
      this.varint(length);
      const at = this.#grow(length);
      this.#bytes.latin1Write(string, at, length);
    }
    return undefined;
  }

  /** False, and nothing is written, if a code unit is above 0xFF. */
  #writeShortOneByte(string) {
    const { length } = string;
    const start = this.#grow(length + 2);
    for (let i = 0; i < length; i++) {
      const unit = string.charCodeAt(i);
      if (unit > 0xff) {
        this.#length = start;
        return false;
      }
      this.#bytes[start + 2 + i] = unit;
    }
    this.#bytes[start] = TAGS.ONE_BYTE;
    this.#bytes[start + 1] = length;
    return true;
  }

  /** The code units are at an even offset. */
  #writeTwoByte(string) {
    const count = string.length * 2;
    let bytesOfCount = 1;
    for (let rest = count; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytesOfCount++;
    if ((this.#length + 1 + bytesOfCount) % 2 === 1) this.byte(TAGS.PADDING);
    this.byte(TAGS.TWO_BYTE);
    this.varint(count);
    const at = this.#grow(count);
    this.#bytes.ucs2Write(string, at, count);
  }

  /** Returns the bytes and resets the writer. */
  release() {
    // An exact copy: the program can see its buffer.
    const written = Buffer.allocUnsafeSlow(this.#length);
    written.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
    this.#view = new DataView(this.#bytes.buffer);
    this.#length = 0;
    return written;
  }
}

module.exports = { Writer };
