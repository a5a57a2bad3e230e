// A channel: two ends, each with what was sent to it and nobody has taken. In: values, and what
// moves along. Out: the owner of an end is called, once for each packet, when the loop looks
// outside. An end goes along when its port is transferred. Within one thread a packet is the copy
// itself; an end that is sent to another thread begins to cross: from then on both stand on a
// native port each, and what waited goes with it.
'use strict';

const { Fifo } = require('internal/messaging/fifo');
const { post } = require('internal/messaging/queue');

// Read when the first one crosses.
let packets;
let sendText;

class End {
  #peer = null;
  #packets = new Fifo();
  #owner = null;
  /** What the loop calls for the owner. */
  #call = null;
  /** What was announced to the loop and not yet called for. */
  #announced = 0;
  #isClosed = false;
  /** A native port, where it crosses; and how many packets were seen to wait there. */
  #port = null;
  #number = 0;
  #there = 0;
  #isEnding = false;

  static pair() {
    const [first, second] = [new End(), new End()];
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  /** The end of a native port that came from another thread. */
  static ofHandle(port) {
    const end = new End();
    end.#cross(port);
    return end;
  }

  get isClosed() { return this.#isClosed; }
  get size() { return this.#packets.length + this.#there; }

  isPeer(end) {
    if (this.#port !== null && end.#port !== null) return internalBinding('message_port').isPeer(this.#port, end.#port);
    return this.#peer !== null && this.#peer === end;
  }

  /** Sends a copy of a value, and what of `list` moves along. False: nobody is there any more. */
  send(value, list) {
    const port = this.#port;
    if (port !== null && !this.#isClosed) {
      return typeof value === 'string' && list.length === 0 ? sendText(port, value) : packets.send(port, value, list);
    }
    const { clonePacket } = require('web/structured_clone');
    const packet = clonePacket(value, list);
    const peer = this.#peer;
    if (peer === null || this.#isClosed) return false;
    peer.#packets.push(packet);
    peer.#announce();
    return true;
  }

  /** The oldest packet: { value, ports } or { error }. */
  take() {
    if (this.#packets.length > 0 || this.#port === null) return this.#packets.shift();
    if (this.#there > 0) this.#there--;
    try {
      return packets.take(this.#port);
    } catch (error) {
      return { error, ports: [] };
    }
  }

  /** `owner` has `keepsGoing`, `onPacket` and `onClose`; null: packets wait for the next one. */
  set owner(owner) {
    this.#owner = owner;
    this.#announced = 0;
    this.#call = () => {
      // Another owner was announced anew.
      if (this.#owner !== owner) return;
      if (this.#announced > 0) this.#announced--;
      if (this.size > 0) owner.onPacket();
    };
    this.#announce();
  }

  #announce() {
    const owner = this.#owner;
    if (owner === null) return;
    const rest = this.size - this.#announced;
    if (rest <= 0) return;
    this.#announced += rest;
    post(this.#call, owner.keepsGoing, rest);
  }

  /** Both ends are told, behind what was sent before. */
  close(owner) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const peer = this.#peer;
    this.#peer = null;
    this.#closePort();
    post(() => owner?.onClose(), true);
    if (peer === null || peer.#isClosed) return;
    peer.#peer = null;
    peer.#endWhenRead();
  }

  #endWhenRead() {
    post(() => {
      if (this.#isClosed) return;
      if (this.size > 0 && this.#owner !== null) {
        this.#endWhenRead();
        return;
      }
      this.#isClosed = true;
      this.#closePort();
      this.onEnd?.();
    }, this.#owner?.keepsGoing ?? false);
  }

  // --- to and from other threads

  #cross(port) {
    const { listen } = require('internal/messaging/dispatch');
    packets ??= require('internal/messaging/packets');
    sendText ??= internalBinding('message_port').sendText;
    this.#port = port;
    this.#peer = null;
    this.#number = listen(port, () => this.#look());
  }

  /** Something came, or the other end is gone. */
  #look() {
    if (this.#port === null) return;
    const waiting = internalBinding('message_port').look(this.#port);
    this.#there = Math.floor(waiting);
    this.#announce();
    if (waiting % 1 === 0 || this.#isEnding) return;
    this.#isEnding = true;
    this.#endWhenRead();
  }

  #closePort() {
    if (this.#port === null) return;
    require('internal/messaging/dispatch').forget(this.#number);
    internalBinding('message_port').close(this.#port);
    this.#port = null;
    this.#there = 0;
  }

  /** The native port, for another thread; this end is nobody's from then on. */
  leave() {
    const { pack } = require('internal/messaging/packets');
    const natives = internalBinding('message_port');
    const waiting = this.#packets.clear();
    let port = this.#port;
    if (port === null) {
      const [own, theirs] = natives.pair();
      port = own;
      if (this.#peer === null) natives.close(theirs);
      else this.#peer.#cross(theirs);
    } else {
      require('internal/messaging/dispatch').forget(this.#number);
      natives.unlisten(port);
    }
    for (const { value, ports } of waiting.reverse()) {
      try {
        natives.putBack(port, pack(value, ports));
      } catch {
        // What no other thread can have, compiled WebAssembly for one, ends here: nobody is there
        // to be told.
      }
    }
    this.#port = this.#peer = this.#owner = null;
    this.#there = 0;
    this.#isClosed = true;
    return port;
  }
}

module.exports = { End };
