// `Cipheriv`, `Decipheriv`: symmetric ciphers as streams and by calls; `getCiphers`,
// `getCipherInfo`. In: a name, a key, a vector, bytes. Out: bytes, the authentication tag. The
// binding holds the state and the rules about tags.

'use strict';

const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer');
const { LazyTransform } = require('internal/streams/lazy_transform');
const { StringDecoder } = require('string_decoder');
const {
  codes: { ERR_CRYPTO_INVALID_STATE, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { validateEncoding, validateInt32, validateObject, validateString } = require('internal/validators');
const { normalizeEncoding } = require('internal/util');
const { keySource, keyTypes } = require('internal/crypto/keys');
const { toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const kHandle = Symbol('kHandle');
const kDecoder = Symbol('kDecoder');
const kIsGcmWarned = Symbol('kIsGcmWarned');
const kIsStream = Symbol('kIsStream');
/** Bytes of the tag that the end gives; -1: none. */
const kTagBytes = Symbol('kTagBytes');
const kTag = Symbol('kTag');
/** Longer chunks are converted by a normal call, which does not block the garbage collector. */
const SHORT_CHUNK_BYTES = 4096;
/** The length of a tag that is not chosen. */
const TAG_BYTES = 16;
/** Names in upper and lower case are many, those that programs use are few. */
const NAMES_MAX = 64;
const IDLE_MAX = 16;

/** What the binding found for a name. */
const found = new Map();
/** Handles of ciphers that have ended: making one takes as long as encrypting some bytes. */
const idle = [];
let ended;

function find(name) {
  const known = found.get(name);
  if (known !== undefined) return known;
  const [native, isStream, isAuthenticated] = binding.findCipher(name);
  const made = { native, isStream, isAuthenticated };
  if (found.size < NAMES_MAX) found.set(name, made);
  return made;
}

/** The length of the tag, as an option; -1: none. */
function tagLength(options) {
  const value = options?.authTagLength;
  if (value === undefined || value === null) return -1;
  if (value >>> 0 !== value) throw new ERR_INVALID_ARG_VALUE('options.authTagLength', value);
  validateInt32(value, 'options.authTagLength', 0, 2 ** 31 - 1);
  return value;
}

function setUp(self, isEncrypting, cipher, key, iv, options) {
  validateString(cipher, 'cipher');
  const encoding = options?.encoding;
  const keyData = keySource(key, encoding, 'key', keyTypes);
  const vector = iv === null ? null : toBytes(iv, 'iv');
  const tagBytes = tagLength(options);
  const { native, isStream, isAuthenticated } = find(cipher);
  self[kHandle] = binding.createCipher(isEncrypting, native, keyData, vector, tagBytes, idle.pop());
  self[kIsStream] = isStream;
  self[kTagBytes] = isAuthenticated && isEncrypting ? tagBytes === -1 ? TAG_BYTES : tagBytes : -1;
  self[kTag] = undefined;
  self[kDecoder] = undefined;
  self[kIsGcmWarned] = options?.authTagLength !== undefined;
  LazyTransform.call(self, options);
}

function Cipheriv(cipher, key, iv, options) {
  if (!(this instanceof Cipheriv)) return new Cipheriv(cipher, key, iv, options);
  setUp(this, true, cipher, key, iv, options);
}

function Decipheriv(cipher, key, iv, options) {
  if (!(this instanceof Decipheriv)) return new Decipheriv(cipher, key, iv, options);
  setUp(this, false, cipher, key, iv, options);
}

/** Text of the output, whose characters may end in a later chunk. */
function decoded(self, bytes, encoding, isLast) {
  const normalized = normalizeEncoding(encoding);
  if (self[kDecoder] === undefined) {
    if (normalized === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
    self[kDecoder] = new StringDecoder(encoding);
  } else if (self[kDecoder].encoding !== normalized) {
    if (normalized === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
    throw Object.assign(new Error('Cannot change encoding'), { code: 'ERR_INTERNAL_ASSERTION' });
  }
  return isLast ? self[kDecoder].end(bytes) : self[kDecoder].write(bytes);
}

/** The output for bytes. */
function convert(self, bytes) {
  const isShort = self[kIsStream] && bytes instanceof Uint8Array && bytes.length > 0 && bytes.length <= SHORT_CHUNK_BYTES;
  if (!isShort) return toBuffer(binding.cipherUpdate(self[kHandle], bytes));
  const output = new FastBuffer(bytes);
  binding.cipherInPlace(self[kHandle], output);
  return output;
}

/** The last output. The handle is then free for another cipher. */
function finalBytes(self) {
  const handle = self[kHandle];
  const tag = self[kTagBytes] === -1 ? undefined : new FastBuffer(self[kTagBytes]);
  const bytes = binding.cipherFinal(handle, tag);
  self[kTag] = tag;
  self[kHandle] = ended ??= binding.endedCipher();
  if (idle.length < IDLE_MAX) idle.push(handle);
  return bytes === undefined ? new FastBuffer(0) : toBuffer(bytes);
}

const shared = {
  _transform(chunk, encoding, callback) {
    this.push(convert(this, toBytes(chunk, 'data', encoding)));
    callback();
  },

  _flush(callback) {
    try {
      this.push(finalBytes(this));
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  },

  update(data, inputEncoding, outputEncoding) {
    if (typeof data === 'string') validateEncoding(data, inputEncoding);
    else if (!ArrayBuffer.isView(data)) throw new ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    const bytes = convert(this, typeof data === 'string' ? toBytes(data, 'data', inputEncoding) : data);
    return outputEncoding && outputEncoding !== 'buffer' ? decoded(this, bytes, outputEncoding, false) : bytes;
  },

  final(outputEncoding) {
    const bytes = finalBytes(this);
    return outputEncoding && outputEncoding !== 'buffer' ? decoded(this, bytes, outputEncoding, true) : bytes;
  },

  setAutoPadding(autoPadding) {
    if (!binding.cipherSetPadding(this[kHandle], autoPadding === undefined || Boolean(autoPadding))) throw new ERR_CRYPTO_INVALID_STATE('setAutoPadding');
    return this;
  },

  setAAD(aadbuf, options) {
    const encoding = options?.encoding;
    const count = options?.plaintextLength;
    if (count !== undefined && count !== null) {
      if (count >>> 0 !== count) throw new ERR_INVALID_ARG_VALUE('options.plaintextLength', count);
    }
    const bytes = toBytes(aadbuf, 'aadbuf', encoding);
    if (!binding.cipherSetAad(this[kHandle], bytes, count ?? -1)) throw new ERR_CRYPTO_INVALID_STATE('setAAD');
    return this;
  },
};

for (const Class of [Cipheriv, Decipheriv]) {
  Object.setPrototypeOf(Class.prototype, LazyTransform.prototype);
  Object.setPrototypeOf(Class, LazyTransform);
  Object.assign(Class.prototype, shared);
}

Cipheriv.prototype.getAuthTag = function getAuthTag() {
  const tag = this[kTag];
  if (tag === undefined) throw new ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return new FastBuffer(tag);
};

let isShortTagWarned = false;

Decipheriv.prototype.setAuthTag = function setAuthTag(tagbuf, encoding) {
  const tag = toBytes(tagbuf, 'buffer', encoding);
  if (!binding.cipherSetTag(this[kHandle], tag)) throw new ERR_CRYPTO_INVALID_STATE('setAuthTag');
  if (!this[kIsGcmWarned] && tag.byteLength < 16 && !isShortTagWarned) {
    isShortTagWarned = true;
    require('process').emitWarning(
      'Using AES-GCM authentication tags of less than 128 bits without specifying the authTagLength option when initializing decryption is deprecated.',
      'DeprecationWarning', 'DEP0182',
    );
  }
  return this;
};

let ciphers;
const getCiphers = () => [...ciphers ??= listCiphers()];

/** Names in lower case, as Node lists them; those in upper case are the same ciphers. */
function listCiphers() {
  const names = binding.ciphers();
  const known = new Set(names);
  return names.filter((name) => name === name.toLowerCase() || !known.has(name.toLowerCase()));
}

const MODES = {
  __proto__: null, 1: 'ecb', 2: 'cbc', 3: 'cfb', 4: 'ofb', 5: 'ctr', 6: 'gcm', 7: 'ccm', 0: 'stream', 0x10001: 'xts', 0x10002: 'wrap', 0x10003: 'ocb',
};

function getCipherInfo(nameOrNid, options) {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') throw new ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  if (typeof nameOrNid === 'number') validateInt32(nameOrNid, 'nameOrNid');
  let keyLength;
  let ivLength;
  if (options !== undefined) {
    validateObject(options, 'options');
    ({ keyLength, ivLength } = options);
    if (keyLength !== undefined) validateInt32(keyLength, 'options.keyLength');
    if (ivLength !== undefined) validateInt32(ivLength, 'options.ivLength');
  }
  if (keyLength < 0 || ivLength < 0) return undefined;
  const found = binding.cipherInfo(nameOrNid, keyLength ?? -1, ivLength ?? -1);
  if (found === undefined) return undefined;
  const [mode, name, nid, blockSize, iv, key] = found;
  const info = { __proto__: null, mode: MODES[mode], name, nid, keyLength: key };
  if (info.mode !== 'stream') info.blockSize = blockSize;
  if (iv !== 0) info.ivLength = iv;
  return info;
}

module.exports = { Cipheriv, Decipheriv, getCipherInfo, getCiphers };
