// `encapsulate`, `decapsulate`: key encapsulation. In: keys, ciphertexts. Out: shared keys.

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { readPrivateKey, readPublicKey } = require('internal/crypto/key_input');
const { typeOf } = require('internal/crypto/key_details');
const { isBytes, jobCallback, toBuffer } = require('internal/crypto/util');
const binding = internalBinding('openssl');

/** The operation of a kind of key; ML-KEM has one only. */
function paramsOf(handle) {
  const type = typeOf(handle);
  if (type === 'rsa') return ['operation', 's', 'RSASVE'];
  if (type === 'ec' || type === 'x25519' || type === 'x448') return ['operation', 's', 'DHKEM'];
  return [];
}

const pair = ([sharedKey, ciphertext]) => ({ sharedKey: toBuffer(sharedKey), ciphertext: toBuffer(ciphertext) });

const failed = (message) => Object.assign(new Error(message), { code: 'ERR_CRYPTO_OPERATION_FAILED' });

function run(name, args, callback, convert) {
  if (callback !== undefined) {
    const done = jobCallback(callback, 'DERIVEBITSREQUEST', convert);
    binding[name](...args, (error, result) => done(error === null ? null : failed('Deriving bits failed'), result));
    return undefined;
  }
  try {
    return convert(binding[name](...args));
  } catch (error) {
    if (error.code === 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM') throw error;
    throw failed(`Failed to perform ${name.slice(0, -1)}ion`);
  }
}

function encapsulate(key, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = readPublicKey(key);
  return run('encapsulate', [handle, paramsOf(handle)], callback, pair);
}

function decapsulate(key, ciphertext, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = readPrivateKey(key);
  if (!isBytes(ciphertext)) throw new ERR_INVALID_ARG_TYPE('ciphertext', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], ciphertext);
  return run('decapsulate', [handle, paramsOf(handle), ciphertext], callback, toBuffer);
}

module.exports = { decapsulate, encapsulate };
