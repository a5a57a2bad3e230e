// MessagePort and MessageChannel of the HTML standard, with Node's additions. In: values and a
// transfer list. Out: copies at the other port, in order, an event each, in this thread or another
// one. A port keeps the event loop alive while it has a 'message' listener.
'use strict';

const { codes } = require('internal/errors');
const { NodeEventTarget, isRemovingAllListeners } = require('internal/event_target');
const { defineEventHandler, hasNodeListener, kEmit, kEmitPlain, kNewListener, kRemoveListener } = require('web/events');
const asyncContext = require('internal/async_context');
const hooked = require('internal/async_hooks_emit');
const { ChannelEnd } = require('internal/messaging/channel');
const { DeferredString } = require('internal/messaging/packets');
const { markHostObject } = require('internal/messaging/symbols');
const transfer = require('internal/messaging/transfer');

const kMake = Symbol('kMake');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const NOTHING = Object.freeze([]);
const TIMEOUT_MAX = 2 ** 31 - 1;
const { setInterval, clearInterval } = internalBinding('queues');
// Access to private fields, for functions of this file.
const internals = {};

let refCount = 0;
let keepAliveTimer;

/** A timer that never fires keeps the event loop alive while a port is ref'd. */
function updateRefCount(step) {
  refCount += step;
  if (refCount > 0) {
    keepAliveTimer ??= setInterval(() => {}, TIMEOUT_MAX);
  } else if (keepAliveTimer !== undefined) {
    clearInterval(keepAliveTimer);
    keepAliveTimer = undefined;
  }
}

class Port extends NodeEventTarget {
  #end;
  #isRef = false;
  #isStarted = false;
  /** Listeners run in the async context in which the port was created. */
  #context = asyncContext.get();
  #owner = {
    isRef: false,
    onMessage: () => (asyncContext.isActive() ? asyncContext.run(this.#context, this.#dispatchMessage, this, NOTHING) : this.#dispatchMessage()),
    onClose: () => asyncContext.run(this.#context, this.#onClosed, this, NOTHING),
  };

  constructor(token, end) {
    if (token !== kMake) throw new codes.ERR_CONSTRUCT_CALL_INVALID();
    super();
    this.#setEnd(end);
    hooked.emitInit?.('MESSAGEPORT', this);
  }

  static {
    internals.isPort = (value) => typeof value === 'object' && value !== null && #end in value;
    internals.receive = (port) => port.#end?.receive();
    internals.isPeerOf = (port, other) => internals.isPort(other) && port.#end !== null && other.#end !== null && port.#end.isPeer(other.#end);
  }

  #setEnd(end) {
    this.#end = end;
    end.onPeerClose = this.#owner.onClose;
  }

  static #of(port) {
    if (!internals.isPort(port)) throw new TypeError('Illegal invocation');
    return port;
  }

