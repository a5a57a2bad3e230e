// What the files of `node:crypto` share. In: arguments of programs. Out: bytes, names of digests,
// parameters of OpenSSL, callbacks. Absent: keys.

'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_CRYPTO_INVALID_DIGEST, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isAnyArrayBuffer } = require('internal/util/types');
const { bind } = require('internal/async_context');
const { keyBytesOf } = require('internal/crypto/keys');
const binding = internalBinding('openssl');

const isBytes = (value) => ArrayBuffer.isView(value) || isAnyArrayBuffer(value);

/** Bytes of an argument; a string in an encoding. */
function toBytes(value, name, encoding) {
  if (isBytes(value)) return value;
  if (typeof value === 'string') return Buffer.from(value, encoding === 'buffer' || encoding === undefined ? 'utf8' : encoding);
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
}

const toBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A Buffer, or a string if there is an encoding. */
function encode(bytes, encoding) {
  const buffer = toBuffer(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

/** The library's name of a digest. */
function digestName(name) {
  const own = internalBinding('crypto').digestName(name);
  if (own !== undefined) return own;
  if (binding.digestSize(name) === undefined) throw new ERR_CRYPTO_INVALID_DIGEST(name);
  return name;
}

const hasDigest = (name) => internalBinding('crypto').has(name) || binding.digestSize(name) !== undefined;

/** Whether the library is this release or a later one. */
function isVersion(major, minor) {
  const [ownMajor, ownMinor] = binding.version().split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Whether the library has ML-KEM, ML-DSA and SLH-DSA. */
const hasPqc = () => isVersion(3, 5);

/** A number of bytes in the order of the network. */
function bigIntArrayToUnsignedBigInt(bytes) {
  let text = '0x0';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return BigInt(text);
}

/**
 * A callback of a job: in the context of its caller, results as `convert` makes them. `type` is
 * that of async_hooks.
 */
function jobCallback(callback, type, convert = toBuffer) {
  const bound = bind(callback, type);
  return (error, result) => {
    if (error !== null) bound(error);
    else bound(null, convert(result));
  };
}

/** A promise of a job; `start` gets its callback. */
function jobPromise(start) {
  return new Promise((resolve, reject) => {
    start((error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

/** OpenSSL's security level of TLS contexts. */
const getOpenSSLSecLevel = () => internalBinding('tls').securityLevel();

module.exports = { bigIntArrayToUnsignedBigInt, digestName, encode, getOpenSSLSecLevel, hasDigest, hasPqc, isBytes, isVersion, jobCallback, jobPromise, keyBytesOf, toBuffer, toBytes };
