// Enumerations of the packet format that only JavaScript uses; the tags and sizes are in
// src/message_port/format.rs. Both ends are in one process, so the format is never stored. Absent:
// V8's format for stored values (internal/serdes).
'use strict';

const VIEWS = [
  'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array',
  'BigInt64Array', 'BigUint64Array',
];
const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];

/**
 * Kinds of transferred objects. In a packet, the maximum length of a resizable buffer follows, in
 * two words. A transform stream has two attachments.
 */
const TRANSFER_KIND = { __proto__: null, BUFFER: 0, RESIZABLE: 1, PORT: 2, FILE: 3, READABLE: 4, WRITABLE: 5, TRANSFORM: 6, SIGNAL: 7 };

module.exports = { ERRORS, TRANSFER_KIND, VIEWS };
