// What a session reads and writes: the handle of a socket, or any Duplex. In: a socket. Out: bytes
// to a callback, as they arrive; writes with their completion.
'use strict';

const { nextTick } = require('process');
const { ErrnoException } = require('internal/errors');
const { kSocketOptions } = require('internal/net/symbols');

/** The handle of a `net.Socket` or a TLS socket, which the session reads in place of the socket. */
class HandleTransport {
  #socket;
  #onread = null;

  constructor(socket) {
    this.#socket = socket;
  }

  start(receive) {
    const socket = this.#socket;
    const handle = socket._handle;
    this.#onread = handle.onread;
    handle.onread = (value) => {
      // The end and errors are the socket's.
      if (value === null || typeof value === 'number') {
        this.#onread(value);
        return;
      }
      socket[kSocketOptions].bytesRead += value.byteLength;
      socket._unrefTimer();
      receive(value);
    };
    // The program gets events of what was buffered after it has the session.
    for (let bytes = socket.read(); bytes !== null; bytes = socket.read()) nextTick(receive, bytes);
    if (socket._handle !== null && !handle.reading) handle.readStart();
  }

  stop() {
    const { _handle: handle } = this.#socket;
    if (handle && this.#onread) handle.onread = this.#onread;
  }

  /** True: all was written at once. */
  write(bytes, done) {
    const socket = this.#socket;
    const handle = socket._handle;
    if (!handle) {
      done();
      return false;
    }
    socket._bytesDispatched += bytes.byteLength;
    socket._unrefTimer();
    return handle.write(bytes, (errno) => {
      if (errno < 0 && !socket.destroyed) socket.destroy(new ErrnoException(errno, 'write'));
      done();
    });
  }
}

class StreamTransport {
  #stream;
  #onData = null;

  constructor(stream) {
    this.#stream = stream;
  }

  start(receive) {
    const stream = this.#stream;
    this.#onData = (chunk) => receive(typeof chunk === 'string' ? require('buffer').Buffer.from(chunk) : chunk);
    stream.on('data', this.#onData);
    stream.once('end', () => { if (!stream.destroyed && stream.writable) stream.end(); });
  }

  stop() {
    if (this.#onData) this.#stream.removeListener('data', this.#onData);
    this.#onData = null;
    this.#stream.resume();
  }

  write(bytes, done) {
    if (this.#stream.destroyed || this.#stream.writableEnded) {
      done();
      return false;
    }
    const { Buffer } = require('buffer');
    this.#stream.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), () => done());
    return false;
  }
}

function makeTransport(socket) {
  return typeof socket._handle?.readStart === 'function' && socket[kSocketOptions] !== undefined ? new HandleTransport(socket) : new StreamTransport(socket);
}

module.exports = { makeTransport };
