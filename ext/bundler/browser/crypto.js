// `node:crypto` in browsers: random values, comparison, hashes and HMAC, Web Crypto. Absent:
// ciphers, keys and signatures that answer at once, which browsers do not have.
'use strict';

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const { ALGORITHMS, HashState, find } = require('internal/hashes');
const { Transform } = require('stream');

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

function algorithmOf(name) {
  const algorithm = find(name);
  if (algorithm === undefined) throw new Error(`Digest method not supported: ${name}`);
  return algorithm;
}

function bytesOf(value, encoding) {
  if (typeof value === 'string') return Buffer.from(value, encoding);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : Buffer.from(value);
}

/** A stream, too: its output is the digest. */
class Hash extends Transform {
  #state;
  #isDone = false;

  constructor(state) {
    super();
    this.#state = state;
  }

  update(value, encoding) {
    if (this.#isDone) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#state.update(bytesOf(value, encoding));
    return this;
  }

  digest(encoding) {
    if (this.#isDone) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#isDone = true;
    const digest = this.#state.digest();
    return encoding === undefined || encoding === 'buffer' ? digest : digest.toString(encoding);
  }

  copy() { return new Hash(new HashState(this.#state.algorithm, this.#state)); }

  _transform(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  }

  _flush(callback) {
    this.push(this.digest());
    callback();
  }
}

/** RFC 2104. */
class HmacState {
  constructor(algorithm, key) {
    const { block } = algorithm;
    const padded = new Uint8Array(block);
    padded.set(key.length > block ? digestOf(algorithm, key) : key);
    this.algorithm = algorithm;
    this.inner = new HashState(algorithm);
    this.inner.update(padded.map((byte) => byte ^ 0x36));
    this.outer = new HashState(algorithm);
    this.outer.update(padded.map((byte) => byte ^ 0x5c));
  }

  update(bytes) { this.inner.update(bytes); }

  digest() {
    this.outer.update(this.inner.digest());
    return this.outer.digest();
  }
}

function digestOf(algorithm, bytes) {
  const state = new HashState(algorithm);
  state.update(bytes);
  return state.digest();
}

function hash(name, value, encoding = 'hex') {
  const digest = digestOf(algorithmOf(name), bytesOf(value));
  return encoding === 'buffer' ? digest : digest.toString(encoding);
}

module.exports = {
  Hash,
  createHash: (name) => new Hash(new HashState(algorithmOf(name))),
  createHmac: (name, key) => new Hash(new HmacState(algorithmOf(name), bytesOf(key))),
  getHashes: () => Object.keys(ALGORITHMS),
  hash,
  randomBytes,
  randomFillSync,
  randomInt,
  timingSafeEqual,
  randomUUID: () => globalThis.crypto.randomUUID(),
  getRandomValues: (array) => globalThis.crypto.getRandomValues(array),
  webcrypto: globalThis.crypto,
  get subtle() { return globalThis.crypto.subtle; },
};
