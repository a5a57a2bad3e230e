// Sockets that handlers of `Bun.listen` and `Bun.connect` get. In: a socket of `node:net` or
// `node:tls`, handlers. Out: methods as bun's. A write takes as much as may wait and returns how
// much that was. Absent: connecting, listening.
'use strict';

const { call, checkHandlers, toBinaryType } = require('internal/sockets/handlers');
const { invalidArgType } = require('internal/bun/environment');

/** Bytes that may wait in a socket; a write takes no more. */
const WAITING_BYTES_MAX = 512 * 1024;
const OPEN = 1;
const CLOSED = -1;
/** Methods of a TLS socket that are the same in `node:tls`. */
const TLS_METHODS = [
  'disableRenegotiation', 'exportKeyingMaterial', 'getCertificate', 'getCipher', 'getEphemeralKeyInfo', 'getPeerCertificate', 'getPeerX509Certificate',
  'getSession', 'getSharedSigalgs', 'getTLSTicket', 'getX509Certificate', 'isSessionReused', 'renegotiate', 'setKeyCert', 'setMaxSendFragment', 'setServername', 'setSession',
];

let attach;

class TCPSocket {
  #socket;
  #group;
  #state = OPEN;
  #wantsDrain = false;
  #isShut = false;

  constructor(key, group, data) {
    if (key !== attach) throw new TypeError('Illegal constructor');
    this.#group = group;
    this.data = data;
  }

  static {
    /** `group`: `{ handlers, listener, remove }`. Out: the object for handlers. */
    attach = (Class, socket, group, data) => {
      const made = new Class(attach, group, data);
      made.#attach(socket);
      return made;
    };
  }

