// IPC channel: one end of a connection that carries serialized messages. In: a socket, the
// serialization; values. Out: received values, each with the file descriptor that was sent with it,
// and the end of the channel. Input is untrusted: bytes that are not messages end the channel.
// Absent: the APIs on top, `process.send` (internal/child_process/ipc.js) and `Bun.spawn`.
'use strict';

const binding = internalBinding('ipc');
const { kGive } = require('internal/io/stream_handle');
const { serializerFor } = require('internal/ipc/serialization');

const {
  event: { MESSAGE, END, PROTOCOL_ERROR, SENT, SEND_ERROR, BUN_PEER },
  serialization: { JSON: JSON_LINES, ADVANCED, BUN },
} = binding;

/** Numbers of the serializations in the binding. */
const FORMATS = { __proto__: null, json: JSON_LINES, advanced: ADVANCED, bun: BUN };

const EPIPE = -32;

class IpcChannel {
  #native = null;
  #serializer;
  #listener;
  #isRef = true;
  /** Callbacks of messages that are queued, in order. */
  #callbacks = [];

  /**
   * @param {[object, boolean] | null} opened what the binding returned: the native channel, and
   *   whether the peer is bun
   * @param {'json' | 'advanced' | 'bun'} format
   * @param {{ onMessage(value: any, descriptor: any): void, onEnd(): void,
   *   onProtocolError(reason: string): void, onSendError(errno: number): void }} listener
   */
  constructor(opened, format, listener) {
    this.#listener = listener;
    this.#serializer = serializerFor(format);
    if (opened === null) return;
    const [native, isBun] = opened;
    this.#native = native;
    const { bind } = require('internal/async_context');
    binding.listen(native, bind((event, value, descriptor) => this.#onEvent(event, value, descriptor)));
    if (isBun) this.#switchToBun();
  }

  /** Over a file descriptor, which the channel owns from then on. Out: the channel or an errno. */
  static open(fd, format, listener) {
    const opened = binding.open(fd, FORMATS[format]);
    return typeof opened === 'number' ? opened : new IpcChannel(opened, format, listener);
  }

  /** Over the file descriptor of a stream handle, which is empty from then on. */
  static adopt(handle, format, listener) {
    const native = handle[kGive]?.() ?? null;
    const opened = native === null ? null : binding.adopt(native, FORMATS[format]);
    return new IpcChannel(typeof opened === 'number' ? null : opened, format, listener);
  }

  #onEvent(event, value, descriptor) {
    switch (event) {
      case MESSAGE: return this.#read(value, descriptor);
      case END: return this.#listener.onEnd();
      case PROTOCOL_ERROR: return this.#listener.onProtocolError(value);
      case BUN_PEER: return this.#switchToBun();
      case SENT:
        for (const callback of this.#callbacks.splice(0, value)) callback(0);
        return undefined;
      default:
    }
    const callbacks = this.#callbacks.splice(0);
    for (const callback of callbacks) callback(value);
    return event === SEND_ERROR && callbacks.length === 0 ? this.#listener.onSendError(value) : undefined;
  }

  #read(bytes, descriptor) {
    let value;
    try {
      value = this.#serializer.deserialize(bytes);
    } catch (error) {
      if (descriptor !== undefined) binding.closeFd(descriptor);
      this.#listener.onProtocolError(`sent an invalid message: ${error.message}`);
      return;
    }
    this.#listener.onMessage(value, descriptor);
  }

  #switchToBun() {
    this.#serializer = serializerFor('bun');
    binding.sendGreeting(this.#native);
  }

  readStart() {
    if (this.#native === null) {
      require('process').nextTick(() => this.#listener.onEnd());
    } else {
      binding.readStart(this.#native);
    }
  }

  /** Back-pressure: the peer's socket buffer fills. */
  pause() {
    if (this.#native !== null) binding.readStop(this.#native);
  }

  resume() {
    if (this.#native !== null) binding.readStart(this.#native);
  }

  /**
   * Returns the number of queued bytes or an errno. If the result is greater than 0, `callback` is
   * called later with 0 or an errno; otherwise the message is sent already, or never.
   */
  send(value, handle, callback) {
    const bytes = this.#serializer.serialize(value);
    if (this.#native === null) return EPIPE;
    const queued = binding.send(this.#native, bytes, handle, callback !== undefined);
    if (queued > 0 && callback !== undefined) this.#callbacks.push(callback);
    return queued;
  }

  close() {
    if (this.#native === null) return;
    const native = this.#native;
    this.#native = null;
    this.#callbacks = [];
    binding.close(native);
  }

  get fd() {
    return this.#native === null ? -1 : binding.fd(this.#native);
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

module.exports = { IpcChannel };
