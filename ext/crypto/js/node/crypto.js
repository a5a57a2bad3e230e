// `node:crypto`: hashes, HMAC, random values, key derivation. In: names, bytes, strings. Out:
// Node's functions and classes. Functions that are not implemented (ciphers, asymmetric keys,
// signatures, certificates) throw an error with their name.

'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE, ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH } } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const { deprecate } = require('internal/util');

const hashes = () => require('internal/crypto/hash');
const derive = () => require('internal/crypto/derive');
const { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } = require('internal/crypto/random');

function createHash(algorithm, options) {
  const { Hash } = hashes();
  return new Hash(algorithm, options);
}

function createHmac(hmac, key, options) {
  const { Hmac } = hashes();
  return new Hmac(hmac, key, options);
}

const isBytes = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** Constant-time comparison. */
function timingSafeEqual(buf1, buf2) {
  if (!isBytes(buf1)) {
    throw new ERR_INVALID_ARG_TYPE('buf1', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], buf1);
  }
  if (!isBytes(buf2)) {
    throw new ERR_INVALID_ARG_TYPE('buf2', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], buf2);
  }
  if (buf1.byteLength !== buf2.byteLength) {
    throw new ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  }
  return internalBinding('crypto').timingSafeEqual(buf1, buf2);
}

function setFips(value) {
  validateBoolean(value, 'value');
  if (value) {
    notImplemented('FIPS mode')();
  }
}

/** A function or class that is not implemented. */
function notImplemented(name) {
  return Object.defineProperty(function () {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`crypto.${name}`);
  }, 'name', { value: name });
}

module.exports = {
  createHash, createHmac,
  createSecretKey: (...args) => require('internal/crypto/keys').createSecretKey(...args),
  getHashes: () => hashes().getHashes(),
  getCiphers: () => [],
  getCurves: () => [],
  hash: (...args) => hashes().hash(...args),
  hkdf: (...args) => derive().hkdf(...args),
  hkdfSync: (...args) => derive().hkdfSync(...args),
  pbkdf2: (...args) => derive().pbkdf2(...args),
  pbkdf2Sync: (...args) => derive().pbkdf2Sync(...args),
  scrypt: (...args) => derive().scrypt(...args),
  scryptSync: (...args) => derive().scryptSync(...args),
  randomBytes, randomFill, randomFillSync, randomInt, randomUUID,
  timingSafeEqual,
  getFips: () => 0,
  setFips,
  // There is no secure heap.
  secureHeapUsed: () => undefined,
  getRandomValues: (array) => require('internal/crypto/webcrypto').webcrypto.getRandomValues(array),
};

for (const name of [
  'argon2', 'argon2Sync', 'checkPrime', 'checkPrimeSync', 'createCipheriv', 'createDecipheriv', 'createDiffieHellman',
  'createDiffieHellmanGroup', 'createECDH', 'createPrivateKey', 'createPublicKey', 'createSign', 'createVerify', 'diffieHellman',
  'generatePrime', 'generatePrimeSync', 'getCipherInfo', 'getDiffieHellman', 'generateKeyPair', 'generateKeyPairSync', 'generateKey',
  'generateKeySync', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt', 'publicEncrypt', 'sign', 'setEngine', 'verify',
  'encapsulate', 'decapsulate', 'Certificate', 'Cipheriv', 'Decipheriv', 'DiffieHellman', 'DiffieHellmanGroup', 'ECDH', 'Sign',
  'Verify', 'X509Certificate',
]) {
  module.exports[name] = notImplemented(name);
}

function lazy(name, load, enumerable = true) {
  Object.defineProperty(module.exports, name, { get: load, configurable: true, enumerable });
}

for (const [name, load] of [
  ['Hash', () => deprecate(hashes().Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179')],
  ['Hmac', () => deprecate(hashes().Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181')],
  ['KeyObject', () => require('internal/crypto/keys').KeyObject],
]) {
  require('internal/globals').lazy(module.exports, name, load, true);
}
lazy('webcrypto', () => require('internal/crypto/webcrypto').webcrypto);
lazy('subtle', () => require('internal/crypto/subtle').subtle);
lazy('Crypto', () => require('internal/crypto/webcrypto').Crypto, false);
lazy('CryptoKey', () => require('internal/crypto/webcrypto').CryptoKey, false);
lazy('SubtleCrypto', () => require('internal/crypto/subtle').SubtleCrypto, false);
for (const [name, code] of [['pseudoRandomBytes', 'DEP0115'], ['prng', 'DEP0115'], ['rng', 'DEP0115']]) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: false,
    writable: true,
    value: deprecate(randomBytes, `crypto.${name} is deprecated.`, code),
  });
}
module.exports.constants = Object.freeze({ __proto__: null, defaultCoreCipherList: '', TLS1_VERSION: 769, TLS1_1_VERSION: 770, TLS1_2_VERSION: 771, TLS1_3_VERSION: 772 });
