// Messages whose body is one string or buffer: the head and the body in one write, past the
// streams. In: a message with its head, a body. Out: bytes on the socket; what the kernel does not
// accept goes the long way. Absent: rendering of heads (headers.js).
'use strict';

const { Duplex } = require('stream');
const { nextTick } = require('process');
const { ErrnoException } = require('internal/errors');
const { Pipe, TCP } = require('internal/net/handle');
const { kConnection, kCorked, kSocket } = require('internal/http/symbols');

const { write } = Duplex.prototype;

/** Whether a handle reads and writes a socket itself; one of TLS does not. */
const isPlain = (handle) => handle !== null && handle !== undefined && (handle.constructor === TCP || handle.constructor === Pipe);

/** Whether the response can end with this chunk in one write: nothing is before it. */
function canSendAtOnce(message, chunk, encoding) {
  if (message[kConnection] === undefined || message._headerSent || message.destroyed || message[kCorked] > 0 || message.outputData.length > 0) return false;
  if (encoding !== undefined && encoding !== null && encoding !== 'utf8' && encoding !== 'utf-8') return false;
  if (chunk && typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return false;
  const socket = message[kSocket];
  if (socket === null || socket._httpMessage !== message || socket.write !== write) return false;
  const state = socket._writableState;
  return state.length === 0 && state.corked === 0 && !state.ending && !state.destroyed && !socket.connecting && isPlain(socket._handle);
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
  const left = socket._handle.writeNow(head, body);
  message._finish();
  if (socket.timeout > 0) socket._unrefTimer();
  if (typeof left === 'number') {
    socket.destroy(new ErrnoException(left, 'write'));
    return;
  }
  const overhead = body === chunk ? 0 : body.length - (length > 0 ? chunk.length : 0);
  socket._bytesDispatched += head.length + length + overhead - (left === undefined ? 0 : left.length);
  if (left === undefined) nextTick(onSent, message);
  else socket.write(left, undefined, () => onSent(message));
}

module.exports = { canSendAtOnce, isPlain, sendAtOnce };
