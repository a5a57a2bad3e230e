// Hashes that no secret hangs on: `Bun.hash(x)` is Wyhash, `Bun.hash.crc32(x)` and the others are
// called by name. In: texts, bytes, blobs, and a seed. Out: a number of 32 bits, or a bigint of 64.
'use strict';

const binding = internalBinding('bun');
const { bytesOf, isBlob } = require('internal/blob');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** As src/natives/bun.rs numbers them. */
const NAMES = [
  'wyhash', 'adler32', 'crc32', 'cityHash32', 'cityHash64', 'xxHash32', 'xxHash64', 'xxHash3', 'murmur32v2', 'murmur32v3', 'murmur64v2',
  'rapidhash',
];

function contentOf(data) {
  if (data === undefined || data === null) throw invalidArgType('data must be a string, ArrayBuffer, ArrayBufferView or Blob');
  if (typeof data === 'string') return data;
  return toUint8Array(data) ?? (isBlob(data) ? bytesOf(data) : `${data}`);
}

function seedOf(seed) {
  if (typeof seed === 'bigint') return BigInt.asUintN(64, seed);
  return typeof seed === 'number' && Number.isFinite(seed) ? BigInt.asUintN(64, BigInt(Math.trunc(seed))) : 0n;
}

function hashBy(number, data, seed) {
  const whole = seedOf(seed);
  const [high, low] = [Number(whole >> 32n), Number(whole & 0xffffffffn)];
  const found = binding.hash(number, contentOf(data), high, low);
  return typeof found === 'number' ? found : (BigInt(found[0]) << 32n) | BigInt(found[1]);
}

function hash(data, seed = 0) { return hashBy(0, data, seed); }

for (let number = 0; number < NAMES.length; number++) {
  const name = NAMES[number];
  hash[name] = { [name](data, seed = 0) { return hashBy(number, data, seed); } }[name];
}

module.exports = { hash };
