// The operations of `crypto.subtle` by algorithm. In: normalized algorithms, keys, bytes. Out:
// keys, bytes. Absent: conversion of arguments (subtle.js).

'use strict';

const { lazyDOMException } = require('internal/util');
const { slotsOf } = require('internal/crypto/crypto_key');
const { accessError, syntaxError, unsupportedFormat } = require('internal/crypto/subtle/common');
const secret = require('internal/crypto/subtle/secret');
const asymmetric = require('internal/crypto/subtle/asymmetric');
const operations = require('internal/crypto/subtle/asymmetric_operations');
const derivation = require('internal/crypto/subtle/derivation');
const { toArrayBuffer } = require('internal/crypto/subtle/common');

const isCipher = (name) => name.startsWith('AES') || name.startsWith('ChaCha20');
const isMac = (name) => name === 'HMAC' || name.startsWith('KMAC');
const isBaseKey = (name) => name === 'HKDF' || name === 'PBKDF2' || name.startsWith('Argon2');

async function generateKey(algorithm, extractable, usages) {
  const { name } = algorithm;
  if (isCipher(name)) return secret.generateCipherKey(algorithm, extractable, usages);
  if (isMac(name)) return secret.generateMacKey(algorithm, extractable, usages);
  return asymmetric.generatePair(algorithm, extractable, usages);
}

function importKey(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  if (isBaseKey(name)) return checkImported(derivation.importBaseKey(format, data, algorithm, extractable, usages));
  if (isCipher(name)) return checkImported(secret.importCipherKey(format, data, algorithm, extractable, usages));
  if (isMac(name)) return checkImported(secret.importMacKey(format, data, algorithm, extractable, usages));
  return checkImported(asymmetric.importAsymmetric(format, data, algorithm, extractable, usages));
}

function checkImported(key) {
  const { keyObject: { type }, usages } = slotsOf(key);
  if (type !== 'public' && usages.length === 0) throw syntaxError(`Usages cannot be empty when importing a ${type} key.`);
  return key;
}

function exportKey(format, key) {
  const { algorithm: { name }, extractable, keyObject } = slotsOf(key);
  if (!extractable) throw accessError('key is not extractable');
  const isSecret = isCipher(name) || isMac(name);
  const exported = isCipher(name) ? secret.exportCipherKey(format, key) : isMac(name) ? secret.exportMacKey(format, key) : asymmetric.exportAsymmetric(format, key);
  if (exported === undefined) throw unsupportedFormat('export', isSecret ? name : `${name} ${keyObject.type} key`, format);
  return exported;
}

/** A key of another algorithm, or without the usage, is refused. */
function checkKey(algorithm, key, usage) {
  const { algorithm: own, usages } = slotsOf(key);
  if (own.name !== algorithm.name || !usages.includes(usage)) throw accessError('The requested operation is not valid for the provided key');
}

async function encrypt(isEncrypting, algorithm, key, data) {
  if (algorithm.name === 'RSA-OAEP') return operations.encryptRsa(isEncrypting, algorithm, key, data);
  return secret.encryptCipher(isEncrypting, algorithm, key, data);
}

function checkSigner(algorithm, key, usage) {
  const { algorithm: own, usages } = slotsOf(key);
  if (own.name !== algorithm.name || !usages.includes(usage)) throw accessError(`Unable to use this key to ${usage}`);
}

async function sign(algorithm, key, data) {
  checkSigner(algorithm, key, 'sign');
  return toArrayBuffer(await (isMac(algorithm.name) ? secret.signMac : operations.sign)(algorithm, key, data));
}

async function verify(algorithm, key, signature, data) {
  checkSigner(algorithm, key, 'verify');
  return (isMac(algorithm.name) ? secret.verifyMac : operations.verify)(algorithm, key, signature, data);
}

/** Bits of a derived key; null: all that there are. */
function keyLength(algorithm) {
  const { name } = algorithm;
  if (isMac(name)) return secret.macLength(algorithm);
  if (name.startsWith('ChaCha20')) return 256;
  return isCipher(name) ? algorithm.length : null;
}

async function deriveBits(algorithm, key, length, usage) {
  const { algorithm: own, usages } = slotsOf(key);
  if (!usages.includes(usage)) throw accessError(`baseKey does not have ${usage} usage`);
  if (own.name !== algorithm.name) throw accessError('Key algorithm mismatch');
  return derivation.deriveBits(algorithm, key, length);
}

async function digest(algorithm, data) {
  const cshake = { __proto__: null, cSHAKE128: 'shake128', cSHAKE256: 'shake256' }[algorithm.name];
  const binding = internalBinding('crypto');
  if (cshake === undefined) {
    const state = binding.createHash(secret.digestOf(algorithm), undefined);
    binding.update(state, data);
    return toArrayBuffer(binding.digest(state));
  }
  const state = binding.createHash(cshake, algorithm.outputLength / 8);
  binding.update(state, data);
  return toArrayBuffer(binding.digest(state));
}

/** The public half of a private key. */
function getPublicKey(key, usages) {
  const { keyObject, algorithm } = slotsOf(key);
  if (keyObject.type !== 'private') throw keyObject.type === 'secret' ? lazyDOMException('key must be a private key', 'NotSupportedError') : accessError('key must be a private key');
  return importKey('KeyObject', require('crypto').createPublicKey(keyObject), algorithm, true, usages);
}

module.exports = { checkKey, deriveBits, digest, encrypt, exportKey, generateKey, getPublicKey, importKey, keyLength, sign, verify };
