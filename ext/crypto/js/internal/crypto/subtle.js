// `SubtleCrypto.digest`. In: the name of an algorithm, bytes. Out: promises. Absent: methods with
// keys; each rejects with an error that names it.

'use strict';

const {
  codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_MISSING_ARGS, ERR_MISSING_OPTION },
} = require('internal/errors');
const { lazyDOMException } = require('internal/util');
const { isAnyArrayBuffer, isSharedArrayBuffer } = require('internal/util/types');

const kMake = Symbol('kMake');

const DIGESTS = new Map([['SHA-1', 'sha1'], ['SHA-256', 'sha256'], ['SHA-384', 'sha384'], ['SHA-512', 'sha512']]);

/** Methods with keys, and their `length`. */
const KEYED = {
  encrypt: 3, decrypt: 3, sign: 3, verify: 4, generateKey: 3, deriveKey: 5, deriveBits: 2, importKey: 5, exportKey: 2, wrapKey: 4,
  unwrapKey: 7, getPublicKey: 2, encapsulateBits: 2, encapsulateKey: 5, decapsulateBits: 3, decapsulateKey: 6,
};

/** The digest of an AlgorithmIdentifier: a name or an object with one, case-insensitive. */
function digestOf(algorithm) {
  if (algorithm !== null && typeof algorithm === 'object' && algorithm.name === undefined) {
    throw Object.assign(new ERR_MISSING_OPTION('name'), {
      message: "Failed to normalize algorithm: passed algorithm can not be converted to 'Algorithm' because 'name' is required in 'Algorithm'.",
    });
  }
  const name = `${(algorithm !== null && typeof algorithm === 'object') ? algorithm.name : algorithm}`;
  const digest = DIGESTS.get(name.toUpperCase());
  if (digest === undefined) throw lazyDOMException('Unrecognized algorithm name', 'NotSupportedError');
  return digest;
}

class SubtleCrypto {
  constructor(mark) {
    if (mark !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  async digest(algorithm, data) {
    if (!(this instanceof SubtleCrypto)) throw new ERR_INVALID_THIS('SubtleCrypto');
    const count = arguments.length;
    if (count < 2) {
      throw Object.assign(new ERR_MISSING_ARGS('data'), {
        message: `Failed to execute 'digest' on 'SubtleCrypto': 2 arguments required, but only ${count} present.`,
      });
    }
    if (!(ArrayBuffer.isView(data) ? !isSharedArrayBuffer(data.buffer) : isAnyArrayBuffer(data) && !isSharedArrayBuffer(data))) {
      throw Object.assign(new ERR_INVALID_ARG_TYPE('data', 'Buffer', data), {
        message: "Failed to execute 'digest' on 'SubtleCrypto': 2nd argument is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.",
      });
    }
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
    const digest = require('crypto').createHash(digestOf(algorithm)).update(bytes).digest();
    return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength);
  }
}
for (const [name, length] of Object.entries(KEYED)) {
  const method = { async [name]() { throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`crypto.subtle.${name}`); } }[name];
  Object.defineProperty(method, 'length', { value: length, configurable: true });
  Object.defineProperty(SubtleCrypto.prototype, name, { value: method, configurable: true, enumerable: true, writable: true });
}
Object.defineProperty(SubtleCrypto.prototype, 'digest', { enumerable: true });
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { value: 'SubtleCrypto', configurable: true });

module.exports = { SubtleCrypto, subtle: new SubtleCrypto(kMake) };
