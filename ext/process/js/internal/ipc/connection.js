// One end of a channel between programs, whoever they are. In: a connection, the form of its
// messages; values. Out: values as they come, each with the descriptor that came along, and the
// end. What the other end sends is never believed: bytes that are no messages end the channel.
// Absent: what `process.send` and `Bun.spawn` make of it.
'use strict';

const binding = internalBinding('ipc');
const { kGive } = require('internal/io/stream_handle');
const codecs = require('internal/ipc/codecs');

/** What the native half tells: the same numbers there. */
const MESSAGE = 0;
const END = 1;
const FLAW = 2;
const SENT = 3;
const SEND_ERROR = 4;
const BUN = 5;

const EPIPE = -32;

class Connection {
  #native = null;
  #codec;
  #owner;
  #isRef = true;
  /** Those who want to know that their message was sent, in order. */
  #asked = [];

  /**
   * @param {'json' | 'advanced' | 'bun'} form
   * @param {{ onMessage(value: any, descriptor: any): void, onEnd(): void, onFlaw(why: string):
   *   void, onSendError(errno: number): void }} owner
   */
  constructor(made, form, owner) {
    this.#owner = owner;
    this.#codec = codecs.make(form);
    if (made === null) return;
    const [own, isBun] = made;
    this.#native = own;
    const { bind } = require('internal/async_context');
    binding.listen(own, bind((kind, value, descriptor) => this.#tell(kind, value, descriptor)));
    if (isBun) this.#becomeBun();
  }

  /** Over a number, which is the channel's from then on; or a number less than 0. */
  static open(fd, form, owner) {
    const made = binding.open(fd, codecs.number(form));
    return typeof made === 'number' ? made : new Connection(made, form, owner);
  }

  /** Over the descriptor of a handle, which is empty from then on. */
  static adopt(handle, form, owner) {
    const own = handle[kGive]?.() ?? null;
    const made = own === null ? null : binding.adopt(own, codecs.number(form));
    return new Connection(typeof made === 'number' ? null : made, form, owner);
  }

  #tell(kind, value, descriptor) {
    switch (kind) {
      case MESSAGE: return this.#read(value, descriptor);
      case END: return this.#owner.onEnd();
      case FLAW: return this.#owner.onFlaw(value);
      case BUN: return this.#becomeBun();
      case SENT:
        for (const done of this.#asked.splice(0, value)) done(0);
        return undefined;
      default:
    }
    const asked = this.#asked.splice(0);
    for (const done of asked) done(value);
    return kind === SEND_ERROR && asked.length === 0 ? this.#owner.onSendError(value) : undefined;
  }

  #read(bytes, descriptor) {
    let value;
    try {
      value = this.#codec.read(bytes);
    } catch (error) {
      if (descriptor !== undefined) binding.drop(descriptor);
      this.#owner.onFlaw(`sent what is no message: ${error.message}`);
      return;
    }
    this.#owner.onMessage(value, descriptor);
  }

  #becomeBun() {
    this.#codec = codecs.make('bun');
    binding.greet(this.#native);
  }

  begin() {
    if (this.#native === null) {
      require('process').nextTick(() => this.#owner.onEnd());
    } else {
      binding.readStart(this.#native);
    }
  }

  /** Nothing more is read for now, so the other end finds that much waits. */
  pause() {
    if (this.#native !== null) binding.readStop(this.#native);
  }

  resume() {
    if (this.#native !== null) binding.readStart(this.#native);
  }

  /**
   * How many bytes wait, or a number less than 0. `done`, if there is one, is called with 0 or a
   * number less than 0, but not where that was the result: then all was sent at once, or nothing
   * is.
   */
  send(value, along, done) {
    const bytes = this.#codec.write(value);
    if (this.#native === null) return EPIPE;
    const waiting = binding.send(this.#native, bytes, along, done !== undefined);
    if (waiting > 0 && done !== undefined) this.#asked.push(done);
    return waiting;
  }

  close() {
    if (this.#native === null) return;
    const own = this.#native;
    this.#native = null;
    this.#asked = [];
    binding.close(own);
  }

  get fd() {
    return this.#native === null ? -1 : binding.number(this.#native);
  }

  ref() {
    this.#setRef(true);
  }

  unref() {
    this.#setRef(false);
  }

  #setRef(isRef) {
    this.#isRef = isRef;
    if (this.#native !== null) binding.setRef(this.#native, isRef);
  }

  hasRef() {
    return this.#native !== null && this.#isRef;
  }
}

module.exports = { Connection };
