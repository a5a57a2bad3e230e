// Tags of V8's serialization format, version 15 (v8/src/objects/value-serializer.cc). Out: the
// bytes of tags, the numbers of views and errors.
'use strict';

const VERSION = 15;
/** Older versions, which only browsers have stored, are not supported. */
const VERSION_MIN = 13;

const TAG_CHARACTERS = {
  PADDING: '\0', VERSION: '\xff', HOLE: '-', UNDEFINED: '_', NULL: '0', TRUE: 'T', FALSE: 'F', INT32: 'I', UINT32: 'U', DOUBLE: 'N', BIGINT: 'Z',
  UTF8: 'S', ONE_BYTE: '"', TWO_BYTE: 'c', REFERENCE: '^', OBJECT: 'o', OBJECT_END: '{', SPARSE: 'a', SPARSE_END: '@', DENSE: 'A', DENSE_END: '$',
  DATE: 'D', TRUE_OBJECT: 'y', FALSE_OBJECT: 'x', NUMBER_OBJECT: 'n', BIGINT_OBJECT: 'z', STRING_OBJECT: 's', REGEXP: 'R', MAP: ';', MAP_END: ':',
  SET: "'", SET_END: ',', BUFFER: 'B', RESIZABLE_BUFFER: '~', TRANSFERRED_BUFFER: 't', VIEW: 'V', SHARED_BUFFER: 'u', HOST: '\\', ERROR: 'r',
};

const TAGS = { __proto__: null };
for (const name of Object.keys(TAG_CHARACTERS)) TAGS[name] = TAG_CHARACTERS[name].charCodeAt(0);

/**
 * [class, tag character, bytes per element], in the order of the numbers that `v8.serialize` writes
 * (arrayBufferViewTypeToIndex of Node's lib/v8.js; Buffer is 10).
 */
const VIEWS = [
  ['Int8Array', 'b', 1], ['Uint8Array', 'B', 1], ['Uint8ClampedArray', 'C', 1], ['Int16Array', 'w', 2], ['Uint16Array', 'W', 2],
  ['Int32Array', 'd', 4], ['Uint32Array', 'D', 4], ['Float32Array', 'f', 4], ['Float64Array', 'F', 8], ['DataView', '?', 1],
  ['Buffer', '', 1], ['BigInt64Array', 'q', 8], ['BigUint64Array', 'Q', 8], ['Float16Array', 'h', 2],
];
const BUFFER_INDEX = 10;
const LENGTH_TRACKING = 1;
const BACKED_BY_RESIZABLE = 2;

const ERRORS = { __proto__: null, EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S', TypeError: 'T', URIError: 'U' };
const ERROR_MESSAGE = 'm'.charCodeAt(0);
const ERROR_CAUSE = 'c'.charCodeAt(0);
const ERROR_STACK = 's'.charCodeAt(0);
const ERROR_END = '.'.charCodeAt(0);

/** Flags of regular expressions, by bit from the lowest. */
const FLAGS = 'gimyusldv';

module.exports = {
  BUFFER_INDEX, ERRORS, ERROR_CAUSE, ERROR_END, ERROR_MESSAGE, ERROR_STACK, FLAGS, LENGTH_TRACKING, BACKED_BY_RESIZABLE, TAGS, VERSION, VERSION_MIN,
  VIEWS,
};
