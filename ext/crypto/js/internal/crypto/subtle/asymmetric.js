// Asymmetric keys of `crypto.subtle`: RSA, EC, Edwards and Montgomery curves, ML-DSA, ML-KEM. In:
// normalized algorithms, keys in a format. Out: keys, exported keys. Absent: operations
// (asymmetric_operations.js).

'use strict';

const { Buffer } = require('buffer');
const { lazyDOMException } = require('internal/util');
const binding = internalBinding('openssl');
const { exportJwk, importJwk } = require('internal/crypto/jwk');
const { typeOf } = require('internal/crypto/key_details');
const { slotsOf } = require('internal/crypto/crypto_key');
const { checkJwk, checkUsages, dataError, handleOf, jwkMembers, newKey, newPair, read, run, syntaxError, toArrayBuffer, unsupportedFormat } = require('internal/crypto/subtle/common');

const CURVES = { __proto__: null, 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const NIST = { __proto__: null, prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521', secp256k1: 'secp256k1' };
const SIGNATURE = { public: ['verify'], private: ['sign'], use: 'sig' };
const ENCRYPTION = { public: ['encrypt', 'wrapKey'], private: ['decrypt', 'unwrapKey'], use: 'enc' };
const AGREEMENT = { public: [], private: ['deriveKey', 'deriveBits'], use: 'enc' };
const ENCAPSULATION = { public: ['encapsulateBits', 'encapsulateKey'], private: ['decapsulateBits', 'decapsulateKey'], use: 'enc' };

const isRsa = (name) => name.startsWith('RSA');
const isEc = (name) => name === 'ECDSA' || name === 'ECDH';
const isRaw = (name) => /^(?:Ed|X)/.test(name);
const isPqc = (name) => name.startsWith('ML-');

/** Usages of both halves. */
function purposeOf(name) {
  if (name === 'RSA-OAEP') return ENCRYPTION;
  if (name === 'ECDH' || name.startsWith('X')) return AGREEMENT;
  return name.startsWith('ML-KEM') ? ENCAPSULATION : SIGNATURE;
}

/** JWK `alg` of an RSA key. */
function rsaAlg(name, hash) {
  const start = { __proto__: null, 'RSASSA-PKCS1-v1_5': 'RS', 'RSA-PSS': 'PS', 'RSA-OAEP': 'RSA-OAEP' }[name];
  if (hash.startsWith('SHA3')) return undefined;
  const bits = hash.slice(4);
  if (start !== 'RSA-OAEP') return `${start}${bits}`;
  return bits === '1' ? start : `${start}-${bits}`;
}

function algorithmOf(algorithm, handle) {
  const { name, hash, namedCurve } = algorithm;
  if (isEc(name)) return { name, namedCurve };
  if (!isRsa(name)) return { name };
  const exponent = new Uint8Array(binding.keyNumber(handle, 'e'));
  return { name, modulusLength: binding.keyBits(handle), publicExponent: exponent, hash: { name: hash.name } };
}

// --- generation

function generation(algorithm) {
  const { name } = algorithm;
  if (isRsa(name)) return ['RSA', ['bits', 'u', algorithm.modulusLength, 'e', 'n', algorithm.publicExponent]];
  if (isEc(name)) return ['EC', ['group', 's', CURVES[algorithm.namedCurve]]];
  return [name.toUpperCase(), []];
}

/** An odd number above 1 of at most 32 bits: the library would take others for an error, too. */
function isRsaExponent(bytes) {
  const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return digits.length <= 4 && (digits.at(-1) & 1) === 1 && (digits.length > 1 || digits[0] > 1);
}

async function generatePair(algorithm, extractable, usages) {
  const { name } = algorithm;
  const purpose = purposeOf(name);
  checkUsages(name, usages, [...purpose.public, ...purpose.private]);
  if (isRsa(name) && !isRsaExponent(algorithm.publicExponent)) throw lazyDOMException('The operation failed for an operation-specific reason', 'OperationError');
  if (!usages.some((usage) => purpose.private.includes(usage))) throw syntaxError('Usages cannot be empty when creating a key.');
  const [library, params] = generation(algorithm);
  const handle = await run((callback) => binding.generate(library, params, undefined, callback));
  return newPair(handle, algorithmOf(algorithm, handle), usages, extractable, purpose.public, purpose.private);
}

// --- import

/** What the library calls a key of this algorithm. */
const libraryType = (name) => (isRsa(name) ? 'rsa' : isEc(name) ? 'ec' : name.toLowerCase());

function readDer(format, data) {
  return read(() => (format === 'spki' ? binding.readPublicDer(data, 'spki') : binding.readPrivate(data, 'pkcs8', undefined)));
}

function readJwk(jwk, algorithm, usages, extractable) {
  const { name } = algorithm;
  const kty = isRsa(name) ? 'RSA' : isEc(name) ? 'EC' : isPqc(name) ? 'AKP' : 'OKP';
  checkJwk(jwk, { kty, use: purposeOf(name).use, extractable, usages });
  if (isRsa(name)) checkRsaJwk(jwk, algorithm);
  else if (isEc(name)) checkEcJwk(jwk, algorithm);
  else if (isPqc(name)) checkPqcJwk(jwk, name);
  else checkRawJwk(jwk, name);
  const isPublic = (isPqc(name) ? jwk.priv : jwk.d) === undefined;
  checkUsages(name, usages, isPublic ? purposeOf(name).public : purposeOf(name).private);
  const handle = read(() => importJwk(jwk, isPublic));
  if (!isPublic && isRaw(name) && Buffer.from(binding.exportRaw(handle, 'public')).toString('base64url') !== jwk.x) throw dataError();
  return handle;
}

function checkRsaJwk(jwk, { name, hash }) {
  const alg = rsaAlg(name, hash.name);
  if (jwk.alg !== undefined && alg !== undefined && jwk.alg !== alg) throw dataError('JWK "alg" does not match the requested algorithm');
  if (jwk.n === undefined || jwk.e === undefined) throw dataError();
}

function checkEcJwk(jwk, { name, namedCurve }) {
  if (jwk.crv !== namedCurve) throw dataError('JWK "crv" does not match the requested algorithm');
  if (name !== 'ECDSA' || jwk.alg === undefined) return;
  const algs = { __proto__: null, 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
  if (jwk.alg !== algs[namedCurve]) throw dataError('JWK "alg" does not match the requested algorithm');
}

function checkPqcJwk(jwk, name) {
  if (jwk.alg !== name) throw dataError('JWK "alg" Parameter and algorithm name mismatch');
  if (jwk.pub === undefined) throw dataError(jwk.priv === undefined ? undefined : 'Invalid JWK');
}

function checkRawJwk(jwk, name) {
  if (jwk.crv !== name) throw dataError('JWK "crv" Parameter and algorithm name mismatch');
  if (name.startsWith('Ed') && jwk.alg !== undefined && jwk.alg !== name && jwk.alg !== 'EdDSA') throw dataError('JWK "alg" does not match the requested algorithm');
}

/** A key of raw bytes; undefined: the algorithm has none in this format. */
function readRaw(format, data, { name, namedCurve }) {
  if (isEc(name)) {
    if (format !== 'raw' && format !== 'raw-public') return undefined;
    return read(() => binding.keyOfParams('EC', 'public', ['group', 's', CURVES[namedCurve], 'pub', 'b', data]));
  }
  if (isPqc(name)) {
    if (format === 'raw-public') return read(() => binding.keyOfRaw(name, 'public', data));
    if (format !== 'raw-seed') return undefined;
    return read(() => binding.keyOfParams(name, 'pair', ['seed', 'b', data]));
  }
  if (!isRaw(name) || (format !== 'raw' && format !== 'raw-public')) return undefined;
  return read(() => binding.keyOfRaw(name.toUpperCase(), 'public', data));
}

function readKey(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const purpose = purposeOf(name);
  switch (format) {
    case 'KeyObject': return handleOf(data);
    case 'jwk': return readJwk(data, algorithm, usages, extractable);
    case 'spki': case 'pkcs8':
      checkUsages(name, usages, format === 'spki' ? purpose.public : purpose.private);
      return readDer(format, data);
    default: {
      if (isRsa(name)) return undefined;
      const isPrivate = format === 'raw-seed';
      const isSupported = isPqc(name) ? format !== 'raw' && format !== 'raw-secret' : format === 'raw' || format === 'raw-public';
      if (!isSupported) return undefined;
      checkUsages(name, usages, isPrivate ? purpose.private : purpose.public);
      return readRaw(format, data, algorithm);
    }
  }
}

function isValidEc(handle) {
  if (!binding.keyIsPublicValid(handle)) return false;
  if (binding.keyType(handle) === 'public') return true;
  return binding.curveIsPrivate(binding.keyText(handle, 'group'), binding.keyNumber(handle, 'priv')) && binding.keyIsConsistent(handle);
}

/** The same key, whose point is exported uncompressed. */
function uncompressed(handle) {
  const point = binding.keyOctets(handle, 'pub');
  if (point[0] === 4 && binding.keyText(handle, 'point-format') !== 'compressed') return handle;
  const curve = binding.keyText(handle, 'group');
  const params = ['group', 's', curve, 'pub', 'b', binding.curveConvert(curve, point, 4)];
  if (binding.keyType(handle) === 'public') return binding.keyOfParams('EC', 'public', params);
  return binding.keyOfParams('EC', 'pair', [...params, 'priv', 'n', binding.keyNumber(handle, 'priv')]);
}

function importAsymmetric(format, data, algorithm, extractable, usages) {
  const { name, namedCurve } = algorithm;
  let handle = readKey(format, data, algorithm, extractable, usages);
  if (handle === undefined) throw unsupportedFormat('import', name, format);
  if (typeOf(handle) !== libraryType(name)) throw dataError('Invalid key type');
  if (isEc(name)) {
    if (NIST[binding.keyText(handle, 'group')] !== namedCurve) throw dataError('Named curve mismatch');
    if (!isValidEc(handle)) throw dataError();
    handle = uncompressed(handle);
  }
  const type = binding.keyType(handle);
  const allowed = purposeOf(name)[type];
  checkUsages(name, usages, allowed);
  if (type === 'private' && usages.length === 0) throw syntaxError('Usages cannot be empty when importing a private key.');
  return newKey(handle, algorithmOf(algorithm, handle), usages, extractable);
}

// --- export

function exportRaw(format, key) {
  const { algorithm: { name }, keyObject } = slotsOf(key);
  const handle = handleOf(keyObject);
  const isPublic = keyObject.type === 'public';
  if (isPqc(name)) {
    if (format === 'raw-public' && isPublic) return binding.exportRaw(handle, 'public');
    if (format !== 'raw-seed' || isPublic) return undefined;
    const seed = binding.keyOctets(handle, 'seed');
    if (seed === undefined) {
      const cause = Object.assign(new Error('Failed to get raw seed'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
      throw lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause });
    }
    return seed;
  }
  if (isRsa(name) || !isPublic || (format !== 'raw' && format !== 'raw-public')) return undefined;
  if (isEc(name)) return binding.curveConvert(binding.keyText(handle, 'group'), binding.keyOctets(handle, 'pub'), 4);
  return binding.exportRaw(handle, 'public');
}

/** SHA-3 has no names in JWKs yet. */
function setAlg(jwk, alg) {
  if (alg !== undefined) jwk.alg = alg;
}

/** The last two bytes of the object identifiers below 2.16.840.1.101.3.4. */
const PQC_IDS = {
  __proto__: null, 'ML-DSA-44': [3, 17], 'ML-DSA-65': [3, 18], 'ML-DSA-87': [3, 19], 'ML-KEM-512': [4, 1], 'ML-KEM-768': [4, 2], 'ML-KEM-1024': [4, 3],
};

/** PKCS#8 with the seed alone (RFC 9881), while the library writes the expanded key too. */
function seedPkcs8(name, seed) {
  const key = [0x04, seed.length + 2, 0x80, seed.length, ...seed];
  const algorithm = [0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, ...PQC_IDS[name]];
  const content = [0x02, 1, 0, ...algorithm, ...key];
  return new Uint8Array([0x30, content.length, ...content]).buffer;
}

function exportAsymmetric(format, key) {
  const slots = slotsOf(key);
  const { algorithm, keyObject } = slots;
  const handle = handleOf(keyObject);
  switch (format) {
    case 'jwk': {
      const jwk = exportJwk(handle);
      if (isRsa(algorithm.name)) setAlg(jwk, rsaAlg(algorithm.name, algorithm.hash.name));
      if (algorithm.name.startsWith('Ed')) jwk.alg = algorithm.name;
      return { ...jwk, ...jwkMembers(slots) };
    }
    case 'spki':
      return keyObject.type === 'public' ? toArrayBuffer(binding.exportPublic(handle, 'spki', false)) : undefined;
    case 'pkcs8':
      if (keyObject.type !== 'private') return undefined;
      if (isPqc(algorithm.name)) return seedPkcs8(algorithm.name, exportRaw('raw-seed', key));
      return toArrayBuffer(binding.exportPrivate(handle, 'pkcs8', false));
    default: {
      const bytes = exportRaw(format, key);
      return bytes === undefined ? undefined : toArrayBuffer(bytes);
    }
  }
}

module.exports = { exportAsymmetric, generatePair, importAsymmetric, isEc, isRsa, purposeOf };
