// Bytes of a server's socket for the parser, past the stream, while no one else reads the socket.
// In: a connection whose listeners are set. Out: the parser consumes what the handle reads, or what
// TLS decrypts; the stream gets the bytes while it is paused, and again for good once the program
// listens to them. Absent: the end and errors, which go through the stream.
'use strict';

const { Socket } = require('net');
const { kNative } = require('internal/io/stream_handle');
const { isPlain } = require('internal/http/send_at_once');
const { Parser } = require('internal/http/parser');
const { kSocketOptions } = require('internal/net/symbols');

const kIsConsumed = Symbol('kIsConsumed');

/** What a parser can consume: a socket's own handle, or the clear text of TLS. */
const inputOf = (handle) => (isPlain(handle) ? handle[kNative] : handle?.byteSource);

/** `onChunk(connection, result, bytes)`: after each chunk. */
function consumeSocket(connection, onChunk) {
  const { socket, parser } = connection;
  const handle = socket._handle;
  const options = socket[kSocketOptions];
  const input = inputOf(handle);
  if (input === undefined || options.onread !== undefined || socket.on !== Socket.prototype.on) return;
  if (socket.readableLength > 0 || socket.listenerCount('readable') > 0 || socket.listenerCount('data') > 1) return;
  const count = (byteLength) => {
    options.bytesRead += byteLength;
    if (socket.timeout > 0) socket._unrefTimer();
  };
  const toggle = (isFlowing) => { if (socket[kIsConsumed]) parser.setConsuming(isFlowing); };
  socket[kIsConsumed] = true;
  socket.on('pause', () => toggle(false));
  socket.on('resume', () => toggle(true));
  for (const name of ADDING) socket[name] = addingMethods[name];
  parser.consume(input, (byteLength) => {
    count(byteLength);
    onChunk(connection, byteLength, undefined);
  }, (result, bytes) => {
    count(bytes.length);
    onChunk(connection, result, bytes);
  });
}

const ADDING = ['on', 'addListener', 'prependListener'];
const addingMethods = {};
for (const name of ADDING) {
  addingMethods[name] = function add(event, listener) {
    if (event === 'data' || event === 'readable') releaseSocket(this);
    return Socket.prototype[name].call(this, event, listener);
  };
}

/** The stream gets all bytes from now on. */
function releaseSocket(socket) {
  if (!socket[kIsConsumed]) return;
  socket[kIsConsumed] = false;
  for (const name of ADDING) delete socket[name];
  const input = inputOf(socket._handle);
  if (input) Parser.release(input);
}

module.exports = { consumeSocket, releaseSocket };
