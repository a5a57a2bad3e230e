// A socket in the loop: what sockets and servers stand on, and what `_handle` of theirs is. In: a
// family, places, options. Out: numbers less than 0 where something failed, places. What is read
// and written goes as with any descriptor (internal/stdio/handle).
'use strict';

const { Handle, kNative, kTake } = require('internal/io/stream_handle');

const binding = internalBinding('net');

/** The families, by the numbers that the native half has. */
const LOCAL = 1;

/** How places are shared, by the bits that the native half has. */
const SIX_ONLY = 1;
const PORT_SHARED = 2;

const BAD_DESCRIPTOR = -9;

const NAMES = {
  TCP: ['TCPSocketWrap', 'TCPServerWrap'],
  Pipe: ['PipeWrap', 'PipeServerWrap'],
};

class SocketHandle extends Handle {
  isServer = false;
  /** The path of a server, which nobody finds any more once that is closed. */
  #path;

  /** Called with 0 or a number less than 0, and the handle of whoever has come. */
  onconnection = null;

  constructor(own = null) {
    super(own);
  }

  /**
   * There is a socket from now on, of that family, unless there was one; a number less than 0 if
   * there is none.
   */
  open(family) {
    if (this[kNative] !== null) return 0;
    const own = binding.open(family);
    if (typeof own === 'number') return own;
    this[kTake](own);
    return 0;
  }

  /** Of what the native half gave for a socket. */
  static over(own, isLocal) {
    return isLocal ? new Pipe(own) : new TCP(own);
  }

  get name() {
    return NAMES[this.constructor.name][Number(this.isServer)];
  }

  #call(name, first, second, third) {
    const own = this[kNative];
    return own === null ? BAD_DESCRIPTOR : binding[name](own, first, second, third);
  }

  /** `port` undefined: the address is a path. */
  bind(address, port, flags = 0) {
    const errno = this.#call('bind', address, port, flags);
    if (errno === 0 && port === undefined && address[0] !== '\0') this.#path = address;
    return errno;
  }

  listen(backlog) {
    this.isServer = true;
    this.oncome = (value) => {
      if (typeof value === 'number') this.onconnection?.(value);
      else this.onconnection?.(0, SocketHandle.over(value, this instanceof Pipe));
    };
    return this.#call('listen', backlog);
  }

  /** `onconnect` tells how it ended, unless this is less than 0. */
  connect(address, port) {
    return this.#call('connect', address, port);
  }

  /** `{ address, family, port }`, `{}` where it has none, a path, or a number less than 0. */
  ownPlace() {
    return placeOf(this.#call('ownPlace'));
  }

  peerPlace() {
    return placeOf(this.#call('peerPlace'));
  }

  setNoDelay(isWanted) {
    return this.#call('setNoDelay', isWanted);
  }

  setKeepAlive(isWanted, seconds) {
    return this.#call('setKeepAlive', isWanted, seconds);
  }

  setTrafficClass(value) {
    return this.#call('setTrafficClass', value);
  }

  getTrafficClass() {
    return this.#call('trafficClass');
  }

  /** Closed, the other end hears that it was broken off. */
  breakOff() {
    return this.#call('breakOff');
  }

  close(callback) {
    if (this.#path !== undefined && !this.isClosed) {
      try {
        require('fs').unlinkSync(this.#path);
      } catch {
        // Somebody else took it away.
      }
    }
    super.close(callback);
  }
}

class TCP extends SocketHandle {}
class Pipe extends SocketHandle {}

function placeOf(found) {
  if (!Array.isArray(found)) return found;
  const [address, port, family] = found;
  return { address, family: `IPv${family}`, port };
}

module.exports = { LOCAL, PORT_SHARED, Pipe, SIX_ONLY, SocketHandle, TCP };
