// A channel within one thread: two ends, each with what was sent to it and nobody has taken. In: packets, which are never looked into here. Out:
// the owner of an end is called, once for each packet, when the loop looks outside. An end goes along when its port is transferred. Absent: channels
// between threads; they are to have the same methods, with packets as bytes.
'use strict';

const { post } = require('internal/messaging/queue');

class End {
  #peer = null;
  #packets = [];
  #owner = null;
  /** What was announced to the loop and not yet called for. */
  #announced = 0;
  #isClosed = false;

  static pair() {
    const [first, second] = [new End(), new End()];
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  get isClosed() { return this.#isClosed; }
  get size() { return this.#packets.length; }

  isPeer(end) { return this.#peer === end; }

  /** False: nobody is there any more. */
  send(packet) {
    const peer = this.#peer;
    if (peer === null || this.#isClosed) return false;
    peer.#packets.push(packet);
    peer.#announce();
    return true;
  }

  take() { return this.#packets.shift(); }

  /** `owner` has `keepsGoing`, `onPacket` and `onClose`; null: packets wait for the next one. */
  set owner(owner) {
    this.#owner = owner;
    this.#announced = 0;
    this.#announce();
  }

  #announce() {
    const owner = this.#owner;
    if (owner === null) return;
    while (this.#announced < this.#packets.length) {
      this.#announced++;
      post(() => {
        // Another owner was announced anew.
        if (this.#owner !== owner) return;
        this.#announced = Math.max(this.#announced - 1, 0);
        if (this.#packets.length > 0) owner.onPacket();
      }, owner.keepsGoing);
    }
  }

  /** Both ends are told, behind what was sent before. */
  close(owner) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const peer = this.#peer;
    this.#peer = null;
    post(() => owner?.onClose(), true);
    if (peer === null || peer.#isClosed) return;
    peer.#peer = null;
    peer.#endWhenRead();
  }

  #endWhenRead() {
    post(() => {
      if (this.#isClosed) return;
      if (this.#packets.length > 0 && this.#owner !== null) {
        this.#endWhenRead();
        return;
      }
      this.#isClosed = true;
      this.onEnd?.();
    }, this.#owner?.keepsGoing ?? false);
  }
}

module.exports = { End };
