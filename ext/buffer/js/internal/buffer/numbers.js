// `read*` and `write*` methods of `Buffer.prototype`. In: the prototype. Out: it has the methods,
// with Node's checks and messages.
'use strict';

const { codes } = require('internal/errors');
const { validateNumber } = require('internal/validators');

const { floor } = Math;
const float32 = new Float32Array(1);
const float32Bytes = new Uint8Array(float32.buffer);
const float64 = new Float64Array(1);
const float64Bytes = new Uint8Array(float64.buffer);

function outOfBounds(value, highest, name) {
  if (floor(value) !== value) {
    validateNumber(value, name ?? 'offset');
    throw new codes.ERR_OUT_OF_RANGE(name ?? 'offset', 'an integer', value);
  }
  if (highest < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE(name ?? 'offset', `>= ${name ? 1 : 0} and <= ${highest}`, value);
}

// Throws unless there are `bytes` bytes at `offset`.
function checkRoom(buffer, offset, bytes) {
  validateNumber(offset, 'offset');
  if (buffer[offset] === undefined || buffer[offset + bytes - 1] === undefined) {
    outOfBounds(offset, buffer.length - bytes);
  }
}

function checkValue(value, min, max, bytes) {
  // Values that are not comparable (NaN) pass.
  if (!(value > max || value < min)) return;
  const n = typeof min === 'bigint' ? 'n' : '';
  let range = `>= ${min}${n} and <= ${max}${n}`;
  if (bytes > 4) {
    range = min == 0 ?
      `>= 0${n} and < 2${n} ** ${bytes * 8}${n}` :
      `>= -(2${n} ** ${bytes * 8 - 1}${n}) and < 2${n} ** ${bytes * 8 - 1}${n}`;
  }
  throw new codes.ERR_OUT_OF_RANGE('value', range, value);
}

function checkCount(offset, count) {
  if (offset === undefined) throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  if (!(count >= 1 && count <= 6 && floor(count) === count)) outOfBounds(count, 6, 'byteLength');
}

const fixed = {
  readUInt8(offset = 0) {
    validateNumber(offset, 'offset');
    const value = this[offset];
    if (value === undefined) outOfBounds(offset, this.length - 1);
    return value;
  },
  readInt8(offset = 0) {
    validateNumber(offset, 'offset');
    const value = this[offset];
    if (value === undefined) outOfBounds(offset, this.length - 1);
    return value << 24 >> 24;
  },
  readUInt16LE(offset = 0) {
    checkRoom(this, offset, 2);
    return this[offset] | this[offset + 1] << 8;
  },
  readUInt16BE(offset = 0) {
    checkRoom(this, offset, 2);
    return this[offset] << 8 | this[offset + 1];
  },
  readInt16LE(offset = 0) {
    checkRoom(this, offset, 2);
    return (this[offset] << 16 | this[offset + 1] << 24) >> 16;
  },
  readInt16BE(offset = 0) {
    checkRoom(this, offset, 2);
    return (this[offset] << 24 | this[offset + 1] << 16) >> 16;
  },
  readUInt32LE(offset = 0) {
    checkRoom(this, offset, 4);
    return low32(this, offset) >>> 0;
  },
  readUInt32BE(offset = 0) {
    checkRoom(this, offset, 4);
    return high32(this, offset) >>> 0;
  },
  readInt32LE(offset = 0) {
    checkRoom(this, offset, 4);
    return low32(this, offset);
  },
  readInt32BE(offset = 0) {
    checkRoom(this, offset, 4);
    return high32(this, offset);
  },
  readBigUInt64LE(offset = 0) {
    checkRoom(this, offset, 8);
    return (BigInt(low32(this, offset + 4) >>> 0) << 32n) + BigInt(low32(this, offset) >>> 0);
  },
  readBigUInt64BE(offset = 0) {
    checkRoom(this, offset, 8);
    return (BigInt(high32(this, offset) >>> 0) << 32n) + BigInt(high32(this, offset + 4) >>> 0);
  },
  readBigInt64LE(offset = 0) {
    checkRoom(this, offset, 8);
    return (BigInt(low32(this, offset + 4)) << 32n) + BigInt(low32(this, offset) >>> 0);
  },
  readBigInt64BE(offset = 0) {
    checkRoom(this, offset, 8);
    return (BigInt(high32(this, offset)) << 32n) + BigInt(high32(this, offset + 4) >>> 0);
  },
  readFloatLE(offset = 0) {
    checkRoom(this, offset, 4);
    for (let i = 0; i < 4; i++) float32Bytes[i] = this[offset + i];
    return float32[0];
  },
  readFloatBE(offset = 0) {
    checkRoom(this, offset, 4);
    for (let i = 0; i < 4; i++) float32Bytes[3 - i] = this[offset + i];
    return float32[0];
  },
  readDoubleLE(offset = 0) {
    checkRoom(this, offset, 8);
    for (let i = 0; i < 8; i++) float64Bytes[i] = this[offset + i];
    return float64[0];
  },
  readDoubleBE(offset = 0) {
    checkRoom(this, offset, 8);
    for (let i = 0; i < 8; i++) float64Bytes[7 - i] = this[offset + i];
    return float64[0];
  },
  writeUInt8(value, offset = 0) {
    return writeByte(this, value, offset, 0, 0xff);
  },
  writeInt8(value, offset = 0) {
    return writeByte(this, value, offset, -0x80, 0x7f);
  },
  writeUInt16LE(value, offset = 0) {
    return writeLow(this, value, offset, 0, 0xffff, 2);
  },
  writeUInt16BE(value, offset = 0) {
    return writeHigh(this, value, offset, 0, 0xffff, 2);
  },
  writeInt16LE(value, offset = 0) {
    return writeLow(this, value, offset, -0x8000, 0x7fff, 2);
  },
  writeInt16BE(value, offset = 0) {
    return writeHigh(this, value, offset, -0x8000, 0x7fff, 2);
  },
  writeUInt32LE(value, offset = 0) {
    return writeLow(this, value, offset, 0, 0xffffffff, 4);
  },
  writeUInt32BE(value, offset = 0) {
    return writeHigh(this, value, offset, 0, 0xffffffff, 4);
  },
  writeInt32LE(value, offset = 0) {
    return writeLow(this, value, offset, -0x80000000, 0x7fffffff, 4);
  },
  writeInt32BE(value, offset = 0) {
    return writeHigh(this, value, offset, -0x80000000, 0x7fffffff, 4);
  },
  writeBigUInt64LE(value, offset = 0) {
    return writeBig(this, value, offset, 0n, 0xffffffffffffffffn, 0, 1);
  },
  writeBigUInt64BE(value, offset = 0) {
    return writeBig(this, value, offset, 0n, 0xffffffffffffffffn, 7, -1);
  },
  writeBigInt64LE(value, offset = 0) {
    return writeBig(this, value, offset, -0x8000000000000000n, 0x7fffffffffffffffn, 0, 1);
  },
  writeBigInt64BE(value, offset = 0) {
    return writeBig(this, value, offset, -0x8000000000000000n, 0x7fffffffffffffffn, 7, -1);
  },
  writeFloatLE(value, offset = 0) {
    checkRoom(this, offset, 4);
    float32[0] = value;
    for (let i = 0; i < 4; i++) this[offset + i] = float32Bytes[i];
    return offset + 4;
  },
  writeFloatBE(value, offset = 0) {
    checkRoom(this, offset, 4);
    float32[0] = value;
    for (let i = 0; i < 4; i++) this[offset + i] = float32Bytes[3 - i];
    return offset + 4;
  },
  writeDoubleLE(value, offset = 0) {
    checkRoom(this, offset, 8);
    float64[0] = value;
    for (let i = 0; i < 8; i++) this[offset + i] = float64Bytes[i];
    return offset + 8;
  },
  writeDoubleBE(value, offset = 0) {
    checkRoom(this, offset, 8);
    float64[0] = value;
    for (let i = 0; i < 8; i++) this[offset + i] = float64Bytes[7 - i];
    return offset + 8;
  },
};

const counted = {
  readUIntLE(offset, byteLength) {
    checkCount(offset, byteLength);
    checkRoom(this, offset, byteLength);
    return sumLow(this, offset, byteLength);
  },
  readUIntBE(offset, byteLength) {
    checkCount(offset, byteLength);
    checkRoom(this, offset, byteLength);
    return sumHigh(this, offset, byteLength);
  },
  readIntLE(offset, byteLength) {
    checkCount(offset, byteLength);
    checkRoom(this, offset, byteLength);
    return signed(sumLow(this, offset, byteLength), byteLength);
  },
  readIntBE(offset, byteLength) {
    checkCount(offset, byteLength);
    checkRoom(this, offset, byteLength);
    return signed(sumHigh(this, offset, byteLength), byteLength);
  },
  writeUIntLE(value, offset, byteLength) {
    checkCount(0, byteLength);
    return writeLow(this, value, offset, 0, 2 ** (8 * byteLength) - 1, byteLength);
  },
  writeUIntBE(value, offset, byteLength) {
    checkCount(0, byteLength);
    return writeHigh(this, value, offset, 0, 2 ** (8 * byteLength) - 1, byteLength);
  },
  writeIntLE(value, offset, byteLength) {
    checkCount(0, byteLength);
    const limit = 2 ** (8 * byteLength - 1);
    return writeLow(this, value, offset, -limit, limit - 1, byteLength);
  },
  writeIntBE(value, offset, byteLength) {
    checkCount(0, byteLength);
    const limit = 2 ** (8 * byteLength - 1);
    return writeHigh(this, value, offset, -limit, limit - 1, byteLength);
  },
};

function low32(buffer, at) {
  return buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16 | buffer[at + 3] << 24;
}

function high32(buffer, at) {
  return buffer[at] << 24 | buffer[at + 1] << 16 | buffer[at + 2] << 8 | buffer[at + 3];
}

function sumLow(buffer, at, bytes) {
  let value = 0;
  for (let i = bytes - 1; i >= 0; i--) value = value * 256 + buffer[at + i];
  return value;
}

function sumHigh(buffer, at, bytes) {
  let value = 0;
  for (let i = 0; i < bytes; i++) value = value * 256 + buffer[at + i];
  return value;
}

function signed(value, bytes) {
  const limit = 2 ** (8 * bytes - 1);
  return value >= limit ? value - 2 * limit : value;
}

function writeByte(buffer, value, offset, min, max) {
  value = +value;
  validateNumber(offset, 'offset');
  checkValue(value, min, max, 1);
  if (buffer[offset] === undefined) outOfBounds(offset, buffer.length - 1);
  buffer[offset] = value;
  return offset + 1;
}

function writeLow(buffer, value, offset, min, max, bytes) {
  value = +value;
  checkValue(value, min, max, bytes);
  checkRoom(buffer, offset, bytes);
  let rest = value | 0;
  for (let i = 0; i < bytes; i++) {
    if (i === 4) rest = floor(value / 0x100000000);
    buffer[offset + i] = rest;
    rest >>= 8;
  }
  return offset + bytes;
}

function writeHigh(buffer, value, offset, min, max, bytes) {
  value = +value;
  checkValue(value, min, max, bytes);
  checkRoom(buffer, offset, bytes);
  let rest = value | 0;
  for (let i = 0; i < bytes; i++) {
    if (i === 4) rest = floor(value / 0x100000000);
    buffer[offset + bytes - 1 - i] = rest;
    rest >>= 8;
  }
  return offset + bytes;
}

function writeBig(buffer, value, offset, min, max, first, step) {
  checkValue(value, min, max, 8);
  checkRoom(buffer, offset, 8);
  let at = offset + first;
  let rest = Number(value & 0xffffffffn) | 0;
  for (let i = 0; i < 8; i++, at += step) {
    if (i === 4) rest = Number(value >> 32n & 0xffffffffn) | 0;
    buffer[at] = rest;
    rest >>= 8;
  }
  return offset + 8;
}

// Adds the methods; those of unsigned numbers as `UInt` and `Uint`, as in Node.
function addNumbers(prototype) {
  for (const methods of [fixed, counted]) {
    for (const name of Object.keys(methods)) {
      prototype[name] = methods[name];
      const other = name.replace('UInt', 'Uint');
      if (other !== name) prototype[other] = methods[name];
    }
  }
}

module.exports = { addNumbers };
