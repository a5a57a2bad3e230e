// Handle of a UDP socket, as Node's UDP wrap. In: a family, addresses, messages, options. Out:
// received messages with their senders; negative errnos. The socket is created when it is bound or
// first used. Absent: host names.
'use strict';

const binding = internalBinding('udp');

const { event: { MESSAGE, ERROR, SENT } } = binding;

/** How places are shared, by the bits that the native half has. */
const SIX_ONLY = 1;
const ADDRESS_SHARED = 4;
const PORT_SHARED = 8;

const BAD_DESCRIPTOR = -9;
const CANCELED = -125;

/** One message on its way: `oncomplete(errno, bytes)` is called if it had to wait. */
class SendWrap {}

class UDP {
  #own;
  #isRef = true;
  /** Those whose messages wait, in their order. */
  #waiting = [];
  /** Every message waits until the loop takes it. */
  #isPatient = require('internal/options').getOptionValue('--test-udp-no-try-send');

  /**
   * Called with a number less than 0, or how long a message is; the handle; the message; who sent
   * it.
   */
  onmessage = null;

  constructor(family = 4) {
    this.#own = binding.make(family === 6);
    const { bind } = require('internal/async_context');
    binding.listen(this.#own, bind((kind, ...values) => this.#onEvent(kind, values)));
  }

  #onEvent(kind, [value, address, port, family]) {
    if (kind === MESSAGE) {
      const message = require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.onmessage?.(message.length, this, message, { address, family: family === 4 ? 'IPv4' : 'IPv6', port, size: message.length });
    } else if (kind === ERROR) {
      this.onmessage?.(value, this, undefined, undefined);
    } else if (kind === SENT) {
      const done = this.#waiting.shift();
      this.#refForMessages(0);
      done?.(value < 0 ? value : 0, value);
    }
  }

  #call(name, first, second, third, fourth) {
    return this.#own === null ? BAD_DESCRIPTOR : binding[name](this.#own, first, second, third, fourth);
  }

  get isClosed() {
    return this.#own === null;
  }

  get fd() {
    return this.#call('number');
  }

  /** A socket that the program has under its number. */
  open(fd) {
    return this.#call('open', fd);
  }

  bind(address, port, flags = 0) {
    return this.#call('bind', address, port, flags);
  }

  /** Of IPv6 from now on, whatever it was made for. */
  bind6(address, port, flags = 0) {
    return this.#call('bind', address, port, flags, true);
  }

  connect(address, port) {
    return this.#call('connect', address, port);
  }

  disconnect() {
    return this.#call('disconnect');
  }

  /**
   * Its bytes and one where it was sent, 0 where it waits, or a number less than 0. `address`:
   * unless the socket is connected.
   */
  send(request, message, port, address) {
    const answer = this.#call('send', message, address, port, this.#isPatient);
    if (answer === 0) {
      const { bind } = require('internal/async_context');
      const done = request.oncomplete;
      this.#waiting.push(done && bind((errno, bytes) => Reflect.apply(done, request, [errno, bytes])));
      this.#refForMessages(1);
    }
    return answer;
  }

  getSendQueueSize() {
    return this.#own === null ? 0 : binding.queue(this.#own)[0];
  }

  getSendQueueCount() {
    return this.#own === null ? 0 : binding.queue(this.#own)[1];
  }

  recvStart() {
    return this.#call('readStart');
  }

  recvStop() {
    return this.#call('readStop');
  }

  getsockname(out) {
    return writeAddress(out, this.#call('getsockname'));
  }

  getpeername(out) {
    return writeAddress(out, this.#call('getpeername'));
  }

  setBroadcast(isAllowed) {
    return this.#call('setBroadcast', isAllowed);
  }

  setTTL(hops) {
    return this.#call('setHops', hops);
  }

  setMulticastTTL(hops) {
    return this.#call('setGroupHops', hops);
  }

  setMulticastLoopback(isWanted) {
    return this.#call('setLoopback', isWanted);
  }

  setMulticastInterface(address) {
    return this.#call('setInterface', address);
  }

  addMembership(group, address) {
    return this.#call('setMembership', group, address, true);
  }

  dropMembership(group, address) {
    return this.#call('setMembership', group, address, false);
  }

  addSourceSpecificMembership(source, group, address) {
    return this.#call('setSourceMembership', source, group, address, true);
  }

  dropSourceSpecificMembership(source, group, address) {
    return this.#call('setSourceMembership', source, group, address, false);
  }

  /** `bytes` 0: as they are. Undefined where it failed, which `context` says then. */
  bufferSize(bytes, isReceive, context) {
    const answer = this.#call('bufferBytes', bytes, isReceive);
    if (answer >= 0) return answer;
    const [code, message] = require('internal/errors').uvErrmapGet(answer);
    Object.assign(context, { errno: answer, code, message, syscall: `uv_${isReceive ? 'recv' : 'send'}_buffer_size` });
    return undefined;
  }

  close() {
    if (this.#own === null) return;
    const own = this.#own;
    const waiting = this.#waiting;
    this.#own = null;
    this.#waiting = [];
    binding.close(own);
    if (waiting.length > 0) require('process').nextTick(() => { for (const done of waiting) done?.(CANCELED, 0); });
  }

  ref() {
    this.#setRef(true);
  }

  unref() {
    this.#setRef(false);
  }

  hasRef() {
    return this.#own !== null && this.#isRef;
  }

  #setRef(isRef) {
    this.#isRef = isRef;
    if (this.#own !== null && this.#waiting.length === 0) binding.setRef(this.#own, isRef);
  }

  /**
   * What is to be sent keeps the loop going, whatever the program said of the handle; called where
   * so many wait now.
   */
  #refForMessages(count) {
    if (this.#own !== null && this.#waiting.length === count && !this.#isRef) binding.setRef(this.#own, count > 0);
  }

  getAsyncId() {
    return -1;
  }
}

/** 0, with what was found in `out`, or a number less than 0. */
function writeAddress(out, found) {
  if (!Array.isArray(found)) return found;
  const [address, port, family] = found;
  Object.assign(out, { address, family: `IPv${family}`, port });
  return 0;
}

module.exports = { ADDRESS_SHARED, PORT_SHARED, SIX_ONLY, SendWrap, UDP };
