// Secret keys: `KeyObject`, `createSecretKey`. In: bytes, strings. Out: key objects; the bytes of
// any value that is accepted as key. Absent: asymmetric keys, certificates.

'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } } = require('internal/errors');
const { validateObject, validateOneOf } = require('internal/validators');

const { kClone, kSerialize, markHostObject } = require('internal/messaging/symbols');

const kMake = Symbol('kMake');

class KeyObject {
  #bytes;

  constructor(type, handle, mark) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') {
      throw new ERR_INVALID_ARG_VALUE('type', type);
    }
    if (mark !== kMake) {
      throw typeof handle === 'object' ? new ERR_ILLEGAL_CONSTRUCTOR() : new ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    }
    this.#bytes = handle;
  }

  static from(key) {
    throw new ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
  }

  /** Internal; removed from the class below. */
  static bytesOf(key) {
    return typeof key === 'object' && key !== null && #bytes in key ? key.#bytes : undefined;
  }

  get type() {
    return 'secret';
  }

  get symmetricKeySize() {
    return this.#bytes.byteLength;
  }

  export(options) {
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') {
        return { kty: 'oct', k: Buffer.from(this.#bytes).toString('base64url') };
      }
    }
    return Buffer.from(this.#bytes);
  }

  equals(other) {
    const theirs = bytesOf(other);
    if (theirs === undefined) {
      throw new ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', other);
    }
    return theirs.byteLength === this.#bytes.byteLength && internalBinding('crypto').timingSafeEqual(this.#bytes, theirs);
  }

  toCryptoKey() {
    throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('KeyObject.prototype.toCryptoKey');
  }

  get [Symbol.toStringTag]() {
    return 'KeyObject';
  }

  /** Keys are immutable, so a clone shares the bytes. */
  [kClone]() {
    return new KeyObject('secret', this.#bytes, kMake);
  }

  [kSerialize]() {
    return { type: 'SecretKey', data: this.#bytes };
  }
}

markHostObject(KeyObject);

const { bytesOf } = KeyObject;
delete KeyObject.bytesOf;

/** The bytes of a key, copied, so that the caller cannot change a key in use. */
function keyBytes(key, encoding, name = 'key') {
  if (typeof key === 'string') {
    return Buffer.from(key, encoding && encoding !== 'buffer' ? encoding : 'utf8');
  }
  if (ArrayBuffer.isView(key)) {
    return Buffer.from(Buffer.from(key.buffer, key.byteOffset, key.byteLength));
  }
  if (key instanceof ArrayBuffer || key instanceof SharedArrayBuffer) {
    return Buffer.from(Buffer.from(key));
  }
  const bytes = bytesOf(key);
  if (bytes === undefined) {
    throw new ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'], key);
  }
  return bytes;
}

function createSecretKey(key, encoding) {
  if (bytesOf(key) !== undefined) {
    throw new ERR_INVALID_ARG_TYPE('key', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string'], key);
  }
  return new KeyObject('secret', keyBytes(key, encoding), kMake);
}

module.exports = { KeyObject, keyBytes, createSecretKey };
