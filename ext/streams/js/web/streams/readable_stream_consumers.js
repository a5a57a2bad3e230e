// Consumers of ReadableStream: `text()`, `json()`, `bytes()`, `blob()`, as in Bun. In: a stream
// that was not read. Out: a promise. Absent: Node streams, which have `stream/consumers`.
'use strict';

const { invalidState } = require('web/streams/webidl_utils');

const isArrayBufferView = (chunk) => ArrayBuffer.isView(chunk);
const isArrayBuffer = (chunk) => require('internal/util/types').isAnyArrayBuffer(chunk);

/** Reads all chunks as bytes. */
async function readChunks(stream) {
  if (stream.locked) throw invalidState('ReadableStream is locked');
  if (stream[Symbol.for('nodejs.stream.disturbed')]) throw invalidState('ReadableStream has already been used');
  const reader = stream.getReader();
  const chunks = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(toUint8Array(value));
  }
  reader.releaseLock();
  return chunks;
}

function toUint8Array(chunk) {
  if (isArrayBufferView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (isArrayBuffer(chunk)) return new Uint8Array(chunk);
  if (typeof chunk === 'string') return new (require('web/encoding').TextEncoder)().encode(chunk);
  throw new TypeError('Expected text, ArrayBuffer or ArrayBufferView');
}

async function bytes(stream) {
  const chunks = await readChunks(stream);
  if (chunks.length === 1) return chunks[0];
  const result = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.length;
  }
  return result;
}

const text = async (stream) => new (require('web/encoding').TextDecoder)().decode(await bytes(stream));
const json = async (stream) => JSON.parse(await text(stream));
const blob = async (stream) => new (require('internal/blob').Blob)(await readChunks(stream));

module.exports = { blob, bytes, json, text };
