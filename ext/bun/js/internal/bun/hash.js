// Non-cryptographic hashes (`Bun.hash`): Wyhash, and others as methods like `Bun.hash.crc32`. In: a
// string, bytes or a Blob, and a seed. Out: a number for 32-bit hashes, a bigint for 64-bit hashes.
'use strict';

const binding = internalBinding('bun');
const { bytesOf, isBlob } = require('internal/blob');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');

/** Names of the hashes; the index identifies a hash in the binding. */
const { hashes: NAMES } = binding;
const WYHASH = NAMES.indexOf('wyhash');

function contentOf(data) {
  if (data === undefined || data === null) throw invalidArgType('data must be a string, ArrayBuffer, ArrayBufferView or Blob');
  if (typeof data === 'string') return data;
  return toUint8Array(data) ?? (isBlob(data) ? bytesOf(data) : `${data}`);
}

function seedOf(seed) {
  if (typeof seed === 'bigint') return BigInt.asUintN(64, seed);
  return typeof seed === 'number' && Number.isFinite(seed) ? BigInt.asUintN(64, BigInt(Math.trunc(seed))) : 0n;
}

function hashWith(index, data, seed) {
  const seedBits = seedOf(seed);
  const [high, low] = [Number(seedBits >> 32n), Number(seedBits & 0xffffffffn)];
  const digest = binding.hash(index, contentOf(data), high, low);
  return typeof digest === 'number' ? digest : (BigInt(digest[0]) << 32n) | BigInt(digest[1]);
}

function hash(data, seed = 0) { return hashWith(WYHASH, data, seed); }

for (let index = 0; index < NAMES.length; index++) {
  const name = NAMES[index];
  hash[name] = { [name](data, seed = 0) { return hashWith(index, data, seed); } }[name];
}

module.exports = { hash };
