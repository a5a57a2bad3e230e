// Hash functions for `node:crypto` in browsers, whose own answer later: MD5 (RFC 1321), SHA-1 and
// SHA-2 (FIPS 180-4). In: bytes. Out: digests. The constants are computed from their definitions.
'use strict';

const { Buffer } = require('buffer');

const MASK = (1n << 64n) - 1n;

function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}

/** The integer root, by Newton's method. */
function root(value, degree) {
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)));
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** 64 bits of the fractional part of a prime's root. */
const fraction = (prime, degree) => root(BigInt(prime) << (64n * degree), degree) & MASK;

let tables;

/** Constants of SHA-2, made when they are first needed. */
function sha2() {
  if (tables !== undefined) return tables;
  const all = primes(80);
  const rounds64 = BigUint64Array.from(all, (prime) => fraction(prime, 3n));
  const starts = BigUint64Array.from(all.slice(0, 16), (prime) => fraction(prime, 2n));
  const rounds32 = Int32Array.from(rounds64.subarray(0, 64), (value) => Number(value >> 32n));
  tables = { rounds32, rounds64, starts };
  return tables;
}

const rotate = (value, count) => (value << count) | (value >>> (32 - count));
const rotate64 = (value, count) => ((value >> count) | (value << (64n - count))) & MASK;

const MD5_SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const MD5_ROUNDS = Int32Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32));

function md5(state, block) {
  let [a, b, c, d] = state;
  for (let at = 0; at < 64; at++) {
    const round = at >> 4;
    const [mixed, word] = round === 0 ? [(b & c) | (~b & d), at] : round === 1 ? [(d & b) | (~d & c), 5 * at + 1] : round === 2 ? [b ^ c ^ d, 3 * at + 5] : [c ^ (b | ~d), 7 * at];
    const sum = (mixed + a + MD5_ROUNDS[at] + block.getInt32(4 * (word % 16), true)) | 0;
    [a, d, c, b] = [d, c, b, (b + rotate(sum, MD5_SHIFTS[4 * round + (at % 4)])) | 0];
  }
  [a, b, c, d].forEach((value, at) => { state[at] += value; });
}

function sha1(state, block) {
  const words = new Int32Array(80);
  for (let at = 0; at < 80; at++) words[at] = at < 16 ? block.getInt32(4 * at) : rotate(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1);
  let [a, b, c, d, e] = state;
  for (let at = 0; at < 80; at++) {
    const mixed = at < 20 ? ((b & c) | (~b & d)) + 0x5a827999 : at < 40 ? (b ^ c ^ d) + 0x6ed9eba1 : at < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
    const next = (rotate(a, 5) + mixed + e + words[at]) | 0;
    [e, d, c, b, a] = [d, c, rotate(b, 30), a, next];
  }
  [a, b, c, d, e].forEach((value, at) => { state[at] += value; });
}

function sha256(state, block) {
  const { rounds32 } = sha2();
  const words = new Int32Array(64);
  for (let at = 0; at < 64; at++) {
    const [one, other] = [words[at - 15], words[at - 2]];
    words[at] = at < 16 ? block.getInt32(4 * at) : words[at - 16] + words[at - 7] + (rotate(one, 25) ^ rotate(one, 14) ^ (one >>> 3)) + (rotate(other, 15) ^ rotate(other, 13) ^ (other >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const first = (h + (rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7)) + ((e & f) ^ (~e & g)) + rounds32[at] + words[at]) | 0;
    const second = (rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => { state[at] += value; });
}

function sha512(state, block) {
  const { rounds64 } = sha2();
  const words = new BigUint64Array(80);
  for (let at = 0; at < 80; at++) {
    const [one, other] = [words[at - 15], words[at - 2]];
    words[at] = at < 16 ? block.getBigUint64(8 * at) : words[at - 16] + words[at - 7] + (rotate64(one, 1n) ^ rotate64(one, 8n) ^ (one >> 7n)) + (rotate64(other, 19n) ^ rotate64(other, 61n) ^ (other >> 6n));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 80; at++) {
    const first = h + (rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n)) + ((e & f) ^ (~e & MASK & g)) + rounds64[at] + words[at];
    const second = (rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & MASK, c, b, a, (first + second) & MASK];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => { state[at] += value; });
}

const low = (value) => Number(value & 0xffffffffn);
const high = (value) => Number(value >> 32n);
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

const ALGORITHMS = {
  md5: { bytes: 16, block: 64, compress: md5, isLittle: true, start: () => Int32Array.from(START.slice(0, 4)) },
  sha1: { bytes: 20, block: 64, compress: sha1, start: () => Int32Array.from(START) },
  sha224: { bytes: 28, block: 64, compress: sha256, start: () => Int32Array.from(sha2().starts.subarray(8), low) },
  sha256: { bytes: 32, block: 64, compress: sha256, start: () => Int32Array.from(sha2().starts.subarray(0, 8), high) },
  sha384: { bytes: 48, block: 128, compress: sha512, start: () => sha2().starts.slice(8) },
  sha512: { bytes: 64, block: 128, compress: sha512, start: () => sha2().starts.slice(0, 8) },
};

const find = (name) => ALGORITHMS[`${name}`.toLowerCase().replace(/^(?:rsa-)?sha-?/, 'sha')];

/** A computation that goes on with each piece of the input. */
class HashState {
  constructor(algorithm, from) {
    this.algorithm = algorithm;
    this.state = from === undefined ? algorithm.start() : from.state.slice();
    this.rest = from === undefined ? new Uint8Array(0) : from.rest;
    this.length = from === undefined ? 0 : from.length;
  }

  update(bytes) {
    const { block, compress } = this.algorithm;
    this.length += bytes.length;
    const all = new Uint8Array(this.rest.length + bytes.length);
    all.set(this.rest);
    all.set(bytes, this.rest.length);
    let at = 0;
    for (; at + block <= all.length; at += block) compress(this.state, new DataView(all.buffer, at, block));
    this.rest = all.slice(at);
  }

  digest() {
    const { bytes, block, isLittle = false } = this.algorithm;
    const lengthBytes = block / 8;
    const bits = BigInt(this.length) * 8n;
    const padded = new Uint8Array(1 + ((2 * block - this.rest.length - 1 - lengthBytes) % block) + lengthBytes);
    padded[0] = 0x80;
    new DataView(padded.buffer).setBigUint64(padded.length - 8, bits, isLittle);
    this.update(padded);
    const isWide = this.state instanceof BigUint64Array;
    const output = new DataView(new ArrayBuffer(this.state.byteLength));
    this.state.forEach((value, at) => { isWide ? output.setBigUint64(8 * at, value) : output.setInt32(4 * at, value, isLittle); });
    return Buffer.from(output.buffer, 0, bytes);
  }
}

module.exports = { ALGORITHMS, HashState, find };
