// Messages that are one string or buffer: the head and the body in one write, past the streams. In:
// a message with its head, a body. Out: bytes on the socket, or in a record of TLS; what the kernel
// does not accept goes the long way. Absent: rendering of heads (headers.js).
'use strict';

const { Duplex } = require('stream');
const { nextTick } = require('process');
const { ErrnoException } = require('internal/errors');
const { Pipe, TCP } = require('internal/net/handle');
const { Socket } = require('internal/net/socket');
const { kConnection, kCorked, kSocket } = require('internal/http/symbols');

const { write } = Duplex.prototype;
const { _writeGeneric: writeGeneric } = Socket.prototype;
const nop = () => {};

/** Whether a handle reads and writes a socket itself; one of TLS does not. */
const isPlain = (handle) => handle !== null && handle !== undefined && (handle.constructor === TCP || handle.constructor === Pipe);

const isUtf8 = (encoding) => encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8';

/** Whether nothing is before a write, and the program has not replaced its methods. */
function isFree(socket) {
  if (socket.write !== write || socket._writeGeneric !== writeGeneric) return false;
  const state = socket._writableState;
  if (state.length !== 0 || state.corked !== 0 || state.ending || state.destroyed || socket.connecting) return false;
  return isPlain(socket._handle) || socket._handle?.canWriteNow === true;
}

/** Whether the response can end with this chunk in one write: nothing is before it. */
function canSendAtOnce(message, chunk, encoding) {
  if (message[kConnection] === undefined || message._headerSent || message.destroyed || message[kCorked] > 0 || message.outputData.length > 0) return false;
  if (!isUtf8(encoding)) return false;
  if (chunk && typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return false;
  const socket = message[kSocket];
  return socket !== null && socket._httpMessage === message && isFree(socket);
}

/** Sends the head and the body. `onSent` gets the message, in a later tick. */
function sendAtOnce(message, chunk, length, onSent) {
  const socket = message[kSocket];
  let head = message._header;
  let body = chunk;
  if (message._hasBody && message.chunkedEncoding) {
    if (length > 0) head += `${length.toString(16)}\r\n`;
    body = `${length > 0 ? `${chunk}\r\n` : ''}0\r\n${message._trailer}\r\n`;
  }
  message._headerSent = true;
  message.finished = true;
  const overhead = body === chunk ? 0 : body.length - (length > 0 ? chunk.length : 0);
  writeNow(socket, head, body, head.length + length + overhead, onSent, message);
  message._finish();
}

/**
 * Writes a head in Latin-1 and a body to a free socket. `done` gets its argument in a later tick,
 * unless the write fails.
 */
function writeNow(socket, head, body, byteLength, done, argument) {
  const handle = socket._handle;
  if (!isPlain(handle)) {
    writeEncrypted(socket, head, body, byteLength, () => done(argument));
    return;
  }
  const left = handle.writeNow(head, body);
  if (socket.timeout > 0) socket._unrefTimer();
  if (typeof left === 'number') {
    socket.destroy(new ErrnoException(left, 'write'));
    return;
  }
  socket._bytesDispatched += byteLength - (left === undefined ? 0 : left.length);
  if (left === undefined) nextTick(done, argument);
  else socket.write(left, undefined, () => done(argument));
}

function writeEncrypted(socket, head, body, byteLength, done) {
  const isTaken = socket._handle.writeNow(head, body, (errno) => {
    if (errno < 0) socket.destroy(new ErrnoException(errno, 'write'));
    else done();
  });
  if (isTaken) {
    if (socket.timeout > 0) socket._unrefTimer();
    socket._bytesDispatched += byteLength;
    return;
  }
  // The handshake goes on.
  socket.cork();
  socket.write(head, 'latin1', body === undefined ? done : undefined);
  if (body !== undefined) socket.write(body, undefined, done);
  socket.uncork();
}

/** Writes what a message has queued, if it is one string. False: it is not, or cannot be. */
function writeQueuedAtOnce(socket, { data, encoding, callback }) {
  if (typeof data !== 'string' || !isFree(socket)) return false;
  const done = callback ?? nop;
  if (encoding === 'latin1') writeNow(socket, data, undefined, data.length, done, undefined);
  else if (isUtf8(encoding)) writeNow(socket, '', data, require('buffer').Buffer.byteLength(data), done, undefined);
  else return false;
  return true;
}

module.exports = { canSendAtOnce, isPlain, sendAtOnce, writeQueuedAtOnce };
