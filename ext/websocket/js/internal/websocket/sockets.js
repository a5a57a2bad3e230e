// The WebSockets of a thread by number, and the events that they get. In: events of the binding,
// one by one. Out: calls of the socket's object. Ticks and microtasks run after each event, as
// after any callback. Absent: what an event means.
'use strict';

const binding = internalBinding('websocket');
const { event: { NONE }, word: { EVENT, SOCKET }, next, words } = binding;
const { runNextTicks } = internalBinding('queues');

/** What a message is sent as: RFC 6455, 11.8. */
const opcode = { TEXT: 1, BINARY: 2, PING: 9, PONG: 10 };

/** By slot: objects with a method `notify(kind, payload)`. */
const sockets = [];

/** The function that the event loop calls. Returns whether all events were taken. */
function run() {
  for (let payload = next(); words[EVENT] !== NONE; payload = next()) {
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

/** What a program gets of binary data. `bytes`: a Uint8Array that owns its buffer. */
function toBinaryType(bytes, binaryType) {
  switch (binaryType) {
    case 'arraybuffer': return bytes.buffer;
    case 'uint8array': return bytes;
    case 'blob': return new (require('buffer').Blob)([bytes]);
    default: return toNodeBuffer(bytes);
  }
}

let FastBuffer;
function toNodeBuffer(bytes) {
  if (FastBuffer === undefined) {
    require('buffer');
    ({ FastBuffer } = require('internal/buffer'));
  }
  return new FastBuffer(bytes.buffer, 0, bytes.length);
}

/** An error that no handler takes, after the callback. */
function reportUncaught(error) {
  require('process').nextTick(() => { throw error; });
}

module.exports = { opcode, reportUncaught, run, sockets, toBinaryType };
