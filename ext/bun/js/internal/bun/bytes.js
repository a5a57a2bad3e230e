// `Bun.concatArrayBuffers` and `Bun.readableStreamTo*`. In: views, buffers, ReadableStreams. Out:
// bytes, strings, values.
'use strict';

const { codes } = require('internal/errors');

function allocUnsafe(size) {
  require('internal/validators').validateInteger(size, 'size', 0, 2 ** 32 - 1);
  return new Uint8Array(size);
}

/** The bytes of a view or a buffer; undefined for other values. */
function toUint8Array(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (require('internal/util/types').isAnyArrayBuffer(value)) return new Uint8Array(value);
  return undefined;
}

/** Concatenates up to `limit` bytes, as an ArrayBuffer or a Uint8Array. */
function concatArrayBuffers(buffers, limit = Infinity, asUint8Array = false) {
  if (!Array.isArray(buffers)) throw new TypeError('Argument must be an array');
  const views = buffers.map((buffer) => {
    const view = toUint8Array(buffer);
    if (view === undefined) throw new TypeError('Expected TypedArray');
    return view;
  });
  const result = new Uint8Array(Math.min(limit, views.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const view of views) {
    result.set(view.subarray(0, result.length - at), at);
    at = Math.min(result.length, at + view.length);
  }
  return asUint8Array ? result : result.buffer;
}

function check(stream) {
  const { ReadableStream } = require('web/streams');
  if (!(stream instanceof ReadableStream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
}

const consumers = () => require('stream/consumers');

async function readChunks(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const readableStreamToArray = (stream) => (check(stream), readChunks(stream));
const readableStreamToArrayBuffer = (stream) => (check(stream), consumers().arrayBuffer(stream));
const readableStreamToBlob = (stream) => (check(stream), consumers().blob(stream));
const readableStreamToBytes = (stream) => (check(stream), consumers().bytes(stream));
const readableStreamToJSON = (stream) => (check(stream), consumers().json(stream));
const readableStreamToText = (stream) => (check(stream), consumers().text(stream));

module.exports = {
  allocUnsafe, concatArrayBuffers, readableStreamToArray, readableStreamToArrayBuffer, readableStreamToBlob, readableStreamToBytes,
  readableStreamToJSON, readableStreamToText, toUint8Array,
};
