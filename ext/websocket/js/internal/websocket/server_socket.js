// ServerWebSocket: the WebSocket that handlers of `Bun.serve` get. In: a slot of the binding, the
// sockets of its server. Out: methods that send at once into the connection's output. Absent: the
// handshake (server.js).
'use strict';

const { invalidArgType } = require('internal/bun/environment');
const { opcode, sockets, toBinaryType, toBytes, toControl } = require('internal/websocket/sockets');

const binding = internalBinding('websocket');
const { event: { TEXT, BINARY, PING, PONG, CLOSE, END, DRAIN }, send, words, word: { CODE } } = binding;

const OPEN = 1;
const CLOSED = 3;
const NO_STATUS = 1005;
const ABNORMAL = 1006;
/** `close` without a code. */
const NORMAL = 1000;
const BINARY_TYPES = new Set(['nodebuffer', 'arraybuffer', 'uint8array', 'blob']);

let makeSocket;
let endSocket;

class ServerWebSocket {
  #slot;
  #owner;
  #binaryType = 'nodebuffer';
  #remoteAddress;
  #isPaused = false;

  constructor(key, slot, owner, remoteAddress, data) {
    if (key !== makeSocket) throw new TypeError('Illegal constructor');
    this.#slot = slot;
    this.#owner = owner;
    this.#remoteAddress = remoteAddress;
    this.data = data;
  }

