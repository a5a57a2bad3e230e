// The numbers of the engine's form of values, release 14 of it, as bun 1.4 writes them. Out: names
// for them. All numbers are little-endian. A text is its length in letters, the greatest bit set
// where each letter is a byte, and its letters; or a mark and its place among the texts before. A
// property is a text and a value; objects that come again are a place among those before.
'use strict';

module.exports = {
  RELEASE: 14,
  ARRAY: 1,
  OBJECT: 2,
  UNDEFINED: 3,
  NULL: 4,
  INT: 5,
  ZERO: 6,
  ONE: 7,
  FALSE: 8,
  TRUE: 9,
  DOUBLE: 10,
  DATE: 11,
  STRING: 16,
  EMPTY_STRING: 17,
  REGEXP: 18,
  REFERENCE: 19,
  BUFFER: 21,
  VIEW: 22,
  TRUE_OBJECT: 24,
  FALSE_OBJECT: 25,
  STRING_OBJECT: 26,
  EMPTY_STRING_OBJECT: 27,
  NUMBER_OBJECT: 28,
  SET: 29,
  MAP: 30,
  MAP_END: 31,
  SET_END: 32,
  BIGINT: 47,
  BIGINT_OBJECT: 48,
  DOM_EXCEPTION: 51,
  RESIZABLE_BUFFER: 54,
  ERROR: 55,
  /** In the place of a text's length, or of an array's next index. */
  END: 0xffffffff,
  KNOWN_TEXT: 0xfffffffe,
  NAMED: 0xfffffffd,
  NARROW: 0x80000000,
  /** By their numbers. */
  VIEWS: [
    'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array',
    'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array',
  ],
  ERRORS: ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  /** A view that is as long as its buffer is at any time. */
  WHOLE: 0xffffffffffffffffn,
};
