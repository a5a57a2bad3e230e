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

/** The bytes of a string or a view; undefined for anything else. */
function toBytes(value) {
  if (typeof value === 'string') return Buffer.from(value);
  if (Buffer.isBuffer(value)) return value;
  return isArrayBufferView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function toBuffer(value) {
  const bytes = toBytes(value);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buffer', EXPECTED, value);
  return bytes;
}

function sliceBuffer(value, offset, length) {
  const bytes = toBuffer(value);
  const start = offset >>> 0;
  const end = start + (length >>> 0);
  if (start > bytes.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (end > bytes.length) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return bytes.subarray(start, end);
}

function toBufferList(value) {
  if (!Array.isArray(value)) return [toBuffer(value)];
  const list = value.map(toBytes);
  if (list.includes(undefined)) throw new ERR_INVALID_ARG_TYPE('buffer list arguments', EXPECTED, value);
  return list;
}

/**
 * Arguments for an unconnected socket: `(buffer, offset, length, port, address, callback)` or
 * `(buffers, port, address, callback)`; the last ones are optional.
 */
function parseUnconnected([buffer, first, second, third, fourth, fifth]) {
  const hasOffset = Boolean(fourth || (third && typeof third !== 'function'));
  const list = toBufferList(hasOffset ? sliceBuffer(buffer, first, second) : buffer);
  const [portArgument, address, callback] = hasOffset ? [third, fourth, fifth] : [first, second, third];
  const port = validatePort(portArgument, 'Port', false);
  if (typeof address === 'function') return { list, port, address: undefined, callback: address };
  if (address !== undefined && address !== null) validateString(address, 'address');
  return { list, port, address, callback: functionOrUndefined(callback) };
}

/** Arguments for a connected one: `(buffer, offset, length, callback)` or `(buffers, callback)`. */
function parseConnected([buffer, first, second, third, fourth, fifth]) {
  const hasOffset = typeof second === 'number';
  const message = hasOffset ? sliceBuffer(buffer, first, second) : buffer;
  const isCallbackThird = hasOffset && typeof third === 'function';
  if ((third && !isCallbackThird) || fourth) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  const callback = isCallbackThird ? third : hasOffset ? fifth : first;
  return { list: toBufferList(message), port: undefined, address: undefined, callback: functionOrUndefined(callback) };
}

const functionOrUndefined = (value) => (typeof value === 'function' ? value : undefined);

module.exports = { parseConnected, parseUnconnected };
