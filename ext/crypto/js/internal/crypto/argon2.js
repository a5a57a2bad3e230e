// `argon2`: key derivation of RFC 9106, by OpenSSL 3.2 or later. In: an algorithm, costs, bytes.
// Out: bytes, synchronously or by callback.

'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateFunction, validateInteger, validateObject, validateOneOf, validateString } = require('internal/validators');
const { isVersion, jobCallback, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const UINT32_MAX = 2 ** 32 - 1;
const NAMES = { __proto__: null, argon2d: 'ARGON2D', argon2i: 'ARGON2I', argon2id: 'ARGON2ID' };

function bytesOption(parameters, name, min) {
  const bytes = toBytes(parameters[name], `parameters.${name}`);
  validateInteger(bytes.byteLength, `parameters.${name}.byteLength`, min, UINT32_MAX);
  return bytes;
}

/** [name, params, length] for the binding. */
function prepare(algorithm, parameters) {
  if (!isVersion(3, 2)) throw Object.assign(new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('argon2'), { code: 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED', message: 'Argon2 algorithm not supported' });
  validateString(algorithm, 'algorithm');
  validateOneOf(algorithm, 'algorithm', Object.keys(NAMES));
  validateObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const [message, nonce] = [bytesOption(parameters, 'message', 0), bytesOption(parameters, 'nonce', 8)];
  validateInteger(parallelism, 'parameters.parallelism', 1, 2 ** 24 - 1);
  validateInteger(tagLength, 'parameters.tagLength', 4, UINT32_MAX);
  validateInteger(memory, 'parameters.memory', 8 * parallelism, UINT32_MAX);
  validateInteger(passes, 'parameters.passes', 1, UINT32_MAX);
  const params = ['pass', 'b', message, 'salt', 'b', nonce, 'lanes', 'u', parallelism, 'threads', 'u', 1, 'memcost', 'u', memory, 'iter', 'u', passes];
  if (parameters.secret !== undefined) params.push('secret', 'b', bytesOption(parameters, 'secret', 0));
  if (parameters.associatedData !== undefined) params.push('ad', 'b', bytesOption(parameters, 'associatedData', 0));
  return [NAMES[algorithm], params, tagLength];
}

function argon2(algorithm, parameters, callback) {
  const args = prepare(algorithm, parameters);
  validateFunction(callback, 'callback');
  binding.kdf(...args, jobCallback(callback));
}

const argon2Sync = (algorithm, parameters) => toBuffer(binding.kdf(...prepare(algorithm, parameters)));

module.exports = { argon2, argon2Sync };
