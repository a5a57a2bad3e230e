// Kinds of asymmetric keys and their details. In: native handles. Out: Node's names, numbers.

'use strict';

const { bigIntArrayToUnsignedBigInt } = require('internal/crypto/util');
const binding = internalBinding('openssl');

/** The kind of a handle that was asked for before. */
const kType = Symbol('kType');
const TYPES = { __proto__: null, RSA: 'rsa', 'RSA-PSS': 'rsa-pss', DSA: 'dsa', DH: 'dh', DHX: 'dh', 'X9.42 DH': 'dh', EC: 'ec', SM2: 'ec' };

/** Node's name: 'rsa', 'ed25519', 'ml-dsa-44'. */
function typeOf(handle) {
  return handle[kType] ??= readType(handle);
}

function readType(handle) {
  const name = binding.keyAlgorithm(handle);
  return TYPES[name] ?? name.toLowerCase();
}

/** As OpenSSL names digests: 'SHA2-256' is 'sha256'. */
const digestOf = (name) => (name === undefined ? 'sha1' : name.toLowerCase().replace('sha2-', 'sha'));

function rsaDetails(handle) {
  return { modulusLength: binding.keyBits(handle), publicExponent: bigIntArrayToUnsignedBigInt(binding.keyNumber(handle, 'e')) };
}

/** A key without restrictions has no salt length. */
function rsaPssDetails(handle) {
  const details = rsaDetails(handle);
  const saltLength = binding.keyInteger(handle, 'saltlen');
  if (saltLength === undefined) return details;
  const hash = digestOf(binding.keyText(handle, 'digest'));
  const mgf1 = digestOf(binding.keyText(handle, 'mgf1-digest'));
  return { ...details, hashAlgorithm: hash, mgf1HashAlgorithm: mgf1, saltLength };
}

function detailsOf(handle) {
  switch (typeOf(handle)) {
    case 'rsa': return rsaDetails(handle);
    case 'rsa-pss': return rsaPssDetails(handle);
    case 'dsa': return { modulusLength: binding.keyBits(handle), divisorLength: bigIntArrayToUnsignedBigInt(binding.keyNumber(handle, 'q')).toString(2).length };
    case 'ec': return { namedCurve: binding.keyText(handle, 'group') };
    default: return {};
  }
}

module.exports = { detailsOf, typeOf };
