// Secret keys of `crypto.subtle`: AES, ChaCha20-Poly1305, HMAC, KMAC, and the sources of key
// derivation. In: normalized algorithms, keys, bytes. Out: keys, bytes.

'use strict';

const { Buffer } = require('buffer');
const binding = internalBinding('openssl');
const hashes = internalBinding('crypto');
const { secretOf } = require('internal/crypto/keys');
const { randomBytes } = require('internal/crypto/random');
const { checkJwk, checkUsages, dataError, handleOf, jwkMembers, newKey, run, syntaxError, toArrayBuffer, unsupportedFormat } = require('internal/crypto/subtle/common');
const { notSupported, operationError } = require('internal/crypto/subtle/registry');
const { slotsOf } = require('internal/crypto/crypto_key');

const CIPHER_USAGES = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const isRawFormat = (format, isLegacy) => format === 'raw-secret' || (isLegacy && format === 'raw');

/** The bytes of a key in any format; undefined: the format is not supported. */
function secretBytes(format, data, isRaw, jwkOptions) {
  if (format === 'KeyObject') return secretOf(data);
  if (format === 'jwk') {
    checkJwk(data, { kty: 'oct', ...jwkOptions });
    if (data.k === undefined || !/^[\w-]*={0,2}$/.test(data.k)) throw dataError();
    return Buffer.from(data.k, 'base64url');
  }
  return isRaw ? data : undefined;
}

function exportSecret(name, format, key, isRaw, alg) {
  const { keyObject } = slotsOf(key);
  if (isRaw) return toArrayBuffer(secretOf(keyObject));
  if (format !== 'jwk') return undefined;
  const jwk = jwkMembers(slotsOf(key));
  if (alg !== undefined) jwk.alg = alg;
  return { ...jwk, kty: 'oct', k: secretOf(keyObject).toString('base64url') };
}

// --- ciphers

const isAes = (name) => name.startsWith('AES');
const jwkAlg = (name, bits) => (isAes(name) ? `A${bits}${name.slice(4)}` : 'C20P');
const cipherUsages = (name) => (name === 'AES-KW' ? ['wrapKey', 'unwrapKey'] : CIPHER_USAGES);
/** AES-OCB and ChaCha20-Poly1305 have no format 'raw'. */
const hasRaw = (name) => isAes(name) && name !== 'AES-OCB';
const cipherAlgorithm = (name, bits) => (isAes(name) ? { name, length: bits } : { name });

function generateCipherKey({ name, length = 256 }, extractable, usages) {
  checkUsages(isAes(name) ? 'an AES' : name, usages, cipherUsages(name));
  if (usages.length === 0) throw syntaxError('Usages cannot be empty when creating a key.');
  return newKey(binding.secretKey(randomBytes(length / 8)), cipherAlgorithm(name, length), usages, extractable);
}

function importCipherKey(format, data, { name }, extractable, usages) {
  checkUsages(isAes(name) ? 'an AES' : name, usages, cipherUsages(name));
  const bytes = secretBytes(format, data, isRawFormat(format, hasRaw(name)), { use: 'enc', extractable, usages });
  if (bytes === undefined) throw unsupportedFormat('import', name, format);
  const bits = bytes.byteLength * 8;
  if (isAes(name) ? ![128, 192, 256].includes(bits) : bits !== 256) throw dataError('Invalid key length');
  if (format === 'jwk' && data.alg !== undefined && data.alg !== jwkAlg(name, bits)) throw dataError('JWK "alg" does not match the requested algorithm');
  return newKey(binding.secretKey(bytes), cipherAlgorithm(name, bits), usages, extractable);
}

function exportCipherKey(format, key) {
  const { algorithm: { name, length } } = slotsOf(key);
  return exportSecret(name, format, key, isRawFormat(format, hasRaw(name)), jwkAlg(name, length));
}

/** Arguments of the binding: cipher, vector, bytes of the tag, additional data. */
function cipherParams(algorithm, bits) {
  const { name } = algorithm;
  switch (name) {
    case 'AES-CBC': return [`aes-${bits}-cbc`, algorithm.iv, -1, undefined];
    case 'AES-KW': return [`id-aes${bits}-wrap`, Buffer.alloc(8, 0xa6), -1, undefined];
    case 'ChaCha20-Poly1305': return ['chacha20-poly1305', algorithm.iv, 16, algorithm.additionalData];
    default: return [`aes-${bits}-${name.slice(4).toLowerCase()}`, algorithm.iv, (algorithm.tagLength ?? 128) / 8, algorithm.additionalData];
  }
}

async function encryptCipher(isEncrypting, algorithm, key, data) {
  const { keyObject } = slotsOf(key);
  const handle = handleOf(keyObject);
  const bits = binding.secretLength(handle) * 8;
  if (algorithm.name === 'AES-CTR') return encryptCounter(algorithm, handle, bits, data);
  const [cipher, iv, tagBytes, additionalData] = cipherParams(algorithm, bits);
  if (!isEncrypting && tagBytes > 0 && data.byteLength < tagBytes) throw operationError('The provided data is too small');
  return toArrayBuffer(await run((callback) => binding.cipherOnce(isEncrypting, cipher, handle, iv, tagBytes, additionalData, data, callback)));
}

