// Algorithms of `crypto.subtle` by operation, and their parameters. In: an AlgorithmIdentifier and
// an operation. Out: a normalized algorithm: the name as it is registered, converted parameters.
// Absent: the operations themselves.

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { lazyDOMException } = require('internal/util');
const { slotsOf } = require('internal/crypto/crypto_key');
const idl = require('internal/crypto/subtle/webidl');
const { isVersion } = require('internal/crypto/util');

const operationError = (message) => lazyDOMException(message, 'OperationError');
const notSupported = (message) => lazyDOMException(message, 'NotSupportedError');

const CURVES = ['P-256', 'P-384', 'P-521'];
const TAG_LENGTHS = { __proto__: null, 'AES-GCM': [32, 64, 96, 104, 112, 120, 128], 'AES-OCB': [64, 96, 128], 'ChaCha20-Poly1305': [128] };

function checkCurve(value) {
  if (!CURVES.includes(value)) throw notSupported('Unrecognized namedCurve');
}

function checkAesLength(value) {
  if (value !== 128 && value !== 192 && value !== 256) throw operationError('AES key length must be 128, 192, or 256 bits');
}

/** Lengths of MAC keys are whole bytes. */
function checkMacLength(type) {
  return (value) => {
    if (value === 0) throw lazyDOMException(`${type}.length cannot be 0`, type.includes('Import') ? 'DataError' : 'OperationError');
    if (value % 8 !== 0) throw notSupported(`Unsupported ${type}.length`);
  };
}

function exactly(name, count) {
  return (value) => {
    if (value.byteLength !== count) throw operationError(`algorithm.${name} must contain exactly ${count} bytes`);
  };
}

function checkAeadIv(value, { name }) {
  if (name === 'ChaCha20-Poly1305') exactly('iv', 12)(value);
  if (name === 'AES-OCB' && (value.byteLength < 1 || value.byteLength > 15)) throw operationError('AES-OCB algorithm.iv must be no more than 15 bytes');
}

function checkTagLength(value, { name }) {
  if (!TAG_LENGTHS[name].includes(value)) throw operationError(`${value} is not a valid ${name} tag length`);
}

function checkCounterLength(value) {
  if (value === 0 || value > 128) throw operationError('AES-CTR algorithm.length must be between 1 and 128');
}

function checkPeer(value, { name }) {
  const { keyObject, algorithm } = slotsOf(value);
  if (keyObject.type !== 'public') throw lazyDOMException('algorithm.public must be a public key', 'InvalidAccessError');
  if (algorithm.name !== name) throw lazyDOMException('key algorithm mismatch', 'InvalidAccessError');
}

function checkIterations(value) {
  if (value === 0) throw operationError('iterations cannot be zero');
}

function checkExponent(value) {
  const start = value.findIndex((byte) => byte !== 0);
  if (start !== -1 && value.length - start > 4) throw operationError('The publicExponent must be equivalent to an unsigned 32-bit value');
}

function checkCshakeLength(value) {
  if (value % 8 !== 0) throw notSupported('Unsupported CShakeParams outputLength');
}

function checkEmpty(name) {
  return (value) => {
    if (value.byteLength !== 0) throw notSupported(`Unsupported CShakeParams ${name}`);
  };
}

function checkContext(value, { name }) {
  if (value.byteLength > 255) {
    const cause = Object.assign(new RangeError('context string must be at most 255 bytes'), { code: 'ERR_OUT_OF_RANGE' });
    throw lazyDOMException('The operation failed for an operation-specific reason', { name: 'OperationError', cause });
  }
  if (name === 'Ed448' && value.byteLength > 0 && !isVersion(3, 2)) throw notSupported('Non zero-length context is not supported');
}

function checkParallelism(value) {
  if (value === 0 || value > 2 ** 24 - 1) throw operationError('parallelism must be > 0 and < 16777215');
}

function checkMemory(value, { parallelism }) {
  if (value < 8 * parallelism) throw operationError('memory must be at least 8 times the degree of parallelism');
}

