// A descriptor in the loop: what a stream over a pipe, a socket or a terminal stands on. In: a descriptor, and what is to be called.
// Out: bytes as they come, the end, errors; writes that tell when all was taken. Absent: streams (pipe.js).

'use strict';

const binding = native('pipe');

/** What the native half tells: the same numbers there. */
const DATA = 0;
const END = 1;
const READ_ERROR = 2;
const WRITTEN = 3;

/** What the native half has, for another native that takes it along. */
const kNative = Symbol('kNative');
/** The same, given up by the handle. */
const kGive = Symbol('kGive');

class Handle {
  #native;
  #isRef = true;
  /** What is to be called for each write that waits, in their order. */
  #written = [];
  #name;
  reading = false;
  /** Called with bytes, `null` at the end, or a number less than 0. */
  onread = null;

  /** `native`: what the native half gave for a descriptor. */
  constructor(own, name) {
    this.#native = own;
    this.#name = name;
    const { bind } = require('internal/async_context');
    binding.listen(own, bind((kind, value) => this.#tell(kind, value)));
  }

  get [kNative]() {
    return this.#native;
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
    return binding.readStart(this.#native);
  }

  readStop() {
    this.reading = false;
    return this.#native === null ? 0 : binding.readStop(this.#native);
  }

  /** Writes what it can now; calls `done` with 0 or a number less than 0 once all is written. True: it was done at once. */
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

  close() {
    if (this.#native !== null) {
      const own = this.#native;
      this.#native = null;
      this.#written = [];
      binding.close(own);
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

  /** What is to be written keeps the loop going, whatever the program said of the handle; called where so many writes wait now. */
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

module.exports = { Handle, kGive, kNative };
