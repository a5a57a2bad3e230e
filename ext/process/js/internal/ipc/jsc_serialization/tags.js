// Tags of JavaScriptCore's serialization format, version 14, as bun 1.4 writes them. Numbers are
// little-endian. A string is its length in code units, with the highest bit set for Latin-1, and
// its code units; or STRING_POOL and its index among the earlier strings. A property is a string
// and a value. An object that occurs again is OBJECT_REFERENCE and its index among the earlier
// objects.
'use strict';

module.exports = {
  VERSION: 14,
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
  OBJECT_REFERENCE: 19,
  ARRAY_BUFFER: 21,
  ARRAY_BUFFER_VIEW: 22,
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
  RESIZABLE_ARRAY_BUFFER: 54,
  ERROR: 55,
  /** Instead of a string's length or of an array's next index: the end of an object. */
  TERMINATOR: 0xffffffff,
  STRING_POOL: 0xfffffffe,
  NON_INDEX_PROPERTIES: 0xfffffffd,
  LATIN1: 0x80000000,
  /** Index: the tag of the view's type. */
  VIEWS: [
    'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array',
    'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array',
  ],
  ERRORS: ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  /** Length of a length-tracking view. */
  LENGTH_TRACKING: 0xffffffffffffffffn,
};