  #attach(socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#call('data', toBinaryType(bytes, this.#group.handlers.binaryType)));
    socket.on('drain', () => {
      if (!this.#wantsDrain) return;
      this.#wantsDrain = false;
      this.#call('drain');
    });
    // As in bun: not after the program's own end.
    socket.on('end', () => { if (this.#state === OPEN && !this.#isShut) this.#call('end'); });
    socket.on('timeout', () => this.#call('timeout'));
    socket.on('error', (error) => this.#finish(error));
    socket.on('close', () => this.#finish());
  }

  #call(name, ...parameters) {
    if (this.#state === OPEN || name === 'close') call(this.#group.handlers, name, this, ...parameters);
  }

  /** The handler `close` is called once, before the caller goes on. */
  #finish(error) {
    if (this.#state !== OPEN) return;
    this.#state = CLOSED;
    this.#group.remove?.(this);
    if (error === undefined) this.#call('close');
    else this.#call('close', error);
  }

  write(data, byteOffset = undefined, byteLength = undefined) {
    if (this.#state !== OPEN || this.#socket.writableEnded) return -1;
    const bytes = toBytes(data, byteOffset, byteLength);
    const room = WAITING_BYTES_MAX - this.#socket.writableLength;
    const count = Math.max(0, Math.min(bytes.length, room));
    if (count > 0) this.#socket.write(count === bytes.length ? bytes : bytes.subarray(0, count));
    if (count < bytes.length) this.#wantsDrain = true;
    return count;
  }

  end(data = undefined, byteOffset = undefined, byteLength = undefined) {
    if (this.#state !== OPEN) return -1;
    const count = data === undefined ? 0 : this.write(data, byteOffset, byteLength);
    this.#socket.end();
    this.#finish();
    // What the peer still sends is not read.
    this.#socket.resume();
    return count;
  }

  close() { this.end(); }

  shutdown(halfClose = false) {
    if (this.#state !== OPEN) return;
    if (halfClose) this.#socket.pause();
    this.#isShut = true;
    this.#socket.end();
  }

  terminate() {
    if (this.#state !== OPEN) return;
    // Only TCP has resets.
    const { TCP } = require('internal/net/handle');
    if (this.#socket._handle instanceof TCP) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
    this.#finish();
  }

  /** Everything is passed on at once. */
  flush() {}

  timeout(seconds) {
    if (typeof seconds !== 'number' || !(seconds >= 0)) throw invalidArgType('timeout expects a number of seconds');
    this.#socket.setTimeout(seconds * 1000);
  }

  reload(options) {
    if (typeof options?.socket !== 'object' || options.socket === null) throw invalidArgType('Expected "socket" option');
    this.#group = { ...this.#group, handlers: checkHandlers(options.socket) };
  }

  /** Returns the raw socket, which sees encrypted bytes, and the TLS socket. */
  upgradeTLS({ tls, socket, data }) {
    if (this.#state !== OPEN) throw new Error('Socket is closed');
    const inner = this.#socket;
    for (const type of ['data', 'drain', 'end', 'timeout', 'error', 'close']) inner.removeAllListeners(type);
    const { secureClient } = require('internal/sockets/connect');
    const group = { handlers: checkHandlers(socket), listener: this.#group.listener };
    const secured = secureClient({ socket: inner }, tls, group);
    const made = attach(TLSSocket, secured, group, data);
    inner.on('close', () => this.#finish());
    reportHandshake(made, secured, group);
    return [this, made];
  }

  pause() { this.#socket.pause(); }
  resume() { this.#socket.resume(); }
  ref() { this.#socket.ref(); }
  unref() { this.#socket.unref(); }
  setNoDelay(isEnabled = true) {
    this.#socket.setNoDelay(isEnabled);
    return this.#state === OPEN;
  }
  setKeepAlive(isEnabled = false, delay = 0) {
    this.#socket.setKeepAlive(isEnabled, delay);
    return this.#state === OPEN;
  }

  getTypeOfService() { return this.#socket.getTypeOfService(); }
  /** Returns 0, as in bun. */
  setTypeOfService(tos) {
    this.#socket.setTypeOfService(tos);
    return 0;
  }

  /** Whether a certificate is asked for, and refused if it is not trusted; before the handshake. */
  setVerifyMode(requestCert, rejectUnauthorized) {
    const handle = this.#socket._handle;
    if (typeof handle?.setVerifyMode !== 'function') return;
    this.#socket._requestCert = Boolean(requestCert);
    this.#socket._rejectUnauthorized = Boolean(rejectUnauthorized);
    handle.setVerifyMode(Boolean(requestCert), Boolean(rejectUnauthorized));
  }

  get fd() { return this.#socket._handle?.fd ?? -1; }
  get readyState() { return this.#state; }
  get bytesWritten() { return this.#socket.bytesWritten; }
  get listener() { return this.#group.listener; }
  get remoteAddress() { return this.#socket.remoteAddress; }
  get remoteFamily() { return this.#socket.remoteFamily; }
  get remotePort() { return this.#socket.remotePort; }
  get localAddress() { return this.#socket.localAddress; }
  get localFamily() { return this.#socket.localFamily; }
  get localPort() { return this.#socket.localPort; }
  get authorized() { return this.#socket.authorized === true; }
  get alpnProtocol() { return this.#socket.alpnProtocol ?? false; }

  getAuthorizationError() { return this.#socket.authorizationError ?? null; }
  getTLSVersion() { return this.#socket.getProtocol?.() ?? ''; }
  getServername() { return this.#socket.servername; }
  getTLSFinishedMessage() { return this.#socket.getFinished?.(); }
  getTLSPeerFinishedMessage() { return this.#socket.getPeerFinished?.(); }

  /** A method of `node:tls`; undefined on a socket without TLS. */
  static callTls(socket, name, parameters) {
    return socket.#socket[name]?.(...parameters);
  }

  [Symbol.dispose]() { this.end(); }
}

const { callTls } = TCPSocket;
delete TCPSocket.callTls;
for (const name of TLS_METHODS) {
  const { [name]: value } = { [name](...parameters) { return callTls(this, name, parameters); } };
  Object.defineProperty(TCPSocket.prototype, name, { __proto__: null, value, writable: true, configurable: true });
}

class TLSSocket extends TCPSocket {}

for (const Class of [TCPSocket, TLSSocket]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: Class.name, configurable: true });
}

/** Calls `open` and `handshake`: without the latter, `open` waits for the end of the handshake. */
function reportHandshake(made, socket, group) {
  const isSecure = () => {
    if (group.handlers.handshake === undefined) return call(group.handlers, 'open', made);
    const error = socket.authorizationError;
    const failure = error === null || error === undefined || error === '' ? null : error instanceof Error ? error : Object.assign(new Error(`${error}`), { code: error });
    call(group.handlers, 'handshake', made, socket.authorized === true || failure === null, failure);
  };
  if (group.handlers.handshake !== undefined) call(group.handlers, 'open', made);
  if (socket.secureConnecting === false) isSecure();
  else socket.once(socket.server === undefined ? 'secureConnect' : 'secure', isSecure);
}

function toBytes(data, byteOffset = 0, byteLength = undefined) {
  const { Buffer } = require('buffer');
  let bytes;
  if (typeof data === 'string') bytes = Buffer.from(data);
  else if (ArrayBuffer.isView(data)) bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  else if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) bytes = Buffer.from(data);
  else throw invalidArgType('Expected a string or a BufferSource');
  return bytes.subarray(byteOffset, byteLength === undefined ? undefined : byteOffset + byteLength);
}

module.exports = { TCPSocket, TLSSocket, attach, reportHandshake };
