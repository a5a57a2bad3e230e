// `generateKeyPair`, `generateKey` and their synchronous forms. In: a type, options. Out: key
// objects, or keys in an encoding. Without a callback nothing runs on the thread pool.

'use strict';

const {
  codes: {
    ERR_CRYPTO_INVALID_CURVE, ERR_CRYPTO_INVALID_DIGEST, ERR_CRYPTO_UNKNOWN_CIPHER, ERR_CRYPTO_UNKNOWN_DH_GROUP,
    ERR_INCOMPATIBLE_OPTION_PAIR, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_OPTION,
  },
} = require('internal/errors');
const { validateFunction, validateInt32, validateInteger, validateObject, validateOneOf, validateString, validateUint32 } = require('internal/validators');
const { customPromisifyArgs } = require('internal/util');
const { bind } = require('internal/async_context');
const { createSecretKey, fromHandle } = require('internal/crypto/keys');
const { encodePrivate, encodePublic, parseEncoding } = require('internal/crypto/key_encoding');
const { digestName, hasDigest, hasPqc } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const INT32_MAX = 2 ** 31 - 1;
const isAbsent = (value) => value === undefined || value === null;

function encodingOf(options, name, type, isPublic) {
  const encoding = options?.[name];
  if (isAbsent(encoding)) return undefined;
  if (typeof encoding !== 'object') throw new ERR_INVALID_ARG_VALUE(`options.${name}`, encoding);
  const checked = parseEncoding(encoding, type, isPublic, name);
  if (!isAbsent(checked.cipher) && binding.cipherInfo(checked.cipher, -1, -1) === undefined) throw new ERR_CRYPTO_UNKNOWN_CIPHER();
  return checked;
}

