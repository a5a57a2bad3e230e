// BroadcastChannel: messages to all channels of a name, in all threads. In: values. Out: a copy and
// an event at each other channel. Channels within a thread exchange copies directly; for other
// threads, the thread is one member of the name.
'use strict';

const { codes } = require('internal/errors');
const { EventTarget, define, defineEventHandler } = require('web/events');
const { queueTask } = require('internal/messaging/queue');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** By name, the channels of this thread: { all, member, number }. */
const localChannels = new Map();
const internals = {};

class BroadcastChannel extends EventTarget {
  #name;
  #isOpen = true;
  #isRef = true;
  #queue = [];

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    super();
    // V8's message; the engine's is another.
    if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    this.#name = `${name}`;
    joinBroadcast(this.#name).all.add(this);
    require('web/message_port').updateRefCount(1);
  }

  static {
    internals.is = (value) => typeof value === 'object' && value !== null && #queue in value;
    internals.shift = (channel) => channel.#queue.shift();
    internals.receive = (channel, packet) => channel.#receive(packet);
  }

  static #of(channel) {
    if (!internals.is(channel)) throw new codes.ERR_INVALID_THIS('BroadcastChannel');
    return channel;
  }

  get name() { return BroadcastChannel.#of(this).#name; }

  postMessage(value) {
    const channel = BroadcastChannel.#of(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('message');
    if (!channel.#isOpen) {
      const { DOMException } = require('web/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    const { cloneWithTransfer } = require('web/structured_clone');
    const { all, member } = localChannels.get(channel.#name);
    const others = [...all].filter((other) => other !== channel);
    if (others.length === 0) cloneWithTransfer(value, []);
    for (const other of others) other.#receive(cloneWithTransfer(value, []));
    if (internalBinding('message_port').hasOtherMembers(member)) require('internal/messaging/packets').broadcast(member, value);
  }

  #receive(packet) {
    this.#queue.push(packet);
    queueTask(() => {
      const next = this.#isOpen ? this.#queue.shift() : undefined;
      if (next === undefined) return;
      const { MessageEvent } = require('web/message_event');
      const isMessage = !('error' in next);
      this.dispatchEvent(new MessageEvent(isMessage ? 'message' : 'messageerror', { data: isMessage ? next.value : next.error }));
    }, this.#isRef);
  }

  close() {
    const channel = BroadcastChannel.#of(this);
    if (!channel.#isOpen) return;
    channel.unref();
    channel.#isOpen = false;
    leaveBroadcast(channel.#name, channel);
  }

  ref() { return BroadcastChannel.#of(this).#setRef(true); }

  unref() { return BroadcastChannel.#of(this).#setRef(false); }

  #setRef(isRef) {
    if (this.#isOpen && this.#isRef !== isRef) {
      this.#isRef = isRef;
      require('web/message_port').updateRefCount(isRef ? 1 : -1);
    }
    return this;
  }

  [kInspect](depth, options) {
    BroadcastChannel.#of(this);
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    const inspectOptions = { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth };
    return `BroadcastChannel ${inspect({ name: this.#name, active: this.#isOpen }, inspectOptions)}`;
  }
}

define(BroadcastChannel, [], ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

function joinBroadcast(name) {
  let entry = localChannels.get(name);
  if (entry === undefined) {
    const { addListener } = require('internal/messaging/dispatch');
    entry = { all: new Set(), member: undefined, number: addListener(() => receiveFromThreads(entry)) };
    entry.member = internalBinding('message_port').joinBroadcast(name, entry.number);
    localChannels.set(name, entry);
  }
  return entry;
}

function leaveBroadcast(name, channel) {
  const entry = localChannels.get(name);
  entry.all.delete(channel);
  if (entry.all.size > 0) return;
  localChannels.delete(name);
  require('internal/messaging/dispatch').removeListener(entry.number);
  internalBinding('message_port').leaveBroadcast(entry.member);
}

/** Delivers messages of other threads, a copy to each channel. */
function receiveFromThreads({ all, member }) {
  const { receiveBroadcast } = require('internal/messaging/packets');
  const { cloneWithTransfer } = require('web/structured_clone');
  for (let remaining = internalBinding('message_port').pollBroadcast(member); remaining > 0; remaining--) {
    let packet;
    try {
      packet = receiveBroadcast(member);
    } catch (error) {
      packet = { error };
    }
    let isFirst = true;
    for (const channel of all) {
      internals.receive(channel, isFirst || 'error' in packet ? packet : cloneWithTransfer(packet.value, []));
      isFirst = false;
    }
  }
}

function receiveBroadcastMessage(channel) {
  const packet = internals.shift(channel);
  return packet === undefined ? undefined : { message: packet.value };
}

module.exports = { BroadcastChannel, isBroadcastChannel: internals.is, receiveBroadcastMessage };
