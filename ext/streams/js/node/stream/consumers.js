// `node:stream/consumers`: all that a stream gives, as one value. In: a stream of Node's or the
// web's, or another async iterable. Out: a promise of bytes, text or what the text says in JSON.
'use strict';

const { Buffer } = require('buffer');

function bytesOf(chunk) {
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

async function chunksOf(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return chunks;
}

async function blob(stream) {
  const { Blob } = require('buffer');
  return new Blob(await chunksOf(stream));
}

async function bytes(stream) {
  const parts = [];
  let length = 0;
  for await (const chunk of stream) {
    const part = bytesOf(chunk);
    parts.push(part);
    length += part.byteLength;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
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