const BLOCK = 16;

/**
 * The counter is the last `length` bits of the block, and wraps around within them, while the
 * library's counter is the whole block: so what follows the wrap is a second operation.
 */
async function encryptCounter({ counter, length }, handle, bits, data) {
  const blocks = BigInt(Math.ceil(data.byteLength / BLOCK));
  const size = 1n << BigInt(length);
  if (blocks > size) throw operationError('The operation failed for an operation-specific reason');
  const block = BigInt(`0x${Buffer.from(counter).toString('hex')}`);
  const untilWrap = size - (block & (size - 1n));
  const parts = [[counter, data]];
  if (blocks > untilWrap) {
    const at = Number(untilWrap) * BLOCK;
    const wrapped = (block & ~(size - 1n)).toString(16).padStart(2 * BLOCK, '0');
    parts.splice(0, 1, [counter, data.subarray(0, at)], [Buffer.from(wrapped, 'hex'), data.subarray(at)]);
  }
  const outputs = [];
  for (const [start, part] of parts) {
    outputs.push(await run((callback) => binding.cipherOnce(true, `aes-${bits}-ctr`, handle, start, -1, undefined, part, callback)));
  }
  return toArrayBuffer(outputs.length === 1 ? outputs[0] : new Uint8Array(Buffer.concat(outputs)));
}

// --- MACs

const MAC_USAGES = ['sign', 'verify'];
const DIGESTS = { __proto__: null, 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA3-256': 'sha3-256', 'SHA3-384': 'sha3-384', 'SHA3-512': 'sha3-512' };
const digestOf = ({ name }) => DIGESTS[name];
/** Bits of a block: the default length of a key. */
const BLOCKS = { __proto__: null, 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

const isKmac = (name) => name.startsWith('KMAC');
const kmacBits = (name) => Number(name.slice(4));

/** Bits of a new key. The standard has no default length for SHA-3 yet. */
function macLength({ name, length, hash }) {
  if (length !== undefined) return length;
  if (isKmac(name)) return kmacBits(name);
  if (hash.name.startsWith('SHA3')) throw notSupported('Explicit algorithm length member is required');
  return BLOCKS[hash.name];
}

const macAlg = ({ name, hash }) => (isKmac(name) ? `K${kmacBits(name)}` : hmacAlg(hash.name));
const hmacAlg = (hash) => (hash.startsWith('SHA-') ? `HS${hash.slice(4)}` : undefined);
const macAlgorithm = ({ name, hash }, length) => (isKmac(name) ? { name, length } : { name, length, hash: { name: hash.name } });

function generateMacKey(algorithm, extractable, usages) {
  checkUsages(algorithm.name, usages, MAC_USAGES);
  if (usages.length === 0) throw syntaxError('Usages cannot be empty when creating a key.');
  const length = macLength(algorithm);
  return newKey(binding.secretKey(randomBytes(length / 8)), macAlgorithm(algorithm, length), usages, extractable);
}

function importMacKey(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  checkUsages(name, usages, MAC_USAGES);
  const bytes = secretBytes(format, data, isRawFormat(format, !isKmac(name)), { use: 'sig', extractable, usages });
  if (bytes === undefined) throw unsupportedFormat('import', name, format);
  const alg = macAlg(algorithm);
  if (format === 'jwk' && data.alg !== undefined && alg !== undefined && data.alg !== alg) throw dataError('JWK "alg" does not match the requested algorithm');
  const bits = bytes.byteLength * 8;
  if (bits === 0) throw dataError('Zero-length key is not supported');
  if (algorithm.length !== undefined && algorithm.length !== bits) throw dataError('Invalid key length');
  return newKey(binding.secretKey(bytes), macAlgorithm(algorithm, bits), usages, extractable);
}

function exportMacKey(format, key) {
  const { algorithm } = slotsOf(key);
  return exportSecret(algorithm.name, format, key, isRawFormat(format, !isKmac(algorithm.name)), macAlg(algorithm));
}

async function signMac(algorithm, key, data) {
  const { algorithm: own, keyObject } = slotsOf(key);
  const handle = handleOf(keyObject);
  if (isKmac(own.name)) {
    const count = algorithm.length / 8;
    const params = ['size', 'u', count];
    if (algorithm.customization !== undefined) params.push('custom', 'b', algorithm.customization);
    return run((callback) => binding.mac(`KMAC-${kmacBits(own.name)}`, handle, params, data, count, callback));
  }
  const state = hashes.createHmac(digestOf(own.hash), handle);
  hashes.update(state, data);
  return hashes.digest(state);
}

async function verifyMac(algorithm, key, signature, data) {
  const expected = await signMac(algorithm, key, data);
  return expected.byteLength === signature.byteLength && hashes.timingSafeEqual(expected, signature);
}

module.exports = {
  digestOf, encryptCipher, exportCipherKey, exportMacKey, generateCipherKey, generateMacKey, importCipherKey, importMacKey, macLength, secretBytes, signMac, verifyMac,
};
