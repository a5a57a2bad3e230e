// `node:crypto` in browsers: random values, comparison, Web Crypto. Absent: hashes and ciphers that
// answer at once, which browsers do not have.
'use strict';

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');

/** What `getRandomValues` fills at most, by the standard. */
const RANDOM_BYTES_MAX = 65536;

function randomFillSync(bytes, offset = 0, size = bytes.length - offset) {
  const part = new Uint8Array(bytes.buffer, bytes.byteOffset + offset, size);
  for (let at = 0; at < part.length; at += RANDOM_BYTES_MAX) globalThis.crypto.getRandomValues(part.subarray(at, at + RANDOM_BYTES_MAX));
  return bytes;
}

function randomBytes(size, callback) {
  const bytes = randomFillSync(Buffer.alloc(size));
  if (callback === undefined) return bytes;
  queueMicrotask(() => callback(null, bytes));
}

function randomInt(min, max) {
  if (max === undefined) [min, max] = [0, min];
  if (!(max > min)) throw new codes.ERR_OUT_OF_RANGE('max', `greater than ${min}`, max);
  const range = max - min;
  // Values above the last multiple of the range would make small results more likely.
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6);
    if (value < limit) return min + value % range;
  }
}

function timingSafeEqual(one, other) {
  if (one.byteLength !== other.byteLength) throw new RangeError('Input buffers must have the same byte length');
  let difference = 0;
  for (let at = 0; at < one.byteLength; at++) difference |= one[at] ^ other[at];
  return difference === 0;
}

module.exports = {
  randomBytes,
  randomFillSync,
  randomInt,
  timingSafeEqual,
  randomUUID: () => globalThis.crypto.randomUUID(),
  getRandomValues: (array) => globalThis.crypto.getRandomValues(array),
  webcrypto: globalThis.crypto,
  get subtle() { return globalThis.crypto.subtle; },
};
