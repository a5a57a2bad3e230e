// The global `crypto`: class `Crypto` and its instance. In: views to fill. Out: random values.
// Absent: `subtle` and `CryptoKey`, which load on first access.

'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS, ERR_MISSING_ARGS } } = require('internal/errors');
const { lazyDOMException } = require('internal/util');

/** Maximum of `getRandomValues` in the Web Cryptography API. */
const BYTES_MAX = 65536;

const kMake = Symbol('kMake');
let instance;

function check(self) {
  if (self !== instance) {
    throw new ERR_INVALID_THIS('Crypto');
  }
}

const integers = /^(?:Big)?(?:Int|Uint)(?:8|8Clamped|16|32|64)Array$/;

class Crypto {
  constructor(mark = undefined) {
    if (mark !== kMake) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
  }

  get subtle() {
    check(this);
    return require('internal/crypto/subtle').subtle;
  }

  getRandomValues(array) {
    check(this);
    if (arguments.length === 0) {
      throw Object.assign(new ERR_MISSING_ARGS('array'), { message: "Failed to execute 'getRandomValues' on 'Crypto': 1 argument required, but only 0 present." });
    }
    const tag = ArrayBuffer.isView(array) ? Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get.call(array) : undefined;
    if (tag === undefined || !integers.test(tag)) {
      throw lazyDOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    }
    if (array.byteLength > BYTES_MAX) {
      throw lazyDOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
    }
    return require('internal/crypto/random').randomFillSync(array);
  }

  randomUUID(options = undefined) {
    check(this);
    return require('internal/crypto/random').randomUUID(options);
  }

  /** Of bun. */
  timingSafeEqual(a, b) { return require('crypto').timingSafeEqual(a, b); }
}
for (const name of ['subtle', 'getRandomValues', 'randomUUID']) {
  const own = Object.getOwnPropertyDescriptor(Crypto.prototype, name);
  Object.defineProperty(Crypto.prototype, name, { ...own, enumerable: true });
}
Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { value: 'Crypto', configurable: true, enumerable: false, writable: false });

instance = new Crypto(kMake);

module.exports = {
  Crypto,
  get CryptoKey() { return require('internal/crypto/crypto_key').CryptoKey; },
  webcrypto: instance,
  get SubtleCrypto() { return require('internal/crypto/subtle').SubtleCrypto; },
};
