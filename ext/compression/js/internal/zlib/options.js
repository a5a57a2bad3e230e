// What a program says of a stream. In: options as Node takes them. Out: settings with nothing left
// open, or Node's errors. Absent: those of Brotli and Zstandard.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFiniteNumber, checkRangesOrGetDefault } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { kMaxLength } = require('buffer');
const { constants } = require('internal/zlib/constants');

const {
  DEFLATE, DEFLATERAW, GZIP, GUNZIP, INFLATE, UNZIP, Z_BLOCK, Z_DEFAULT_CHUNK, Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL,
  Z_DEFAULT_STRATEGY, Z_DEFAULT_WINDOWBITS, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_LEVEL, Z_MAX_MEMLEVEL, Z_MAX_WINDOWBITS,
  Z_MIN_CHUNK, Z_MIN_LEVEL, Z_MIN_MEMLEVEL, Z_MIN_WINDOWBITS, Z_NO_FLUSH,
} = constants;

function windowBitsOf(given, mode) {
  const saysItself = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
  if (saysItself && (given === undefined || given === null || given === 0)) return 0;
  // The smallest window goes with every wrapping but gzip's.
  const least = Z_MIN_WINDOWBITS + (mode === GZIP ? 1 : 0);
  return checkRangesOrGetDefault(given, 'options.windowBits', least, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
}

function dictionaryOf(given) {
  if (given === undefined || isArrayBufferView(given)) return given;
  if (isAnyArrayBuffer(given)) return new Uint8Array(given);
  throw new ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], given);
}

const checkLevel = (level, name) => checkRangesOrGetDefault(level, name, Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION);
const checkStrategy = (strategy, name) =>
  checkRangesOrGetDefault(strategy, name, Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
const checkFlush = (flush, name, absent) => checkRangesOrGetDefault(flush, name, Z_NO_FLUSH, Z_BLOCK, absent);

function chunkSizeOf(given) {
  if (!validateFiniteNumber(given, 'options.chunkSize')) return Z_DEFAULT_CHUNK;
  if (given < Z_MIN_CHUNK) throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, given);
  return given;
}

function settingsOf(given, mode) {
  const options = given || {};
  return {
    mode,
    windowBits: given ? windowBitsOf(options.windowBits, mode) : Z_DEFAULT_WINDOWBITS,
    level: checkLevel(options.level, 'options.level'),
    memLevel: checkRangesOrGetDefault(options.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL),
    strategy: checkStrategy(options.strategy, 'options.strategy'),
    dictionary: dictionaryOf(options.dictionary),
    chunkSize: chunkSizeOf(options.chunkSize),
    flush: checkFlush(options.flush, 'options.flush', Z_NO_FLUSH),
    finishFlush: checkFlush(options.finishFlush, 'options.finishFlush', Z_FINISH),
    fullFlush: Z_FULL_FLUSH,
    maxOutputLength: checkRangesOrGetDefault(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength),
    info: options.info,
    isPacking: mode === DEFLATE || mode === GZIP || mode === DEFLATERAW,
  };
}

module.exports = { checkLevel, checkStrategy, settingsOf };
