// `CryptoKey` of the Web Cryptography API: a key object with an algorithm, usages and whether
// it may be exported. In: those. Out: a key, which may be sent to other threads. Absent: operations
// (subtle.js).

'use strict';

const { codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } } = require('internal/errors');
const { kClone, kSerialize, markHostObject } = require('internal/messaging/symbols');
const { inspect } = require('internal/util/inspect');

const kMake = Symbol('kMake');
let isCryptoKey;
let slotsOf;

class CryptoKey {
  #keyObject;
  #algorithm;
  #extractable;
  #usages;
  #algorithmCopy;
  #usagesCopy;

  constructor(mark = undefined, keyObject, algorithm, usages, extractable) {
    if (mark !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#keyObject = keyObject;
    this.#algorithm = algorithm;
    this.#usages = usages;
    this.#extractable = extractable;
  }

  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #keyObject in value;
    slotsOf = (key) => ({ keyObject: key.#keyObject, algorithm: key.#algorithm, usages: key.#usages, extractable: key.#extractable });
  }

  static #check(self) {
    if (!isCryptoKey(self)) throw new ERR_INVALID_THIS('CryptoKey');
  }

  get type() {
    CryptoKey.#check(this);
    return this.#keyObject.type;
  }

  get extractable() {
    CryptoKey.#check(this);
    return this.#extractable;
  }

  // Programs may change these objects; operations use the originals.
  get algorithm() {
    CryptoKey.#check(this);
    this.#algorithmCopy ??= copyAlgorithm(this.#algorithm);
    return this.#algorithmCopy;
  }

  get usages() {
    CryptoKey.#check(this);
    this.#usagesCopy ??= [...this.#usages];
    return this.#usagesCopy;
  }

  [kClone]() { return make(this.#keyObject, this.#algorithm, this.#usages, this.#extractable); }

  [kSerialize]() {
    const { handleOf } = require('internal/crypto/keys');
    return { type: 'CryptoKey', data: { algorithm: this.#algorithm, usages: this.#usages, extractable: this.#extractable }, native: handleOf(this.#keyObject) };
  }

  [inspect.custom](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    // The originals, whatever a program did to its copies.
    const [type, extractable, algorithm, usages] = [this.type, this.#extractable, this.#algorithm, this.#usages];
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, inner)}`;
  }
}
markHostObject(CryptoKey);
for (const name of ['type', 'extractable', 'algorithm', 'usages']) Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });
for (const key of [kClone, kSerialize, inspect.custom]) Object.defineProperty(CryptoKey.prototype, key, { enumerable: false });

function copyAlgorithm(algorithm) {
  const copy = { ...algorithm };
  if (copy.hash !== undefined) copy.hash = { ...copy.hash };
  if (copy.publicExponent !== undefined) copy.publicExponent = new Uint8Array(copy.publicExponent);
  return copy;
}

/** `usages` is sorted as in the standard and has no duplicates. */
function make(keyObject, algorithm, usages, extractable) {
  return new CryptoKey(kMake, keyObject, algorithm, usages, extractable);
}

const keyObjectOf = (key) => slotsOf(key).keyObject;
const fromMessage = ({ algorithm, usages, extractable }, native) => make(require('internal/crypto/keys').fromHandle(native), algorithm, usages, extractable);

module.exports = { CryptoKey, fromMessage, isCryptoKey, keyObjectOf, make, slotsOf };
