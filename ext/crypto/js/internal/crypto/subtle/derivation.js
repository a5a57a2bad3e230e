// Key derivation of `crypto.subtle`: HKDF, PBKDF2, Argon2, ECDH, X25519, X448. In: normalized
// algorithms, base keys, a length in bits. Out: bytes.

'use strict';

const { lazyDOMException } = require('internal/util');
const binding = internalBinding('openssl');
const hashes = internalBinding('crypto');
const { slotsOf } = require('internal/crypto/crypto_key');
const { checkUsages, handleOf, newKey, run, syntaxError, toArrayBuffer, unsupportedFormat } = require('internal/crypto/subtle/common');
const { secretBytes } = require('internal/crypto/subtle/secret');
const { operationError } = require('internal/crypto/subtle/registry');
const { digestOf } = require('internal/crypto/subtle/secret');

const USAGES = ['deriveKey', 'deriveBits'];

/** The base key of a derivation from a secret; it cannot be exported. */
function importBaseKey(format, data, { name }, extractable, usages) {
  checkUsages(`a ${name}`, usages, USAGES);
  if (extractable) throw syntaxError(`${name} keys are not extractable`);
  const isLegacy = !name.startsWith('Argon2');
  const isRaw = format === 'raw-secret' || (isLegacy && format === 'raw');
  const bytes = format === 'jwk' ? undefined : secretBytes(format, data, isRaw);
  if (bytes === undefined) throw unsupportedFormat('import', name, format);
  return newKey(binding.secretKey(bytes), { name }, usages, false);
}

/** Lengths of derivations from a secret. */
function checkLength(length) {
  if (length === null) throw operationError('length cannot be null');
  if (length % 8 !== 0) throw operationError('length must be a multiple of 8');
}

function checkDerivedLength(algorithm, length) {
  const { name } = algorithm;
  if (name === 'ECDH' || name.startsWith('X')) return;
  checkLength(length);
  if (name.startsWith('Argon2') && length < 32) throw operationError('length must be >= 32');
}

/** Jobs of the binding that cannot fail pass bytes alone. */
const bytesJob = (start) => new Promise((resolve) => start(resolve));

async function deriveHkdf({ hash, salt, info }, handle, length) {
  if (length === 0) return new ArrayBuffer(0);
  const digest = digestOf(hash);
  if (length / 8 > 255 * hashes.size(digest)) throw lazyDOMException('The operation failed for an operation-specific reason', 'OperationError');
  return toArrayBuffer(await bytesJob((resolve) => hashes.hkdf(digest, handle, salt, info, length / 8, resolve)));
}

async function derivePbkdf2({ hash, salt, iterations }, handle, length) {
  if (length === 0) return new ArrayBuffer(0);
  return toArrayBuffer(await bytesJob((resolve) => hashes.pbkdf2(digestOf(hash), handle, salt, iterations, length / 8, resolve)));
}

async function deriveArgon2(algorithm, handle, length) {
  const { name, nonce, parallelism, memory, passes, secretValue, associatedData } = algorithm;
  if (nonce.byteLength < 8) throw operationError('nonce must be at least 8 bytes');
  const parameters = {
    name: name.toLowerCase(), message: binding.secretBytes(handle), nonce, parallelism, tagLength: length / 8, memory, passes, secret: secretValue, associatedData,
  };
  const { derive } = require('internal/crypto/argon2');
  return toArrayBuffer(await run((callback) => derive(parameters, callback)));
}

async function agree(algorithm, key, length) {
  const { algorithm: own, keyObject } = slotsOf(key);
  const { algorithm: other, keyObject: peer } = slotsOf(algorithm.public);
  const accessError = (message) => lazyDOMException(message, 'InvalidAccessError');
  if (keyObject.type !== 'private') throw accessError('baseKey must be a private key');
  if (own.name !== other.name) throw accessError('The public and private keys must be of the same type');
  if (own.namedCurve !== other.namedCurve) throw accessError('Named curve mismatch');
  const secret = await run((callback) => binding.agree(handleOf(keyObject), handleOf(peer), [], callback));
  if (/^X/.test(own.name) && secret.every((byte) => byte === 0)) throw lazyDOMException('The operation failed for an operation-specific reason', 'OperationError');
  if (length === null) return toArrayBuffer(secret);
  const count = Math.ceil(length / 8);
  if (secret.byteLength < count) throw operationError('derived bit length is too small');
  const bits = secret.slice(0, count);
  if (length % 8 !== 0) bits[count - 1] &= 0xff << (8 - length % 8);
  return toArrayBuffer(bits);
}

async function deriveBits(algorithm, key, length) {
  checkDerivedLength(algorithm, length);
  const { keyObject } = slotsOf(key);
  switch (algorithm.name) {
    case 'HKDF': return deriveHkdf(algorithm, handleOf(keyObject), length);
    case 'PBKDF2': return derivePbkdf2(algorithm, handleOf(keyObject), length);
    case 'ECDH': case 'X25519': case 'X448': return agree(algorithm, key, length);
    default: return deriveArgon2(algorithm, handleOf(keyObject), length);
  }
}

module.exports = { checkDerivedLength, deriveBits, importBaseKey };
