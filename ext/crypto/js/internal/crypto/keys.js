// `KeyObject` and its subclasses. In: native handles. Out: immutable key objects, which may be
// sent to other threads; the bytes of any value that is accepted as a secret key. Absent: reading
// keys of programs (key_input.js), encodings (key_encoding.js), JWK (jwk.js): they load when a
// program uses asymmetric keys.

'use strict';

const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer');
const { codes: { ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateObject, validateOneOf } = require('internal/validators');
const { kClone, kSerialize, markHostObject } = require('internal/messaging/symbols');
const openssl = internalBinding('openssl');

let handleOf;
let isKeyObject;

class KeyObject {
  #handle;
  #type;

  constructor(type, handle) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new ERR_INVALID_ARG_VALUE('type', type);
    if (typeof handle !== 'object' || handle === null || !openssl.isKey(handle)) throw new ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    this.#type = type;
    this.#handle = handle;
  }

  static {
    isKeyObject = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleOf = (key) => key.#handle;
  }

  get type() { return this.#type; }

  static from(key) {
    const { isCryptoKey, keyObjectOf } = require('internal/crypto/crypto_key');
    if (!isCryptoKey(key)) throw new ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    return keyObjectOf(key);
  }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject)) throw new ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', otherKeyObject);
    return otherKeyObject.type === this.type && openssl.keysEqual(this.#handle, otherKeyObject.#handle);
  }

  get [Symbol.toStringTag]() { return 'KeyObject'; }

  [kClone]() { return fromHandle(this.#handle); }
  [kSerialize]() { return { type: 'KeyObject', native: this.#handle }; }
}
markHostObject(KeyObject);
for (const key of ['type', 'equals']) Object.defineProperty(KeyObject.prototype, key, { enumerable: key === 'type' });
for (const key of [kClone, kSerialize]) Object.defineProperty(KeyObject.prototype, key, { enumerable: false });

class SecretKeyObject extends KeyObject {
  get symmetricKeySize() { return openssl.secretLength(handleOf(this)); }

  export(options) {
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') return { kty: 'oct', k: secretOf(this).toString('base64url') };
    }
    return secretOf(this);
  }

  toCryptoKey(algorithm, extractable, keyUsages) {
    return require('internal/crypto/subtle/from_key_object').secretToCryptoKey(this, algorithm, extractable, keyUsages);
  }
}

class AsymmetricKeyObject extends KeyObject {
  #details;

  get asymmetricKeyType() { return require('internal/crypto/key_details').typeOf(handleOf(this)); }

  get asymmetricKeyDetails() {
    this.#details ??= require('internal/crypto/key_details').detailsOf(handleOf(this));
    return { ...this.#details };
  }

  toCryptoKey(algorithm, extractable, keyUsages) {
    return require('internal/crypto/subtle/from_key_object').asymmetricToCryptoKey(this, algorithm, extractable, keyUsages);
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  export(options) { return require('internal/crypto/key_encoding').exportPublic(handleOf(this), options, this.asymmetricKeyType); }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  export(options) { return require('internal/crypto/key_encoding').exportPrivate(handleOf(this), options, this.asymmetricKeyType); }
}

const CLASSES = { __proto__: null, secret: SecretKeyObject, public: PublicKeyObject, private: PrivateKeyObject };

function fromHandle(handle) {
  const type = openssl.keyType(handle);
  return new CLASSES[type](type, handle);
}

function secretOf(key) {
  const bytes = openssl.secretBytes(handleOf(key));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const keyTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'];

/** The handle of a secret `KeyObject` or `CryptoKey`; undefined: it is neither. */
function secretHandleOf(key) {
  let object = key;
  if (!isKeyObject(key)) {
    if (typeof key !== 'object' || key === null) return undefined;
    const { isCryptoKey, keyObjectOf } = require('internal/crypto/crypto_key');
    if (!isCryptoKey(key)) return undefined;
    object = keyObjectOf(key);
  }
  if (object.type !== 'secret') throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(object.type, 'secret');
  return handleOf(object);
}

const isPlainBytes = (key) => ArrayBuffer.isView(key) || key instanceof ArrayBuffer || key instanceof SharedArrayBuffer || require('internal/util/types').isAnyArrayBuffer(key);

/** What bindings accept as the bytes of a secret key if they use them at once; or a handle. */
function keySource(key, encoding, name = 'key', types = keyTypes) {
  if (typeof key === 'string') return Buffer.from(key, encoding && encoding !== 'buffer' ? encoding : 'utf8');
  if (isPlainBytes(key)) return key;
  const handle = secretHandleOf(key);
  if (handle === undefined) throw new ERR_INVALID_ARG_TYPE(name, types, key);
  return handle;
}

/** The same as a copy, so that the caller cannot change a key in use. */
function keyBytes(key, encoding, name, types) {
  const source = keySource(key, encoding, name, types);
  if (source !== key) return source;
  if (key instanceof Uint8Array && ArrayBuffer.isView(key)) return new FastBuffer(key);
  return Buffer.from(ArrayBuffer.isView(key) ? Buffer.from(key.buffer, key.byteOffset, key.byteLength) : Buffer.from(key));
}

/** Always bytes: those of a secret key too. */
function keyBytesOf(key, encoding, name) {
  const bytes = keyBytes(key, encoding, name);
  return ArrayBuffer.isView(bytes) ? bytes : Buffer.from(openssl.secretBytes(bytes));
}

function createSecretKey(key, encoding) {
  if (typeof key !== 'string' && !isPlainBytes(key)) throw new ERR_INVALID_ARG_TYPE('key', keyTypes.slice(0, 5), key);
  return new SecretKeyObject('secret', openssl.secretKey(keyBytes(key, encoding)));
}

module.exports = {
  KeyObject, SecretKeyObject, PublicKeyObject, PrivateKeyObject,
  createSecretKey, fromHandle, handleOf, isKeyObject, keyBytes, keyBytesOf, keySource, keyTypes, secretOf,
};
