// `Sign`, `Verify`, `sign`, `verify`. In: a digest's name, bytes, a key with options. Out:
// signatures, whether one is right. The classes hash first and sign the digest at the end.

'use strict';

const { Writable } = require('stream');
const {
  codes: { ERR_CRYPTO_INVALID_DIGEST, ERR_CRYPTO_SIGN_KEY_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { validateEncoding, validateFunction, validateString } = require('internal/validators');
const { FastBuffer } = require('internal/buffer');
const { isKeyObject } = require('internal/crypto/keys');
const { readPrivateKey, readPublicKey } = require('internal/crypto/key_input');
const { typeOf } = require('internal/crypto/key_details');
const { digestName, hasDigest, encode, isBytes, isVersion, jobCallback, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');
const hashes = internalBinding('crypto');

const PKCS1 = 1;
const PSS = 6;
/** The longest salt to sign, any to verify. */
const SALT_AUTO = -2;
const ED25519_BYTES = 64;
/** The collector waits while a short message is signed. */
const SHORT_BYTES = 16 * 1024;
const kDigest = Symbol('kDigest');
const kState = Symbol('kState');

/** An option of a key that is a number. */
function integerOption(name, options) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  if (value === value >> 0) return value;
  throw new ERR_INVALID_ARG_VALUE(`options.${name}`, value);
}

function dsaEncoding(options) {
  const value = options?.dsaEncoding;
  if (value === undefined || value === 'der') return 'der';
  if (value === 'ieee-p1363') return value;
  throw new ERR_INVALID_ARG_VALUE('options.dsaEncoding', value);
}

/** What a key and its options decide about a signature. */
function signatureOptions(options) {
  const isObject = typeof options === 'object' && options !== null;
  const own = isObject ? options : undefined;
  return { padding: integerOption('padding', own), saltLength: integerOption('saltLength', own), encoding: dsaEncoding(own), context: own?.context };
}

const isRsa = (type) => type === 'rsa' || type === 'rsa-pss';

/** Bytes of one number of the fixed-length encoding; 0: DER. */
function numberBytes(handle, type, encoding) {
  if (encoding !== 'ieee-p1363') return 0;
  if (type === 'ec') return binding.curve(binding.keyText(handle, 'group'))[2];
  if (type === 'dsa') return binding.keyNumber(handle, 'q').length;
  return 0;
}

/** Parameters of RSA; RSA-PSS keys have their own padding, and may have their own salt length. */
function rsaParams(handle, type, { padding, saltLength }) {
  if (!isRsa(type)) return [];
  const mode = padding ?? (type === 'rsa-pss' ? PSS : PKCS1);
  const params = ['pad-mode', 'i', mode];
  if (mode !== PSS) return params;
  const length = saltLength ?? (binding.keyInteger(handle, 'saltlen') === undefined ? SALT_AUTO : undefined);
  if (length !== undefined) params.push('saltlen', 'i', length);
  return params;
}

function digestParams(digest) {
  return ['digest', 's', digest];
}

/** Hash state of a digest, and its name. */
function start(self, algorithm, options) {
  validateString(algorithm, 'algorithm');
  // The old name of SHA-1 with DSA.
  if (algorithm === 'DSS1' || algorithm === 'dss1') algorithm = 'sha1';
  if (!hasDigest(algorithm)) throw Object.assign(new ERR_CRYPTO_INVALID_DIGEST(algorithm), { message: 'Invalid digest' });
  self[kDigest] = digestName(algorithm);
  self[kState] = hashes.createHash(self[kDigest], undefined);
  Writable.call(self, options);
}

function update(data, encoding) {
  if (typeof data === 'string') validateEncoding(data, encoding);
  else if (!ArrayBuffer.isView(data)) throw new ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  hashes.update(this[kState], typeof data === 'string' ? toBytes(data, 'data', encoding) : data);
  return this;
}

function write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
}

/** Ends the hash; keys that have their own hash cannot be used so. */
function finishDigest(self, type) {
  if (type.startsWith('ed') || type.startsWith('ml-') || type.startsWith('slh-')) {
    throw Object.assign(new Error('Unsupported crypto operation'), { code: 'ERR_CRYPTO_UNSUPPORTED_OPERATION' });
  }
  return hashes.digest(self[kState]);
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  start(this, algorithm, options);
}
Object.setPrototypeOf(Sign.prototype, Writable.prototype);
Object.setPrototypeOf(Sign, Writable);
Sign.prototype._write = write;
Sign.prototype.update = update;

Sign.prototype.sign = function sign(options, encoding) {
  if (!options) throw new ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const handle = readPrivateKey(options);
  const chosen = signatureOptions(options);
  const type = typeOf(handle);
  const digest = finishDigest(this, type);
  const params = [...digestParams(this[kDigest]), ...rsaParams(handle, type, chosen)];
  const signature = binding.signDigest(handle, params, digest, numberBytes(handle, type, chosen.encoding));
  return encode(signature, encoding);
};

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  start(this, algorithm, options);
}
Object.setPrototypeOf(Verify.prototype, Writable.prototype);
Object.setPrototypeOf(Verify, Writable);
Verify.prototype._write = write;
Verify.prototype.update = update;

