// Encodings of asymmetric keys: PEM, DER, JWK; PKCS#1, PKCS#8, SPKI, SEC1; passphrases. In: options
// of programs. Out: checked encodings, exported keys. Absent: parameters of JWKs (jwk.js).

'use strict';

const {
  codes: { ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { isBytes, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const FORMATS = ['pem', 'der', 'jwk'];

const option = (name, object) => (object === undefined ? `options.${name}` : `options.${object}.${name}`);

function parseFormat(format, fallback, name) {
  if (format === undefined && fallback !== undefined) return fallback;
  if (!FORMATS.includes(format)) throw new ERR_INVALID_ARG_VALUE(name, format);
  return format;
}

/** `keyType` is that of the key to encode; undefined: the key is read. */
function parseType(type, isRequired, keyType, isPublic, name) {
  if (type === undefined && !isRequired) return undefined;
  if (type === 'pkcs1') {
    if (keyType !== undefined && keyType !== 'rsa') throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for RSA keys');
    return type;
  }
  if (type === 'spki' && isPublic !== false) return type;
  if (type === 'pkcs8' && isPublic !== true) return type;
  if (type === 'sec1' && isPublic !== true) {
    if (keyType !== undefined && keyType !== 'ec') throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for EC keys');
    return type;
  }
  throw new ERR_INVALID_ARG_VALUE(name, type);
}

const isText = (value) => typeof value === 'string' || isBytes(value);

/**
 * `keyType`: as above. `isPublic` undefined: it may be either. `object`: the option that has the
 * encoding.
 */
function parseEncoding(encoding, keyType, isPublic, object) {
  validateObject(encoding, 'options');
  const isInput = keyType === undefined;
  const format = parseFormat(encoding.format, isInput ? 'pem' : undefined, option('format', object));
  const isTypeRequired = (!isInput || format === 'der') && format !== 'jwk';
  const type = parseType(encoding.type, isTypeRequired, keyType, isPublic, option('type', object));
  if (isPublic === true) return { format, type };
  const { cipher } = encoding;
  let { passphrase } = encoding;
  if (!isInput) checkCipher(cipher, passphrase, format, type, object);
  const isWrong = isInput ? passphrase !== undefined && !isText(passphrase) : cipher !== undefined && cipher !== null && !isText(passphrase);
  if (isWrong) throw new ERR_INVALID_ARG_VALUE(option('passphrase', object), passphrase);
  if (passphrase !== undefined) passphrase = toBytes(passphrase, 'key.passphrase', encoding.encoding);
  return { format, type, cipher, passphrase };
}

function checkCipher(cipher, passphrase, format, type, object) {
  if (cipher !== undefined && cipher !== null) {
    if (typeof cipher !== 'string') throw new ERR_INVALID_ARG_VALUE(option('cipher', object), cipher);
    if (format === 'der' && type !== 'pkcs8') throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'does not support encryption');
  } else if (passphrase !== undefined) {
    throw new ERR_INVALID_ARG_VALUE(option('cipher', object), cipher);
  }
}

const asText = (bytes) => toBuffer(bytes).toString();

function encodePublic(handle, { format, type }) {
  if (format === 'jwk') return require('internal/crypto/jwk').exportJwk(handle);
  const bytes = binding.exportPublic(handle, type, format === 'pem');
  return format === 'pem' ? asText(bytes) : toBuffer(bytes);
}

function encodePrivate(handle, { format, type, cipher, passphrase }) {
  if (format === 'jwk') return require('internal/crypto/jwk').exportJwk(handle);
  const bytes = binding.exportPrivate(handle, type, format === 'pem', cipher ?? undefined, passphrase);
  return format === 'pem' ? asText(bytes) : toBuffer(bytes);
}

function exportPublic(handle, options, keyType) {
  if (options?.format === 'jwk') return encodePublic(handle, options);
  return encodePublic(handle, parseEncoding(options, keyType, true));
}

function exportPrivate(handle, options, keyType) {
  if (options?.format === 'jwk') {
    if (options.passphrase !== undefined) throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('jwk', 'does not support encryption');
    return encodePrivate(handle, options);
  }
  return encodePrivate(handle, parseEncoding(options, keyType, false));
}

module.exports = { encodePrivate, encodePublic, exportPrivate, exportPublic, parseEncoding };
