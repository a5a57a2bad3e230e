// Digests and keyed digests. In: a name, bytes or strings, a piece at a time or as a stream. Out:
// digests. The state is in the native half; each piece is one crossing. Absent: engines, FIPS.

'use strict';

const { LazyTransform } = require('internal/streams/lazy_transform');
const { Buffer } = require('buffer');
const { codes, genericNodeError } = require('internal/errors');
const { validateEncoding, validateString, validateUint32 } = require('internal/validators');
const binding = internalBinding('crypto');
const { keyBytes } = require('internal/crypto/keys');
const { ERR_CRYPTO_HASH_FINALIZED, ERR_CRYPTO_INVALID_DIGEST, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = codes;

const kState = Symbol('kState');
/** Longer pieces take a while, in which the collector is let work. */
const SHORT_PIECE = 1024;

/** What is hashed: bytes as they are, strings in an encoding. */
function toBytes(data, encoding, name = 'data') {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    const isText = encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'buffer' || !Buffer.isEncoding(encoding);
    return isText ? data : Buffer.from(data, encoding);
  }
  if (!ArrayBuffer.isView(data)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  return data;
}

function toOutput(bytes, encoding) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

let isShakeWarned = false;

function warnOfShake(algorithm, length) {
  if (length === undefined && !isShakeWarned && /^shake/i.test(algorithm)) {
    isShakeWarned = true;
    require('process').emitWarning(
      'Creating SHAKE128/256 digests without an explicit options.outputLength is deprecated.', 'DeprecationWarning', 'DEP0198',
    );
  }
}

/** The native state; throws where the name or the length is none. */
function begin(algorithm, length) {
  const state = binding.begin(algorithm, length);
  if (state === undefined) {
    throw new Error('Digest method not supported');
  }
  if (state === null) {
    throw genericNodeError('error:030000B2:digital envelope routines::not XOF or invalid length', {
      code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH', library: 'digital envelope routines', reason: 'not XOF or invalid length',
    });
  }
  return state;
}

function Hash(algorithm, options) {
  if (!new.target) {
    return new Hash(algorithm, options);
  }
  const isCopy = typeof algorithm === 'object' && algorithm !== null && algorithm[kState] !== undefined;
  if (!isCopy) {
    validateString(algorithm, 'algorithm');
  }
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length !== undefined) {
    validateUint32(length, 'options.outputLength');
  }
  if (!isCopy) {
    warnOfShake(algorithm, length);
  }
  const native = isCopy ? binding.copy(algorithm[kState].native, length) : begin(algorithm, length);
  this[kState] = newState(native);
  LazyTransform.call(this, isCopy ? undefined : options ?? undefined);
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

function newState(native) { return { native, isOver: false, result: undefined, hex: undefined }; }

function feed({ native }, piece) {
  if (piece.length <= SHORT_PIECE) binding.updateShort(native, piece);
  else binding.update(native, piece);
}

Hash.prototype.copy = function copy(options) {
  if (this[kState].isOver) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  feed(this[kState], toBytes(chunk, encoding));
  callback();
};

Hash.prototype._flush = function _flush(callback) {
  this.push(toOutput(resultOf(this[kState])));
  callback();
};

/** The digest, which is made once: who piped into it may ask for it again. */
function resultOf(state) {
  return state.result ??= state.hex === undefined ? binding.digest(state.native) : Buffer.from(state.hex, 'hex');
}

function textOf(state, encoding) {
  if (encoding !== 'hex' || state.result !== undefined) return toOutput(resultOf(state), encoding);
  return state.hex ??= binding.digestHex(state.native);
}

Hash.prototype.update = function update(data, encoding) {
  if (this[kState].isOver) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  feed(this[kState], toBytes(data, encoding));
  return this;
};

Hash.prototype.digest = function digest(encoding) {
  const state = this[kState];
  if (state.isOver) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  // An encoding that cannot be read is told before the state is gone.
  const wanted = encoding === undefined || encoding === null ? undefined : `${encoding}`;
  state.isOver = true;
  return textOf(state, wanted);
};

// --- with a key

function Hmac(hmac, key, options) {
  if (!new.target) {
    return new Hmac(hmac, key, options);
  }
  validateString(hmac, 'hmac');
  const bytes = keyBytes(key, options?.encoding);
  const native = binding.beginKeyed(hmac, bytes);
  if (native === undefined) {
    throw new ERR_CRYPTO_INVALID_DIGEST(hmac);
  }
  this[kState] = newState(native);
  LazyTransform.call(this, options ?? undefined);
}
Object.setPrototypeOf(Hmac.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = Hash.prototype.update;
Hmac.prototype._transform = Hash.prototype._transform;
Hmac.prototype._flush = Hash.prototype._flush;

Hmac.prototype.digest = function digest(encoding) {
  const state = this[kState];
  const wanted = encoding === undefined || encoding === null ? undefined : `${encoding}`;
  if (state.isOver) {
    // Node's has always been so: what comes twice is empty.
    const empty = Buffer.from('');
    return wanted && wanted !== 'buffer' ? empty.toString(wanted) : empty;
  }
  state.isOver = true;
  return textOf(state, wanted);
};

/** All at once. */
function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !ArrayBuffer.isView(input)) {
    throw new ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  }
  let encoding = options;
  let length;
  if (typeof options === 'object' && options !== null) {
    ({ outputEncoding: encoding, outputLength: length } = options);
    if (length !== undefined) {
      validateUint32(length, 'options.outputLength');
    }
  }
  encoding ??= 'hex';
  validateString(encoding, 'outputEncoding');
  if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('outputEncoding', encoding);
  }
  if (encoding === 'hex' && length === undefined && input.length <= SHORT_PIECE) {
    const text = binding.hashHex(algorithm, input);
    if (text !== undefined) return text;
  }
  warnOfShake(algorithm, length);
  const native = binding.begin(algorithm, length) ?? begin(algorithm, length === undefined ? undefined : refuseLength(algorithm, length));
  const state = newState(native);
  feed(state, input);
  return textOf(state, encoding);
}

/** A digest whose length nobody chooses; one that is not known is told first. */
function refuseLength(algorithm, length) {
  begin(algorithm, undefined);
  throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
}

const getHashes = () => binding.names();

module.exports = { Hash, Hmac, hash, getHashes, toBytes, toOutput };
