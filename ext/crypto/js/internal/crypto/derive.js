// Key derivation: PBKDF2, HKDF, scrypt. In: bytes, strings, costs. Out: bytes, synchronously or by
// callback; then they are computed on the thread pool.

'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_CRYPTO_INVALID_DIGEST, ERR_CRYPTO_INVALID_KEYLEN, ERR_CRYPTO_INVALID_SCRYPT_PARAMS, ERR_INCOMPATIBLE_OPTION_PAIR, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction, validateInt32, validateInteger, validateString, validateUint32 } = require('internal/validators');
const { bind } = require('internal/async_context');
const { keyBytes } = require('internal/crypto/keys');
const binding = internalBinding('crypto');

const INT32_MAX = 2 ** 31 - 1;

function bytesOf(value, name) {
  if (typeof value === 'string') {
    return Buffer.from(value, 'utf8');
  }
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) {
    return Buffer.from(value);
  }
  if (!ArrayBuffer.isView(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  }
  return value;
}

const toBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const toArrayBuffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

function checkDigest(digest) {
  if (!binding.has(digest)) {
    throw new ERR_CRYPTO_INVALID_DIGEST(digest);
  }
}

// --- PBKDF2

function checkPbkdf2(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  password = bytesOf(password, 'password');
  salt = bytesOf(salt, 'salt');
  validateInteger(iterations, 'iterations', 1, INT32_MAX);
  validateInteger(keylen, 'keylen', 0, INT32_MAX);
  checkDigest(digest);
  return [digest, password, salt, iterations, keylen];
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const args = checkPbkdf2(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  const bound = bind(callback, 'PBKDF2REQUEST');
  binding.pbkdf2(...args, (bytes) => bound(null, toBuffer(bytes)));
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  return toBuffer(binding.pbkdf2(...checkPbkdf2(password, salt, iterations, keylen, digest)));
}

// --- HKDF

function checkHkdf(digest, key, salt, info, length) {
  validateString(digest, 'digest');
  key = keyBytes(key, undefined, 'ikm');
  salt = bytesOf(salt, 'salt');
  info = bytesOf(info, 'info');
  validateInteger(length, 'length', 0, INT32_MAX);
  if (info.byteLength > 1024) {
    throw new ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', info.byteLength);
  }
  checkDigest(digest);
  if (length > 255 * binding.size(digest)) {
    throw new ERR_CRYPTO_INVALID_KEYLEN();
  }
  return [digest, key, salt, info, length];
}

function hkdf(digest, key, salt, info, length, callback) {
  const args = checkHkdf(digest, key, salt, info, length);
  validateFunction(callback, 'callback');
  const bound = bind(callback, 'DERIVEBITSREQUEST');
  binding.hkdf(...args, (bytes) => bound(null, toArrayBuffer(bytes)));
}

function hkdfSync(digest, key, salt, info, length) {
  return toArrayBuffer(binding.hkdf(...checkHkdf(digest, key, salt, info, length)));
}

// --- scrypt

/** A cost that has two names; only one may be set. */
function cost(options, long, short, initial) {
  const [one, other] = [options[long], options[short]];
  if (one !== undefined && other !== undefined) {
    throw new ERR_INCOMPATIBLE_OPTION_PAIR(long, short);
  }
  const value = one ?? other ?? initial;
  validateUint32(value, one === undefined ? short : long);
  return value === 0 ? initial : value;
}

function checkScrypt(password, salt, keylen, options) {
  password = bytesOf(password, 'password');
  salt = bytesOf(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  const settings = options && options !== null ? options : {};
  const N = cost(settings, 'N', 'cost', 16384);
  const r = cost(settings, 'r', 'blockSize', 8);
  const p = cost(settings, 'p', 'parallelization', 1);
  let maxmem = 32 * 1024 * 1024;
  if (settings.maxmem !== undefined) {
    validateInteger(settings.maxmem, 'maxmem', 0);
    maxmem = settings.maxmem || maxmem;
  }
  const isPower = N > 1 && (N & (N - 1)) === 0;
  if (!isPower) {
    throw new ERR_CRYPTO_INVALID_SCRYPT_PARAMS();
  }
  // OpenSSL's limits.
  if (r * p >= 2 ** 30 || (r < 4 && N >= 2 ** (16 * r)) || 128 * N * r + 128 * r * p > maxmem) {
    const error = new ERR_CRYPTO_INVALID_SCRYPT_PARAMS('memory limit exceeded');
    error.message = 'Invalid scrypt params: memory limit exceeded';
    throw error;
  }
  return [password, salt, N, r, p, keylen];
}

function scrypt(password, salt, keylen, options, callback) {
  if (callback === undefined) {
    callback = options;
    options = undefined;
  }
  const args = checkScrypt(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  const bound = bind(callback, 'SCRYPTREQUEST');
  binding.scrypt(...args, (bytes) => bound(null, toBuffer(bytes)));
}

function scryptSync(password, salt, keylen, options) {
  return toBuffer(binding.scrypt(...checkScrypt(password, salt, keylen, options)));
}

module.exports = { pbkdf2, pbkdf2Sync, hkdf, hkdfSync, scrypt, scryptSync };
