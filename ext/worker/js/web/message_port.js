// MessagePort and MessageChannel, and what node:worker_threads does with ports. In: values and a
// transfer list. Out: copies of them at the other port, in order, an event each, in this thread or
// another one. A port keeps the program going while it has a listener of 'message'.
'use strict';

const { codes } = require('internal/errors');
const { NodeEventTarget, isRemovingAllListeners } = require('internal/event_target');
const { defineEventHandler, hasNodeListener, kEmit, kEmitPlain, kNewListener, kRemoveListener } = require('web/events');
const asyncContext = require('internal/async_context');
const hooked = require('internal/async_hooks_emit');
const { End } = require('internal/messaging/channel');
const { HeldText } = require('internal/messaging/packets');
const { markHost } = require('internal/messaging/symbols');
const transfer = require('internal/messaging/transfer');

const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const NOTHING = Object.freeze([]);
const TIMEOUT_MAX = 2 ** 31 - 1;
const { setInterval, clearInterval } = internalBinding('queues');
// What functions of this file see of ports.
const inner = {};

let kept = 0;
let keeper;

/** While a port keeps the program going, a timer does that never comes. */
function keep(step) {
  kept += step;
  if (kept > 0) {
    keeper ??= setInterval(() => {}, TIMEOUT_MAX);
  } else if (keeper !== undefined) {
    clearInterval(keeper);
    keeper = undefined;
  }
}

class Port extends NodeEventTarget {
  #end;
  #isKeeping = false;
  #isStarted = false;
  /** Listeners are called in the one that the port was made in, whoever adds them. */
  #context = asyncContext.get();
  #owner = {
    keepsGoing: false,
    onPacket: () => (asyncContext.isActive() ? asyncContext.run(this.#context, this.#deliver, this, NOTHING) : this.#deliver()),
    onClose: () => asyncContext.run(this.#context, this.#closed, this, NOTHING),
  };

  constructor(token, end) {
    if (token !== kMake) throw new codes.ERR_CONSTRUCT_CALL_INVALID();
    super();
    this.#adopt(end);
    hooked.emitInit?.('MESSAGEPORT', this);
  }

  static {
    inner.isPort = (value) => typeof value === 'object' && value !== null && #end in value;
    inner.take = (port) => port.#end?.take();
    inner.isPeerOf = (port, other) => inner.isPort(other) && port.#end !== null && other.#end !== null && port.#end.isPeer(other.#end);
  }

  #adopt(end) {
    this.#end = end;
    end.onEnd = this.#owner.onClose;
  }

  static #of(port) {
    if (!inner.isPort(port)) throw new TypeError('Illegal invocation');
    return port;
  }

