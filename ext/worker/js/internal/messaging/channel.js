// Message channel: two entangled ends, each with a queue of messages (the HTML standard's port
// message queue). In: values, transfer lists. Out: the owner of an end is called once per message,
// in the event loop. An end moves to a new port when its port is transferred. Within a thread a
// message is the copy itself. When an end is sent to another thread, both ends get a native port,
// and its queued messages move along.
'use strict';

const { Fifo } = require('internal/messaging/fifo');
const { queueTask } = require('internal/messaging/queue');

// Loaded at the first native port.
let packets;
let sendString;

class ChannelEnd {
  #peer = null;
  #queue = new Fifo();
  #owner = null;
  /** The task that delivers one message to the owner. */
  #deliver = null;
  /** Tasks queued and not run yet. */
  #scheduled = 0;
  #isClosed = false;
  /** The native port, its listener's id, and the number of messages in it at the last poll. */
  #port = null;
  #listenerId = 0;
  #nativeCount = 0;
  #isPeerClosed = false;

  static createPair() {
    const [first, second] = [new ChannelEnd(), new ChannelEnd()];
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  /** The end of a native port from another thread. */
  static fromNative(port) {
    const end = new ChannelEnd();
    end.#useNativePort(port);
    return end;
  }

  get isClosed() { return this.#isClosed; }
  get size() { return this.#queue.length + this.#nativeCount; }

  isPeer(end) {
    if (this.#port !== null && end.#port !== null) return internalBinding('message_port').isPeer(this.#port, end.#port);
    return this.#peer !== null && this.#peer === end;
  }

  /** Sends a copy of a value with transferred objects. False: the peer is closed. */
  send(value, transferList) {
    const port = this.#port;
    if (port !== null && !this.#isClosed) {
      return typeof value === 'string' && transferList.length === 0 ? sendString(port, value) : packets.send(port, value, transferList);
    }
    const { cloneWithTransfer } = require('web/structured_clone');
    const packet = cloneWithTransfer(value, transferList);
    const peer = this.#peer;
    if (peer === null || this.#isClosed) return false;
    peer.#queue.push(packet);
    peer.#schedule();
    return true;
  }

  /** Removes the oldest message: { value, ports } or { error, ports }. */
  receive() {
    if (this.#queue.length > 0 || this.#port === null) return this.#queue.shift();
    if (this.#nativeCount > 0) this.#nativeCount--;
    try {
      return packets.receive(this.#port);
    } catch (error) {
      return { error, ports: [] };
    }
  }

  /** `owner` has `isRef`, `onMessage` and `onClose`; null: messages wait for the next owner. */
  set owner(owner) {
    this.#owner = owner;
    this.#scheduled = 0;
    this.#deliver = () => {
      // A new owner has tasks of its own.
      if (this.#owner !== owner) return;
      if (this.#scheduled > 0) this.#scheduled--;
      if (this.size > 0) owner.onMessage();
    };
    this.#schedule();
  }

  #schedule() {
    const owner = this.#owner;
    if (owner === null) return;
    const rest = this.size - this.#scheduled;
    if (rest <= 0) return;
    this.#scheduled += rest;
    queueTask(this.#deliver, owner.isRef, rest);
  }

  /** Closes both ends, after the messages that were sent before. */
  close(owner) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const peer = this.#peer;
    this.#peer = null;
    this.#closePort();
    queueTask(() => owner?.onClose(), true);
    if (peer === null || peer.#isClosed) return;
    peer.#peer = null;
    peer.#closeWhenDrained();
  }

  #closeWhenDrained() {
    queueTask(() => {
      if (this.#isClosed) return;
      if (this.size > 0 && this.#owner !== null) {
        this.#closeWhenDrained();
        return;
      }
      this.#isClosed = true;
      this.#closePort();
      this.onPeerClose?.();
    }, this.#owner?.isRef ?? false);
  }

  // --- native ports

  #useNativePort(port) {
    const { attach } = require('internal/messaging/dispatch');
    packets ??= require('internal/messaging/packets');
    sendString ??= internalBinding('message_port').sendString;
    this.#port = port;
    this.#peer = null;
    this.#listenerId = attach(port, () => this.#poll());
  }

  /** Called when messages arrived, or the peer is closed. */
  #poll() {
    if (this.#port === null) return;
    const queued = internalBinding('message_port').poll(this.#port);
    this.#nativeCount = Math.floor(queued);
    this.#schedule();
    if (queued % 1 === 0 || this.#isPeerClosed) return;
    this.#isPeerClosed = true;
    this.#closeWhenDrained();
  }

  #closePort() {
    if (this.#port === null) return;
    require('internal/messaging/dispatch').removeListener(this.#listenerId);
    internalBinding('message_port').close(this.#port);
    this.#port = null;
    this.#nativeCount = 0;
  }

  /** Detaches the end and returns its native port, for another thread. */
  detach() {
    const { serialize } = require('internal/messaging/packets');
    const binding = internalBinding('message_port');
    const queued = this.#queue.clear();
    let port = this.#port;
    if (port === null) {
      const [localPort, remotePort] = binding.createPair();
      port = localPort;
      if (this.#peer === null) binding.close(remotePort);
      else this.#peer.#useNativePort(remotePort);
    } else {
      require('internal/messaging/dispatch').removeListener(this.#listenerId);
      binding.detach(port);
    }
    for (const { value, ports } of queued.reverse()) {
      try {
        binding.putBack(port, serialize(value, ports));
      } catch {
        // A message that cannot be sent to another thread is lost: no listener could get the error.
      }
    }
    this.#port = this.#peer = this.#owner = null;
    this.#nativeCount = 0;
    this.#isClosed = true;
    return port;
  }
}

module.exports = { ChannelEnd };
