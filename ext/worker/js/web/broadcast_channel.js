// BroadcastChannel: all channels of one name, in all threads. In: values. Out: a copy of each at
// all others of the name, an event each. Those of one thread reach each other without a packet; for
// the others the thread is one member of the name.
'use strict';

const { codes } = require('internal/errors');
const { EventTarget, define, defineEventHandler } = require('web/events');
const { post } = require('internal/messaging/queue');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** By name, those of this thread: { all, member, number }. */
const names = new Map();
const inner = {};

class BroadcastChannel extends EventTarget {
  #name;
  #isOpen = true;
  #isKeeping = true;
  #waiting = [];

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    super();
    // V8's words; the engine has its own.
    if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    this.#name = `${name}`;
    join(this.#name).all.add(this);
    require('web/message_port').keep(1);
  }

  static {
    inner.is = (value) => typeof value === 'object' && value !== null && #waiting in value;
    inner.take = (channel) => channel.#waiting.shift();
    inner.receive = (channel, packet) => channel.#receive(packet);
  }

  static #of(channel) {
    if (!inner.is(channel)) throw new codes.ERR_INVALID_THIS('BroadcastChannel');
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
    const { clonePacket } = require('web/structured_clone');
    const { all, member } = names.get(channel.#name);
    const others = [...all].filter((other) => other !== channel);
    if (others.length === 0) clonePacket(value, []);
    for (const other of others) other.#receive(clonePacket(value, []));
    if (internalBinding('message_port').hasOthers(member)) require('internal/messaging/packets').sendAll(member, value);
  }

  #receive(packet) {
    this.#waiting.push(packet);
    post(() => {
      const next = this.#isOpen ? this.#waiting.shift() : undefined;
      if (next === undefined) return;
      const { MessageEvent } = require('web/message_event');
      const isRead = !('error' in next);
      this.dispatchEvent(new MessageEvent(isRead ? 'message' : 'messageerror', { data: isRead ? next.value : next.error }));
    }, this.#isKeeping);
  }

  close() {
    const channel = BroadcastChannel.#of(this);
    if (!channel.#isOpen) return;
    channel.unref();
    channel.#isOpen = false;
    leave(channel.#name, channel);
  }

  ref() { return BroadcastChannel.#of(this).#keep(true); }

  unref() { return BroadcastChannel.#of(this).#keep(false); }

  #keep(isKeeping) {
    if (this.#isOpen && this.#isKeeping !== isKeeping) {
      this.#isKeeping = isKeeping;
      require('web/message_port').keep(isKeeping ? 1 : -1);
    }
    return this;
  }

  [kInspect](depth, options) {
    BroadcastChannel.#of(this);
    if (depth < 0) return 'BroadcastChannel';
    const { inspect } = require('internal/util/inspect');
    const shown = { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth };
    return `BroadcastChannel ${inspect({ name: this.#name, active: this.#isOpen }, shown)}`;
  }
}

define(BroadcastChannel, [], ['name', 'close', 'postMessage']);
defineEventHandler(BroadcastChannel.prototype, 'message');
defineEventHandler(BroadcastChannel.prototype, 'messageerror');

function join(name) {
  let own = names.get(name);
  if (own === undefined) {
    const { enlist } = require('internal/messaging/dispatch');
    own = { all: new Set(), member: undefined, number: enlist(() => look(own)) };
    own.member = internalBinding('message_port').join(name, own.number);
    names.set(name, own);
  }
  return own;
}

function leave(name, channel) {
  const own = names.get(name);
  own.all.delete(channel);
  if (own.all.size > 0) return;
  names.delete(name);
  require('internal/messaging/dispatch').forget(own.number);
  internalBinding('message_port').leave(own.member);
}

/** What other threads sent, for each channel here a copy. */
function look({ all, member }) {
  const { takeFrom } = require('internal/messaging/packets');
  const { clonePacket } = require('web/structured_clone');
  for (let rest = internalBinding('message_port').lookAt(member); rest > 0; rest--) {
    let packet;
    try {
      packet = takeFrom(member);
    } catch (error) {
      packet = { error };
    }
    let isFirst = true;
    for (const channel of all) {
      inner.receive(channel, isFirst || 'error' in packet ? packet : clonePacket(packet.value, []));
      isFirst = false;
    }
  }
}

function takeBroadcast(channel) {
  const packet = inner.take(channel);
  return packet === undefined ? undefined : { message: packet.value };
}

module.exports = { BroadcastChannel, isBroadcastChannel: inner.is, takeBroadcast };