function checkPasses(value) {
  if (value === 0) throw operationError('passes must be > 0');
}

function checkArgonVersion(value) {
  if (value !== 0x13) throw operationError(`${value} is not a valid Argon2 version`);
}

const toHash = (value) => normalize(value, 'digest');
const bytes = idl.toBytes;

/** Members beside `name`. */
const DICTIONARIES = {
  __proto__: null,
  RsaHashedKeyGenParams: [['modulusLength', idl.toUint32, true], ['publicExponent', idl.toBigInteger, true, checkExponent], ['hash', toHash, true]],
  RsaHashedImportParams: [['hash', toHash, true]],
  RsaPssParams: [['saltLength', idl.toUint32, true]],
  RsaOaepParams: [['label', bytes]],
  EcKeyGenParams: [['namedCurve', idl.toText, true, checkCurve]],
  EcKeyImportParams: [['namedCurve', idl.toText, true, checkCurve]],
  EcdsaParams: [['hash', toHash, true]],
  EcdhKeyDeriveParams: [['public', idl.toCryptoKey, true, checkPeer]],
  AesKeyGenParams: [['length', idl.toUint16, true, checkAesLength]],
  AesDerivedKeyParams: [['length', idl.toUint16, true, checkAesLength]],
  AesCbcParams: [['iv', bytes, true, exactly('iv', 16)]],
  AesCtrParams: [['counter', bytes, true, exactly('counter', 16)], ['length', idl.toOctet, true, checkCounterLength]],
  AeadParams: [['iv', bytes, true, checkAeadIv], ['tagLength', idl.toOctet, false, checkTagLength], ['additionalData', bytes]],
  HmacKeyGenParams: [['hash', toHash, true], ['length', idl.toUint32, false, checkMacLength('HmacKeyGenParams')]],
  HmacImportParams: [['hash', toHash, true], ['length', idl.toUint32, false, checkMacLength('HmacImportParams')]],
  KmacKeyGenParams: [['length', idl.toUint32, false, checkMacLength('KmacKeyGenParams')]],
  KmacImportParams: [['length', idl.toUint32, false, checkMacLength('KmacImportParams')]],
  KmacParams: [['length', idl.toUint32, true, checkMacLength('KmacParams')], ['customization', bytes]],
  HkdfParams: [['hash', toHash, true], ['salt', bytes, true], ['info', bytes, true]],
  Pbkdf2Params: [['hash', toHash, true], ['iterations', idl.toUint32, true, checkIterations], ['salt', bytes, true]],
  CShakeParams: [['outputLength', idl.toUint32, true, checkCshakeLength], ['functionName', bytes, false, checkEmpty('functionName')], ['customization', bytes, false, checkEmpty('customization')]],
  ContextParams: [['context', bytes, false, checkContext]],
  Argon2Params: [
    ['nonce', bytes, true], ['parallelism', idl.toUint32, true, checkParallelism], ['memory', idl.toUint32, true, checkMemory],
    ['passes', idl.toUint32, true, checkPasses], ['version', idl.toOctet, false, checkArgonVersion], ['secretValue', bytes], ['associatedData', bytes],
  ],
};

const each = (names, dictionary = null) => Object.fromEntries(names.map((name) => [name, dictionary]));
const RSA = ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'];
const EC = ['ECDSA', 'ECDH'];
const EDWARDS = ['Ed25519', 'Ed448'];
const MONTGOMERY = ['X25519', 'X448'];
const AES = ['AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-KW', 'AES-OCB'];
const KMAC = ['KMAC128', 'KMAC256'];
const CHACHA = ['ChaCha20-Poly1305'];
const ARGON2 = ['Argon2d', 'Argon2i', 'Argon2id'];
const ML_DSA = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];
const ML_KEM = ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024'];

