// `node:string_decoder`: decodes chunks of bytes without splitting characters. In: bytes. Out:
// strings. Absent: the encodings (internal/buffer).
'use strict';

const { codes } = require('internal/errors');
const { FastBuffer, STRING_UNITS_MAX, encodingOf } = require('internal/buffer');

// Adds the methods of FastBuffer.
require('buffer');

const { isView } = ArrayBuffer;
const kState = Symbol('kNativeDecoder');

// The value of `encoding`; Node uses the older names.
const NAMES = { __proto__: null, utf16le: 'utf16le', ucs2: 'utf16le', latin1: 'latin1', binary: 'latin1' };

function StringDecoder(encoding) {
  const ops = encoding === undefined || encoding === null || encoding === '' ? encodingOf('utf8') : encodingOf(encoding);
  if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = NAMES[ops.name] ?? ops.name;
  // `bytes` has `buffered` of the `needed` bytes of an incomplete character.
  this[kState] = { ops, bytes: new FastBuffer(4), buffered: 0, needed: 0 };
}

StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  const state = this[kState];
  if (state === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
  const bytes = chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const { ops } = state;
  if (bytes.length > STRING_UNITS_MAX) return ops.slice(bytes, 0, bytes.length);
  switch (ops.name) {
    case 'utf8': return writeUtf8(state, bytes);
    case 'utf16le': return writeUtf16(state, bytes);
    case 'base64':
    case 'base64url': return writeBase64(state, bytes);
    default: return ops.slice(bytes, 0, bytes.length);
  }
};

StringDecoder.prototype.end = function end(chunk) {
  const text = chunk === undefined ? '' : this.write(chunk);
  const state = this[kState];
  const { ops, buffered } = state;
  state.buffered = 0;
  state.needed = 0;
  if (buffered === 0) return text;
  // An odd byte of UTF-16 is dropped.
  if (ops.name === 'utf16le') return text + ops.slice(state.bytes, 0, buffered & ~1);
  return text + ops.slice(state.bytes, 0, buffered);
};

StringDecoder.prototype.text = function text(chunk, offset) {
  this[kState].buffered = 0;
  this[kState].needed = 0;
  return this.write(chunk.slice(offset));
};

for (const [name, read] of [
  ['lastChar', ({ bytes }) => bytes],
  ['lastNeed', ({ buffered, needed }) => needed - buffered],
  ['lastTotal', ({ needed }) => needed],
]) {
  Object.defineProperty(StringDecoder.prototype, name, {
    __proto__: null, configurable: true, enumerable: true, get() { return read(this[kState]); },
  });
}

// The length of a UTF-8 sequence by its first byte; 0: not a first byte. Whether the sequence is
// valid is decided once it is complete.
function sequenceLength(byte) {
  if (byte < 0xc0) return byte < 0x80 ? 1 : 0;
  if (byte < 0xe0) return 2;
  if (byte < 0xf0) return 3;
  return byte < 0xf8 ? 4 : 0;
}

const isContinuation = (byte) => byte >= 0x80 && byte < 0xc0;

function writeUtf8(state, bytes) {
  let start = 0;
  let prefix = '';
  if (state.buffered > 0) {
    while (start < bytes.length && state.buffered < state.needed && isContinuation(bytes[start])) {
      state.bytes[state.buffered++] = bytes[start++];
    }
    if (start === bytes.length && state.buffered < state.needed) return '';
    prefix = state.ops.slice(state.bytes, 0, state.buffered);
    state.buffered = 0;
    state.needed = 0;
  }
  const end = completeLength(bytes, start);
  for (let i = end; i < bytes.length; i++) state.bytes[state.buffered++] = bytes[i];
  if (state.buffered > 0) state.needed = sequenceLength(state.bytes[0]);
  return prefix + state.ops.slice(bytes, start, end);
}

// The offset of an incomplete sequence at the end, or the length.
function completeLength(bytes, start) {
  const { length } = bytes;
  for (let i = length - 1; i >= start && i >= length - 3; i--) {
    if (isContinuation(bytes[i])) continue;
    return sequenceLength(bytes[i]) > length - i ? i : length;
  }
  return length;
}

function writeUtf16(state, bytes) {
  let start = 0;
  let prefix = '';
  if (state.buffered > 0) {
    while (start < bytes.length && state.buffered < state.needed) state.bytes[state.buffered++] = bytes[start++];
    if (state.buffered < state.needed) return '';
    const isHigh = state.needed === 2 && (state.bytes[1] & 0xfc) === 0xd8;
    if (isHigh) {
      state.needed = 4;
      while (start < bytes.length && state.buffered < 4) state.bytes[state.buffered++] = bytes[start++];
      if (state.buffered < 4) return '';
    }
    prefix = state.ops.slice(state.bytes, 0, state.buffered);
    state.buffered = 0;
    state.needed = 0;
  }
  let end = bytes.length - ((bytes.length - start) % 2);
  // Like Node, checks for a high surrogate only if no odd byte follows it.
  if (end === bytes.length && end - start >= 2 && (bytes[end - 1] & 0xfc) === 0xd8) end -= 2;
  for (let i = end; i < bytes.length; i++) state.bytes[state.buffered++] = bytes[i];
  if (state.buffered > 0) state.needed = state.buffered === 1 ? 2 : 4;
  return prefix + state.ops.slice(bytes, start, end);
}

function writeBase64(state, bytes) {
  let start = 0;
  let prefix = '';
  if (state.buffered > 0) {
    while (start < bytes.length && state.buffered < 3) state.bytes[state.buffered++] = bytes[start++];
    if (state.buffered < 3) return '';
    prefix = state.ops.slice(state.bytes, 0, 3);
    state.buffered = 0;
    state.needed = 0;
  }
  const end = bytes.length - ((bytes.length - start) % 3);
  for (let i = end; i < bytes.length; i++) state.bytes[state.buffered++] = bytes[i];
  if (state.buffered > 0) state.needed = 3;
  return prefix + state.ops.slice(bytes, start, end);
}

module.exports = { StringDecoder };