Verify.prototype.verify = function verify(options, signature, encoding) {
  const chosen = signatureOptions(options);
  const bytes = toBytes(signature, 'signature', encoding);
  const handle = readPublicKey(options);
  const type = typeOf(handle);
  const digest = finishDigest(this, type);
  const params = [...digestParams(this[kDigest]), ...rsaParams(handle, type, chosen)];
  return binding.verifyDigest(handle, params, digest, bytes, numberBytes(handle, type, chosen.encoding));
};

// --- one-shot

/** The name of the digest for a key; undefined: the key's own. */
function oneShotDigest(algorithm, type) {
  if (algorithm !== null && algorithm !== undefined) validateString(algorithm, 'algorithm');
  if (algorithm === null || algorithm === undefined || algorithm === '') {
    return type.startsWith('ed') || type.startsWith('ml-') || type.startsWith('slh-') ? undefined : 'sha256';
  }
  return digestName(algorithm);
}

/** Data of one-shot functions: no encodings. */
function checkData(data) {
  if (typeof data === 'string' || !isBytes(data)) {
    if (typeof data !== 'string') throw new ERR_INVALID_ARG_TYPE('data', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  return toBytes(data, 'data');
}

/** Ed448 takes a context since OpenSSL 3.2. */
function hasContext(type) {
  if (type.startsWith('ml-') || type.startsWith('slh-')) return true;
  return type === 'ed448' && isVersion(3, 2);
}

function oneShotParams(handle, type, chosen) {
  const params = rsaParams(handle, type, chosen);
  if (chosen.context !== undefined) {
    if (!isBytes(chosen.context)) throw new ERR_INVALID_ARG_TYPE('context', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], chosen.context);
    if (chosen.context.byteLength > 255) throw Object.assign(new RangeError('context string must be at most 255 bytes'), { code: 'ERR_OUT_OF_RANGE' });
    if (hasContext(type)) params.push('context-string', 'b', chosen.context);
    else if (chosen.context.byteLength > 0) throw Object.assign(new Error('Context parameter is unsupported'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  }
  return params;
}

/** A short message and an Ed25519 key without options, which is most of what is signed with one. */
function signShort(data, key) {
  if (!isKeyObject(key) || !isBytes(data) || data.byteLength > SHORT_BYTES) return undefined;
  const handle = readPrivateKey(key);
  if (typeOf(handle) !== 'ed25519') return undefined;
  const signature = new FastBuffer(ED25519_BYTES);
  return binding.signInto(handle, data, signature) ? signature : undefined;
}

function sign(algorithm, data, key, callback) {
  if (callback === undefined && (algorithm === null || algorithm === undefined)) {
    const signature = signShort(data, key);
    if (signature !== undefined) return signature;
  }
  if (algorithm !== null && algorithm !== undefined) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = checkData(data);
  if (!key) throw new ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const chosen = signatureOptions(key);
  const handle = readPrivateKey(key);
  const type = typeOf(handle);
  const args = [handle, oneShotDigest(algorithm, type), oneShotParams(handle, type, chosen), bytes, numberBytes(handle, type, chosen.encoding)];
  if (callback === undefined) return toBuffer(binding.sign(...args));
  binding.sign(...args, jobCallback(callback, 'SIGNREQUEST'));
  return undefined;
}

function verify(algorithm, data, key, signature, callback) {
  if (algorithm !== null && algorithm !== undefined) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = checkData(data);
  const chosen = signatureOptions(key);
  if (!isBytes(signature)) throw new ERR_INVALID_ARG_TYPE('signature', ['Buffer', 'TypedArray', 'DataView'], signature);
  const handle = readPublicKey(key);
  const type = typeOf(handle);
  const args = [handle, oneShotDigest(algorithm, type), oneShotParams(handle, type, chosen), bytes, signature, numberBytes(handle, type, chosen.encoding)];
  if (callback === undefined) return binding.verify(...args);
  binding.verify(...args, jobCallback(callback, 'SIGNREQUEST', (isRight) => isRight));
  return undefined;
}

module.exports = { Sign, Verify, integerOption, sign, verify };