function bigEndian(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

function rsa(options) {
  validateObject(options, 'options');
  const { modulusLength, publicExponent = 0x10001 } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  validateUint32(publicExponent, 'options.publicExponent');
  return ['bits', 'u', modulusLength, 'e', 'n', bigEndian(publicExponent)];
}

/** A digest that has an old name, and is the same as the new one. */
function renamedDigest(options, name, oldName, code) {
  const value = options[name];
  const old = options[oldName];
  if (value !== undefined) validateString(value, `options.${name}`);
  if (old === undefined) return value;
  require('process').emitWarning(`"options.${oldName}" is deprecated, use "options.${name}" instead.`, 'DeprecationWarning', code);
  validateString(old, `options.${oldName}`);
  if (value && old !== value) throw new ERR_INVALID_ARG_VALUE(`options.${oldName}`, old);
  return value ?? old;
}

function pssDigest(name, label) {
  if (hasDigest(name)) return digestName(name);
  const error = new ERR_CRYPTO_INVALID_DIGEST(name);
  error.message = `${label}: ${name}`;
  throw error;
}

function rsaPss(options) {
  const params = rsa(options);
  const { saltLength } = options;
  if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
  const hash = renamedDigest(options, 'hashAlgorithm', 'hash', 'DEP0154');
  const mgf1 = renamedDigest(options, 'mgf1HashAlgorithm', 'mgf1Hash', 'DEP0154');
  if (hash !== undefined) params.push('digest', 's', pssDigest(hash, 'Invalid digest'));
  if (mgf1 !== undefined || hash !== undefined) {
    params.push('mgf1-digest', 's', mgf1 === undefined ? digestName(hash) : pssDigest(mgf1, 'Invalid MGF1 digest'));
  }
  const length = saltLength ?? (hash === undefined ? undefined : internalBinding('crypto').size(hash));
  if (length !== undefined) params.push('saltlen', 'i', length);
  return params;
}

function ec(options) {
  validateObject(options, 'options');
  const { namedCurve, paramEncoding } = options;
  validateString(namedCurve, 'options.namedCurve');
  if (paramEncoding !== undefined && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
    throw new ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
  }
  const curve = binding.curve(namedCurve);
  if (curve === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  return ['group', 's', curve[0], 'encoding', 's', paramEncoding === 'explicit' ? 'explicit' : 'named_curve'];
}

function dsa(options) {
  validateObject(options, 'options');
  const { modulusLength, divisorLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  const params = ['pbits', 'u', modulusLength];
  if (!isAbsent(divisorLength)) {
    validateInt32(divisorLength, 'options.divisorLength', 0);
    params.push('qbits', 'u', divisorLength);
  }
  return params;
}

/** A job of a DH pair: of a group, of a prime, or of a new prime. */
function dh(options) {
  validateObject(options, 'options');
  const { group, primeLength, prime, generator } = options;
  if (!isAbsent(group)) {
    for (const [name, value] of [['prime', prime], ['primeLength', primeLength], ['generator', generator]]) {
      if (!isAbsent(value)) throw new ERR_INCOMPATIBLE_OPTION_PAIR('group', name);
    }
    validateString(group, 'options.group');
    const known = binding.dhGroup(group);
    if (known === undefined) throw new ERR_CRYPTO_UNKNOWN_DH_GROUP();
    return dhLike(known, 2);
  }
  if (!isAbsent(prime)) {
    if (!isAbsent(primeLength)) throw new ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
    if (!ArrayBuffer.isView(prime)) throw new ERR_INVALID_ARG_TYPE('options.prime', ['Buffer', 'TypedArray', 'DataView'], prime);
  } else if (isAbsent(primeLength)) {
    throw new ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
  } else {
    validateInt32(primeLength, 'options.primeLength', 0);
  }
  if (!isAbsent(generator)) validateInt32(generator, 'options.generator', 0);
  if (!isAbsent(prime)) return dhLike(prime, generator ?? 2);
  const params = ['pbits', 'u', primeLength, 'safeprime-generator', 'i', generator ?? 2, 'type', 's', 'generator'];
  return (callback) => binding.generate('DH', [], params, callback);
}

function dhLike(prime, generator) {
  const group = binding.keyOfParams('DH', 'parameters', ['p', 'n', prime, 'g', 'n', bigEndian(generator)]);
  return (callback) => binding.generateLike(group, callback);
}

const simple = (name, params) => (callback) => binding.generate(name, params, undefined, callback);

const RAW = ['ed25519', 'ed448', 'x25519', 'x448'];
/** OpenSSL has them since 3.5. */
const PQC = /^(?:ml-(?:dsa-(?:44|65|87)|kem-(?:512|768|1024))|slh-dsa-(?:sha2|shake)-(?:128|192|256)[fs])$/;

/** A function that starts the job with a callback, or runs it without one. */
function jobOf(type, options) {
  switch (type) {
    case 'rsa': return simple('RSA', rsa(options));
    case 'rsa-pss': return simple('RSA-PSS', rsaPss(options));
    case 'ec': return simple('EC', ec(options));
    case 'dsa': {
      const params = dsa(options);
      return (callback) => binding.generate('DSA', [], params, callback);
    }
    case 'dh': return dh(options);
    default:
      if (RAW.includes(type) || (PQC.test(type) && hasPqc())) return simple(type.toUpperCase(), []);
      throw new ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
}

function prepare(type, options) {
  validateString(type, 'type');
  if (options !== undefined) validateObject(options, 'options');
  const publicEncoding = encodingOf(options, 'publicKeyEncoding', type, true);
  const privateEncoding = encodingOf(options, 'privateKeyEncoding', type, false);
  const run = jobOf(type, options);
  const encode = (handle) => {
    const publicHandle = binding.publicOf(handle);
    return {
      publicKey: publicEncoding === undefined ? fromHandle(publicHandle) : encodePublic(publicHandle, publicEncoding),
      privateKey: privateEncoding === undefined ? fromHandle(handle) : encodePrivate(handle, privateEncoding),
    };
  };
  return { run, encode };
}

function generateKeyPairSync(type, options) {
  const { run, encode } = prepare(type, options);
  return encode(run(undefined));
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const { run, encode } = prepare(type, options);
  const bound = bind(callback, 'KEYPAIRGENREQUEST');
  run((error, handle) => {
    let pair;
    if (error === null) {
      try {
        pair = encode(handle);
      } catch (failure) {
        error = failure;
      }
    }
    if (error !== null) bound(error);
    else bound(null, pair.publicKey, pair.privateKey);
  });
}
Object.defineProperty(generateKeyPair, customPromisifyArgs, { __proto__: null, value: ['publicKey', 'privateKey'], enumerable: false });

/** Bytes of a secret key. */
function secretBytes(type, options) {
  validateString(type, 'type');
  if (type !== 'hmac' && type !== 'aes') throw new ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  validateObject(options, 'options');
  const { length } = options;
  if (type === 'hmac') validateInteger(length, 'options.length', 8, INT32_MAX);
  else validateOneOf(length, 'options.length', [128, 192, 256]);
  return Math.floor(length / 8);
}

function generateKeySync(type, options) {
  const count = secretBytes(type, options);
  return createSecretKey(require('internal/crypto/random').randomBytes(count));
}

function generateKey(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const count = secretBytes(type, options);
  require('internal/crypto/random').randomBytes(count, (error, bytes) => {
    if (error) callback(error);
    else callback(undefined, createSecretKey(bytes));
  });
}

module.exports = { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync };
