// `SubtleCrypto`. In: values of programs. Out: promises of the operations, whose arguments are
// converted here as the standard says. Algorithms load at the first operation that is no digest.

'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { lazyDOMException } = require('internal/util');

const kMake = Symbol('kMake');
let subtle;

const idl = () => require('internal/crypto/subtle/webidl');
const registry = () => require('internal/crypto/subtle/registry');
const methods = () => require('internal/crypto/subtle/methods');
const at = (method, index) => idl().place(method, index);

/** The receiver, and the number of arguments. */
function check(self, method, count, needed) {
  if (self !== subtle) throw new ERR_INVALID_THIS('SubtleCrypto');
  idl().requireArguments(method, count, needed);
}

const normalize = (algorithm, operation) => registry().normalize(algorithm, operation);
const slotsOf = (key) => require('internal/crypto/crypto_key').slotsOf(key);

/** Keys that were imported or unwrapped from untyped data. */
function toKeyData(format, data, place) {
  return format === 'jwk' ? idl().toJwk(data, place) : idl().toBytes(data, place);
}

class SubtleCrypto {
  constructor(mark = undefined) {
    if (mark !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  static supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
    if (this !== SubtleCrypto) throw new ERR_INVALID_THIS('SubtleCrypto constructor');
    idl().requireArguments('supports', arguments.length, 2);
    return require('internal/crypto/subtle/supports').supports(idl().toText(operation, at('supports', 1)), algorithm, lengthOrAdditionalAlgorithm);
  }

  async encrypt(algorithm, key, data) {
    check(this, 'encrypt', arguments.length, 3);
    return crypt('encrypt', algorithm, key, data);
  }

  async decrypt(algorithm, key, data) {
    check(this, 'decrypt', arguments.length, 3);
    return crypt('decrypt', algorithm, key, data);
  }

  async sign(algorithm, key, data) {
    check(this, 'sign', arguments.length, 3);
    const normalized = normalize(algorithm, 'sign');
    key = idl().toCryptoKey(key, at('sign', 2));
    return methods().sign(normalized, key, idl().toBytes(data, at('sign', 3)));
  }

  async verify(algorithm, key, signature, data) {
    check(this, 'verify', arguments.length, 4);
    const normalized = normalize(algorithm, 'verify');
    key = idl().toCryptoKey(key, at('verify', 2));
    const [signed, bytes] = [idl().toBytes(signature, at('verify', 3)), idl().toBytes(data, at('verify', 4))];
    return methods().verify(normalized, key, signed, bytes);
  }

  async digest(algorithm, data) {
    check(this, 'digest', arguments.length, 2);
    // Getters of the algorithm may change the bytes that are hashed.
    const bytes = idl().toView(data, at('digest', 2));
    return methods().digest(normalize(algorithm, 'digest'), bytes);
  }

  async generateKey(algorithm, extractable, keyUsages) {
    check(this, 'generateKey', arguments.length, 3);
    const normalized = normalize(algorithm, 'generateKey');
    return methods().generateKey(normalized, Boolean(extractable), idl().toUsages(keyUsages, at('generateKey', 3)));
  }

  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    check(this, 'deriveKey', arguments.length, 5);
    const normalized = normalize(algorithm, 'deriveBits');
    const derived = normalize(derivedKeyType, 'importKey');
    baseKey = idl().toCryptoKey(baseKey, at('deriveKey', 2));
    const usages = idl().toUsages(keyUsages, at('deriveKey', 5));
    const lengthOf = normalize(derivedKeyType, 'get key length');
    const bits = await methods().deriveBits(normalized, baseKey, methods().keyLength(lengthOf), 'deriveKey');
    return methods().importKey('raw-secret', new Uint8Array(bits), derived, Boolean(extractable), usages);
  }

  async deriveBits(algorithm, baseKey, length = null) {
    check(this, 'deriveBits', arguments.length, 2);
    const normalized = normalize(algorithm, 'deriveBits');
    baseKey = idl().toCryptoKey(baseKey, at('deriveBits', 2));
    if (length !== null) length = idl().toUint32(length, at('deriveBits', 3));
    return methods().deriveBits(normalized, baseKey, length, 'deriveBits');
  }

  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    check(this, 'importKey', arguments.length, 5);
    const name = idl().toFormat(format, at('importKey', 1));
    const data = toKeyData(name, keyData, at('importKey', 2));
    const normalized = normalize(algorithm, 'importKey');
    return methods().importKey(name, data, normalized, Boolean(extractable), idl().toUsages(keyUsages, at('importKey', 5)));
  }

  async exportKey(format, key) {
    check(this, 'exportKey', arguments.length, 2);
    const name = idl().toFormat(format, at('exportKey', 1));
    key = idl().toCryptoKey(key, at('exportKey', 2));
    normalizeOwn(key, 'exportKey');
    return methods().exportKey(name, key);
  }

  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    check(this, 'wrapKey', arguments.length, 4);
    const name = idl().toFormat(format, at('wrapKey', 1));
    const normalized = normalizeEither(wrapAlgorithm, 'wrapKey', 'encrypt');
    key = idl().toCryptoKey(key, at('wrapKey', 2));
    wrappingKey = idl().toCryptoKey(wrappingKey, at('wrapKey', 3));
    methods().checkKey(normalized, wrappingKey, 'wrapKey');
    normalizeOwn(key, 'exportKey');
    const exported = methods().exportKey(name, key);
    return methods().encrypt(true, normalized, wrappingKey, wrapped(name, exported, normalized.name));
  }

  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    check(this, 'unwrapKey', arguments.length, 7);
    const name = idl().toFormat(format, at('unwrapKey', 1));
    const bytes = idl().toBytes(wrappedKey, at('unwrapKey', 2));
    const normalized = normalizeEither(unwrapAlgorithm, 'unwrapKey', 'decrypt');
    const target = normalize(unwrappedKeyAlgorithm, 'importKey');
    unwrappingKey = idl().toCryptoKey(unwrappingKey, at('unwrapKey', 3));
    const usages = idl().toUsages(keyUsages, at('unwrapKey', 7));
    methods().checkKey(normalized, unwrappingKey, 'unwrapKey');
    const data = new Uint8Array(await methods().encrypt(false, normalized, unwrappingKey, bytes));
    return methods().importKey(name, name === 'jwk' ? parseJwk(data) : data, target, Boolean(extractable), usages);
  }

  async getPublicKey(key, keyUsages) {
    check(this, 'getPublicKey', arguments.length, 2);
    key = idl().toCryptoKey(key, at('getPublicKey', 1));
    return methods().getPublicKey(key, idl().toUsages(keyUsages, at('getPublicKey', 2)));
  }

  async encapsulateBits(encapsulationAlgorithm, encapsulationKey) {
    check(this, 'encapsulateBits', arguments.length, 2);
    return encapsulate('encapsulateBits', encapsulationAlgorithm, encapsulationKey);
  }

  async encapsulateKey(encapsulationAlgorithm, encapsulationKey, sharedKeyAlgorithm, extractable, usages) {
    check(this, 'encapsulateKey', arguments.length, 5);
    const target = normalize(sharedKeyAlgorithm, 'importKey');
    const allowed = idl().toUsages(usages, at('encapsulateKey', 5));
    const { sharedKey, ciphertext } = await encapsulate('encapsulateKey', encapsulationAlgorithm, encapsulationKey);
    return { ciphertext, sharedKey: methods().importKey('raw-secret', new Uint8Array(sharedKey), target, Boolean(extractable), allowed) };
  }

  async decapsulateBits(decapsulationAlgorithm, decapsulationKey, ciphertext) {
    check(this, 'decapsulateBits', arguments.length, 3);
    return decapsulate('decapsulateBits', decapsulationAlgorithm, decapsulationKey, ciphertext);
  }

  async decapsulateKey(decapsulationAlgorithm, decapsulationKey, ciphertext, sharedKeyAlgorithm, extractable, usages) {
    check(this, 'decapsulateKey', arguments.length, 6);
    const target = normalize(sharedKeyAlgorithm, 'importKey');
    const allowed = idl().toUsages(usages, at('decapsulateKey', 6));
    const sharedKey = await decapsulate('decapsulateKey', decapsulationAlgorithm, decapsulationKey, ciphertext);
    return methods().importKey('raw-secret', new Uint8Array(sharedKey), target, Boolean(extractable), allowed);
  }
}

async function crypt(method, algorithm, key, data) {
  const normalized = normalize(algorithm, method);
  key = idl().toCryptoKey(key, at(method, 2));
  const bytes = idl().toBytes(data, at(method, 3));
  methods().checkKey(normalized, key, method);
  return methods().encrypt(method === 'encrypt', normalized, key, bytes);
}

/** The key's own algorithm has the operation, or NotSupportedError. */
function normalizeOwn(key, operation) {
  const { algorithm: { name } } = slotsOf(key);
  try {
    normalize({ name }, operation);
  } catch {
    throw lazyDOMException(`Unable to export ${name} key`, 'NotSupportedError');
  }
}

function normalizeEither(algorithm, first, second) {
  try {
    return normalize(algorithm, first);
  } catch {
    return normalize(algorithm, second);
  }
}

/** Bytes to wrap; a JWK is padded with spaces to blocks of AES-KW. */
function wrapped(format, exported, name) {
  if (format !== 'jwk') return new Uint8Array(exported);
  const text = JSON.stringify(exported);
  const padding = name === 'AES-KW' ? (8 - text.length % 8) % 8 : 0;
  return new TextEncoder().encode(text.slice(0, -1) + ' '.repeat(padding) + text.slice(-1));
}

function parseJwk(data) {
  let jwk;
  try {
    jwk = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch (cause) {
    throw lazyDOMException('Invalid wrapped JWK key', { name: 'DataError', cause });
  }
  return idl().toJwk(jwk, at('unwrapKey', 2));
}

async function encapsulate(method, algorithm, key) {
  const normalized = normalize(algorithm, 'encapsulate');
  key = idl().toCryptoKey(key, at(method, 2));
  checkEncapsulation(normalized, key, method);
  return require('internal/crypto/subtle/asymmetric_operations').encapsulate(key);
}

async function decapsulate(method, algorithm, key, ciphertext) {
  const normalized = normalize(algorithm, 'decapsulate');
  key = idl().toCryptoKey(key, at(method, 2));
  const bytes = idl().toBytes(ciphertext, at(method, 3));
  checkEncapsulation(normalized, key, method);
  return require('internal/crypto/subtle/asymmetric_operations').decapsulate(key, bytes);
}

function checkEncapsulation(algorithm, key, usage) {
  const { algorithm: own, usages } = slotsOf(key);
  if (own.name !== algorithm.name) throw lazyDOMException('key algorithm mismatch', 'InvalidAccessError');
  if (!usages.includes(usage)) throw lazyDOMException(`${usage.startsWith('en') ? 'encapsulationKey' : 'decapsulationKey'} does not have ${usage} usage`, 'InvalidAccessError');
}

for (const name of Object.getOwnPropertyNames(SubtleCrypto.prototype)) {
  if (name !== 'constructor') Object.defineProperty(SubtleCrypto.prototype, name, { enumerable: true });
}
Object.defineProperty(SubtleCrypto, 'supports', { enumerable: true });
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { value: 'SubtleCrypto', configurable: true });

subtle = new SubtleCrypto(kMake);

module.exports = { SubtleCrypto, subtle };
