// `KeyObject.prototype.toCryptoKey`. In: a key object, an algorithm, usages. Out: a `CryptoKey`.

'use strict';

const { normalize, notSupported } = require('internal/crypto/subtle/registry');
const { importKey } = require('internal/crypto/subtle/methods');
const idl = require('internal/crypto/subtle/webidl');

const at = (index) => ({ prefix: "Failed to execute 'toCryptoKey' on 'KeyObject'", context: idl.place('', index).context });

function convert(keyObject, algorithm, extractable, keyUsages) {
  const normalized = normalize(algorithm, 'importKey');
  const usages = idl.toUsages(keyUsages, at(3));
  return { normalized, run: () => importKey('KeyObject', keyObject, normalized, Boolean(extractable), usages) };
}

const isSecretAlgorithm = (name) => /^(?:AES|HMAC|KMAC|ChaCha20|HKDF|PBKDF2|Argon2)/.test(name);

function secretToCryptoKey(...args) {
  const { normalized, run } = convert(...args);
  if (!isSecretAlgorithm(normalized.name)) throw notSupported('Unrecognized algorithm name');
  return run();
}

function asymmetricToCryptoKey(...args) {
  const { normalized, run } = convert(...args);
  if (isSecretAlgorithm(normalized.name)) throw notSupported('Unrecognized algorithm name');
  return run();
}

module.exports = { asymmetricToCryptoKey, secretToCryptoKey };
