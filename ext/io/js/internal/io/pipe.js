// Duplex stream over a stream handle: standard streams, pipes to child processes, terminals. In: a
// file descriptor or a handle. Out: a duplex stream with back-pressure; a side that is not readable
// or not writable is ended. Absent: connecting and servers (internal/net).

'use strict';

const { Duplex } = require('stream');
const { ErrnoException, UVException } = require('internal/errors');
const active = require('internal/process/active_resources');
const { Handle } = require('internal/io/stream_handle');

const { uv: { UV_EBADF } } = internalBinding('stream_handle');

class Pipe extends Duplex {
  /** Public in Node: programs use them. */
  _handle = null;
  connecting = false;
  bytesRead = 0;
  #bytesWritten = 0;
  #isSync;
  #isSocket;

  /**
   * @param {{ fd?: number, handle?: Handle, readable?: boolean, writable?: boolean, isSync?:
   *   boolean, isShared?: boolean, isSocket?: boolean, name?: string, highWaterMark?: number,
   *   allowHalfOpen?: boolean }} options
   */
  constructor({ fd, handle, readable = true, writable = true, isSync = false, isShared = false, isSocket = false, name = 'PipeWrap', ...rest }) {
    super({ ...rest, readable, writable, decodeStrings: false, autoDestroy: true, emitClose: true, allowHalfOpen: rest.allowHalfOpen ?? false });
    this.#isSync = isSync;
    this.#isSocket = isSocket;
    const streamHandle = handle ?? Handle.open(fd, name, isShared);
    if (typeof streamHandle === 'number') {
      throw new UVException({ errno: streamHandle, syscall: 'open' });
    }
    this._handle = streamHandle;
    active.add(streamHandle, streamHandle.name, this);
    streamHandle.onread = (value) => this.#onRead(value);
  }

  #onRead(value) {
    if (value === null) {
      this.push(null);
      // 'end' is emitted even if no consumer reads.
      this.read(0);
    } else if (typeof value === 'number') {
      this.destroy(new ErrnoException(value, 'read'));
    } else {
      this.bytesRead += value.byteLength;
      if (!this.push(require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength))) {
        this._handle?.readStop();
      }
    }
  }

  get bytesWritten() {
    // The prototype has no private field.
    return #bytesWritten in this ? this.#bytesWritten : undefined;
  }

  get fd() {
    return this._handle?.fd ?? -1;
  }

  get pending() {
    return false;
  }

  get readyState() {
    if (this.destroyed) {
      return 'closed';
    }
    return this.readable && this.writable ? 'open' : this.readable ? 'readOnly' : 'writeOnly';
  }

  _read() {
    if (this._handle !== null && !this._handle.reading) {
      const errno = this._handle.readStart();
      if (errno < 0) {
        this.destroy(new ErrnoException(errno, 'read'));
      }
    }
  }

  _write(chunk, encoding, callback) {
    this.#writeChunk(chunk, encoding, callback);
  }

  _writev(chunks, callback) {
    const { Buffer } = require('buffer');
    const buffers = chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk));
    this.#writeChunk(Buffer.concat(buffers), 'buffer', callback);
  }

  #writeChunk(chunk, encoding, callback) {
    if (this._handle === null) {
      callback(new ErrnoException(UV_EBADF, 'write'));
      return;
    }
    // The binding writes strings as UTF-8.
    const isUtf8 = typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8';
    const bytes = isUtf8 ? chunk : require('buffer').Buffer.from(chunk, encoding);
    const length = typeof bytes === 'string' ? require('buffer').Buffer.byteLength(bytes) : bytes.byteLength;
    const done = (errno) => {
      if (errno < 0) {
        // Writes that are canceled by destroy report no error.
        callback(this.destroyed ? null : new ErrnoException(errno, 'write'));
      } else {
        this.#bytesWritten += length;
        callback();
      }
    };
    if (this.#isSync) {
      done(this._handle.writeSync(bytes));
    } else {
      this._handle.write(bytes, done);
    }
  }

  _final(callback) {
    if (this.#isSocket) {
      this._handle?.shutdown();
    }
    callback();
  }

  _destroy(error, callback) {
    const handle = this._handle;
    if (handle !== null) {
      this._handle = null;
      active.remove(handle);
      handle.close();
    }
    callback(error);
  }

  destroySoon() {
    if (this.writable) {
      this.end();
    }
    if (this.writableFinished) {
      this.destroy();
    } else {
      this.once('finish', this.destroy);
    }
  }

  ref() {
    this._handle?.ref();
    return this;
  }

  unref() {
    this._handle?.unref();
    return this;
  }

  pause() {
    // A paused stream does not keep the event loop alive; the kernel buffers its data.
    if (this._handle?.reading) {
      this._handle.readStop();
    }
    return super.pause();
  }

  resume() {
    const result = super.resume();
    if (this._handle !== null && !this._handle.reading && !this.readableEnded && this._readableState.reading) {
      this._handle.readStart();
    }
    return result;
  }

  setTimeout() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  setKeepAlive() {
    return this;
  }

  address() {
    return {};
  }
}

module.exports = { Pipe };
