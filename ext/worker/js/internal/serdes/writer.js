// Bytes that grow. In: numbers, strings, bytes. Out: V8's forms of them, one behind the other.
// Absent: what values are (serializer.js).
'use strict';

const { Buffer } = require('buffer');
const { TAGS } = require('internal/serdes/tags');

const BYTES_MIN = 256;
/**
 * Longer strings are looked at and copied by the engine and the native half, shorter ones letter by
 * letter.
 */
const SHORT_LENGTH_MAX = 24;
const WIDE = /[^\0-\xff]/;

class Writer {
  #bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Room for `count` bytes; gives where they are to stand. */
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

  /** Seven bits a byte, the lowest first. `value` is a whole number below 2^53. */
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

  text(text) {
    const { length } = text;
    if (length <= SHORT_LENGTH_MAX ? !this.#short(text) : WIDE.test(text)) return this.#wide(text);
    if (length > SHORT_LENGTH_MAX) {
      this.byte(TAGS.ONE_BYTE);
      this.varint(length);
      const at = this.#grow(length);
      this.#bytes.latin1Write(text, at, length);
    }
    return undefined;
  }

  /** False, and nothing written, where a letter does not fit a byte. */
  #short(text) {
    const { length } = text;
    const start = this.#grow(length + 2);
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
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

  /** Its units stand at an even place. */
  #wide(text) {
    const count = text.length * 2;
    let bytesOfCount = 1;
    for (let rest = count; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytesOfCount++;
    if ((this.#length + 1 + bytesOfCount) % 2 === 1) this.byte(TAGS.PADDING);
    this.byte(TAGS.TWO_BYTE);
    this.varint(count);
    const at = this.#grow(count);
    this.#bytes.ucs2Write(text, at, count);
  }

  /** What was written; the writer is empty again. */
  release() {
    // Without what is behind it, for its buffer is handed out, too.
    const written = Buffer.allocUnsafeSlow(this.#length);
    written.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = Buffer.allocUnsafeSlow(BYTES_MIN);
    this.#view = new DataView(this.#bytes.buffer);
    this.#length = 0;
    return written;
  }
}

module.exports = { Writer };
