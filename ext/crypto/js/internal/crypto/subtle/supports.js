// `SubtleCrypto.supports`. In: an operation, one or two algorithms, a length. Out: whether it would
// be accepted.

'use strict';

const { normalize } = require('internal/crypto/subtle/registry');
const { checkDerivedLength } = require('internal/crypto/subtle/derivation');
const idl = require('internal/crypto/subtle/webidl');
const { keyLength } = require('internal/crypto/subtle/methods');

const AT = { prefix: "Failed to execute 'supports' on 'SubtleCrypto'", context: '2nd argument' };
const PRIVATE_KEYS = /^(?:RSA|EC|Ed|X|ML-)/;

/** The normalized algorithm; undefined: refused. */
function tryNormalize(algorithm, operation) {
  try {
    return normalize(algorithm, operation);
  } catch {
    return undefined;
  }
}

function isDerivable(algorithm, length) {
  const normalized = tryNormalize(algorithm, 'deriveBits');
  if (normalized === undefined) return false;
  try {
    checkDerivedLength(normalized, length);
  } catch {
    return false;
  }
  return true;
}

/** Bits of a shared secret. */
function fits({ name, public: peer }, length) {
  if (length === null) return true;
  if (name === 'X25519') return length <= 256;
  if (name === 'X448') return length <= 448;
  if (name !== 'ECDH') return true;
  return length <= { __proto__: null, 'P-256': 256, 'P-384': 384, 'P-521': 528 }[peer.algorithm.namedCurve];
}

/** HMAC with SHA-3 has no default length. */
const hasLength = ({ hash, length, name }) => name !== 'HMAC' || length !== undefined || !hash.name.startsWith('SHA3');

function isKeyDerivable(algorithm, target) {
  if (tryNormalize(target, 'importKey') === undefined) return false;
  const lengthOf = tryNormalize(target, 'get key length');
  return lengthOf !== undefined && hasLength(lengthOf) && isDerivable(algorithm, keyLength(lengthOf));
}

/** Shared keys of ML-KEM have 256 bits. */
function isKeyEncapsulable(operation, algorithm, target) {
  if (tryNormalize(algorithm, operation) === undefined) return false;
  const normalized = tryNormalize(target, 'importKey');
  if (normalized === undefined || PRIVATE_KEYS.test(normalized.name)) return false;
  return normalized.length === undefined || normalized.length === 256;
}

function supports(operation, algorithm, other) {
  switch (operation) {
    case 'encapsulateBits': return tryNormalize(algorithm, 'encapsulate') !== undefined;
    case 'decapsulateBits': return tryNormalize(algorithm, 'decapsulate') !== undefined;
    case 'encapsulateKey': return isKeyEncapsulable('encapsulate', algorithm, other);
    case 'decapsulateKey': return isKeyEncapsulable('decapsulate', algorithm, other);
    case 'deriveKey': return isKeyDerivable(algorithm, other);
    case 'deriveBits': return isDerivable(algorithm, other === null ? null : idl.toUint32(other, AT)) && fits(tryNormalize(algorithm, 'deriveBits'), other);
    case 'wrapKey': case 'unwrapKey': {
      const isWrapping = operation === 'wrapKey';
      const own = tryNormalize(algorithm, operation) ?? tryNormalize(algorithm, isWrapping ? 'encrypt' : 'decrypt');
      return own !== undefined && tryNormalize(other, isWrapping ? 'exportKey' : 'importKey') !== undefined;
    }
    case 'getPublicKey': {
      const normalized = tryNormalize(typeof algorithm === 'object' ? algorithm?.name : algorithm, 'exportKey');
      return normalized !== undefined && PRIVATE_KEYS.test(normalized.name);
    }
    case 'generateKey': {
      const normalized = tryNormalize(algorithm, operation);
      return normalized !== undefined && hasLength(normalized);
    }
    case 'encrypt': case 'decrypt': case 'sign': case 'verify': case 'digest': case 'importKey': case 'exportKey':
      return tryNormalize(algorithm, operation) !== undefined;
    default: return false;
  }
}

module.exports = { supports };
