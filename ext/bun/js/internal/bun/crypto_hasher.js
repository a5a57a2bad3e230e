// Cryptographic digests: `Bun.CryptoHasher`, and a class for each algorithm (`Bun.SHA256`), over
// the binding of node:crypto, and two algorithms that node:crypto lacks. In: strings, bytes, Blobs.
// Out: digests. Absent: algorithms that Bun lacks.
'use strict';

const { Buffer } = require('buffer');
const { bytesOf, isBlob } = require('internal/blob');
const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');
const binding = internalBinding('crypto');

/** Bun's names. */
const KNOWN = [
  'blake2b256', 'blake2b512', 'blake2s256', 'md4', 'md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256',
  'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512', 'shake128', 'shake256',
];
const ALIASES = {
  '__proto__': null,
  'rmd160': 'ripemd160', 'sha-1': 'sha1', 'sha-224': 'sha224', 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512',
  'sha512224': 'sha512-224', 'sha-512/224': 'sha512-224', 'sha512256': 'sha512-256', 'sha-512/256': 'sha512-256',
};

function nameOf(algorithm) {
  const lower = algorithm.toLowerCase();
  const name = ALIASES[lower] ?? lower;
  return KNOWN.includes(name) ? name : undefined;
}

function contentOf(data, encoding) {
  if (typeof data === 'string') return encoding === undefined ? data : Buffer.from(data, encoding);
  const view = toUint8Array(data) ?? (isBlob(data) ? bytesOf(data) : undefined);
  if (view === undefined) throw invalidArgType('input must be a string, ArrayBuffer, ArrayBufferView or Blob');
  return view;
}

/** A digest as a string in an encoding, written to a view, or as a Buffer. */
function output(bytes, encoding) {
  if (ArrayBuffer.isView(encoding)) {
    const target = new Uint8Array(encoding.buffer, encoding.byteOffset, encoding.byteLength);
    if (target.length < bytes.length) throw invalidArgType(`TypedArray must be at least ${bytes.length} bytes`);
    target.set(bytes);
    return encoding;
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === undefined || encoding === null || encoding === 'buffer') return buffer;
  if (!Buffer.isEncoding(encoding)) {
    const error = new TypeError(`Unknown encoding: ${encoding}`);
    error.code = 'ERR_INVALID_ARG_VALUE';
    throw error;
  }
  return buffer.toString(encoding);
}

class CryptoHasher {
  #name;
  #state;
  #isKeyed;

  constructor(algorithm, key) {
    if (algorithm instanceof CryptoHasher) {
      this.#name = algorithm.#name;
      this.#isKeyed = algorithm.#isKeyed;
      this.#state = binding.copy(algorithm.#activeState(), undefined);
      return;
    }
    if (typeof algorithm !== 'string') throw invalidArgType('algorithm must be a string');
    const name = nameOf(algorithm);
    if (name === undefined) throw invalidArgType(`Unsupported algorithm ${algorithm}`);
    this.#name = name;
    this.#isKeyed = key !== undefined && key !== null;
    this.#state = this.#isKeyed ? binding.createHmac(nativeName(name), toUint8Array(contentOf(key)) ?? Buffer.from(key)) : newState(name);
    if (this.#state === undefined) throw new Error('HMAC is not supported for this algorithm yet');
  }

  static get algorithms() { return [...KNOWN]; }

  static hash(algorithm, data, encoding) {
    if (typeof algorithm !== 'string') throw invalidArgType('algorithm must be a string');
    if (nameOf(algorithm) === undefined) throw invalidArgType(`Unsupported algorithm "${algorithm}"`);
    return new CryptoHasher(algorithm).update(data).digest(encoding);
  }

  get algorithm() { return this.#name; }
  get byteLength() { return sizeOf(this.#name); }

  #activeState() {
    if (this.#state === undefined) throw new Error('HMAC has been consumed and is no longer usable');
    return this.#state;
  }

  update(data, encoding) {
    binding.update(this.#activeState(), contentOf(data, encoding));
    return this;
  }

  copy() { return new CryptoHasher(this); }

  /** A hasher without a key can be reused afterwards. */
  digest(encoding) {
    const bytes = binding.digest(this.#activeState());
    this.#state = this.#isKeyed ? undefined : newState(this.#name);
    return output(bytes, encoding);
  }
}

/** The name of an algorithm of node:crypto, or the index of another one. */
function nativeName(name) { return binding.algorithmOfBun(name)?.[0] ?? name; }
function newState(name) { return binding.createHash(nativeName(name), sizeOf(name)); }
function sizeOf(name) { return { __proto__: null, shake128: 16, shake256: 32 }[name] ?? binding.algorithmOfBun(name)?.[1] ?? binding.size(name); }

/** A class for one algorithm; an instance returns its digest once. */
function classOf(name, algorithm) {
  const Class = {
    [name]: class {
      #hasher = new CryptoHasher(algorithm);
      static get byteLength() { return sizeOf(algorithm); }
      static hash(data, encoding) { return CryptoHasher.hash(algorithm, data, encoding); }
      get byteLength() { return sizeOf(algorithm); }

      #activeState() {
        if (this.#hasher !== undefined) return this.#hasher;
        const error = new Error(`${name} hasher already digested, create a new instance to digest again`);
        error.code = 'ERR_INVALID_STATE';
        throw error;
      }

      update(data) {
        this.#activeState().update(data);
        return this;
      }

      digest(encoding) {
        const digest = this.#activeState().digest(encoding);
        this.#hasher = undefined;
        return digest;
      }
    },
  }[name];
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: name });
  return Class;
}
Object.defineProperty(CryptoHasher.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'CryptoHasher' });

/** SHA-512/256 in one call; bytes by default. */
function sha(data, encoding) {
  const bytes = CryptoHasher.hash('sha512-256', data, encoding);
  return Buffer.isBuffer(bytes) && encoding === undefined ? new Uint8Array(bytes) : bytes;
}

module.exports = {
  CryptoHasher, sha,
  MD4: classOf('MD4', 'md4'), MD5: classOf('MD5', 'md5'), SHA1: classOf('SHA1', 'sha1'), SHA224: classOf('SHA224', 'sha224'),
  SHA256: classOf('SHA256', 'sha256'), SHA384: classOf('SHA384', 'sha384'), SHA512: classOf('SHA512', 'sha512'),
  SHA512_256: classOf('SHA512_256', 'sha512-256'),
};
