// What a buffer is made of. In: sizes, strings. Out: `FastBuffer`, the class behind Buffer; memory
// from the pool; the encodings, each as { name, byteLength, write, text }. Absent: what programs
// call; that is `buffer`.
'use strict';

const { genericNodeError } = require('internal/errors');

const native_ = internalBinding('buffer');
const { isUint8Array } = require('internal/util/types');
const { isView } = ArrayBuffer;
const { Uint8Array: Bytes } = globalThis;
const { floor } = Math;
const { toBase64 } = Uint8Array.prototype;
const { fromCharCode } = String;

// V8's limit; what is longer than this, Node does not make a string of.
const STRING_UNITS_MAX = 0x1fffffe8;
// A call into Rust costs more than a loop over as many characters.
const SHORT = 24;
// The same, where the loop only looks.
const LOOP = 96;
// So many bytes are written in the other alphabet of base 64 before the engine's own way is faster,
// which reads its options first.
const READ_OPTIONS = 64;

class FastBuffer extends Uint8Array {
  // Written out: the default one would spread its arguments.
  constructor(source, byteOffset, length) {
    super(source, byteOffset, length);
  }
}

/** `isUint8Array`, which asks the object itself, for what is hardly ever anything else. */
function isBytes(value) {
  return (value instanceof Bytes && isView(value)) || isUint8Array(value);
}

const pool = { size: 8 * 1024, memory: undefined, bytes: undefined, used: 0 };

// Bytes that nobody else uses; not zero, as far as the program may rely on it.
function allocate(size) {
  if (size <= 0) return new FastBuffer();
  if (size >= pool.size >>> 1) return new FastBuffer(size);
  if (pool.memory === undefined || size > pool.memory.byteLength - pool.used) refill();
  const buffer = new FastBuffer(pool.memory, pool.used, size);
  release(size);
  return buffer;
}

function refill() {
  pool.memory = new ArrayBuffer(pool.size);
  pool.bytes = new Bytes(pool.memory);
  // Others have parts of it.
  require('internal/messaging/untransferable').add(pool.memory);
  pool.used = 0;
}

// The next view begins at a multiple of eight.
function release(size) {
  pool.used = (pool.used + size + 7) & ~7;
}

function fromString(string, encoding) {
  const { length } = string;
  if (length === 0) return new FastBuffer();
  if (encoding === utf8 && length >= pool.size) {
    const bytes = native_.encode(string);
    return new FastBuffer(bytes.buffer, 0, bytes.length);
  }
  const room = encoding === utf8 ? length * 3 : encoding.byteLength(string);
  if (room >= pool.size >>> 1) {
    const exact = encoding.byteLength(string);
    const buffer = allocate(exact);
    const written = encoding.write(buffer, string, 0, exact);
    return written === exact ? buffer : new FastBuffer(buffer.buffer, buffer.byteOffset, written);
  }
  if (pool.memory === undefined || room > pool.memory.byteLength - pool.used) refill();
  const written = encoding.write(pool.bytes, string, pool.used, room);
  const buffer = new FastBuffer(pool.memory, pool.used, written);
  release(written);
  return buffer;
}

function checkTextLength(units) {
  if (units <= STRING_UNITS_MAX) return;
  const limit = STRING_UNITS_MAX.toString(16);
  throw genericNodeError(`Cannot create a string longer than 0x${limit} characters`, { code: 'ERR_STRING_TOO_LONG' });
}

// The text of a few bytes that are all below `limit`.
function shortText(bytes, start, end, limit) {
  let text = '';
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte >= limit) return undefined;
    text += fromCharCode(byte);
  }
  return text;
}

// Writes a few characters that are all ASCII; -1: they are not.
function writeShort(bytes, string, offset, count) {
  for (let i = 0; i < count; i++) {
    const unit = string.charCodeAt(i);
    if (unit >= 0x80) return -1;
    bytes[offset + i] = unit;
  }
  return count;
}

