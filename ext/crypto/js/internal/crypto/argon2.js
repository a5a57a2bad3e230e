// `argon2`: key derivation of RFC 9106, by OpenSSL 3.2 or later, else by a crate, which has less
// associated data. In: an algorithm, costs, bytes. Out: bytes, synchronously or by callback.

'use strict';

const { codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateFunction, validateInteger, validateObject, validateOneOf, validateString } = require('internal/validators');
const { isVersion, jobCallback, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const UINT32_MAX = 2 ** 32 - 1;
const NAMES = ['argon2d', 'argon2i', 'argon2id'];
/** Of the crate. */
const ASSOCIATED_BYTES_MAX = 32;
const NO_BYTES = new Uint8Array(0);

function bytesOption(parameters, name, min) {
  const bytes = toBytes(parameters[name], `parameters.${name}`);
  validateInteger(bytes.byteLength, `parameters.${name}.byteLength`, min, UINT32_MAX);
  return bytes;
}

/** What the binding needs, of checked arguments. */
function prepare(algorithm, parameters) {
  validateString(algorithm, 'algorithm');
  validateOneOf(algorithm, 'algorithm', NAMES);
  validateObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const [message, nonce] = [bytesOption(parameters, 'message', 0), bytesOption(parameters, 'nonce', 8)];
  validateInteger(parallelism, 'parameters.parallelism', 1, 2 ** 24 - 1);
  validateInteger(tagLength, 'parameters.tagLength', 4, UINT32_MAX);
  validateInteger(memory, 'parameters.memory', 8 * parallelism, UINT32_MAX);
  validateInteger(passes, 'parameters.passes', 1, UINT32_MAX);
  const secret = parameters.secret === undefined ? undefined : bytesOption(parameters, 'secret', 0);
  const associatedData = parameters.associatedData === undefined ? undefined : bytesOption(parameters, 'associatedData', 0);
  return { name: algorithm, message, nonce, parallelism, tagLength, memory, passes, secret, associatedData };
}

/** Bytes, or nothing if `callback` gets them as that of a job. */
function derive({ name, message, nonce, parallelism, tagLength, memory, passes, secret, associatedData }, callback) {
  if (!isVersion(3, 2)) {
    if (associatedData?.byteLength > ASSOCIATED_BYTES_MAX) throw tooMuchData();
    return binding.argon2(name, [memory, passes, parallelism], message, nonce, secret ?? NO_BYTES, associatedData ?? NO_BYTES, tagLength, callback);
  }
  const params = ['pass', 'b', message, 'salt', 'b', nonce, 'lanes', 'u', parallelism, 'threads', 'u', 1, 'memcost', 'u', memory, 'iter', 'u', passes];
  if (secret !== undefined) params.push('secret', 'b', secret);
  if (associatedData !== undefined) params.push('ad', 'b', associatedData);
  return binding.kdf(name.toUpperCase(), params, tagLength, callback);
}

function tooMuchData() {
  return Object.assign(new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('argon2'), {
    code: 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED',
    message: `Argon2 with more than ${ASSOCIATED_BYTES_MAX} bytes of associated data needs OpenSSL 3.2 or later`,
  });
}

function argon2(algorithm, parameters, callback) {
  const checked = prepare(algorithm, parameters);
  validateFunction(callback, 'callback');
  derive(checked, jobCallback(callback, 'ARGON2REQUEST'));
}

const argon2Sync = (algorithm, parameters) => toBuffer(derive(prepare(algorithm, parameters), undefined));

module.exports = { argon2, argon2Sync, derive };