/** What the installed library has. */
function build() {
  const pqc = isVersion(3, 5) ? [ML_DSA, ML_KEM] : [[], []];
  const argon2 = isVersion(3, 2) ? ARGON2 : [];
  const [dsa, kem] = pqc;
  const keys = [...RSA, ...EC, ...EDWARDS, ...MONTGOMERY, ...AES, ...CHACHA, 'HMAC', ...KMAC, ...dsa, ...kem];
  const sign = { 'RSASSA-PKCS1-v1_5': null, 'RSA-PSS': 'RsaPssParams', ECDSA: 'EcdsaParams', HMAC: null, Ed25519: null, Ed448: 'ContextParams', ...each(KMAC, 'KmacParams'), ...each(dsa, 'ContextParams') };
  const encrypt = { 'RSA-OAEP': 'RsaOaepParams', 'AES-CBC': 'AesCbcParams', 'AES-CTR': 'AesCtrParams', ...each(['AES-GCM', 'AES-OCB', ...CHACHA], 'AeadParams') };
  const derived = ['HKDF', 'PBKDF2', ...argon2];
  return {
    __proto__: null,
    digest: { ...each(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512']), ...each(['cSHAKE128', 'cSHAKE256'], 'CShakeParams') },
    generateKey: {
      ...each(RSA, 'RsaHashedKeyGenParams'), ...each(EC, 'EcKeyGenParams'), ...each(AES, 'AesKeyGenParams'), HMAC: 'HmacKeyGenParams',
      ...each(KMAC, 'KmacKeyGenParams'), ...each([...EDWARDS, ...MONTGOMERY, ...CHACHA, ...dsa, ...kem]),
    },
    importKey: {
      ...each(RSA, 'RsaHashedImportParams'), ...each(EC, 'EcKeyImportParams'), HMAC: 'HmacImportParams', ...each(KMAC, 'KmacImportParams'),
      ...each([...AES, ...EDWARDS, ...MONTGOMERY, ...CHACHA, ...derived, ...dsa, ...kem]),
    },
    exportKey: each(keys),
    sign, verify: sign, encrypt, decrypt: encrypt,
    deriveBits: { HKDF: 'HkdfParams', PBKDF2: 'Pbkdf2Params', ...each(['ECDH', ...MONTGOMERY], 'EcdhKeyDeriveParams'), ...each(argon2, 'Argon2Params') },
    'get key length': { ...each(AES, 'AesDerivedKeyParams'), HMAC: 'HmacImportParams', ...each(KMAC, 'KmacImportParams'), ...each([...CHACHA, ...derived]) },
    wrapKey: { 'AES-KW': null }, unwrapKey: { 'AES-KW': null },
    encapsulate: each(kem), decapsulate: each(kem),
  };
}

let operations;

/** What errors say, whatever the method. */
const AT = { prefix: 'Failed to normalize algorithm', context: 'passed algorithm' };

/** The normalized algorithm; NotSupportedError: it does not have the operation. */
function normalize(algorithm, operation) {
  if (typeof algorithm === 'string') return normalize({ name: algorithm }, operation);
  if (!idl.isObject(algorithm)) {
    if (typeof algorithm === 'symbol') throw idl.fail(ERR_INVALID_ARG_TYPE, AT, 'is a Symbol and cannot be converted to a string.');
    return normalize({ name: `${algorithm}` }, operation);
  }
  const { name } = idl.toDictionary('Algorithm', [['name', idl.toText, true]], algorithm, AT);
  operations ??= build();
  const known = operations[operation];
  const own = Object.keys(known).find((key) => key.toUpperCase() === name.toUpperCase());
  if (own === undefined) throw notSupported('Unrecognized algorithm name');
  const type = known[own];
  if (type === null) return { name: own };
  const named = ['name', () => own, true];
  // Node 25.9 has another name for it than 25.8.
  if (type === 'KmacParams' && algorithm.outputLength !== undefined) {
    const { outputLength: length, customization } = algorithm;
    return idl.toDictionary(type, [named, ...DICTIONARIES[type]], { name, length, customization }, AT);
  }
  return idl.toDictionary(type, [named, ...DICTIONARIES[type]], algorithm, AT);
}

module.exports = { ARGON2, ML_DSA, ML_KEM, normalize, notSupported, operationError };
