// require('string_decoder'). In: bytes, piece by piece. Out: text, in which no letter is cut.
// Absent: how characters are made of bytes (internal/buffer).
'use strict';

const { codes } = require('internal/errors');
const { FastBuffer, STRING_UNITS_MAX, encodingOf } = require('internal/buffer');

// It gives FastBuffer its methods.
require('buffer');

const { isView } = ArrayBuffer;
const kState = Symbol('kNativeDecoder');

// Names that it goes by; Node keeps those of old.
const NAMES = { __proto__: null, utf16le: 'utf16le', ucs2: 'utf16le', latin1: 'latin1', binary: 'latin1' };

function StringDecoder(encoding) {
  const kind = encoding === undefined || encoding === null || encoding === '' ? encodingOf('utf8') : encodingOf(encoding);
  if (kind === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = NAMES[kind.name] ?? kind.name;
  // `kept` of `wanted` bytes of a letter are there, in `bytes`.
  this[kState] = { kind, bytes: new FastBuffer(4), kept: 0, wanted: 0 };
}

StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  const state = this[kState];
  if (state === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
  const bytes = chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const { kind } = state;
  if (bytes.length > STRING_UNITS_MAX) return kind.text(bytes, 0, bytes.length);
  switch (kind.name) {
    case 'utf8': return writeUtf8(state, bytes);
    case 'utf16le': return writeUtf16(state, bytes);
    case 'base64':
    case 'base64url': return writeBase64(state, bytes);
    default: return kind.text(bytes, 0, bytes.length);
  }
};

StringDecoder.prototype.end = function end(chunk) {
  const text = chunk === undefined ? '' : this.write(chunk);
  const state = this[kState];
  const { kind, kept } = state;
  state.kept = 0;
  state.wanted = 0;
  if (kept === 0) return text;
  // Of UTF-16 a byte alone says nothing.
  if (kind.name === 'utf16le') return text + kind.text(state.bytes, 0, kept & ~1);
  return text + kind.text(state.bytes, 0, kept);
};

StringDecoder.prototype.text = function text(chunk, offset) {
  this[kState].kept = 0;
  this[kState].wanted = 0;
  return this.write(chunk.slice(offset));
};

for (const [name, read] of [
  ['lastChar', ({ bytes }) => bytes],
  ['lastNeed', ({ kept, wanted }) => wanted - kept],
  ['lastTotal', ({ wanted }) => wanted],
]) {
  Object.defineProperty(StringDecoder.prototype, name, {
    __proto__: null, configurable: true, enumerable: true, get() { return read(this[kState]); },
  });
}

// How many bytes a letter has that begins so, as its first byte says; 0: none begins so. Whether
// there is such a letter, the encoding says once all its bytes are there.
function lengthOf(byte) {
  if (byte < 0xc0) return byte < 0x80 ? 1 : 0;
  if (byte < 0xe0) return 2;
  if (byte < 0xf0) return 3;
  return byte < 0xf8 ? 4 : 0;
}

const isContinuation = (byte) => byte >= 0x80 && byte < 0xc0;

function writeUtf8(state, bytes) {
  let begin = 0;
  let before = '';
  if (state.kept > 0) {
    while (begin < bytes.length && state.kept < state.wanted && isContinuation(bytes[begin])) {
      state.bytes[state.kept++] = bytes[begin++];
    }
    if (begin === bytes.length && state.kept < state.wanted) return '';
    before = state.kind.text(state.bytes, 0, state.kept);
    state.kept = 0;
    state.wanted = 0;
  }
  const end = wholeUtf8(bytes, begin);
  for (let i = end; i < bytes.length; i++) state.bytes[state.kept++] = bytes[i];
  if (state.kept > 0) state.wanted = lengthOf(state.bytes[0]);
  return before + state.kind.text(bytes, begin, end);
}

// Where the letter begins that breaks off at the end, or the end.
function wholeUtf8(bytes, begin) {
  const { length } = bytes;
  for (let i = length - 1; i >= begin && i >= length - 3; i--) {
    if (isContinuation(bytes[i])) continue;
    return lengthOf(bytes[i]) > length - i ? i : length;
  }
  return length;
}

function writeUtf16(state, bytes) {
  let begin = 0;
  let before = '';
  if (state.kept > 0) {
    while (begin < bytes.length && state.kept < state.wanted) state.bytes[state.kept++] = bytes[begin++];
    if (state.kept < state.wanted) return '';
    const isHigh = state.wanted === 2 && (state.bytes[1] & 0xfc) === 0xd8;
    if (isHigh) {
      state.wanted = 4;
      while (begin < bytes.length && state.kept < 4) state.bytes[state.kept++] = bytes[begin++];
      if (state.kept < 4) return '';
    }
    before = state.kind.text(state.bytes, 0, state.kept);
    state.kept = 0;
    state.wanted = 0;
  }
  let end = bytes.length - ((bytes.length - begin) % 2);
  // Node looks for half a letter only where no half unit stands behind it.
  if (end === bytes.length && end - begin >= 2 && (bytes[end - 1] & 0xfc) === 0xd8) end -= 2;
  for (let i = end; i < bytes.length; i++) state.bytes[state.kept++] = bytes[i];
  if (state.kept > 0) state.wanted = state.kept === 1 ? 2 : 4;
  return before + state.kind.text(bytes, begin, end);
}

function writeBase64(state, bytes) {
  let begin = 0;
  let before = '';
  if (state.kept > 0) {
    while (begin < bytes.length && state.kept < 3) state.bytes[state.kept++] = bytes[begin++];
    if (state.kept < 3) return '';
    before = state.kind.text(state.bytes, 0, 3);
    state.kept = 0;
    state.wanted = 0;
  }
  const end = bytes.length - ((bytes.length - begin) % 3);
  for (let i = end; i < bytes.length; i++) state.bytes[state.kept++] = bytes[i];
  if (state.kept > 0) state.wanted = 3;
  return before + state.kind.text(bytes, begin, end);
}

module.exports = { StringDecoder };
