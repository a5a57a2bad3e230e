// A descriptor in the loop: what a stream over a pipe, a socket or a terminal stands on. In: a
// descriptor, and what is to be called. Out: bytes as they come, the end, errors; writes that tell
// when all was taken. Absent: streams (pipe.js).

'use strict';

const binding = internalBinding('stream_handle');

const { event: { DATA, END, READ_ERROR, WRITTEN, CONNECTED, CONNECTION } } = binding;

/** What writes are told that wait when it is closed: ECANCELED. */
const CANCELED = -125;

/** What the native half has, for another native that takes it along. */
const kNative = Symbol('kNative');
/** Takes one that the handle did not have when it was made. */
const kTake = Symbol('kTake');
/** What it has, given up by the handle. */
const kGive = Symbol('kGive');

class Handle {
  #native = null;
  #isRef = true;
  /** What is to be called for each write that waits, in their order. */
  #written = [];
  #name;
  reading = false;
  /** Called with bytes, `null` at the end, or a number less than 0. */
  onread = null;
  /**
   * Of sockets (internal/net/handle): called with 0 or a number less than 0; with what the native
   * half gave for whoever has come, or such a number.
   */
  onconnect = null;
  oncome = null;
  /** As many bytes are read at once at most; 0: as the native half likes. */
  #readMax = 0;

  /** `own`: what the native half gave for a descriptor, or null if that comes later. */
  constructor(own, name) {
    this.#name = name;
    if (own !== null) this[kTake](own);
  }

  [kTake](own) {
    this.#native = own;
    const { bind } = require('internal/async_context');
    binding.listen(own, bind((kind, value) => this.#tell(kind, value)));
    if (!this.#isRef) binding.setRef(own, false);
  }

  get [kNative]() {
    return this.#native;
  }

  /** Bytes that are written, and not taken by the kernel yet; by the name that libuv has for it. */
  get writeQueueSize() {
    return this.#native === null ? 0 : binding.bytesWaiting(this.#native);
  }

  [kGive]() {
    const own = this.#native;
    this.#native = null;
    return own;
  }

  /** A handle of a descriptor that stays open for others too, or a number less than 0. */
  static open(fd, name, isShared) {
    const own = binding.open(fd, isShared);
    return typeof own === 'number' ? own : new Handle(own, name);
  }

  #tell(kind, value) {
    if (kind === DATA) {
      this.onread?.(value);
    } else if (kind === END || kind === READ_ERROR) {
      this.reading = false;
      this.onread?.(kind === END ? null : value);
    } else if (kind === WRITTEN) {
      const done = this.#written.shift();
      this.#refForWrites(0);
      done?.(value);
    } else if (kind === CONNECTED) {
      this.onconnect?.(value);
    } else if (kind === CONNECTION) {
      this.oncome?.(value);
    }
  }

  get fd() {
    return this.#native === null ? -1 : binding.number(this.#native);
  }

  get name() {
    return this.#name;
  }

  readStart() {
    if (this.#native === null) {
      return -9;
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
   * Writes what it can now; calls `done` with 0 or a number less than 0 once all is written. True:
   * it was done at once.
   */
  write(bytes, done) {
    if (this.#native === null) {
      done(-9);
      return true;
    }
    const result = binding.write(this.#native, bytes);
    if (result === 1) {
      this.#written.push(done);
      this.#refForWrites(1);
      return false;
    }
    done(result);
    return true;
  }

  /** Waits until all is written. */
  writeSync(bytes) {
    return this.#native === null ? -9 : binding.writeSync(this.#native, bytes);
  }

  /** Tells the other end that nothing more comes; for sockets. */
  shutdown() {
    return this.#native === null ? 0 : binding.shutdown(this.#native);
  }

  /** `callback` is called when it is gone, at the end of a round of the loop as Node does. */
  close(callback) {
    if (typeof callback === 'function') setImmediate(callback);
    if (this.#native !== null) {
      const own = this.#native;
      this.#native = null;
      const written = this.#written;
      this.#written = [];
      binding.close(own);
      if (written.length > 0) require('process').nextTick(() => { for (const done of written) done(CANCELED); });
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
    if (this.#native !== null && this.#written.length === 0) {
      binding.setRef(this.#native, isRef);
    }
  }

  /**
   * What is to be written keeps the loop going, whatever the program said of the handle; called
   * where so many writes wait now.
   */
  #refForWrites(count) {
    if (this.#native !== null && this.#written.length === count && !this.#isRef) {
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
    return -1;
  }
}

module.exports = { Handle, kGive, kNative, kTake };
