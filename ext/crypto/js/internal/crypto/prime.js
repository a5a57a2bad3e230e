// `generatePrime`, `checkPrime` and their synchronous forms. In: sizes, numbers as bigint or bytes.
// Out: primes, whether a number is one.

'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateInt32, validateObject } = require('internal/validators');
const { bigIntArrayToUnsignedBigInt, isBytes, jobCallback } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const CHECKS_MAX = 2 ** 31 - 1;

/** Bytes of a number, which may be a bigint. */
function numberBytes(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0) throw new ERR_OUT_OF_RANGE(name, '>= 0', value);
    const hex = value.toString(16);
    return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  }
  if (!isBytes(value)) throw new ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'], value);
  return value;
}

function prepare(size, options) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  const add = options.add === undefined ? undefined : numberBytes(options.add, 'options.add');
  const rem = options.rem === undefined ? undefined : numberBytes(options.rem, 'options.rem');
  if (add !== undefined) checkAdd(size, bigIntArrayToUnsignedBigInt(view(add)), rem === undefined ? undefined : bigIntArrayToUnsignedBigInt(view(rem)));
  const convert = (bytes) => (bigint ? bigIntArrayToUnsignedBigInt(bytes) : bytes.buffer);
  return { args: [size, safe, add, rem], convert };
}

const view = (value) => (ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value));

/** A prime of this size with this remainder has to exist. */
function checkAdd(size, add, rem) {
  if (add.toString(2).length > size) throw Object.assign(new RangeError('invalid options.add'), { code: 'ERR_OUT_OF_RANGE' });
  if (rem !== undefined && add <= rem) throw Object.assign(new RangeError('invalid options.rem'), { code: 'ERR_OUT_OF_RANGE' });
}

function generatePrime(size, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const { args, convert } = prepare(size, options);
  binding.generatePrime(...args, jobCallback(callback, 'RANDOMPRIMEREQUEST', convert));
}

function generatePrimeSync(size, options = {}) {
  const { args, convert } = prepare(size, options);
  return convert(binding.generatePrime(...args));
}

function checks(options) {
  validateObject(options, 'options');
  const { checks: count = 0 } = options;
  validateInt32(count, 'options.checks', 0, CHECKS_MAX);
  return count;
}

/** The library takes numbers of less than 64 MiB: `ERR_LIB_BN`, `BN_R_BIGNUM_TOO_LONG`. */
function candidateBytes(candidate) {
  const bytes = numberBytes(candidate, 'candidate');
  if (bytes.byteLength >= 2 ** 26) binding.throwReason(3, 114);
  return bytes;
}

function checkPrime(candidate, options, callback) {
  const bytes = candidateBytes(candidate);
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const count = checks(options);
  binding.checkPrime(bytes, count, jobCallback(callback, 'CHECKPRIMEREQUEST', (isPrime) => isPrime));
}

function checkPrimeSync(candidate, options = {}) {
  const bytes = candidateBytes(candidate);
  return binding.checkPrime(bytes, checks(options));
}

module.exports = { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync };
