// JSON Web Keys (RFC 7517, 7518, 8037) of asymmetric keys. In: an object, a handle. Out: a handle,
// an object.

'use strict';

const { Buffer } = require('buffer');
const {
  codes: { ERR_CRYPTO_INVALID_JWK, ERR_CRYPTO_JWK_UNSUPPORTED_CURVE, ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE },
} = require('internal/errors');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const { typeOf } = require('internal/crypto/key_details');
const { hasPqc } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const CURVES = { __proto__: null, 'P-256': 'prime256v1', secp256k1: 'secp256k1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const RAW = { __proto__: null, Ed25519: 32, Ed448: 57, X25519: 32, X448: 56 };
/** Members of an RSA key and their parameters. */
const RSA = [['n', 'n'], ['e', 'e'], ['d', 'd'], ['p', 'rsa-factor1'], ['q', 'rsa-factor2'], ['dp', 'rsa-exponent1'], ['dq', 'rsa-exponent2'], ['qi', 'rsa-coefficient1']];
const PQC = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];

const decode = (text) => Buffer.from(text, 'base64');
const encode = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');

function invalid(message) {
  const error = new ERR_CRYPTO_INVALID_JWK();
  if (message !== undefined) error.message = message;
  return error;
}

/** The library's errors become Node's: the caller's bytes are wrong. */
function make(message, build) {
  try {
    return build();
  } catch (error) {
    if (error.code === 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM') throw error;
    throw invalid(message);
  }
}

function importRaw(key, isPublic) {
  validateString(key.crv, 'key.crv');
  validateOneOf(key.crv, 'key.crv', Object.keys(RAW));
  validateString(key.x, 'key.x');
  if (!isPublic) validateString(key.d, 'key.d');
  const bytes = decode(isPublic ? key.x : key.d);
  if (bytes.length !== RAW[key.crv]) throw invalid();
  return make(undefined, () => binding.keyOfRaw(key.crv.toUpperCase(), isPublic ? 'public' : 'private', bytes));
}

function importEc(key, isPublic) {
  validateString(key.crv, 'key.crv');
  validateOneOf(key.crv, 'key.crv', Object.keys(CURVES));
  validateString(key.x, 'key.x');
  validateString(key.y, 'key.y');
  if (!isPublic) validateString(key.d, 'key.d');
  const curve = CURVES[key.crv];
  const [, count] = binding.curve(curve);
  return make('Invalid JWK EC key', () => {
    const point = Buffer.alloc(1 + 2 * count);
    point[0] = 4;
    for (const [index, text] of [key.x, key.y].entries()) {
      const bytes = decode(text);
      if (bytes.length > count) throw invalid();
      point.set(bytes, 1 + (index + 1) * count - bytes.length);
    }
    const params = ['group', 's', curve, 'pub', 'b', point];
    if (!isPublic) params.push('priv', 'n', decode(key.d));
    return binding.keyOfParams('EC', isPublic ? 'public' : 'pair', params);
  });
}

function importRsa(key, isPublic) {
  const members = isPublic ? RSA.slice(0, 2) : RSA;
  for (const [name] of members) validateString(key[name], `key.${name}`);
  const params = members.flatMap(([name, param]) => [param, 'n', decode(key[name])]);
  return make('Invalid JWK RSA key', () => binding.keyOfParams('RSA', isPublic ? 'public' : 'pair', params));
}

function importPqc(key, isPublic) {
  validateOneOf(key.alg, 'key.alg', PQC);
  validateString(key.pub, 'key.pub');
  if (!isPublic) validateString(key.priv, 'key.priv');
  if (isPublic) return make(undefined, () => binding.keyOfRaw(key.alg, 'public', decode(key.pub)));
  return make(undefined, () => {
    const handle = binding.keyOfParams(key.alg, 'pair', ['seed', 'b', decode(key.priv)]);
    if (encode(binding.exportRaw(handle, 'public')) !== key.pub.replace(/=+$/, '')) throw invalid();
    return handle;
  });
}

/** A handle; private if the key has to be private. */
function importJwk(key, isPublic) {
  validateObject(key, 'key');
  const kinds = { __proto__: null, RSA: importRsa, EC: importEc, OKP: importRaw, AKP: importPqc };
  validateOneOf(key.kty, 'key.kty', hasPqc() ? ['RSA', 'EC', 'OKP', 'AKP'] : ['RSA', 'EC', 'OKP']);
  return kinds[key.kty](key, isPublic);
}

function exportEc(handle, isPrivate) {
  const curve = binding.keyText(handle, 'group');
  const crv = Object.keys(CURVES).find((name) => CURVES[name] === curve);
  if (crv === undefined) throw new ERR_CRYPTO_JWK_UNSUPPORTED_CURVE(curve);
  const [, count, orderBytes] = binding.curve(curve);
  const padded = (name, size) => Buffer.concat([Buffer.alloc(size), binding.keyNumber(handle, name)]).subarray(-size).toString('base64url');
  const jwk = { kty: 'EC', x: padded('qx', count), y: padded('qy', count), crv };
  if (isPrivate) jwk.d = padded('priv', orderBytes);
  return jwk;
}

function exportRsa(handle, isPrivate) {
  const jwk = { kty: 'RSA' };
  for (const [name, param] of isPrivate ? RSA : RSA.slice(0, 2)) jwk[name] = encode(binding.keyNumber(handle, param));
  return jwk;
}

function exportRaw(handle, isPrivate, type) {
  const crv = Object.keys(RAW).find((name) => name.toLowerCase() === type);
  const d = isPrivate ? { d: encode(binding.exportRaw(handle, 'private')) } : {};
  return { crv, ...d, x: encode(binding.exportRaw(handle, 'public')), kty: 'OKP' };
}

function exportPqc(handle, isPrivate, type) {
  const jwk = { kty: 'AKP', alg: type.toUpperCase(), pub: encode(binding.exportRaw(handle, 'public')) };
  if (isPrivate) {
    const seed = binding.keyOctets(handle, 'seed');
    if (seed === undefined) throw Object.assign(new Error('key does not have an available seed'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
    jwk.priv = encode(seed);
  }
  return jwk;
}

function exportJwk(handle) {
  const isPrivate = binding.keyType(handle) === 'private';
  const type = typeOf(handle);
  switch (type) {
    case 'rsa': return exportRsa(handle, isPrivate);
    case 'ec': return exportEc(handle, isPrivate);
    case 'ed25519': case 'ed448': case 'x25519': case 'x448': return exportRaw(handle, isPrivate, type);
    default:
      if (PQC.includes(type.toUpperCase())) return exportPqc(handle, isPrivate, type);
      throw new ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
  }
}

module.exports = { exportJwk, importJwk };
