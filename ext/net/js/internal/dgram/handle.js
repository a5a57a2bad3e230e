// Handle of a UDP socket, as Node's UDP wrap. In: a family, addresses, messages, options. Out:
// received messages with their senders; negative errnos. The socket is created when it is bound or
// first used. Absent: host names.
'use strict';

const binding = internalBinding('udp');

const { event: { MESSAGE, ERROR, SENT, WRITABLE }, uv: { UV_EBADF, UV_ECANCELED } } = binding;

/** A send request: `oncomplete(errno, bytes)` is called if the message was queued. */
class SendWrap {}

class UDP {
  #native;
  #isRef = true;
  /** The callbacks of queued messages, in order. */
  #sendCallbacks = [];
  /** Every message is queued: for tests. */
  #neverTrySend = require('internal/options').getOptionValue('--test-udp-no-try-send');

  /** Called with a size or a negative errno, the handle, the message, the sender. */
  onmessage = null;

  /** Called when messages can be sent again after `sendMany` has sent fewer than all. */
  onwritable = null;

  constructor(family = 4) {
    this.#native = binding.create(family === 6);
    const { bindResource } = require('internal/async_context');
    binding.listen(this.#native, bindResource((event, ...values) => this.#onEvent(event, values), 'UDPWRAP', this));
  }

  #onEvent(event, [value, address, port, family]) {
    if (event === MESSAGE) {
      const message = require('buffer').Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.onmessage?.(message.length, this, message, { address, family: family === 4 ? 'IPv4' : 'IPv6', port, size: message.length });
    } else if (event === ERROR) {
      this.onmessage?.(value, this, undefined, undefined);
    } else if (event === SENT) {
      const done = this.#sendCallbacks.shift();
      this.#refForSends(0);
      done?.(value < 0 ? value : 0, value);
    } else if (event === WRITABLE) {
      this.onwritable?.();
    }
  }

  #call(name, first, second, third, fourth) {
    return this.#native === null ? UV_EBADF : binding[name](this.#native, first, second, third, fourth);
  }

  get isClosed() {
    return this.#native === null;
  }

  get fd() {
    return this.#call('fd');
  }

  /** Takes ownership of an open socket. */
  open(fd) {
    return this.#call('open', fd);
  }

  bind(address, port, flags = 0) {
    return this.#call('bind', address, port, flags);
  }

  /** Makes the handle one of IPv6, too. */
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
   * Returns 1 + the number of sent bytes, 0 if the message was queued, or a negative errno.
   * `address` is undefined if the socket is connected.
   */
  send(request, message, port, address) {
    const result = this.#call('send', message, address, port, this.#neverTrySend);
    if (result === 0) {
      const { bind } = require('internal/async_context');
      const done = request.oncomplete;
      this.#sendCallbacks.push(done && bind((errno, bytes) => Reflect.apply(done, request, [errno, bytes]), 'UDPSENDWRAP', request));
      this.#refForSends(1);
    }
    return result;
  }

  /** Returns how many messages the kernel has taken, or a negative errno. None is queued. */
  sendMany(messages, addresses, ports) {
    return this.#call('sendMany', messages, addresses, ports);
  }

  getSendQueueSize() {
    return this.#native === null ? 0 : binding.queueSize(this.#native)[0];
  }

  getSendQueueCount() {
    return this.#native === null ? 0 : binding.queueSize(this.#native)[1];
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

  setTTL(ttl) {
    return this.#call('setTTL', ttl);
  }

  setMulticastTTL(ttl) {
    return this.#call('setMulticastTTL', ttl);
  }

  setMulticastLoopback(isEnabled) {
    return this.#call('setMulticastLoopback', isEnabled);
  }

  setMulticastInterface(address) {
    return this.#call('setMulticastInterface', address);
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

  /** `bytes` 0 only queries the size. On an error returns undefined and fills `context`. */
  bufferSize(bytes, isReceive, context) {
    const result = this.#call('bufferSize', bytes, isReceive);
    if (result >= 0) return result;
    const [code, message] = require('internal/errors').uvErrmapGet(result);
    Object.assign(context, { errno: result, code, message, syscall: `uv_${isReceive ? 'recv' : 'send'}_buffer_size` });
    return undefined;
  }

  close() {
    if (this.#native === null) return;
    const native = this.#native;
    const callbacks = this.#sendCallbacks;
    this.#native = null;
    this.#sendCallbacks = [];
    binding.close(native);
    require('internal/async_context').destroyResource(this);
    if (callbacks.length > 0) require('process').nextTick(() => { for (const done of callbacks) done?.(UV_ECANCELED, 0); });
  }

  ref() {
    this.#setRef(true);
  }

  unref() {
    this.#setRef(false);
  }

  hasRef() {
    return this.#native !== null && this.#isRef;
  }

  #setRef(isRef) {
    this.#isRef = isRef;
    if (this.#native !== null && this.#sendCallbacks.length === 0) binding.setRef(this.#native, isRef);
  }

  /**
   * Queued messages keep the event loop alive even if the handle is unref'd. Called when the queue
   * has that length.
   */
  #refForSends(count) {
    if (this.#native !== null && this.#sendCallbacks.length === count && !this.#isRef) binding.setRef(this.#native, count > 0);
  }

  getAsyncId() {
    return -1;
  }
}

/** Fills `out` and returns 0, or returns a negative errno. */
function writeAddress(out, result) {
  if (!Array.isArray(result)) return result;
  const [address, port, family] = result;
  Object.assign(out, { address, family: `IPv${family}`, port });
  return 0;
}

module.exports = { SendWrap, UDP };
