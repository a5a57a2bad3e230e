// Asymmetric keys that programs pass: key objects, PEM, DER, JWK, with passphrases. In: an argument
// and what it is for. Out: native handles, key objects.

'use strict';

const {
  codes: { ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE, ERR_INVALID_ARG_TYPE, ERR_MISSING_PASSPHRASE },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { fromHandle, handleOf, isKeyObject, keyTypes } = require('internal/crypto/keys');
const { isCryptoKey, keyObjectOf } = require('internal/crypto/crypto_key');
const { parseEncoding } = require('internal/crypto/key_encoding');
const { isBytes, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

/** What a key is for. */
const USE = { consumePublic: 0, consumePrivate: 1, createPublic: 2, createPrivate: 3 };

const isText = (value) => typeof value === 'string' || isBytes(value);

function handleOfKeyObject(key, use) {
  if (use === USE.createPrivate) throw new ERR_INVALID_ARG_TYPE('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], key);
  if (key.type !== 'private') {
    if (use === USE.consumePrivate || use === USE.createPublic) throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(key.type, 'private');
    if (key.type !== 'public') throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(key.type, 'private or public');
  }
  return handleOf(key);
}

const isForPrivate = (use) => use === USE.consumePrivate || use === USE.createPrivate;

/** The handle of a key; `use` decides which kinds are accepted. */
function readKey(key, use) {
  if (isKeyObject(key)) return handleOfKeyObject(key, use);
  if (isCryptoKey(key)) return handleOfKeyObject(keyObjectOf(key), use);
  if (isText(key)) return parse({ format: 'pem', data: toBytes(key, 'key') }, use);
  const types = use === USE.createPrivate ? keyTypes.slice(0, 5) : keyTypes;
  if (typeof key !== 'object' || key === null) throw new ERR_INVALID_ARG_TYPE('key', types, key);
  const { key: data, encoding, format } = key;
  if (isKeyObject(data)) return handleOfKeyObject(data, use);
  if (isCryptoKey(data)) return handleOfKeyObject(keyObjectOf(data), use);
  if (format === 'jwk') {
    validateObject(data, 'key.key');
    return require('internal/crypto/jwk').importJwk(data, !isForPrivate(use));
  }
  if (!isText(data)) throw new ERR_INVALID_ARG_TYPE('key.key', types, data);
  const checked = parseEncoding(key, undefined, isForPrivate(use) ? false : undefined);
  return parse({ ...checked, data: toBytes(data, 'key', encoding) }, use);
}

/** Whether DER bytes of PKCS#1 are a private key: its first number is the version, one byte. */
function isPrivatePkcs1(view) {
  const bytes = ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
  const long = bytes[1] & 0x80;
  const at = 2 + (long ? bytes[1] & 0x7f : 0);
  return bytes[0] === 0x30 && bytes[at] === 2 && bytes[at + 1] === 1 && bytes[at + 2] <= 1;
}

function parse({ format, type, passphrase, data }, use) {
  if (isForPrivate(use)) return readPrivate(data, type, passphrase);
  if (format === 'pem') return binding.readPublicPem(data) ?? readPrivate(data, undefined, passphrase);
  const isPublic = type === 'spki' || (type === 'pkcs1' && !isPrivatePkcs1(data));
  return isPublic ? binding.readPublicDer(data, type) : readPrivate(data, type, passphrase);
}

function readPrivate(data, type, passphrase) {
  const handle = binding.readPrivate(data, type, passphrase);
  if (handle === null) throw new ERR_MISSING_PASSPHRASE();
  return handle;
}

const readPublicKey = (key) => readKey(key, USE.consumePublic);
const readPrivateKey = (key) => readKey(key, USE.consumePrivate);

function createPublicKey(key) {
  const handle = readKey(key, USE.createPublic);
  return fromHandle(binding.keyType(handle) === 'private' ? binding.publicOf(handle) : handle);
}

const createPrivateKey = (key) => fromHandle(readKey(key, USE.createPrivate));

module.exports = { createPrivateKey, createPublicKey, readPrivateKey, readPublicKey };