function utf8Length(string) {
  const { length } = string;
  if (length > LOOP) return native_.utf8Length(string);
  let bytes = length;
  for (let i = 0; i < length; i++) {
    const unit = string.charCodeAt(i);
    if (unit < 0x80) continue;
    // Of a pair each half is two bytes of four; half of one alone is told by three.
    if (unit >= 0xd800 && unit < 0xe000) return native_.utf8Length(string);
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}

const utf8 = {
  name: 'utf8',
  byteLength: utf8Length,
  write(bytes, string, offset, room) {
    const { length } = string;
    if (length <= SHORT && length <= room && writeShort(bytes, string, offset, length) === length) return length;
    return native_.writeUtf8(bytes, string, offset, room);
  },
  text(bytes, start, end) {
    checkTextLength(end - start);
    return (end - start <= SHORT ? shortText(bytes, start, end, 0x80) : undefined) ??
      native_.textUtf8(bytes, start, end);
  },
};

const utf16le = {
  name: 'utf16le',
  byteLength: (string) => string.length * 2,
  write: native_.writeUtf16,
  text(bytes, start, end) {
    checkTextLength(end - start >>> 1);
    return native_.textUtf16(bytes, start, end);
  },
};

const latin1 = {
  name: 'latin1',
  byteLength: (string) => string.length,
  write: native_.writeLatin1,
  text(bytes, start, end) {
    checkTextLength(end - start);
    return end - start <= SHORT ? shortText(bytes, start, end, 0x100) : native_.textLatin1(bytes, start, end);
  },
};

const ascii = {
  name: 'ascii',
  byteLength: (string) => string.length,
  write: native_.writeLatin1,
  text(bytes, start, end) {
    checkTextLength(end - start);
    return native_.textAscii(bytes, start, end);
  },
};

// How many bytes a text in base 64 has at most; exact where it has nothing but characters and
// padding.
function base64Length(string) {
  let { length } = string;
  if (length > 1 && string.charCodeAt(length - 1) === 0x3d) length -= string.charCodeAt(length - 2) === 0x3d ? 2 : 1;
  return floor(length * 3 / 4);
}

function part(bytes, start, end) {
  return start === 0 && end === bytes.length ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
}

const urlAlphabet = { alphabet: 'base64url', omitPadding: true };

const { setFromBase64 } = Uint8Array.prototype;

// The engine's own is faster, and stricter: what it refuses, goes the other way, and what it would
// write but a part of.
function writeBase64(bytes, string, offset, room) {
  if (string.length > LOOP && setFromBase64 !== undefined && base64Length(string) <= room) {
    try {
      return setFromBase64.call(part(bytes, offset, offset + room), string).written;
    } catch {
      // Characters of the other alphabet, or none at all.
    }
  }
  return native_.writeBase64(bytes, string, offset, room);
}

const base64 = {
  name: 'base64',
  byteLength: base64Length,
  write: writeBase64,
  text(bytes, start, end) {
    checkTextLength((end - start) * 4 / 3);
    return toBase64.call(part(bytes, start, end));
  },
};

const base64url = {
  name: 'base64url',
  byteLength: base64Length,
  write: writeBase64,
  text(bytes, start, end) {
    checkTextLength((end - start) * 4 / 3);
    return end - start <= READ_OPTIONS ? native_.textBase64Url(bytes, start, end) : toBase64.call(part(bytes, start, end), urlAlphabet);
  },
};

const hex = {
  name: 'hex',
  byteLength: (string) => string.length >>> 1,
  write: native_.writeHex,
  text(bytes, start, end) {
    checkTextLength((end - start) * 2);
    return native_.textHex(bytes, start, end);
  },
};

const encodings = {
  __proto__: null,
  'utf8': utf8,
  'utf-8': utf8,
  'utf16le': utf16le,
  'utf-16le': utf16le,
  'ucs2': utf16le,
  'ucs-2': utf16le,
  'latin1': latin1,
  'binary': latin1,
  'ascii': ascii,
  'base64': base64,
  'base64url': base64url,
  'hex': hex,
};

// The encoding of a name, whatever its case; undefined: there is none.
function encodingOf(name) {
  return encodings[name] ?? encodings[`${name}`.toLowerCase()];
}

module.exports = {
  FastBuffer, STRING_UNITS_MAX, allocate, encodingOf, encodings, fromString, isBytes, LOOP, pool, utf8,
};
