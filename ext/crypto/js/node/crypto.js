// `node:crypto`. In: names, bytes, strings, keys. Out: Node's functions and classes. Digests and
// random values need no library; all else loads a file that opens OpenSSL.

'use strict';

const { codes: { ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED, ERR_CRYPTO_FIPS_UNAVAILABLE, ERR_INVALID_ARG_TYPE, ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH } } = require('internal/errors');
const { validateNumber, validateString } = require('internal/validators');
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
  if (value) throw new ERR_CRYPTO_FIPS_UNAVAILABLE();
}

/** OpenSSL 3 has providers; engines are not loaded. */
function setEngine(id, flags) {
  validateString(id, 'id');
  if (flags) validateNumber(flags, 'flags');
  throw new ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
}

module.exports = {
  createHash, createHmac,
  getHashes: () => hashes().getHashes(),
  getCurves: () => internalBinding('openssl').curves().sort(),
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
  secureHeapUsed: () => require('internal/crypto/secure_heap').secureHeapUsed(),
  setEngine,
  getRandomValues: (array) => require('internal/crypto/webcrypto').webcrypto.getRandomValues(array),
};

/** Files that need OpenSSL, and what they export; they load at the first use. */
const LAZY_FUNCTIONS = {
  __proto__: null,
  argon2: ['argon2', 'argon2Sync'],
  cipher: ['getCipherInfo', 'getCiphers'],
  diffie_hellman: ['diffieHellman'],
  kem: ['decapsulate', 'encapsulate'],
  keygen: ['generateKey', 'generateKeyPairSync', 'generateKeySync'],
  key_input: ['createPrivateKey', 'createPublicKey'],
  keys: ['createSecretKey'],
  prime: ['checkPrime', 'checkPrimeSync', 'generatePrime', 'generatePrimeSync'],
  public_cipher: ['privateDecrypt', 'privateEncrypt', 'publicDecrypt', 'publicEncrypt'],
  sign: ['sign', 'verify'],
};
const LAZY_CLASSES = {
  __proto__: null,
  cipher: ['Cipheriv', 'Decipheriv'],
  diffie_hellman: ['DiffieHellman', 'DiffieHellmanGroup', 'ECDH'],
  keygen: ['generateKeyPair'],
  keys: ['KeyObject'],
  sign: ['Sign', 'Verify'],
  spkac: ['Certificate'],
  x509: ['X509Certificate'],
};

for (const [file, names] of Object.entries(LAZY_FUNCTIONS)) {
  for (const name of names) {
    let found;
    module.exports[name] = { [name](...args) { return (found ??= require(`internal/crypto/${file}`)[name])(...args); } }[name];
  }
}

/** A function that loads a file at its first call, for one of its classes. */
function loader(file, Class) {
  let found;
  return () => found ??= require(`internal/crypto/${file}`)[Class];
}

const cipheriv = loader('cipher', 'Cipheriv');
const decipheriv = loader('cipher', 'Decipheriv');
const signer = loader('sign', 'Sign');
const verifier = loader('sign', 'Verify');
const diffieHellman = loader('diffie_hellman', 'DiffieHellman');
const diffieHellmanGroup = loader('diffie_hellman', 'DiffieHellmanGroup');
const ecdh = loader('diffie_hellman', 'ECDH');

Object.assign(module.exports, {
  createCipheriv(cipher, key, iv, options) { return new (cipheriv())(cipher, key, iv, options); },
  createDecipheriv(cipher, key, iv, options) { return new (decipheriv())(cipher, key, iv, options); },
  createDiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
    return new (diffieHellman())(sizeOrKey, keyEncoding, generator, genEncoding);
  },
  createDiffieHellmanGroup(name) { return new (diffieHellmanGroup())(name); },
  createECDH(curve) { return new (ecdh())(curve); },
  createSign(algorithm, options) { return new (signer())(algorithm, options); },
  createVerify(algorithm, options) { return new (verifier())(algorithm, options); },
});
module.exports.getDiffieHellman = module.exports.createDiffieHellmanGroup;

function lazy(name, load, enumerable = true) {
  Object.defineProperty(module.exports, name, { get: load, configurable: true, enumerable });
}

for (const [name, load] of [
  ['Hash', () => deprecate(hashes().Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179')],
  ['Hmac', () => deprecate(hashes().Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181')],
  ...Object.entries(LAZY_CLASSES).flatMap(([file, names]) => names.map((name) => [name, () => require(`internal/crypto/${file}`)[name]])),
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
lazy('constants', () => require('internal/crypto/constants'));
Object.defineProperty(module.exports, 'fips', {
  get: deprecate(module.exports.getFips, 'The crypto.fips is deprecated. Please use crypto.getFips()', 'DEP0093'),
  set: deprecate(setFips, 'The crypto.fips is deprecated. Please use crypto.setFips()', 'DEP0093'),
});
