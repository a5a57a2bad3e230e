// Argument parsing of `socket.send`. In: arguments in any of their forms. Out: `{ list, port,
// address, callback }`: the parts of one message, its destination, the callback.
'use strict';

const { Buffer } = require('buffer');
const { isArrayBufferView } = require('internal/util/types');
const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_SOCKET_DGRAM_IS_CONNECTED },
} = require('internal/errors');
const { validatePort, validateString } = require('internal/validators');

const EXPECTED = ['Buffer', 'TypedArray', 'DataView', 'string'];

/** The bytes of a text or a view; undefined for anything else. */
function bytesOf(value) {
  if (typeof value === 'string') return Buffer.from(value);
  if (Buffer.isBuffer(value)) return value;
  return isArrayBufferView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function wholeOf(value) {
  const bytes = bytesOf(value);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buffer', EXPECTED, value);
  return bytes;
}

function partOf(value, offset, length) {
  const bytes = wholeOf(value);
  const start = offset >>> 0;
  const end = start + (length >>> 0);
  if (start > bytes.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (end > bytes.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return bytes.subarray(start, end);
}

function listOf(value) {
  if (!Array.isArray(value)) return [wholeOf(value)];
  const list = value.map(bytesOf);
  if (list.includes(undefined)) throw new ERR_INVALID_ARG_TYPE('buffer list arguments', EXPECTED, value);
  return list;
}

/**
 * `(buffer, offset, length, port, address, callback)` or `(buffers, port, address, callback)`, what
 * is last left away.
 */
function readUnconnected([buffer, first, second, third, fourth, fifth]) {
  const isPart = Boolean(fourth || (third && typeof third !== 'function'));
  const list = listOf(isPart ? partOf(buffer, first, second) : buffer);
  const [given, where, told] = isPart ? [third, fourth, fifth] : [first, second, third];
  const port = validatePort(given, 'Port', false);
  if (typeof where === 'function') return { list, port, address: undefined, callback: where };
  if (where !== undefined && where !== null) validateString(where, 'address');
  return { list, port, address: where, callback: toldOf(told) };
}

/** `(buffer, offset, length, callback)` or `(buffers, callback)`. */
function readConnected([buffer, first, second, third, fourth, fifth]) {
  const isPart = typeof second === 'number';
  const part = isPart ? partOf(buffer, first, second) : buffer;
  const isTold = isPart && typeof third === 'function';
  if ((third && !isTold) || fourth) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  const callback = isTold ? third : isPart ? fifth : first;
  return { list: listOf(part), port: undefined, address: undefined, callback: toldOf(callback) };
}

const toldOf = (value) => (typeof value === 'function' ? value : undefined);

module.exports = { readConnected, readUnconnected };
