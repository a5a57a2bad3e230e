// What all algorithms of `crypto.subtle` do with keys: usages, JWK members, errors, jobs. In: keys,
// usages, promises of jobs. Out: `CryptoKey`s, DOMExceptions.

'use strict';

const { lazyDOMException } = require('internal/util');
const { make } = require('internal/crypto/crypto_key');
const { fromHandle, handleOf } = require('internal/crypto/keys');
const { jobPromise } = require('internal/crypto/util');

const dataError = (message = 'Invalid keyData', cause) => lazyDOMException(message, { name: 'DataError', cause });
const accessError = (message) => lazyDOMException(message, 'InvalidAccessError');
const syntaxError = (message) => lazyDOMException(message, 'SyntaxError');
const unsupportedFormat = (verb, name, format) => lazyDOMException(`Unable to ${verb} ${name} using ${format} format`, 'NotSupportedError');

/** The library's errors are OperationErrors. */
async function run(start) {
  try {
    return await jobPromise(start);
  } catch (cause) {
    throw lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause });
  }
}

const toArrayBuffer = (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

/** Usages in the order in which they were passed, once each. */
const unique = (usages) => [...new Set(usages)];

function checkUsages(name, usages, allowed) {
  if (usages.some((usage) => !allowed.includes(usage))) throw syntaxError(`Unsupported key usage for ${name} key`);
}

/** Reading a key; what the library refuses is a DataError. */
function read(parse, message) {
  try {
    return parse();
  } catch (error) {
    if (error.code === 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' || error.name === 'DataError') throw error;
    throw dataError(message, error);
  }
}

const newKey = (handle, algorithm, usages, extractable) => make(fromHandle(handle), algorithm, unique(usages), extractable);

/** A pair of a private handle; the public key may always be exported. */
function newPair(handle, algorithm, usages, extractable, publicUsages, privateUsages) {
  const only = (allowed) => allowed.filter((usage) => usages.includes(usage));
  const publicHandle = internalBinding('openssl').publicOf(handle);
  return {
    publicKey: newKey(publicHandle, algorithm, only(publicUsages), true),
    privateKey: newKey(handle, algorithm, only(privateUsages), extractable),
  };
}

/** Members that every JWK has. */
function checkJwk(jwk, { kty, use, extractable, usages }) {
  if (!jwk.kty) throw dataError('Invalid keyData');
  if (jwk.kty !== kty) throw dataError('Invalid JWK "kty" Parameter');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) throw dataError('Invalid JWK "use" Parameter');
  if (jwk.key_ops !== undefined) {
    if (new Set(jwk.key_ops).size !== jwk.key_ops.length) throw dataError('Duplicate key operation');
    if (usages.some((usage) => !jwk.key_ops.includes(usage))) throw dataError('Key operations and usage mismatch');
  }
  if (jwk.ext !== undefined && jwk.ext === false && extractable) throw dataError('JWK "ext" Parameter and extractable mismatch');
}

const jwkMembers = ({ usages, extractable }) => ({ key_ops: usages, ext: extractable });

module.exports = { accessError, checkJwk, checkUsages, dataError, handleOf, jwkMembers, newKey, newPair, read, run, syntaxError, toArrayBuffer, unsupportedFormat };
