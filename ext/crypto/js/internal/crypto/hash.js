// `Hash`, `Hmac` and `crypto.hash`. In: an algorithm's name, bytes or strings, incrementally or as
// a stream. Out: digests. The binding holds the state; each chunk is one call. A state that gets
// one short chunk and is asked for its digest, as most do, is one call altogether. Absent: engines,
// FIPS.

'use strict';

const { LazyTransform } = require('internal/streams/lazy_transform');
const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer');
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

const encoded = (buffer, encoding) => (encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer);

const toOutput = (bytes, encoding) => encoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);

/** The index and the size of an algorithm of a fixed length, by name; undefined: it is no such. */
const knownAlgorithms = new Map();
/** Names in upper and lower case are many, those that programs use are few. */
const KNOWN_ALGORITHMS_MAX = 64;

function knownAlgorithm(name) {
  let known = knownAlgorithms.get(name);
  if (known === undefined) {
    known = binding.algorithm(name);
    if (known !== undefined && knownAlgorithms.size < KNOWN_ALGORITHMS_MAX) knownAlgorithms.set(name, known);
  }
  return known;
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
  this[kState] = isCopy ? copyState(algorithm[kState], length) : newState(algorithm, length);
  LazyTransform.call(this, isCopy ? undefined : options ?? undefined);
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

/** The state of a hash or, with a key, of an HMAC. */
class State {
  /** The input so far, while it is one short chunk and there is no native state. */
  pending = undefined;
  isFinalized = false;
  result = undefined;
  hex = undefined;

  /** `known`: a known algorithm, or undefined with a native state. */
  constructor(known, key, native) {
    this.index = known === undefined ? -1 : known[0];
    this.bytes = known === undefined ? 0 : known[1];
    this.key = key;
    this.native = native;
  }
}

function newState(algorithm, length) {
  const known = length === undefined ? knownAlgorithm(algorithm) : undefined;
  return new State(known, undefined, known === undefined ? createState(algorithm, length) : undefined);
}

function copyState(state, length) {
  return new State(undefined, undefined, binding.copy(nativeState(state), length));
}

/** The native state, which gets the pending chunk. */
function nativeState(state) {
  if (state.native !== undefined) return state.native;
  state.native = state.key === undefined ? binding.createHash(state.index, undefined) : binding.createHmac(state.index, state.key);
  if (state.pending !== undefined) binding.updateShort(state.native, state.pending);
  state.pending = state.key = undefined;
  return state.native;
}

/** Whether a short chunk can be kept: a detached array, which has no length, cannot be copied. */
const isKept = (chunk) => typeof chunk === 'string' || (chunk instanceof Uint8Array && chunk.length > 0);

function updateState(state, chunk) {
  if (chunk.length > SHORT_CHUNK_BYTES) {
    binding.update(nativeState(state), chunk);
  } else if (state.native === undefined && state.pending === undefined && isKept(chunk)) {
    // The program may change its bytes.
    state.pending = typeof chunk === 'string' ? chunk : new FastBuffer(chunk);
  } else {
    binding.updateShort(nativeState(state), chunk);
  }
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
  this.push(resultOf(this[kState]));
  callback();
};

/** The digest, cached: a stream may be asked for it after its end. */
function resultOf(state) {
  if (state.result === undefined) state.result = state.hex === undefined ? takeDigest(state) : Buffer.from(state.hex, 'hex');
  return state.result;
}

function takeDigest(state) {
  if (state.bytes === 0) return toOutput(binding.digest(nativeState(state)));
  const digest = new FastBuffer(state.bytes);
  if (state.native === undefined) binding.digestOf(state.index, state.key, state.pending ?? '', digest);
  else binding.digestInto(state.native, digest);
  return digest;
}

function encodeResult(state, encoding) {
  if (encoding !== 'hex' || state.result !== undefined) return encoded(resultOf(state), encoding);
  state.hex ??= state.native === undefined ? binding.hexOf(state.index, state.key, state.pending ?? '') : binding.digestHex(state.native);
  return state.hex;
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
  const known = knownAlgorithm(hmac);
  if (known === undefined) {
    throw new ERR_CRYPTO_INVALID_DIGEST(hmac);
  }
  this[kState] = new State(known, bytes, undefined);
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
  warnOfShake(algorithm, length);
  const known = length === undefined ? knownAlgorithm(algorithm) : undefined;
  if (known !== undefined && encoding === 'hex' && input.length <= SHORT_CHUNK_BYTES) return binding.hexOf(known[0], undefined, input);
  const native = known === undefined ? nativeOf(algorithm, length) : undefined;
  const state = new State(known, undefined, native);
  // Nothing changes the bytes meanwhile.
  if (known !== undefined && input.length <= SHORT_CHUNK_BYTES) state.pending = input;
  else updateState(state, input);
  return encodeResult(state, encoding);
}

const nativeOf = (algorithm, length) => binding.createHash(algorithm, length) ?? createState(algorithm, length === undefined ? undefined : refuseLength(algorithm, length));

/** Throws for a length of an algorithm of fixed length; for an unknown algorithm first. */
function refuseLength(algorithm, length) {
  createState(algorithm, undefined);
  throw new Error(`Output length ${length} is invalid for ${algorithm}, which does not support XOF`);
}

const getHashes = () => binding.names();

module.exports = { Hash, Hmac, hash, getHashes, toBytes, toOutput };
