// Stream handles: a file descriptor in the event loop, as libuv's uv_stream_t; below streams over
// pipes, sockets and terminals. In: a file descriptor, callbacks. Out: bytes, the end, errors; a
// callback for each write. Absent: streams (pipe.js).

'use strict';

const binding = internalBinding('stream_handle');
const { afterClose } = internalBinding('queues');

const { event: { DATA, END, READ_ERROR, WRITTEN, CONNECTED, CONNECTION }, uv: { UV_EBADF, UV_ECANCELED } } = binding;

/** The native object, for another extension's binding. */
const kNative = Symbol('kNative');
/** Sets the native object of a handle that was made without. */
const kTake = Symbol('kTake');
/** Takes the native object out of the handle. */
const kGive = Symbol('kGive');

/** Types of async_hooks, by the names of `process.getActiveResourcesInfo`. */
const RESOURCE_TYPES = {
  __proto__: null,
  TCPSocketWrap: 'TCPWRAP', TCPServerWrap: 'TCPSERVERWRAP', PipeServerWrap: 'PIPESERVERWRAP', TTYWrap: 'TTYWRAP',
};

class Handle {
  #native = null;
  #isRef = true;
  /** The callbacks of queued writes, in order. */
  #writeCallbacks = [];
  #name;
  reading = false;
  /** Called with bytes, `null` at the end, or a negative errno. */
  onread = null;
  /**
   * Of sockets (internal/net/handle). `onconnect` is called with 0 or a negative errno; `onaccept`
   * with the native object of an accepted connection, or a negative errno.
   */
  onconnect = null;
  onaccept = null;
  /** The largest number of bytes in one read; 0: the default. */
  #readMax = 0;

  /** `native`: the native object, or null if it is set later. */
  constructor(native, name) {
    this.#name = name;
    if (native !== null) this[kTake](native);
  }

  [kTake](native) {
    this.#native = native;
    const { bindResource } = require('internal/async_context');
    binding.listen(native, bindResource((kind, value) => this.#onEvent(kind, value), RESOURCE_TYPES[this.name] ?? 'PIPEWRAP', this));
    if (!this.#isRef) binding.setRef(native, false);
  }

  get [kNative]() {
    return this.#native;
  }

  /** The number of queued bytes, by libuv's name. */
  get writeQueueSize() {
    return this.#native === null ? 0 : binding.writeQueueSize(this.#native);
  }

  [kGive]() {
    const native = this.#native;
    this.#native = null;
    return native;
  }

  /** A handle over `fd`, or a negative errno. `isShared`: it stays open for other users. */
  static open(fd, name, isShared) {
    const native = binding.open(fd, isShared);
    return typeof native === 'number' ? native : new Handle(native, name);
  }

  #onEvent(kind, value) {
    if (kind === DATA) {
      this.onread?.(value);
    } else if (kind === END || kind === READ_ERROR) {
      this.reading = false;
      this.onread?.(kind === END ? null : value);
    } else if (kind === WRITTEN) {
      const done = this.#writeCallbacks.shift();
      this.#refForWrites(0);
      done?.(value);
    } else if (kind === CONNECTED) {
      this.onconnect?.(value);
    } else if (kind === CONNECTION) {
      this.onaccept?.(value);
    }
  }

  get fd() {
    return this.#native === null ? -1 : binding.fd(this.#native);
  }

  get name() {
    return this.#name;
  }

  readStart() {
    if (this.#native === null) {
      return UV_EBADF;
    }
    this.reading = true;
    return binding.readStart(this.#native, this.#readMax);
  }

  set readMax(bytes) {
    this.#readMax = bytes;
    if (this.reading && this.#native !== null) binding.readStart(this.#native, bytes);
  }

  readStop() {
    this.reading = false;
    return this.#native === null ? 0 : binding.readStop(this.#native);
  }

  /**
   * Writes a head in Latin-1 and a body (a string, bytes or undefined) as far as the kernel accepts
   * them now. Returns the rest as bytes, undefined if there is none, or a negative errno. Not
   * called while writes are queued.
   */
  writeNow(head, body) {
    return this.#native === null ? UV_EBADF : binding.writeNow(this.#native, head, body);
  }

  /**
   * Writes what the kernel accepts and queues the rest. Calls `done` with 0 or a negative errno
   * when all is written. True: that was at once.
   */
  write(bytes, done) {
    if (this.#native === null) {
      done(UV_EBADF);
      return true;
    }
    const result = binding.write(this.#native, bytes);
    if (result === 1) {
      this.#writeCallbacks.push(done);
      this.#refForWrites(1);
      return false;
    }
    done(result);
    return true;
  }

  /** Blocks until all is written. */
  writeSync(bytes) {
    return this.#native === null ? UV_EBADF : binding.writeSync(this.#native, bytes);
  }

  /** Shuts down the write side of a socket. */
  shutdown() {
    return this.#native === null ? 0 : binding.shutdown(this.#native);
  }

  /** `callback` is called in the closing phase, as in Node. */
  close(callback) {
    if (typeof callback === 'function') afterClose(callback);
    if (this.#native !== null) {
      const native = this.#native;
      this.#native = null;
      const written = this.#writeCallbacks;
      this.#writeCallbacks = [];
      binding.close(native);
      require('internal/async_context').destroyResource(this);
      if (written.length > 0) require('process').nextTick(() => { for (const done of written) done(UV_ECANCELED); });
    }
  }

  get isClosed() {
    return this.#native === null;
  }

  ref() {
    this.#setRef(true);
  }

  unref() {
    this.#setRef(false);
  }

  #setRef(isRef) {
    this.#isRef = isRef;
    if (this.#native !== null && this.#writeCallbacks.length === 0) {
      binding.setRef(this.#native, isRef);
    }
  }

  /**
   * Queued writes keep the event loop alive even if the handle is unref'd. Called when the queue
   * has that length.
   */
  #refForWrites(count) {
    if (this.#native !== null && this.#writeCallbacks.length === count && !this.#isRef) {
      binding.setRef(this.#native, count > 0);
    }
  }

  hasRef() {
    return this.#native !== null && this.#isRef;
  }

  setBlocking() {
    return 0;
  }

  getAsyncId() {
    return require('internal/async_context').idOf(this);
  }
}

module.exports = { Handle, kGive, kNative, kTake };
