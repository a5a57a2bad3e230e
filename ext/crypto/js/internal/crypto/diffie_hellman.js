// `DiffieHellman`, `DiffieHellmanGroup`, `ECDH`, `diffieHellman`. In: primes, groups, curves, keys.
// Out: keys, shared secrets.

'use strict';

const { Buffer } = require('buffer');
const {
  codes: {
    ERR_CRYPTO_ECDH_INVALID_FORMAT, ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY, ERR_CRYPTO_INCOMPATIBLE_KEY, ERR_CRYPTO_INVALID_CURVE,
    ERR_CRYPTO_INVALID_KEYPAIR, ERR_CRYPTO_UNKNOWN_DH_GROUP, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');
const { deprecate } = require('internal/util');
const { readPrivateKey, readPublicKey } = require('internal/crypto/key_input');
const { typeOf } = require('internal/crypto/key_details');
const { encode, isBytes, jobCallback, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const kHandle = Symbol('kHandle');
const kKeys = Symbol('kKeys');
/** `ERR_LIB_DH` with `DH_R_BAD_GENERATOR` and `DH_R_MODULUS_TOO_SMALL`. */
const DH = 5;
const BAD_GENERATOR = 101;
const MODULUS_TOO_SMALL = 126;

function defineVerifyError(self) {
  let value;
  // Checking a prime takes long, so it is checked when a program asks.
  Object.defineProperty(self, 'verifyError', {
    __proto__: null, enumerable: true, configurable: true, get: () => value ??= binding.dhCheck(self[kHandle]),
  });
}

function toNumberBytes(generator, encoding) {
  if (typeof generator !== 'number') return toBytes(generator, 'generator', encoding);
  validateInt32(generator, 'generator');
  if (generator < 2) binding.throwReason(DH, BAD_GENERATOR);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(generator);
  return bytes;
}

/** Whether a number in bytes is 0 or 1. */
function isTrivial(view) {
  const bytes = ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
  return bytes.every((byte, index) => byte === 0 || (byte === 1 && index === bytes.length - 1));
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
    throw new ERR_INVALID_ARG_TYPE('sizeOrKey', ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== 'buffer') {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = false;
  }
  generator ||= 2;
  if (typeof generator !== 'number' && typeof generator !== 'string' && !isBytes(generator)) {
    throw new ERR_INVALID_ARG_TYPE('generator', ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], generator);
  }
  if (typeof generator === 'number') validateInt32(generator, 'generator');
  this[kHandle] = typeof sizeOrKey === 'number' ? ofSize(sizeOrKey, generator, genEncoding) : ofPrime(toBytes(sizeOrKey, 'sizeOrKey', keyEncoding || undefined), generator, genEncoding);
  defineVerifyError(this);
}

function ofSize(bits, generator, encoding) {
  if (bits < 2) binding.throwReason(DH, MODULUS_TOO_SMALL);
  const bytes = toNumberBytes(generator, encoding);
  if (isTrivial(bytes)) binding.throwReason(DH, BAD_GENERATOR);
  return binding.dhOfBits(bits, typeof generator === 'number' ? generator : Number(`0x${toBuffer(new Uint8Array(bytes)).toString('hex')}`));
}

function ofPrime(prime, generator, encoding) {
  const bytes = toNumberBytes(generator, encoding || undefined);
  if (isTrivial(bytes)) binding.throwReason(DH, BAD_GENERATOR);
  return binding.dhOfNumbers(prime, bytes);
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  validateString(name, 'name');
  const prime = binding.dhGroup(name);
  if (prime === undefined) throw new ERR_CRYPTO_UNKNOWN_DH_GROUP();
  this[kHandle] = binding.dhOfNumbers(prime, Buffer.from([2]));
  defineVerifyError(this);
}

function missing(message) {
  return Object.assign(new Error(message), { code: 'ERR_CRYPTO_INVALID_STATE' });
}

const methods = {
  generateKeys(encoding) { return encode(binding.dhGenerate(this[kHandle]), encoding); },

  computeSecret(key, inEnc, outEnc) {
    return encode(binding.dhSecret(this[kHandle], toBytes(key, 'key', inEnc)), outEnc);
  },

  getPrime(encoding) { return encode(binding.dhPrime(this[kHandle]), encoding); },
  getGenerator(encoding) { return encode(binding.dhGenerator(this[kHandle]), encoding); },

  getPublicKey(encoding) {
    const key = binding.dhPublic(this[kHandle]);
    if (key === undefined) throw missing('No public key - did you forget to generate one?');
    return encode(key, encoding);
  },

  getPrivateKey(encoding) {
    const key = binding.dhPrivate(this[kHandle]);
    if (key === undefined) throw missing('No private key - did you forget to generate one?');
    return encode(key, encoding);
  },
};
const setters = {
  setPublicKey(key, encoding) {
    binding.dhSetPublic(this[kHandle], toBytes(key, 'key', encoding));
    return this;
  },

  setPrivateKey(key, encoding) {
    binding.dhSetPrivate(this[kHandle], toBytes(key, 'key', encoding));
    return this;
  },
};
Object.assign(DiffieHellman.prototype, methods, setters);
Object.assign(DiffieHellmanGroup.prototype, methods);

// --- ECDH

function pointForm(format) {
  if (!format || format === 'uncompressed') return 4;
  if (format === 'compressed') return 2;
  if (format === 'hybrid') return 6;
  throw new ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  const found = binding.curve(curve);
  if (found === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  const [name, , privateBytes] = found;
  this[kKeys] = { curve: name, privateBytes, privateKey: undefined, publicKey: undefined };
}

const invalidPair = () => new ERR_CRYPTO_INVALID_KEYPAIR();

Object.assign(ECDH.prototype, {
  generateKeys(encoding, format) {
    const keys = this[kKeys];
    const handle = binding.generate('EC', ['group', 's', keys.curve], undefined, undefined);
    keys.privateKey = binding.keyNumber(handle, 'priv');
    keys.publicKey = binding.curvePublic(keys.curve, keys.privateKey);
    return this.getPublicKey(encoding, format);
  },

  computeSecret(key, inEnc, outEnc) {
    const { curve, privateKey, publicKey } = this[kKeys];
    const peer = toBytes(key, 'key', inEnc);
    if (privateKey === undefined || publicKey === undefined || (this[kKeys].isPublicSet && !isPair(this[kKeys]))) throw invalidPair();
    const secret = binding.curveSecret(curve, privateKey, peer);
    if (secret === undefined) throw new ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
    return encode(secret, outEnc);
  },

  getPrivateKey(encoding) {
    const { privateBytes, privateKey } = this[kKeys];
    if (privateKey === undefined) throw Object.assign(new Error('Failed to get ECDH private key'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    const padded = Buffer.concat([Buffer.alloc(privateBytes), privateKey]).subarray(-privateBytes);
    return encode(padded, encoding);
  },

  getPublicKey(encoding, format) {
    const form = pointForm(format);
    const { curve, publicKey } = this[kKeys];
    if (publicKey === undefined) throw Object.assign(new Error('Failed to get ECDH public key'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    return encode(binding.curveConvert(curve, publicKey, form), encoding);
  },

  setPrivateKey(key, encoding) {
    const keys = this[kKeys];
    const bytes = Buffer.from(toBytes(key, 'key', encoding));
    if (!binding.curveIsPrivate(keys.curve, bytes)) {
      throw Object.assign(new Error('Private key is not valid for specified curve.'), { code: 'ERR_CRYPTO_INVALID_KEYTYPE' });
    }
    keys.privateKey = bytes;
    keys.publicKey = binding.curvePublic(keys.curve, bytes);
    keys.isPublicSet = false;
    return this;
  },

  setPublicKey: deprecate(function setPublicKey(key, encoding) {
    const keys = this[kKeys];
    const point = binding.curveConvert(keys.curve, toBytes(key, 'key', encoding), 4);
    if (point === undefined) throw Object.assign(new Error('Failed to convert Buffer to EC_POINT'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
    keys.publicKey = point;
    keys.isPublicSet = true;
    return this;
  }, 'ecdh.setPublicKey() is deprecated.', 'DEP0031'),
});

const isPair = ({ curve, privateKey, publicKey }) => Buffer.compare(binding.curvePublic(curve, privateKey), publicKey) === 0;

ECDH.convertKey = function convertKey(key, curve, inEnc, outEnc, format) {
  validateString(curve, 'curve');
  const bytes = toBytes(key, 'key', inEnc);
  const form = pointForm(format);
  if (binding.curve(curve) === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  const point = binding.curveConvert(curve, bytes, form);
  if (point === undefined) throw Object.assign(new Error('Failed to convert Buffer to EC_POINT'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  return encode(point, outEnc);
};

// --- key objects

const AGREEING = ['dh', 'ec', 'x448', 'x25519'];

function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const privateKey = readOption(options, 'privateKey', readPrivateKey);
  const publicKey = readOption(options, 'publicKey', readPublicKey);
  const [own, other] = [typeOf(privateKey), typeOf(publicKey)];
  if (own !== other || !AGREEING.includes(own)) throw new ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${own} and ${other}`);
  const params = own === 'dh' ? ['pad', 'u', 1] : [];
  if (callback === undefined) return toBuffer(binding.agree(privateKey, publicKey, params));
  binding.agree(privateKey, publicKey, params, jobCallback(callback, 'DERIVEBITSREQUEST'));
  return undefined;
}

function readOption(options, name, read) {
  if (options[name] === undefined || options[name] === null) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
  return read(options[name]);
}

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, diffieHellman };
