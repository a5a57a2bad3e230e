// Handle of a TLS stream: `_handle` of a TLSSocket, as Node's TLSWrap. In: a secure context, and
// the handle of a TCP or Unix socket, or a transport that passes bytes on. Out: a stream handle
// (internal/io/stream_handle) of clear text; events of the handshake for `events`.
'use strict';

const { nextTick } = require('process');
const { kNative } = require('internal/io/stream_handle');

const binding = internalBinding('tls');
const { afterClose, runNextTicks } = internalBinding('queues');
const { uv: { UV_EBADF, UV_ECANCELED } } = internalBinding('stream_handle');
const { event } = binding;

/** Methods that the socket's own handle has. */
const PARENT_METHODS = [
  'bind', 'connect', 'getsockname', 'getpeername', 'setNoDelay', 'setKeepAlive', 'setTrafficClass', 'getTrafficClass', 'setBlocking', 'ref', 'unref', 'hasRef', 'reset',
];
/** Functions of the binding that take the stream and have a method of the same name. */
const SETTINGS = [
  'setVerifyMode', 'setServername', 'setALPNProtocols', 'enableALPNCb', 'enablePskCallback', 'setPskIdentityHint', 'enableKeylogCallback',
  'enableSessionCallbacks', 'enableCertCb', 'requestOCSP', 'enableTrace', 'setOCSPResponse', 'setMaxSendFragment', 'setSession', 'loadSession',
  'newSessionDone', 'continueHello', 'renegotiate', 'start', 'advance', 'receive', 'receiveEnd', 'written', 'getProtocol', 'getServername',
  'isSessionReused', 'ephemeralDhBits', 'getEphemeralKeyInfo', 'getSharedSigalgs',
];
const BYTES = ['getSession', 'getTLSTicket', 'exportKeyingMaterial'];

