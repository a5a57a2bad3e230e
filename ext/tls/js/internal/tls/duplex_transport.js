// TLS over a stream that has no handle: any Duplex. In: the stream. Out: its bytes for the handle
// of a TLS stream, whose encrypted bytes are written to it. 'error' and 'close' as of a socket.
'use strict';

const EventEmitter = require('events');
const { nextTick } = require('process');
const { codes: { ERR_STREAM_WRAP } } = require('internal/errors');

const { uv: { UV_EBADF } } = internalBinding('stream_handle');
const { afterClose } = internalBinding('queues');
const UV_EPIPE = -32;

class DuplexTransport extends EventEmitter {
  destroyed = false;
  stream;
  #handle = null;
  #isClosed = false;

  constructor(stream) {
    super();
    this.stream = stream;
    stream.pause();
    stream.on('error', (error) => this.emit('error', error));
    const onData = (chunk) => {
      if (typeof chunk === 'string' || stream.readableObjectMode === true) {
        stream.pause();
        stream.removeListener('data', onData);
        this.emit('error', new ERR_STREAM_WRAP());
        return;
      }
      this.#handle?.receive(chunk);
    };
    stream.on('data', onData);
    stream.once('end', () => this.#handle?.receiveEnd());
    stream.once('close', () => this.destroy());
  }

  /** The handle of the TLS stream. */
  attach(handle) { this.#handle = handle; }

  get name() { return 'JSStream'; }
  get writableLength() { return 0; }
  get writeQueueSize() { return this.stream.writableLength ?? 0; }
  getsockname() { return this.stream._getsockname?.() ?? {}; }
  getpeername() { return this.stream._getpeername?.() ?? {}; }
  ref() { this.stream.ref?.(); }
  unref() { this.stream.unref?.(); }
  hasRef() { return true; }
  resume() { this.stream.resume(); }
  pause() { this.stream.pause(); }

  /** Writes encrypted bytes. */
  send(bytes) {
    if (this.destroyed) return;
    const { Buffer } = require('buffer');
    this.stream.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (error) => {
      const errno = error ? errnoOf(error) : 0;
      setImmediate(() => this.#handle?.written(errno));
    });
  }

  /** Ends the stream after what was written. */
  finish() {
    nextTick(() => { if (!this.destroyed) this.stream.end(); });
  }

  close(callback) {
    this.destroy();
    if (callback) afterClose(callback);
  }

  destroy() {
    this.destroyed = true;
    this.stream.destroy();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handle = null;
    setImmediate(() => this.emit('close'));
  }
}

/** A negative errno. */
function errnoOf(error) {
  if (typeof error.errno === 'number' && error.errno < 0) return error.errno;
  return error.code === 'EBADF' ? UV_EBADF : UV_EPIPE;
}

module.exports = { DuplexTransport };
