// `Hash`, `Hmac` and `crypto.hash`. In: an algorithm's name, bytes or strings, incrementally or as
// a stream. Out: digests. The binding holds the state; each chunk is one call. Absent: engines,
// FIPS.

'use strict';

const { LazyTransform } = require('internal/streams/lazy_transform');
const { Buffer } = require('buffer');
const { codes, genericNodeError } = require('internal/errors');
const { validateEncoding, validateString, validateUint32 } = require('internal/validators');
const binding = internalBinding('crypto');
const { ERR_CRYPTO_HASH_FINALIZED, ERR_CRYPTO_INVALID_DIGEST, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = codes;

const kState = Symbol('kState');
/** Longer chunks are hashed by a normal call, which does not block the garbage collector. */
const SHORT_CHUNK_BYTES = 1024;

/** The input: bytes unchanged, strings in an encoding. */
function toBytes(data, encoding, name = 'data') {
  if (typeof data === 'string') {
    validateEncoding(data, encoding);
    const isUtf8 = encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'buffer' || !Buffer.isEncoding(encoding);
    return isUtf8 ? data : Buffer.from(data, encoding);
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

/** The native state; throws for an unknown name or length. */
function createState(algorithm, length) {
  const state = binding.createHash(algorithm, length);
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
  const native = isCopy ? binding.copy(algorithm[kState].native, length) : createState(algorithm, length);
  this[kState] = newState(native);
  LazyTransform.call(this, isCopy ? undefined : options ?? undefined);
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

function newState(native) { return { native, isFinalized: false, result: undefined, hex: undefined }; }

function updateState({ native }, chunk) {
  if (chunk.length <= SHORT_CHUNK_BYTES) binding.updateShort(native, chunk);
  else binding.update(native, chunk);
}

Hash.prototype.copy = function copy(options) {
  if (this[kState].isFinalized) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  updateState(this[kState], toBytes(chunk, encoding));
  callback();
};

Hash.prototype._flush = function _flush(callback) {
  this.push(toOutput(resultOf(this[kState])));
  callback();
};

/** The digest, cached: a stream may be asked for it after its end. */
function resultOf(state) {
  return state.result ??= state.hex === undefined ? binding.digest(state.native) : Buffer.from(state.hex, 'hex');
}

function encodeResult(state, encoding) {
  if (encoding !== 'hex' || state.result !== undefined) return toOutput(resultOf(state), encoding);
  return state.hex ??= binding.digestHex(state.native);
}

Hash.prototype.update = function update(data, encoding) {
  if (this[kState].isFinalized) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  updateState(this[kState], toBytes(data, encoding));
  return this;
};

Hash.prototype.digest = function digest(encoding) {
  const state = this[kState];
  if (state.isFinalized) {
    throw new ERR_CRYPTO_HASH_FINALIZED();
  }
  // Converted first: if that throws, the state is unchanged.
  const encodingName = encoding === undefined || encoding === null ? undefined : `${encoding}`;
  state.isFinalized = true;
  return encodeResult(state, encodingName);
};

// --- HMAC

function Hmac(hmac, key, options) {
  if (!new.target) {
    return new Hmac(hmac, key, options);
  }
  validateString(hmac, 'hmac');
  const { keyBytes } = require('internal/crypto/keys');
  const bytes = keyBytes(key, options?.encoding);
  const native = binding.createHmac(hmac, bytes);
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
  const encodingName = encoding === undefined || encoding === null ? undefined : `${encoding}`;
  if (state.isFinalized) {
    // As in Node: a second digest is empty.
    const empty = Buffer.from('');
    return encodingName && encodingName !== 'buffer' ? empty.toString(encodingName) : empty;
  }
  state.isFinalized = true;
  return encodeResult(state, encodingName);
};

/** One-shot `crypto.hash`. */
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
  if (encoding === 'hex' && length === undefined && input.length <= SHORT_CHUNK_BYTES) {
    const text = binding.hashHex(algorithm, input);
    if (text !== undefined) return text;
  }
  warnOfShake(algorithm, length);
  const native = binding.createHash(algorithm, length) ?? createState(algorithm, length === undefined ? undefined : refuseLength(algorithm, length));
  const state = newState(native);
  updateState(state, input);
  return encodeResult(state, encoding);
}

/** Throws for a length of an algorithm of fixed length; for an unknown algorithm first. */
function refuseLength(algorithm, length) {
  createState(algorithm, undefined);
  throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
}

const getHashes = () => binding.names();

module.exports = { Hash, Hmac, hash, getHashes, toBytes, toOutput };