  postMessage(value, transferList) {
    const port = Port.#of(this);
    if (arguments.length === 0) throw missingArgument('Not enough arguments to MessagePort.postMessage');
    if (transferList === undefined) return (port.#end ?? closedEnd).send(value, NOTHING) || undefined;
    const list = transfer.parseTransferList(transferList);
    transfer.validateTransferList(list, port);
    const includesPeer = list.some((item) => internals.isPeerOf(port, item));
    if (includesPeer) {
      require('web/structured_clone').cloneWithTransfer(value, list);
      process.emitWarning('The target port was posted to itself, and the communication channel was lost');
      port.close();
      return true;
    }
    const end = port.#end ?? closedEnd;
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

  ref() { Port.#of(this).#setRef(true); }

  unref() { Port.#of(this).#setRef(false); }

  hasRef() { return Port.#of(this).#isRef; }

  #setRef(isRef) {
    if (isRef && (this.#end === null || this.#end.isClosed)) return;
    if (this.#isRef === isRef) return;
    this.#isRef = isRef;
    this.#owner.isRef = isRef;
    updateRefCount(isRef ? 1 : -1);
  }

  /** Stops delivery: messages wait for the next listener. */
  #detachOwner() {
    this.#setRef(false);
    if (this.#end === null) return;
    this.#isStarted = false;
    this.#end.owner = null;
  }

  #dispatchMessage() {
    const packet = this.#end?.receive();
    if (packet === undefined) return;
    const type = 'error' in packet ? 'messageerror' : 'message';
    const value = type === 'message' ? packet.value : packet.error;
    if (this[kEmitPlain](type, value, resolveDeferred)) return;
    const { MessageEvent } = require('web/message_event');
    const resolvesForEmitter = value instanceof DeferredString && hasNodeListener(this, type);
    this[kEmit](type, resolvesForEmitter ? value.value : value, new MessageEvent(type, { data: value, ports: packet.ports }));
  }

  #onClosed() {
    if (this.#end === null) return;
    this.#end.owner = null;
    this.#end = null;
    this.#setRef(false);
    const { Event } = require('web/events');
    this[kEmit]('close', undefined, new Event('close'));
  }

  // --- transfer

  [transfer.kCheckTransfer]() {
    if (this.#end === null || this.#end.isClosed) throw transfer.dataCloneError('MessagePort in transfer list is already detached');
  }

  [transfer.kTransfer]() {
    const end = this.#end;
    end.owner = null;
    this.#setRef(false);
    this.#end = null;
    return new Port(kMake, end);
  }

  /** Detaches the port and returns its end, for another owner. */
  static detachEnd(port) {
    const end = port.#end;
    if (end === null || end.isClosed) throw new codes.ERR_CLOSED_MESSAGE_PORT();
    end.owner = null;
    port.#setRef(false);
    port.#end = null;
    return end;
  }

  [transfer.kTransferToThread]() {
    const end = this.#end;
    this.#setRef(false);
    this.#end = null;
    return { kind: 'PORT', ports: [end.detach()] };
  }

  // --- listeners

  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type !== 'message' || size !== 1) return;
    this.#setRef(true);
    this.start();
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    // As in Node, removeAllListeners does not unref the port.
    if (type === 'message' && size === 0 && !isRemovingAllListeners()) this.#detachOwner();
  }

  [kInspect](depth, options) {
    if (!internals.isPort(this)) return this;
    if (depth < 0) return '[MessagePort [EventTarget]]';
    const { inspect } = require('internal/util/inspect');
    const isActive = this.#end !== null && !this.#end.isClosed;
    return `MessagePort [EventTarget] ${inspect({ active: isActive, refed: this.#isRef }, options)}`;
  }

  static createPort(end) { return new Port(kMake, end); }
}

const { createPort, detachEnd } = Port;
delete Port.createPort;
delete Port.detachEnd;

/** The public constructor, which always throws. */
function MessagePort() { throw new codes.ERR_CONSTRUCT_CALL_INVALID(); }
Object.setPrototypeOf(MessagePort, NodeEventTarget);
Object.defineProperty(MessagePort, 'prototype', { __proto__: null, value: Port.prototype, writable: false });
Object.defineProperty(Port.prototype, 'constructor', { __proto__: null, value: MessagePort, writable: true, configurable: true });
for (const name of ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']) {
  Object.defineProperty(MessagePort.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(MessagePort.prototype, Symbol.toStringTag, { __proto__: null, value: 'MessagePort', configurable: true });
markHostObject(MessagePort);
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');

/** The target of messages of a closed port. */
const closedEnd = new ChannelEnd();

/** Creates a deferred string of another thread. */
function resolveDeferred(value) {
  return value instanceof DeferredString ? value.value : value;
}

function missingArgument(message) {
  const error = new codes.ERR_MISSING_ARGS('value');
  Object.defineProperty(error, 'message', { __proto__: null, value: message, writable: true, configurable: true });
  return error;
}

class Channel {
  constructor() {
    const [first, second] = ChannelEnd.createPair();
    this.port1 = createPort(first);
    this.port2 = createPort(second);
  }
}

// Node's error of a call without `new`.
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

/** Removes and returns the oldest undelivered message. */
function receiveMessageOnPort(port) {
  const { isBroadcastChannel, receiveBroadcastMessage } = require('web/broadcast_channel');
  if (isBroadcastChannel(port)) return receiveBroadcastMessage(port);
  if (!internals.isPort(port)) {
    const error = new codes.ERR_INVALID_ARG_TYPE('port', 'MessagePort', port);
    Object.defineProperty(error, 'message', { __proto__: null, value: 'The "port" argument must be a MessagePort instance', writable: true, configurable: true });
    throw error;
  }
  const packet = internals.receive(port);
  if (packet === undefined) return undefined;
  if ('error' in packet) throw packet.error;
  return { message: resolveDeferred(packet.value) };
}

/** Two entangled ports. */
const createPortPair = () => ChannelEnd.createPair().map((end) => createPort(end));
/** A port of a native one that was transferred from another thread. */
const fromNative = (handle) => createPort(ChannelEnd.fromNative(handle));

module.exports = {
  MessageChannel, MessagePort, createPortPair, detachEnd, fromNative, isPort: internals.isPort, receiveMessageOnPort, resolveDeferred, updateRefCount,
};
