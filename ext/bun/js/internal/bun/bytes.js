// `Bun.concatArrayBuffers` and `Bun.readableStreamTo*`. In: views, buffers, ReadableStreams. Out:
// bytes, strings, values.
'use strict';

const { codes } = require('internal/errors');
const { invalidState } = require('web/streams/webidl_utils');

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

/** A function that reads a whole stream. A used stream is an error: it would read as empty. */
function consumer(read) {
  return (stream, ...args) => {
    const { ReadableStream } = require('web/streams');
    if (!(stream instanceof ReadableStream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
    const isUsed = !stream.locked && stream[Symbol.for('nodejs.stream.disturbed')];
    if (isUsed) return Promise.reject(invalidState('ReadableStream has already been used'));
    return read(stream, ...args);
  };
}

const consumers = () => require('stream/consumers');

async function readChunks(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** A multipart body with a boundary, else a form in a URL's encoding. */
function readForm(stream, boundary) {
  const type = boundary === undefined ? 'application/x-www-form-urlencoded' : `multipart/form-data; boundary="${boundary}"`;
  return new (require('web/fetch/response').Response)(stream, { headers: { 'content-type': type } }).formData();
}

const readableStreamToArray = consumer(readChunks);
const readableStreamToArrayBuffer = consumer((stream) => consumers().arrayBuffer(stream));
const readableStreamToBlob = consumer((stream) => consumers().blob(stream));
const readableStreamToBytes = consumer((stream) => consumers().bytes(stream));
const readableStreamToFormData = consumer(readForm);
const readableStreamToJSON = consumer((stream) => consumers().json(stream));
const readableStreamToText = consumer((stream) => consumers().text(stream));

module.exports = {
  allocUnsafe, concatArrayBuffers, readableStreamToArray, readableStreamToArrayBuffer, readableStreamToBlob, readableStreamToBytes,
  readableStreamToFormData, readableStreamToJSON, readableStreamToText, toUint8Array,
};
