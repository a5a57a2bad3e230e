// What the numbers in a packet between threads mean. Out: the tags, the views and errors by number.
// Both ends are of one process and one release, so none of it is kept anywhere. Absent: what is
// kept or goes to other processes (internal/serdes).
'use strict';

const NAMES = [
  'UNDEFINED', 'NULL', 'TRUE', 'FALSE', 'INT', 'DOUBLE', 'STRING', 'LONG_STRING', 'BIGINT', 'REFERENCE', 'MOVED', 'OBJECT', 'SHAPED', 'ARRAY', 'INTS', 'DOUBLES',
  'SPARSE', 'HOLE', 'DATE', 'REGEXP', 'MAP', 'SET', 'ERROR', 'BUFFER', 'SHARED', 'VIEW', 'BOXED', 'HOST', 'MODULE', 'FLAT', 'MEMORY',
];
const TAGS = { __proto__: null };
NAMES.forEach((name, index) => { TAGS[name] = index; });
// Rust writes some of them too: its numbers must be these.
for (const [name, number] of Object.entries(internalBinding('message_port').tag)) {
  if (TAGS[name] !== number) throw new Error(`the tag ${name} is ${TAGS[name]} here and ${number} in Rust`);
}

const VIEWS = [
  'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array',
  'BigInt64Array', 'BigUint64Array',
];
const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];

/**
 * Kinds of what moved; behind each stands the length that a buffer may grow to, in two words. A
 * transform stream is two attachments.
 */
const MOVED = { __proto__: null, BUFFER: 0, RESIZABLE: 1, PORT: 2, FILE: 3, READABLE: 4, WRITABLE: 5, TRANSFORM: 6, SIGNAL: 7 };
/**
 * The words that stand first: how many moved, which attachment the first of them is, where absences
 * stand.
 */
const HEADER = 3;
const WORDS_OF_MOVED = 3;
/**
 * The words of what takes a packet: a kind, ints, doubles, and one of padding; then ints follow.
 */
const ARENA_HEADER = 4;

module.exports = { ARENA_HEADER, ERRORS, HEADER, MOVED, TAGS, VIEWS, WORDS_OF_MOVED };