  static {
    makeSocket = (slot, owner, remoteAddress, data) => {
      const socket = new ServerWebSocket(makeSocket, slot, owner, remoteAddress, data);
      sockets[slot] = { notify: (kind, payload) => socket.#notify(kind, payload) };
      return socket;
    };
    endSocket = (socket, code, reason) => {
      if (code === ABNORMAL) binding.terminate(socket.#slot);
      else binding.close(socket.#slot, code, reason);
      socket.#end(code, reason);
    };
  }

  #notify(kind, payload) {
    const { handlers } = this.#owner;
    switch (kind) {
      case TEXT:
        if (handlers.message !== undefined) this.#call(handlers.message, payload);
        break;
      case BINARY:
        if (handlers.message !== undefined) this.#call(handlers.message, toBinaryType(payload, this.#binaryType));
        break;
      case PING:
        if (handlers.ping !== undefined) this.#call(handlers.ping, toBinaryType(payload, this.#binaryType));
        break;
      case PONG:
        if (handlers.pong !== undefined) this.#call(handlers.pong, toBinaryType(payload, this.#binaryType));
        break;
      case DRAIN:
        if (handlers.drain !== undefined) this.#call(handlers.drain);
        break;
      case CLOSE: return this.#end(words[CODE] === 0 ? NO_STATUS : words[CODE], payload);
      case END: return this.#end(ABNORMAL, payload);
    }
  }

  #call(handler, first, second) {
    this.#owner.call(this, handler, first, second);
  }

  /** The handler runs before the caller goes on, as in bun. */
  #end(code, reason) {
    if (this.#slot < 0) return;
    sockets[this.#slot] = undefined;
    this.#slot = -1;
    this.#isPaused = false;
    this.#owner.remove(this);
    const { close } = this.#owner.handlers;
    if (close !== undefined) this.#call(close, code, reason);
  }

  send(data, compress) {
    if (arguments.length === 0) throw new Error('send requires at least 1 argument');
    if (typeof data === 'string') return send(this.#slot, data, opcode.TEXT, compress === true && this.#owner.compresses);
    return this.#sendOther(data, compress);
  }

  #sendOther(data, compress) {
    const bytes = toBytes(data);
    if (bytes === undefined) return send(this.#slot, `${data}`, opcode.TEXT, compress === true && this.#owner.compresses);
    return send(this.#slot, bytes, opcode.BINARY, compress === true && this.#owner.compresses);
  }

  sendText(data, compress) {
    if (typeof data !== 'string') throw new TypeError('sendText expects a string');
    return send(this.#slot, data, opcode.TEXT, compress === true && this.#owner.compresses);
  }

  sendBinary(data, compress) {
    const bytes = toBytes(data);
    if (bytes === undefined) throw new TypeError('sendBinary requires an ArrayBufferView');
    return send(this.#slot, bytes, opcode.BINARY, compress === true && this.#owner.compresses);
  }

  ping(data = '') { return send(this.#slot, toControl(data), opcode.PING, false); }
  pong(data = '') { return send(this.#slot, toControl(data), opcode.PONG, false); }

  publish(topic, data, compress) {
    if (arguments.length === 0) throw new Error('publish requires at least 1 argument');
    const bytes = typeof data === 'string' ? data : toBytes(data);
    if (bytes === undefined && data === undefined) throw new Error('publish requires a non-empty message');
    if (bytes === undefined) return this.#publish(topic, `${data}`, opcode.TEXT, compress);
    return this.#publish(topic, bytes, typeof data === 'string' ? opcode.TEXT : opcode.BINARY, compress);
  }

  publishText(topic, data, compress) {
    if (typeof data !== 'string') throw new TypeError('publishText expects a string');
    return this.#publish(topic, data, opcode.TEXT, compress);
  }

  publishBinary(topic, data, compress) {
    const bytes = toBytes(data);
    if (bytes === undefined) throw new TypeError('publishBinary expects an ArrayBufferView');
    return this.#publish(topic, bytes, opcode.BINARY, compress);
  }

  /** Reaches the subscribers of a topic that the socket itself is subscribed to or not. */
  #publish(topic, data, kind, compress) {
    if (this.#slot < 0) return 0;
    const except = this.#owner.publishToSelf ? -1 : this.#slot;
    return binding.publish(except, this.#owner.group, checkTopic(topic), data, kind, compress === true && this.#owner.compresses);
  }

  subscribe(topic) {
    if (arguments.length === 0) throw new Error('subscribe requires at least 1 argument');
    checkTopic(topic);
    if (this.#slot < 0) return false;
    binding.subscribe(this.#slot, this.#owner.group, topic);
    return true;
  }

  unsubscribe(topic) {
    if (arguments.length === 0) throw new Error('unsubscribe requires at least 1 argument');
    return this.#slot >= 0 && binding.unsubscribe(this.#slot, this.#owner.group, checkTopic(topic));
  }

  isSubscribed(topic) {
    if (arguments.length === 0) throw new Error('isSubscribed requires at least 1 argument');
    return this.#slot >= 0 && binding.isSubscribed(this.#slot, this.#owner.group, checkTopic(topic));
  }

  get subscriptions() { return this.#slot < 0 ? [] : binding.subscriptions(this.#slot); }

  /** Output is joined until the callback ends, with or without it. */
  cork(callback) {
    if (arguments.length === 0) throw missingArguments("Not enough arguments to 'cork'. Expected 1, got 0.");
    if (typeof callback !== 'function') throw invalidArgType('cork expects a function');
    return callback(this);
  }

  close(code, reason) {
    if (code !== undefined && code !== null && typeof code !== 'number') throw invalidArgType('close requires a numeric code or undefined');
    if (this.#slot < 0) return;
    const number = code === undefined || code === null ? NORMAL : code & 0xffff;
    const text = reason === undefined || reason === null ? '' : `${reason}`;
    const isSilent = number === 0 || number === NO_STATUS || number === ABNORMAL;
    binding.close(this.#slot, isSilent ? 0 : number, isSilent ? '' : text);
    this.#end(number === 0 ? NO_STATUS : number, text);
  }

  terminate() {
    if (this.#slot >= 0) endSocket(this, ABNORMAL, '');
  }

  pause() { this.#setPaused(true); }
  resume() { this.#setPaused(false); }
  #setPaused(isPaused) {
    if (this.#slot < 0 || this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    binding.setPaused(this.#slot, isPaused);
  }

  getBufferedAmount() { return binding.bufferedAmount(this.#slot); }

  get isPaused() { return this.#isPaused; }
  get readyState() { return this.#slot < 0 ? CLOSED : OPEN; }
  get remoteAddress() { return this.#remoteAddress; }

  get binaryType() { return this.#binaryType; }
  set binaryType(value) {
    if (!BINARY_TYPES.has(value)) throw new Error('binaryType must be either "uint8array", "arraybuffer", "nodebuffer" or "blob"');
    this.#binaryType = value;
  }
}

Object.defineProperty(ServerWebSocket.prototype, Symbol.toStringTag, { __proto__: null, value: 'ServerWebSocket', configurable: true });

function checkTopic(topic) {
  if (typeof topic === 'string') return topic;
  const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
  throw new ERR_INVALID_ARG_TYPE('topic', 'string', topic);
}

function missingArguments(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_MISSING_ARGS' });
}

module.exports = { ServerWebSocket, endSocket, makeSocket };
