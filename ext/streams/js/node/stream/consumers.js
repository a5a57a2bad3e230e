// `node:stream/consumers`: reads a whole stream as one value. In: a Node stream, a web stream, or
// another async iterable. Out: a promise of bytes, a string, or a parsed JSON value.
'use strict';

const { Buffer } = require('buffer');

function toUint8Array(chunk) {
  if (chunk instanceof Uint8Array) {
    return chunk;
  }
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (chunk instanceof ArrayBuffer) {
    return new Uint8Array(chunk);
  }
  return Buffer.from(String(chunk));
}

async function collectChunks(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return chunks;
}

async function blob(stream) {
  const { Blob } = require('buffer');
  return new Blob(await collectChunks(stream));
}

async function bytes(stream) {
  const chunks = [];
  let length = 0;
  for await (const item of stream) {
    const chunk = toUint8Array(item);
    chunks.push(chunk);
    length += chunk.byteLength;
  }
  const result = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return result;
}

async function arrayBuffer(stream) {
  return (await bytes(stream)).buffer;
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function text(stream) {
  const { TextDecoder } = require('web/encoding');
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of stream) {
    result += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return result + decoder.decode();
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, bytes, text, json };
