// `indexOf`, `lastIndexOf` and `includes` of `Buffer.prototype`. In: the prototype. Out: it has
// Node's methods.
'use strict';

const { codes } = require('internal/errors');
const { FastBuffer, encodingOf, fromString, isBytes, utf8 } = require('internal/buffer');

const binding = internalBinding('buffer');
const { isView } = ArrayBuffer;
const { indexOf: indexOfByte, lastIndexOf: lastIndexOfByte } = Uint8Array.prototype;

function find(buffer, value, offset, encoding, isForward) {
  if (!isView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  if (typeof offset === 'string') {
    encoding = offset;
    offset = undefined;
  } else if (offset > 0x7fffffff) {
    offset = 0x7fffffff;
  } else if (offset < -0x80000000) {
    offset = -0x80000000;
  }
  offset = +offset;
  // NaN searches the whole buffer.
  if (offset !== offset) offset = isForward ? 0 : buffer.length || buffer.byteLength;
  offset = Math.trunc(offset);
  if (typeof value === 'number') return findByte(buffer, value & 0xff, offset, isForward);
  let kind = utf8;
  if (encoding !== undefined) kind = encodingOf(encoding);
  if (typeof value === 'string') {
    if (kind === utf8 && value.length === 1 && buffer instanceof FastBuffer && value.charCodeAt(0) < 0x80) {
      return findByte(buffer, value.charCodeAt(0), offset, isForward);
    }
    if (kind === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    value = fromString(value, kind);
  } else if (!isBytes(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  }
  return findBytes(buffer, value, offset, isForward, kind?.name === 'utf16le' ? 2 : 1);
}

function findByte(buffer, byte, offset, isForward) {
  const { length } = buffer;
  if (offset < 0) offset += length;
  if (isForward) return indexOfByte.call(buffer, byte, offset < 0 ? 0 : offset);
  return offset < 0 || length === 0 ? -1 : lastIndexOfByte.call(buffer, byte, offset);
}

function findBytes(buffer, needle, offset, isForward, step) {
  const { length } = buffer;
  if (offset < 0) offset += length;
  if (offset < 0) {
    if (!isForward && needle.length > 0) return -1;
    offset = 0;
  }
  if (offset > length) {
    if (isForward && needle.length > 0) return -1;
    offset = length;
  }
  if (needle.length === 0) return offset;
  if (length === 0 || needle.length > length) return -1;
  return binding.find(buffer, needle, offset, isForward, step);
}

function addSearch(prototype) {
  prototype.indexOf = function indexOf(value, offset, encoding) {
    return find(this, value, offset, encoding, true);
  };
  prototype.lastIndexOf = function lastIndexOf(value, offset, encoding) {
    return find(this, value, offset, encoding, false);
  };
  prototype.includes = function includes(value, offset, encoding) {
    return find(this, value, offset, encoding, true) !== -1;
  };
}

module.exports = { addSearch };
