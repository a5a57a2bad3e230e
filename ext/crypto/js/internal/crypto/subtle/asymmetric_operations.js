// Operations with asymmetric keys of `crypto.subtle`: signatures, RSA-OAEP, encapsulation. In:
// normalized algorithms, keys, bytes. Out: bytes, whether a signature is right. All run on the
// thread pool.

'use strict';

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { lazyDOMException } = require('internal/util');
const binding = internalBinding('openssl');
const { slotsOf } = require('internal/crypto/crypto_key');
const { handleOf, run, toArrayBuffer } = require('internal/crypto/subtle/common');
const { digestOf } = require('internal/crypto/subtle/secret');

const PKCS1 = 1;
const OAEP = 4;
const PSS = 6;

/** [digest, parameters, bytes of a number] of a signature. */
function signatureParams(algorithm, key) {
  const { algorithm: own, keyObject } = slotsOf(key);
  const { name } = own;
  switch (name) {
    case 'RSASSA-PKCS1-v1_5': return [digestOf(own.hash), ['pad-mode', 'i', PKCS1], 0];
    case 'RSA-PSS': return [digestOf(own.hash), ['pad-mode', 'i', PSS, 'saltlen', 'i', algorithm.saltLength], 0];
    case 'ECDSA': return [digestOf(algorithm.hash), [], binding.curve(binding.keyText(handleOf(keyObject), 'group'))[2]];
    default: {
      const context = algorithm.context;
      return [undefined, context?.byteLength > 0 ? ['context-string', 'b', context] : [], 0];
    }
  }
}

/** RSA-PSS: hash, salt and two bytes fit into the modulus. */
function checkSalt({ saltLength }, key) {
  const { algorithm: { hash, modulusLength } } = slotsOf(key);
  const max = Math.ceil((modulusLength - 1) / 8) - internalBinding('crypto').size(digestOf(hash)) - 2;
  if (saltLength <= max) return;
  const cause = new ERR_OUT_OF_RANGE('algorithm.saltLength', `>= 0 && <= ${max}`, saltLength);
  throw lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause });
}

async function sign(algorithm, key, data) {
  if (algorithm.name === 'RSA-PSS') checkSalt(algorithm, key);
  const [digest, params, count] = signatureParams(algorithm, key);
  return run((callback) => binding.sign(handleOf(slotsOf(key).keyObject), digest, params, data, count, callback));
}

async function verify(algorithm, key, signature, data) {
  if (algorithm.name === 'RSA-PSS') checkSalt(algorithm, key);
  const [digest, params, count] = signatureParams(algorithm, key);
  return run((callback) => binding.verify(handleOf(slotsOf(key).keyObject), digest, params, data, signature, count, callback));
}

async function encryptRsa(isEncrypting, { label }, key, data) {
  const { algorithm: { hash }, keyObject } = slotsOf(key);
  const digest = digestOf(hash);
  const params = ['pad-mode', 'i', OAEP, 'digest', 's', digest, 'mgf1-digest', 's', digest];
  if (label?.byteLength > 0) params.push('oaep-label', 'b', label);
  const operation = isEncrypting ? 'encrypt' : 'decrypt';
  return toArrayBuffer(await run((callback) => binding.run(operation, handleOf(keyObject), params, data, false, callback)));
}

async function encapsulate(key) {
  const [secret, wrapped] = await run((callback) => binding.encapsulate(handleOf(slotsOf(key).keyObject), [], callback));
  return { sharedKey: toArrayBuffer(secret), ciphertext: toArrayBuffer(wrapped) };
}

async function decapsulate(key, ciphertext) {
  return toArrayBuffer(await run((callback) => binding.decapsulate(handleOf(slotsOf(key).keyObject), [], ciphertext, callback)));
}

module.exports = { decapsulate, encapsulate, encryptRsa, sign, verify };
