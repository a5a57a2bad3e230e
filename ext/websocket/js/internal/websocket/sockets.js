// The WebSockets of a thread by number, and the events that they get. In: events of the binding,
// one by one. Out: calls of the socket's object. Ticks and microtasks run after each event, as
// after any callback. Absent: what an event means.
'use strict';

const binding = internalBinding('websocket');
const { event: { NONE }, word: { EVENT, SOCKET }, next, takePayload, words } = binding;
const { runNextTicks } = internalBinding('queues');

/** What a message is sent as: RFC 6455, 11.8. */
const opcode = { TEXT: 1, BINARY: 2, PING: 9, PONG: 10 };

/** By slot: objects with a method `notify(kind, payload)`. */
const sockets = [];

/** The function that the event loop calls. Returns whether all events were taken. */
function run() {
  for (let payload = next(); words[EVENT] !== NONE; payload = next()) {
    if (typeof payload === 'number') payload = shortBuffer(payload);
    sockets[words[SOCKET]]?.notify(words[EVENT], payload);
    // The loop has to process an error first; it calls again.
    if (!runNextTicks()) return false;
  }
  return true;
}

const errno = binding.start(run);
if (errno !== 0) {
  const { UVException } = require('internal/errors');
  throw new UVException({ errno, syscall: 'epoll_create1' });
}

/** The payload of the event, which is short. */
function shortBuffer(length) {
  const bytes = new (FastBuffer ?? loadFastBuffer())(length);
  takePayload(bytes);
  return bytes;
}

let FastBuffer;
function loadFastBuffer() {
  require('buffer');
  ({ FastBuffer } = require('internal/buffer'));
  return FastBuffer;
}

/** What a program gets of binary data. `bytes`: a Buffer or Uint8Array that owns its memory. */
function toBinaryType(bytes, binaryType) {
  switch (binaryType) {
    case 'arraybuffer': return bytes.buffer;
    case 'uint8array': return isBuffer(bytes) ? new Uint8Array(bytes.buffer) : bytes;
    case 'blob': return new (require('buffer').Blob)([bytes]);
    default: return isBuffer(bytes) ? bytes : new (FastBuffer ?? loadFastBuffer())(bytes.buffer, 0, bytes.length);
  }
}

const isBuffer = (bytes) => FastBuffer !== undefined && bytes instanceof FastBuffer;

/** Bytes that the binding reads; undefined: it is something else. A file is read at once. */
function toBytes(data) {
  if (ArrayBuffer.isView(data) || data instanceof ArrayBuffer) return data;
  if (data instanceof SharedArrayBuffer) return new Uint8Array(data);
  const { bytesOf, isBlob } = require('internal/blob');
  if (typeof data !== 'object' || data === null || !isBlob(data)) return undefined;
  const { FileRef } = require('internal/bun/file');
  return FileRef.is(data) ? FileRef.readSync(data) : bytesOf(data);
}

/** The payload of a control frame: 125 bytes at most. */
function toControl(data) {
  const { Buffer } = require('buffer');
  const bytes = typeof data === 'string' ? Buffer.from(data) : toBytes(data) ?? Buffer.from(`${data ?? ''}`);
  if (bytes.byteLength > 125) throw new RangeError(`The data size must not be greater than 125 bytes. Received ${bytes.byteLength} bytes.`);
  return bytes;
}

/** An error that no handler takes, after the callback. */
function reportUncaught(error) {
  require('process').nextTick(() => { throw error; });
}

module.exports = { opcode, reportUncaught, run, sockets, toBinaryType, toBytes, toControl };
