// What a ReadableStream gives, as one value: `text()`, `json()`, `bytes()`, `blob()`, as bun has
// them. In: a stream that nobody has read from. Out: a promise. Absent: streams of Node's; those
// are `stream/consumers`'.
'use strict';

const { invalidState } = require('web/streams/webidl_utils');

const isView = (piece) => ArrayBuffer.isView(piece);
const isBuffer = (piece) => require('internal/util/types').isAnyArrayBuffer(piece);

/** All pieces, as bytes. */
async function piecesOf(stream) {
  if (stream.locked) throw invalidState('ReadableStream is locked');
  if (stream[Symbol.for('nodejs.stream.disturbed')]) throw invalidState('ReadableStream has already been used');
  const reader = stream.getReader();
  const pieces = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    pieces.push(bytesOf(value));
  }
  reader.releaseLock();
  return pieces;
}

function bytesOf(piece) {
  if (isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  if (isBuffer(piece)) return new Uint8Array(piece);
  if (typeof piece === 'string') return new (require('web/encoding').TextEncoder)().encode(piece);
  throw new TypeError('Expected text, ArrayBuffer or ArrayBufferView');
}

async function bytes(stream) {
  const pieces = await piecesOf(stream);
  if (pieces.length === 1) return pieces[0];
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const text = async (stream) => new (require('web/encoding').TextDecoder)().decode(await bytes(stream));
const json = async (stream) => JSON.parse(await text(stream));
const blob = async (stream) => new (require('internal/blob').Blob)(await piecesOf(stream));

module.exports = { blob, bytes, json, text };
