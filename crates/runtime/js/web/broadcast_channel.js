// BroadcastChannel: all channels of one name in this thread. In: values. Out: a copy of each at all others of the name, an event each. Absent: other
// threads.
'use strict';

const { codes } = require('internal/errors');
const { EventTarget, define, defineEventHandler } = require('web/events');
const { post } = require('internal/messaging/queue');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
/** @type {Map<string, Set<BroadcastChannel>>} */
const channels = new Map();
const inner = {};

class BroadcastChannel extends EventTarget {
  #name;
  #isOpen = true;
  #isKeeping = true;
  #waiting = [];

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    super();
    this.#name = `${name}`;
    let all = channels.get(this.#name);
    if (all === undefined) channels.set(this.#name, all = new Set());
    all.add(this);
    require('web/message_port').keep(1);
  }

  static {
    inner.is = (value) => typeof value === 'object' && value !== null && #waiting in value;
    inner.take = (channel) => channel.#waiting.shift();
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
    const others = [...channels.get(channel.#name)].filter((other) => other !== channel);
    if (others.length === 0) clonePacket(value, []);
    for (const other of others) other.#receive(clonePacket(value, []));
  }

  #receive(packet) {
    this.#waiting.push(packet);
    post(() => {
      const next = this.#isOpen ? this.#waiting.shift() : undefined;
      if (next === undefined) return;
      const { MessageEvent } = require('web/message_event');
      this.dispatchEvent(new MessageEvent('message', { data: next.value }));
    }, this.#isKeeping);
  }

  close() {
    const channel = BroadcastChannel.#of(this);
    if (!channel.#isOpen) return;
    channel.unref();
    channel.#isOpen = false;
    const all = channels.get(channel.#name);
    all.delete(channel);
    if (all.size === 0) channels.delete(channel.#name);
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

function takeBroadcast(channel) {
  const packet = inner.take(channel);
  return packet === undefined ? undefined : { message: packet.value };
}

module.exports = { BroadcastChannel, isBroadcastChannel: inner.is, takeBroadcast };
