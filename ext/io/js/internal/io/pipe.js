// Duplex stream over a stream handle: standard streams, pipes to child processes, terminals. In: a
// file descriptor or a handle. Out: a duplex stream with back-pressure; a side that is not readable
// or not writable is ended. Absent: connecting and servers (internal/net).

'use strict';

const { Duplex } = require('stream');
const { UVException } = require('internal/errors');
const active = require('internal/process/active_resources');
const { Handle } = require('internal/io/stream_handle');

class Pipe extends Duplex {
  /** Kept under Node's names, for programs look at them. */
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
    const own = handle ?? Handle.open(fd, name, isShared);
    if (typeof own === 'number') {
      throw new UVException({ errno: own, syscall: 'open' });
    }
    this._handle = own;
    active.add(own, own.name, this);
    own.onread = (value) => this.#onRead(value);
  }

  #onRead(value) {
    if (value === null) {
      this.push(null);
      // Whoever does not look gets told all the same.
      this.read(0);
    } else if (typeof value === 'number') {
      this.destroy(new UVException({ errno: value, syscall: 'read' }));
    } else {
      this.bytesRead += value.byteLength;
      if (!this.push(require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength))) {
        this._handle?.readStop();
      }
    }
  }

  get bytesWritten() {
    // Its prototype has written nothing.
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
        this.destroy(new UVException({ errno, syscall: 'read' }));
      }
    }
  }

  _write(chunk, encoding, callback) {
    this.#writeOut(chunk, encoding, callback);
  }

  _writev(chunks, callback) {
    const { Buffer } = require('buffer');
    const pieces = chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk));
    this.#writeOut(Buffer.concat(pieces), 'buffer', callback);
  }

  #writeOut(chunk, encoding, callback) {
    if (this._handle === null) {
      callback(new UVException({ errno: -9, syscall: 'write' }));
      return;
    }
    // The native half writes strings as UTF-8 itself.
    const isPlain = typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8';
    const bytes = isPlain ? chunk : require('buffer').Buffer.from(chunk, encoding);
    const length = typeof bytes === 'string' ? require('buffer').Buffer.byteLength(bytes) : bytes.byteLength;
    const done = (errno) => {
      if (errno < 0) {
        // What waited when it was destroyed fails with that.
        callback(this.destroyed ? null : new UVException({ errno, syscall: 'write' }));
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
    // What comes meanwhile waits in the kernel, and a stream that nobody reads lets the loop end.
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
