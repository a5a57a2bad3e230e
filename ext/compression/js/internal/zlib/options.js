// Options of streams of zlib, Brotli and Zstandard. In: Node's options. Out: complete settings, or
// Node's errors.
'use strict';

const {
  codes: { ERR_BROTLI_INVALID_PARAM, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE, ERR_ZSTD_INVALID_PARAM },
} = require('internal/errors');
const { validateBoolean, validateFiniteNumber, validateNumber, checkRangesOrGetDefault } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { kMaxLength } = require('buffer');
const { constants } = require('internal/zlib/constants');

const {
  BROTLI_DECODE, BROTLI_ENCODE, BROTLI_OPERATION_EMIT_METADATA, BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH,
  BROTLI_OPERATION_PROCESS, GZIP, GUNZIP, INFLATE, UNZIP, Z_BLOCK, Z_DEFAULT_CHUNK, Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY,
  Z_DEFAULT_WINDOWBITS, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_LEVEL, Z_MAX_MEMLEVEL, Z_MAX_WINDOWBITS, Z_MIN_CHUNK, Z_MIN_LEVEL,
  Z_MIN_MEMLEVEL, Z_MIN_WINDOWBITS, Z_NO_FLUSH, ZSTD_COMPRESS, ZSTD_DECOMPRESS, ZSTD_e_continue, ZSTD_e_end, ZSTD_e_flush,
} = constants;

function checkWindowBits(windowBits, mode) {
  const hasHeader = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
  if (hasHeader && (windowBits === undefined || windowBits === null || windowBits === 0)) return 0;
  // Gzip does not allow the smallest window.
  const min = Z_MIN_WINDOWBITS + (mode === GZIP ? 1 : 0);
  return checkRangesOrGetDefault(windowBits, 'options.windowBits', min, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
}

function checkDictionary(dictionary) {
  if (dictionary === undefined || isArrayBufferView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return new Uint8Array(dictionary);
  throw new ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

const checkLevel = (level, name) => checkRangesOrGetDefault(level, name, Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION);
const checkStrategy = (strategy, name) =>
  checkRangesOrGetDefault(strategy, name, Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
function checkChunkSize(chunkSize) {
  if (!validateFiniteNumber(chunkSize, 'options.chunkSize')) return Z_DEFAULT_CHUNK;
  if (chunkSize < Z_MIN_CHUNK) throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
  return chunkSize;
}

/** What the options of a family of formats differ in. */
const ZLIB = { min: Z_NO_FLUSH, max: Z_BLOCK, flush: Z_NO_FLUSH, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH };
const BROTLI = {
  min: BROTLI_OPERATION_PROCESS,
  max: BROTLI_OPERATION_EMIT_METADATA,
  flush: BROTLI_OPERATION_PROCESS,
  finishFlush: BROTLI_OPERATION_FINISH,
  fullFlush: BROTLI_OPERATION_FLUSH,
};
const ZSTD = { min: ZSTD_e_continue, max: ZSTD_e_end, flush: ZSTD_e_continue, finishFlush: ZSTD_e_end, fullFlush: ZSTD_e_flush };

const familyOf = (mode) =>
  mode === BROTLI_DECODE || mode === BROTLI_ENCODE ? BROTLI : mode === ZSTD_COMPRESS || mode === ZSTD_DECOMPRESS ? ZSTD : ZLIB;

/** The options of all formats. */
function normalizeBaseOptions(options, mode) {
  const family = familyOf(mode);
  const flush = (name) => checkRangesOrGetDefault(options[name], `options.${name}`, family.min, family.max, family[name]);
  const { rejectGarbageAfterEnd } = options;
  if (rejectGarbageAfterEnd !== undefined) validateBoolean(rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
  return {
    mode,
    chunkSize: checkChunkSize(options.chunkSize),
    flush: flush('flush'),
    finishFlush: flush('finishFlush'),
    fullFlush: family.fullFlush,
    maxOutputLength: checkRangesOrGetDefault(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength),
    info: options.info,
    rejectGarbageAfterEnd: rejectGarbageAfterEnd === true,
  };
}

/** The largest key of a prefix. */
const maxKey = (prefix) =>
  Math.max(...Object.keys(constants).filter((name) => name.startsWith(prefix)).map((name) => constants[name]));

/** Pairs of keys and values. */
function checkParams(params, max, InvalidParam) {
  const pairs = new Map();
  for (const original of Object.keys(params ?? {})) {
    const key = +original;
    if (Number.isNaN(key) || key < 0 || key > max || pairs.has(key)) throw new InvalidParam(original);
    const value = params[original];
    if (typeof value !== 'number' && typeof value !== 'boolean') throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    pairs.set(key, Number(value));
  }
  return new Int32Array([...pairs].flat());
}

function checkPledgedSize(size) {
  if (size === undefined) return undefined;
  validateNumber(size, 'options.pledgedSrcSize');
  if (size < 0) throw new ERR_INVALID_ARG_VALUE('options.pledgedSrcSize', size, 'may not be negative');
  return size;
}

function normalizeBrotliOptions(options, mode) {
  return {
    ...normalizeBaseOptions(options, mode),
    params: checkParams(options.params, maxKey('BROTLI_PARAM_'), ERR_BROTLI_INVALID_PARAM),
    dictionary: checkDictionary(options.dictionary),
  };
}

function normalizeZstdOptions(options, mode) {
  const isCompress = mode === ZSTD_COMPRESS;
  return {
    ...normalizeBaseOptions(options, mode),
    params: checkParams(options.params, maxKey(isCompress ? 'ZSTD_c_' : 'ZSTD_d_'), ERR_ZSTD_INVALID_PARAM),
    dictionary: checkDictionary(options.dictionary),
    pledgedSrcSize: isCompress ? checkPledgedSize(options.pledgedSrcSize) : undefined,
  };
}

function normalizeZlibOptions(original, options, mode) {
  return {
    ...normalizeBaseOptions(options, mode),
    windowBits: original ? checkWindowBits(options.windowBits, mode) : Z_DEFAULT_WINDOWBITS,
    level: checkLevel(options.level, 'options.level'),
    memLevel: checkRangesOrGetDefault(options.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL),
    strategy: checkStrategy(options.strategy, 'options.strategy'),
    dictionary: checkDictionary(options.dictionary),
  };
}

function normalizeOptions(original, mode) {
  const options = original || {};
  switch (familyOf(mode)) {
    case BROTLI: return normalizeBrotliOptions(options, mode);
    case ZSTD: return normalizeZstdOptions(options, mode);
    default: return normalizeZlibOptions(original, options, mode);
  }
}

module.exports = { checkLevel, checkStrategy, normalizeOptions };
