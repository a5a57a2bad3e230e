// Options of zlib streams. In: Node's options. Out: complete settings, or Node's errors. Absent:
// options of Brotli and Zstandard.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFiniteNumber, checkRangesOrGetDefault } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { kMaxLength } = require('buffer');
const { constants } = require('internal/zlib/constants');

const {
  GZIP, GUNZIP, INFLATE, UNZIP, Z_BLOCK, Z_DEFAULT_CHUNK, Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY,
  Z_DEFAULT_WINDOWBITS, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_LEVEL, Z_MAX_MEMLEVEL, Z_MAX_WINDOWBITS, Z_MIN_CHUNK, Z_MIN_LEVEL,
  Z_MIN_MEMLEVEL, Z_MIN_WINDOWBITS, Z_NO_FLUSH,
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
const checkFlush = (flush, name, fallback) => checkRangesOrGetDefault(flush, name, Z_NO_FLUSH, Z_BLOCK, fallback);

function checkChunkSize(chunkSize) {
  if (!validateFiniteNumber(chunkSize, 'options.chunkSize')) return Z_DEFAULT_CHUNK;
  if (chunkSize < Z_MIN_CHUNK) throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
  return chunkSize;
}

function normalizeOptions(original, mode) {
  const options = original || {};
  return {
    mode,
    windowBits: original ? checkWindowBits(options.windowBits, mode) : Z_DEFAULT_WINDOWBITS,
    level: checkLevel(options.level, 'options.level'),
    memLevel: checkRangesOrGetDefault(options.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL),
    strategy: checkStrategy(options.strategy, 'options.strategy'),
    dictionary: checkDictionary(options.dictionary),
    chunkSize: checkChunkSize(options.chunkSize),
    flush: checkFlush(options.flush, 'options.flush', Z_NO_FLUSH),
    finishFlush: checkFlush(options.finishFlush, 'options.finishFlush', Z_FINISH),
    fullFlush: Z_FULL_FLUSH,
    maxOutputLength: checkRangesOrGetDefault(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength),
    info: options.info,
  };
}

module.exports = { checkLevel, checkStrategy, normalizeOptions };
