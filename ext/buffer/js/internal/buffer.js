// Core of `Buffer`, as Node's lib/internal/buffer.js. In: sizes, strings. Out: `FastBuffer`, the
// class of buffers; memory of the pool; the operations of each encoding: { name, byteLength, write,
// slice }. Absent: the public API (`buffer`).
'use strict';

const { genericNodeError } = require('internal/errors');

const binding = internalBinding('buffer');
const { isUint8Array } = require('internal/util/types');
const { isView } = ArrayBuffer;
const { Uint8Array: Bytes } = globalThis;
const { floor } = Math;
const { toBase64 } = Uint8Array.prototype;
const { fromCharCode } = String;

// V8's maximum length of a string.
const STRING_UNITS_MAX = 0x1fffffe8;
// Up to this number of characters a loop is faster than a call of the binding.
const SHORT_MAX = 24;
// The same for a loop that only reads.
const LOOP_MAX = 96;
// Up to this number of bytes our base64url encoder is faster than the engine's `toBase64`, which
// reads its options first.
const BASE64URL_NATIVE_MAX = 64;

class FastBuffer extends Uint8Array {
  // Explicit: the default constructor would spread its arguments.
  constructor(source, byteOffset, length) {
    super(source, byteOffset, length);
  }
}

/** `isUint8Array` with a fast path for the common case. */
function isBytes(value) {
  return (value instanceof Bytes && isView(value)) || isUint8Array(value);
}

const pool = { size: 8 * 1024, memory: undefined, bytes: undefined, used: 0 };

// Unused memory of the pool, or new memory. Programs must not expect zeros.
function allocate(size) {
  if (size <= 0) return new FastBuffer();
  if (size >= pool.size >>> 1) return new FastBuffer(size);
  if (pool.memory === undefined || size > pool.memory.byteLength - pool.used) refill();
  const buffer = new FastBuffer(pool.memory, pool.used, size);
  advancePool(size);
  return buffer;
}

function refill() {
  pool.memory = new ArrayBuffer(pool.size);
  pool.bytes = new Bytes(pool.memory);
  // Several buffers share it.
  require('internal/messaging/untransferable').add(pool.memory);
  pool.used = 0;
}

// Marks `size` bytes as used. The next view starts at a multiple of eight.
function advancePool(size) {
  pool.used = (pool.used + size + 7) & ~7;
}

function fromString(string, encoding) {
  const { length } = string;
  if (length === 0) return new FastBuffer();
  if (encoding === utf8 && length >= pool.size) {
    const bytes = binding.encode(string);
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
  advancePool(written);
  return buffer;
}

function checkStringLength(units) {
  if (units <= STRING_UNITS_MAX) return;
  const limit = STRING_UNITS_MAX.toString(16);
  throw genericNodeError(`Cannot create a string longer than 0x${limit} characters`, { code: 'ERR_STRING_TOO_LONG' });
}

// Decodes a few bytes that are all below `limit`; otherwise undefined.
function shortSlice(bytes, start, end, limit) {
  let text = '';
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte >= limit) return undefined;
    text += fromCharCode(byte);
  }
  return text;
}

// Writes a few characters that are all ASCII; otherwise -1.
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
  if (length > LOOP_MAX) return binding.utf8Length(string);
  let bytes = length;
  for (let i = 0; i < length; i++) {
    const unit = string.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes, a lone surrogate three.
    if (unit >= 0xd800 && unit < 0xe000) return binding.utf8Length(string);
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}

const utf8 = {
  name: 'utf8',
  byteLength: utf8Length,
  write(bytes, string, offset, room) {
    const { length } = string;
    if (length <= SHORT_MAX && length <= room && writeShort(bytes, string, offset, length) === length) return length;
    return binding.utf8Write(bytes, string, offset, room);
  },
  slice(bytes, start, end) {
    checkStringLength(end - start);
    return (end - start <= SHORT_MAX ? shortSlice(bytes, start, end, 0x80) : undefined) ??
      binding.utf8Slice(bytes, start, end);
  },
};

const utf16le = {
  name: 'utf16le',
  byteLength: (string) => string.length * 2,
  write: binding.ucs2Write,
  slice(bytes, start, end) {
    checkStringLength(end - start >>> 1);
    return binding.ucs2Slice(bytes, start, end);
  },
};

const latin1 = {
  name: 'latin1',
  byteLength: (string) => string.length,
  write: binding.latin1Write,
  slice(bytes, start, end) {
    checkStringLength(end - start);
    return end - start <= SHORT_MAX ? shortSlice(bytes, start, end, 0x100) : binding.latin1Slice(bytes, start, end);
  },
};

const ascii = {
  name: 'ascii',
  byteLength: (string) => string.length,
  write: binding.latin1Write,
  slice(bytes, start, end) {
    checkStringLength(end - start);
    return binding.asciiSlice(bytes, start, end);
  },
};

// Upper bound of the decoded length; exact if there are only base64 characters and padding.
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

// The engine's decoder is faster but stricter. The fallback takes what it refuses, and what does
// not fit.
function writeBase64(bytes, string, offset, room) {
  if (string.length > LOOP_MAX && setFromBase64 !== undefined && base64Length(string) <= room) {
    try {
      return setFromBase64.call(part(bytes, offset, offset + room), string).written;
    } catch {
      // Characters of base64url, or invalid ones.
    }
  }
  return binding.base64Write(bytes, string, offset, room);
}

const base64 = {
  name: 'base64',
  byteLength: base64Length,
  write: writeBase64,
  slice(bytes, start, end) {
    checkStringLength((end - start) * 4 / 3);
    return toBase64.call(part(bytes, start, end));
  },
};

const base64url = {
  name: 'base64url',
  byteLength: base64Length,
  write: writeBase64,
  slice(bytes, start, end) {
    checkStringLength((end - start) * 4 / 3);
    return end - start <= BASE64URL_NATIVE_MAX ? binding.base64urlSlice(bytes, start, end) : toBase64.call(part(bytes, start, end), urlAlphabet);
  },
};

const hex = {
  name: 'hex',
  byteLength: (string) => string.length >>> 1,
  write: binding.hexWrite,
  slice(bytes, start, end) {
    checkStringLength((end - start) * 2);
    return binding.hexSlice(bytes, start, end);
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

// The encoding of a name, case-insensitive; undefined: unknown.
function encodingOf(name) {
  return encodings[name] ?? encodings[`${name}`.toLowerCase()];
}

module.exports = {
  FastBuffer, STRING_UNITS_MAX, allocate, encodingOf, encodings, fromString, isBytes, LOOP_MAX, pool, utf8,
};
