// Handles of TCP and Unix stream sockets: `_handle` of a net.Socket or net.Server, as Node's
// TCPWrap and PipeWrap. In: a family, an address, options. Out: negative errnos, addresses. Reading
// and writing is inherited (internal/io/stream_handle).
'use strict';

const { Handle, kNative, kTake } = require('internal/io/stream_handle');

const binding = internalBinding('net');

const { uv: { UV_EBADF } } = binding;

/** The names of a client's and a server's handle in `process.getActiveResourcesInfo`. */
const RESOURCE_NAMES = {
  TCP: ['TCPSocketWrap', 'TCPServerWrap'],
  Pipe: ['PipeWrap', 'PipeServerWrap'],
};

class SocketHandle extends Handle {
  isServer = false;
  /** The path of a Unix server, which is unlinked on close. */
  #path;

  /** Called with a status and the handle of an accepted connection. */
  onconnection = null;

  constructor(native = null) {
    super(native);
  }

  /**
   * Opens a socket of that family, unless it is open. Returns 0 or a negative errno.
   */
  open(family) {
    if (this[kNative] !== null) return 0;
    const native = binding.open(family);
    if (typeof native === 'number') return native;
    this[kTake](native);
    return 0;
  }

  /** A handle over the native object of a socket; `isPipe`: a Unix socket. */
  static fromNative(native, isPipe) {
    return isPipe ? new Pipe(native) : new TCP(native);
  }

  get name() {
    return RESOURCE_NAMES[this.constructor.name][Number(this.isServer === true)];
  }

  #call(name, first, second, third) {
    const native = this[kNative];
    return native === null ? UV_EBADF : binding[name](native, first, second, third);
  }

  /** `port` undefined: the address is a path. */
  bind(address, port, flags = 0) {
    const errno = this.#call('bind', address, port, flags);
    if (errno === 0 && port === undefined && address[0] !== '\0') this.#path = address;
    return errno;
  }

  listen(backlog) {
    this.isServer = true;
    this.onaccept = (value) => {
      if (typeof value === 'number') this.onconnection?.(value);
      else this.onconnection?.(0, SocketHandle.fromNative(value, this instanceof Pipe));
    };
    return this.#call('listen', backlog);
  }

  /** Calls `onconnect` with the result, unless it returns a negative errno. */
  connect(address, port) {
    return this.#call('connect', address, port);
  }

  /** `{ address, family, port }`, `{}` if unbound, a path, or a negative errno. */
  getsockname() {
    return toAddress(this.#call('getsockname'));
  }

  getpeername() {
    return toAddress(this.#call('getpeername'));
  }

  setNoDelay(isEnabled) {
    return this.#call('setNoDelay', isEnabled);
  }

  setKeepAlive(isEnabled, seconds) {
    return this.#call('setKeepAlive', isEnabled, seconds);
  }

  setTrafficClass(value) {
    return this.#call('setTrafficClass', value);
  }

  getTrafficClass() {
    return this.#call('trafficClass');
  }

  /** Makes close send a RST (SO_LINGER 0), as uv_tcp_close_reset. */
  reset() {
    return this.#call('reset');
  }

  close(callback) {
    if (this.#path !== undefined && !this.isClosed) {
      try {
        require('fs').unlinkSync(this.#path);
      } catch {
        // Another process removed it.
      }
    }
    super.close(callback);
  }
}

class TCP extends SocketHandle {}
class Pipe extends SocketHandle {}

function toAddress(result) {
  if (!Array.isArray(result)) return result;
  const [address, port, family] = result;
  return { address, family: `IPv${family}`, port };
}

module.exports = { Pipe, SocketHandle, TCP };