const toBuffer = (bytes) => (bytes === undefined || bytes === null ? bytes : require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

/** What a tick throws is uncaught when the turn ends; the next event is not lost by it. */
function settle() {
  try {
    runNextTicks();
  } catch (error) {
    nextTick(() => { throw error; });
  }
}

class TLSHandle {
  reading = false;
  /** Called with bytes, `null` at the end, or a negative errno. */
  onread = null;
  /**
   * Notified of the handshake: an object with a method for each event (internal/tls/events).
   */
  events = null;
  /** The secure context, for the owner. */
  context;
  /** Handshakes that a client started in the last window (tls.CLIENT_RENEG_WINDOW). */
  handshakes = 0;
  #native;
  #parent;
  #wrap;
  #readMax = 0;
  #writeCallbacks = [];
  #source;

  /**
   * @param {import('internal/tls/secure_context').SecureContext} context
   * @param {object} parent a SocketHandle, or a DuplexTransport
   * @param {import('net').Socket | null} wrap the socket that `parent` is the handle of
   */
  constructor(context, parent, wrap, isServer) {
    this.context = context;
    this.#parent = parent;
    this.#wrap = wrap;
    this.#native = binding.stream(context.context.native, isServer);
    const { bind } = require('internal/async_context');
    binding.listen(this.#native, bind((kind, first, second, third) => this.#onEvent(kind, first, second, third)));
    this.#attach();
  }

  #attach() {
    if (this.#native === null) return;
    if (typeof this.#parent.attach === 'function') {
      binding.attach(this.#native, undefined);
      this.#parent.attach(this);
    } else if (this.#parent[kNative] !== null) {
      binding.attach(this.#native, this.#parent[kNative]);
    }
  }

  #onEvent(kind, first, second, third) {
    switch (kind) {
      case event.DATA: this.onread?.(first); return undefined;
      case event.END: this.onread?.(null); return undefined;
      case event.READ_ERROR: this.onread?.(first); return undefined;
      case event.WRITTEN: this.#writeCallbacks.shift()?.(first); return undefined;
      case event.OUTPUT: this.#parent.send(first); return undefined;
      case event.SHUTDOWN: this.#parent.finish(); return undefined;
      case event.HANDSHAKE_STARTED: this.events?.handshakeStarted(); return undefined;
      case event.HANDSHAKE_DONE: this.events?.handshakeDone(); return undefined;
      case event.KEY_LOG: this.events?.keylog(toBuffer(first)); return undefined;
      case event.NEW_SESSION: this.events?.newSession(toBuffer(first), toBuffer(second)); return undefined;
      case event.OCSP_RESPONSE: this.events?.ocspResponse(toBuffer(first)); return undefined;
      case event.CLIENT_HELLO: this.events?.clientHello(toBuffer(first), second); return undefined;
      case event.CERTIFICATE_NEEDED: this.events?.certificateNeeded(first, second); return undefined;
      case event.FAILED: this.events?.failed(first); return undefined;
      case event.SETTLE: settle(); return undefined;
      case event.ASK_PROTOCOL: return this.events?.askProtocol(toBuffer(first), second);
      case event.ASK_SERVER_PSK: return this.events?.askServerPsk(first, second);
      case event.ASK_CLIENT_PSK: return this.events?.askClientPsk(first, second, third);
      default: return undefined;
    }
  }

  /** As of Node's handle: http2-wrapper takes the class of what a stream is wrapped in. */
  get _parentWrap() { return this.#wrap; }

  /** As of Node's handle, for programs that mock a handshake. */
  onhandshakedone() { this.events?.handshakeDone(); }
  onnewsession(id, session) { this.events?.newSession(id, session); }

  /** Opens the socket's own handle. */
  open(family) {
    const errno = this.#parent.open(family);
    if (errno === 0) this.#attach();
    return errno;
  }

  /** Uses the handle of a socket that is connected only now. */
  reattach(parent) {
    if (this.#native === null || typeof this.#parent.attach === 'function') return;
    this.#parent = parent;
    this.#attach();
    if (this.reading) this.readStart();
  }

  /** Replaces the socket's own handle, for the next attempt to connect. */
  renew() {
    const old = this.#parent;
    this.#parent = new old.constructor();
    old.close();
  }

  set onconnect(callback) { this.#parent.onconnect = callback; }
  get onconnect() { return this.#parent.onconnect; }
  get name() { return this.#parent.name; }
  get fd() { return this.#parent.fd ?? -1; }
  get isClosed() { return this.#native === null; }
  get writeQueueSize() { return this.#parent.writeQueueSize ?? 0; }
  getAsyncId() { return -1; }

  readStart() {
    if (this.#native === null) return UV_EBADF;
    this.reading = true;
    this.#parent.resume?.();
    const result = binding.readStart(this.#native, this.#readMax);
    // Bytes that arrived while reading was stopped.
    if (result === 1) nextTick(() => { if (this.#native !== null) binding.advance(this.#native); });
    return Math.min(result, 0);
  }

  readStop() {
    this.reading = false;
    if (this.#native === null) return 0;
    this.#parent.pause?.();
    binding.readStop(this.#native);
    return 0;
  }

  set readMax(bytes) {
    this.#readMax = bytes;
    if (this.reading && this.#native !== null) binding.readStart(this.#native, bytes);
  }

  /**
   * As `Handle.write`; before the end of the handshake all writes are queued. A write is never
   * complete at once, as in Node: what is written meanwhile is encrypted together.
   */
  write(bytes, done) {
    if (this.#native === null) {
      done(UV_EBADF);
      return true;
    }
    const result = binding.write(this.#native, bytes);
    if (result === 1) this.#writeCallbacks.push(done);
    else nextTick(done, result);
    return false;
  }

  /** What reads clear text, for another binding. */
  get byteSource() {
    if (this.#native === null) return undefined;
    return this.#source ??= binding.byteSource(this.#native);
  }

  /** Whether no write is queued. */
  get canWriteNow() { return this.#native !== null && this.#writeCallbacks.length === 0; }

  /**
   * Encrypts a head in Latin-1 and a body (a string, bytes or undefined) together. False: it cannot
   * do so now, and `done` is not called.
   */
  writeNow(head, body, done) {
    const result = binding.writeNow(this.#native, head, body);
    if (result === undefined) return false;
    if (result === 1) this.#writeCallbacks.push(done);
    else nextTick(done, result);
    return true;
  }

  shutdown() {
    return this.#native === null ? 0 : binding.shutdown(this.#native);
  }

  close(callback) {
    if (this.#native === null) {
      if (callback) afterClose(callback);
      return;
    }
    const native = this.#native;
    this.#native = null;
    this.#source = undefined;
    this.reading = false;
    const written = this.#writeCallbacks;
    this.#writeCallbacks = [];
    binding.close(native);
    if (written.length > 0) setImmediate(() => { for (const done of written) done(UV_ECANCELED); });
    const wrap = this.#wrap;
    if (wrap === null) {
      this.#parent.close(callback);
    } else if (wrap.destroyed || wrap.closed) {
      if (callback) afterClose(callback);
    } else {
      if (callback) wrap.once('close', () => callback());
      wrap.destroy();
    }
  }

  #describe(name, argument) {
    return this.#native === null ? undefined : binding[name](this.#native, argument);
  }

  getCipher() {
    const parts = this.#describe('getCipher');
    return parts && { name: parts[0], standardName: parts[1], version: parts[2] };
  }

  getFinished() { return toBuffer(this.#describe('getFinished', false)); }
  getPeerFinished() { return toBuffer(this.#describe('getFinished', true)); }

  /** The protocol, or false. */
  getALPNNegotiatedProtocol() {
    const bytes = this.#describe('selectedProtocol');
    return bytes === undefined ? false : toBuffer(bytes).latin1Slice();
  }

  /** An error, or undefined if the peer's certificate is accepted. */
  verifyError() {
    const failure = this.#describe('verifyError');
    return failure && Object.assign(new Error(failure[1]), { code: failure[0] });
  }

  /** DER of the peer's certificates, its own first; of its own alone unless `isDetailed`. */
  peerCertificates(isDetailed) {
    if (isDetailed) return this.#describe('peerChain') ?? [];
    const own = this.#describe('peerCertificate');
    return own === undefined ? [] : [own];
  }

  ownCertificate() { return this.#describe('ownCertificate'); }

  /** `context`: the native object of another context, or undefined. */
  continueCertificate(context) { return this.#describe('continueCertificate', context); }
  setKeyCert(context) { return this.#describe('setKeyCert', context); }

  static {
    for (const name of PARENT_METHODS) {
      TLSHandle.prototype[name] = function(...args) {
        const parent = this.#parent;
        return typeof parent[name] === 'function' ? Reflect.apply(parent[name], parent, args) : 0;
      };
    }
    for (const name of SETTINGS) {
      TLSHandle.prototype[name] = function(...args) {
        return this.#native === null ? undefined : binding[name](this.#native, ...args);
      };
    }
    for (const name of BYTES) {
      TLSHandle.prototype[name] = function(...args) {
        return this.#native === null ? undefined : toBuffer(binding[name](this.#native, ...args));
      };
    }
  }
}

module.exports = { TLSHandle };