  postMessage(value, transferList) {
    const port = Port.#of(this);
    if (arguments.length === 0) throw missing('Not enough arguments to MessagePort.postMessage');
    if (transferList === undefined) return (port.#end ?? nowhere).send(value, NOTHING) || undefined;
    const list = transfer.readList(transferList);
    transfer.check(list, port);
    const isLost = list.some((item) => inner.isPeerOf(port, item));
    if (isLost) {
      require('web/structured_clone').clonePacket(value, list);
      process.emitWarning('The target port was posted to itself, and the communication channel was lost');
      port.close();
      return true;
    }
    const end = port.#end ?? nowhere;
    return end.send(value, list) || undefined;
  }

  start() {
    const port = Port.#of(this);
    if (port.#end === null || port.#isStarted) return;
    port.#isStarted = true;
    port.#end.owner = port.#owner;
  }

  close(callback) {
    const port = Port.#of(this);
    if (typeof callback === 'function') port.once('close', callback);
    port.#end?.close(port.#owner);
  }

  ref() { Port.#of(this).#keep(true); }

  unref() { Port.#of(this).#keep(false); }

  hasRef() { return Port.#of(this).#isKeeping; }

  #keep(isKeeping) {
    if (isKeeping && (this.#end === null || this.#end.isClosed)) return;
    if (this.#isKeeping === isKeeping) return;
    this.#isKeeping = isKeeping;
    this.#owner.keepsGoing = isKeeping;
    keep(isKeeping ? 1 : -1);
  }

  /** Messages wait for the next listener. */
  #stop() {
    this.#keep(false);
    if (this.#end === null) return;
    this.#isStarted = false;
    this.#end.owner = null;
  }

  #deliver() {
    const packet = this.#end?.take();
    if (packet === undefined) return;
    const type = 'error' in packet ? 'messageerror' : 'message';
    const value = type === 'message' ? packet.value : packet.error;
    if (this[kEmitPlain](type, value, plainValue)) return;
    const { MessageEvent } = require('web/message_event');
    const isForEmitters = value instanceof HeldText && hasNodeListener(this, type);
    this[kEmit](type, isForEmitters ? value.text : value, new MessageEvent(type, { data: value, ports: packet.ports }));
  }

  #closed() {
    if (this.#end === null) return;
    this.#end.owner = null;
    this.#end = null;
    this.#keep(false);
    const { Event } = require('web/events');
    this[kEmit]('close', undefined, new Event('close'));
  }

  // --- transfer

  [transfer.kCheckTransfer]() {
    if (this.#end === null || this.#end.isClosed) throw transfer.refuse('MessagePort in transfer list is already detached');
  }

  [transfer.kTransfer]() {
    const end = this.#end;
    end.owner = null;
    this.#keep(false);
    this.#end = null;
    return new Port(kMake, end);
  }

  /** The end, for another owner; the port is nobody's from then on. */
  static release(port) {
    const end = port.#end;
    if (end === null || end.isClosed) throw new codes.ERR_CLOSED_MESSAGE_PORT();
    end.owner = null;
    port.#keep(false);
    port.#end = null;
    return end;
  }

  [transfer.kSend]() {
    const end = this.#end;
    this.#keep(false);
    this.#end = null;
    return { kind: 'PORT', ports: [end.leave()] };
  }

  // --- listeners

  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type !== 'message' || size !== 1) return;
    this.#keep(true);
    this.start();
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    // As in Node, removeAllListeners leaves alone what keeps the program going.
    if (type === 'message' && size === 0 && !isRemovingAllListeners()) this.#stop();
  }

  [kInspect](depth, options) {
    if (!inner.isPort(this)) return this;
    if (depth < 0) return '[MessagePort [EventTarget]]';
    const { inspect } = require('internal/util/inspect');
    const isActive = this.#end !== null && !this.#end.isClosed;
    return `MessagePort [EventTarget] ${inspect({ active: isActive, refed: this.#isKeeping }, options)}`;
  }

  static make(end) { return new Port(kMake, end); }
}

const { make, release } = Port;
delete Port.make;
delete Port.release;

/** What programs see: nobody makes one but a channel. */
function MessagePort() { throw new codes.ERR_CONSTRUCT_CALL_INVALID(); }
Object.setPrototypeOf(MessagePort, NodeEventTarget);
Object.defineProperty(MessagePort, 'prototype', { __proto__: null, value: Port.prototype, writable: false });
Object.defineProperty(Port.prototype, 'constructor', { __proto__: null, value: MessagePort, writable: true, configurable: true });
for (const name of ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']) {
  Object.defineProperty(MessagePort.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(MessagePort.prototype, Symbol.toStringTag, { __proto__: null, value: 'MessagePort', configurable: true });
markHost(MessagePort);
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');

/** Takes what a closed port sends. */
const nowhere = new End();

/** A text of another thread's is made when somebody asks. */
function plainValue(value) {
  return value instanceof HeldText ? value.text : value;
}

function missing(text) {
  const error = new codes.ERR_MISSING_ARGS('value');
  Object.defineProperty(error, 'message', { __proto__: null, value: text, writable: true, configurable: true });
  return error;
}

class Channel {
  constructor() {
    const [first, second] = End.pair();
    this.port1 = make(first);
    this.port2 = make(second);
  }
}

// Node says of a call without `new` what no class says.
const MessageChannel = new Proxy(Channel, {
  __proto__: null,
  apply() {
    const error = new codes.ERR_CONSTRUCT_CALL_REQUIRED('MessageChannel');
    Object.defineProperty(error, 'message', { __proto__: null, value: 'Cannot call constructor without `new`', writable: true, configurable: true });
    throw error;
  },
});
Object.defineProperty(Channel, 'name', { __proto__: null, value: 'MessageChannel', configurable: true });
Object.defineProperty(Channel.prototype, 'constructor', { __proto__: null, value: MessageChannel, writable: true, configurable: true });

/** The oldest message that nobody was told of, taken at once. */
function receiveMessageOnPort(port) {
  const { isBroadcastChannel, takeBroadcast } = require('web/broadcast_channel');
  if (isBroadcastChannel(port)) return takeBroadcast(port);
  if (!inner.isPort(port)) {
    const error = new codes.ERR_INVALID_ARG_TYPE('port', 'MessagePort', port);
    Object.defineProperty(error, 'message', { __proto__: null, value: 'The "port" argument must be a MessagePort instance', writable: true, configurable: true });
    throw error;
  }
  const packet = inner.take(port);
  if (packet === undefined) return undefined;
  if ('error' in packet) throw packet.error;
  return { message: plainValue(packet.value) };
}

/** Two ports, as a channel has them. */
const makePair = () => End.pair().map((end) => make(end));
/** The port of a native one that came from another thread. */
const ofHandle = (handle) => make(End.ofHandle(handle));

module.exports = { MessageChannel, MessagePort, isPort: inner.isPort, keep, makePair, ofHandle, plainValue, receiveMessageOnPort, release };
