// `tls.TLSSocket`: a `net.Socket` over a handle of TLS. In: a socket, another Duplex, or nothing if
// it connects itself; options. Out: clear text; 'secure' when the handshake is done; what was
// negotiated. Events of the handshake: events.js.
'use strict';

const net = require('net');
const { nextTick } = require('process');
const {
  codes: { ERR_TLS_HANDSHAKE_TIMEOUT, ERR_TLS_INVALID_CONTEXT, ERR_TLS_INVALID_STATE, ERR_TLS_SNI_FROM_SERVER },
} = require('internal/errors');
const { validateBoolean, validateBuffer, validateFunction, validateInt32, validateObject, validateString, validateUint32 } = require('internal/validators');
const { getOptionValue } = require('internal/options');
const { Pipe, TCP } = require('internal/net/handle');
const { DuplexTransport } = require('internal/tls/duplex_transport');
const { TLSHandle } = require('internal/tls/handle');
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { convertALPNProtocols } = require('internal/tls/protocols');
const { ClientEvents, ServerEvents } = require('internal/tls/events');
const symbols = require('internal/tls/symbols');

const { kALPNCallback, kConnectOptions, kDisableRenegotiation, kIsVerified, kPendingSession, kPskCallback } = symbols;

let isTraceWarned = false;

function TLSSocket(socket, options) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(socket, options);
  const tlsOptions = { ...options };
  const isTraced = wantsTrace(tlsOptions);
  if (tlsOptions.ALPNProtocols) convertALPNProtocols(tlsOptions.ALPNProtocols, tlsOptions);
  Object.assign(this, {
    _tlsOptions: tlsOptions,
    _secureEstablished: false,
    _securePending: false,
    _newSessionPending: false,
    _controlReleased: false,
    secureConnecting: true,
    _SNICallback: null,
    servername: null,
    alpnProtocol: null,
    authorized: false,
    authorizationError: null,
    encrypted: true,
    [kALPNCallback]: null,
    [kIsVerified]: false,
    [kPendingSession]: null,
  });
  const wrap = socket ? wrapSocket(socket) : null;
  // Bytes of an earlier owner of the socket are sent before those of the handshake.
  const isBusy = wrap !== null && wrap.writableLength > 0;
  Reflect.apply(net.Socket, this, [{
    handle: this._wrapHandle(wrap, wrap instanceof DuplexTransport ? wrap : wrap?._handle),
    allowHalfOpen: socket ? socket.allowHalfOpen : tlsOptions.allowHalfOpen,
    manualStart: true,
    highWaterMark: tlsOptions.highWaterMark,
    onread: socket ? null : tlsOptions.onread,
    signal: tlsOptions.signal,
    noDelay: tlsOptions.noDelay,
    keepAlive: tlsOptions.keepAlive,
    keepAliveInitialDelay: tlsOptions.keepAliveInitialDelay,
  }]);
  if (tlsOptions.pauseOnConnect) this.readableFlowing = false;
  this.ssl = this._handle;
  this.on('error', this._tlsError);
  this._init(socket, wrap);
  if (isTraced) this._handle.enableTrace();
  if (isBusy) wrap.write('', (error) => { if (error) this.destroy(error); });
  // In the next tick, so that the caller can add listeners first.
  nextTick(initRead, this, socket);
}
Object.setPrototypeOf(TLSSocket.prototype, net.Socket.prototype);
Object.setPrototypeOf(TLSSocket, net.Socket);

function wantsTrace({ enableTrace }) {
  if (enableTrace != null) {
    validateBoolean(enableTrace, 'options.enableTrace');
    return enableTrace;
  }
  if (!getOptionValue('--trace-tls')) return false;
  if (!isTraceWarned) {
    isTraceWarned = true;
    require('process').emitWarning('Enabling --trace-tls can expose sensitive data in the resulting log.');
  }
  return true;
}

/** A socket with a handle is used as it is; any other stream passes bytes on. */
function wrapSocket(socket) {
  return isNativeSocket(socket) ? socket : new DuplexTransport(socket);
}

/** TLS in TLS and sockets without a handle yet pass bytes through JavaScript. */
const isNativeSocket = (socket) => socket instanceof net.Socket && (socket._handle instanceof TCP || socket._handle instanceof Pipe);

/**
 * Makes the handle of TLS over `handle`, or over a new one. Node's method, which interceptors of
 * requests (msw) replace.
 */
TLSSocket.prototype._wrapHandle = function _wrapHandle(wrap, handle) {
  const options = this._tlsOptions;
  const context = options.secureContext || options.credentials || createSecureContext(options);
  if (!(context.context instanceof require('internal/tls/native_context').NativeContext)) throw new ERR_TLS_INVALID_CONTEXT('context');
  if (!options.isServer || options.requestCert) context.context.attachRoots();
  const parent = handle ?? new (options.pipe ? Pipe : TCP)();
  if (wrap) wrap.on('close', () => this.destroy());
  return new TLSHandle(context, parent, wrap, Boolean(options.isServer));
};

/** Starts to read; bytes that the socket has buffered come first. A stream emits them as data. */
function initRead(tlsSocket, socket) {
  if (!tlsSocket._handle) return;
  if (isNativeSocket(socket) && socket.readableLength) {
    for (let bytes = socket.read(); bytes !== null; bytes = socket.read()) tlsSocket._handle.receive(bytes);
  }
  tlsSocket.read(0);
}

function onCloseDestroy() {
  setImmediate(() => this._destroySSL());
}

TLSSocket.prototype._destroySSL = function _destroySSL() {
  if (!this.ssl) return;
  const { context } = this.ssl;
  this.ssl.close();
  if (context.singleUse) {
    context.context?.close();
    context.context = null;
  }
  this.ssl = null;
  this[kPendingSession] = null;
  this[kIsVerified] = false;
};

TLSSocket.prototype._init = function _init(socket, wrap) {
  const options = this._tlsOptions;
  const handle = this._handle;
  this.server = options.server;
  this._requestCert = Boolean(options.requestCert) || !options.isServer;
  this._rejectUnauthorized = Boolean(options.rejectUnauthorized);
  if (this._requestCert || this._rejectUnauthorized) handle.setVerifyMode(this._requestCert, this._rejectUnauthorized);
  this.on('close', onCloseDestroy);
  onFirstListener(this, 'keylog', () => this._handle?.enableKeylogCallback());
  if (options.isServer) initServer(this, handle, options);
  else initClient(this, handle, options);
  writeKeylogFile(this);
  if (options.ALPNProtocols) handle.setALPNProtocols(options.ALPNProtocols);
  if (options.pskCallback) {
    validateFunction(options.pskCallback, 'pskCallback');
    this[kPskCallback] = options.pskCallback;
    handle.enablePskCallback();
    if (options.pskIdentityHint) {
      validateString(options.pskIdentityHint, 'options.pskIdentityHint');
      const isSet = handle.setPskIdentityHint(options.pskIdentityHint);
      if (!isSet) nextTick(() => this.destroy(pskHintError()));
    }
  }
  if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
  if (socket instanceof net.Socket) {
    this._parent = socket;
    this.connecting = socket.connecting || !socket._handle;
    socket.once('connect', () => {
      this.connecting = false;
      if (wrap === socket && socket._handle) this._handle?.reattach(socket._handle);
      this.emit('connect');
    });
  }
  if (wrap) wrap.on('error', (error) => this._emitTLSError(error));
  else this.connecting = true;
};

function pskHintError() {
  const { codes: { ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED } } = require('internal/errors');
  return new ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED();
}

/** Calls `enable` when a listener of that event is added first. */
function onFirstListener(socket, event, enable) {
  const listener = (added) => {
    if (added !== event) return;
    enable();
    socket.removeListener('newListener', listener);
  };
  socket.on('newListener', listener);
}

function initServer(socket, handle, options) {
  handle.events = new ServerEvents(socket, handle);
  if (options.ALPNCallback) {
    validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    socket[kALPNCallback] = options.ALPNCallback;
    handle.enableALPNCb();
  }
  const { server } = socket;
  if (server) {
    if (server.listenerCount('resumeSession') > 0 || server.listenerCount('newSession') > 0) handle.enableSessionCallbacks();
    if (server.listenerCount('OCSPRequest') > 0) handle.enableCertCb();
  }
  if (!options.SNICallback) return;
  const { selectContext } = require('internal/tls/server');
  // Without contexts to choose from there is no need to pause the handshake.
  if (options.SNICallback === selectContext && !(server?._contexts.length > 0)) return;
  validateFunction(options.SNICallback, 'options.SNICallback');
  socket._SNICallback = options.SNICallback;
  handle.enableCertCb();
}

function initClient(socket, handle, options) {
  handle.events = new ClientEvents(socket, handle);
  if (options.session) socket.setSession(options.session);
  onFirstListener(socket, 'session', () => socket._handle?.enableSessionCallbacks());
}

let isKeylogWarned = false;

/** `--tls-keylog`: keys of all connections are appended to a file. */
function writeKeylogFile(socket) {
  const path = getOptionValue('--tls-keylog');
  if (!path) return;
  const process = require('process');
  if (!isKeylogWarned) {
    isKeylogWarned = true;
    process.emitWarning(`Using --tls-keylog makes TLS connections insecure by writing secret key material to file ${path}`);
  }
  socket.on('keylog', (line) => {
    require('fs').appendFile(path, line, { mode: 0o600 }, (error) => {
      if (error) process.emitWarning(`Failed to write TLS keylog (this warning will not be repeated): ${error}`);
    });
  });
}

TLSSocket.prototype.disableRenegotiation = function disableRenegotiation() {
  this[kDisableRenegotiation] = true;
};

TLSSocket.prototype.renegotiate = function renegotiate(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (this.destroyed) return undefined;
  const { requestCert = this._requestCert, rejectUnauthorized = this._rejectUnauthorized } = options;
  if (Boolean(requestCert) !== this._requestCert || Boolean(rejectUnauthorized) !== this._rejectUnauthorized) {
    this._requestCert = Boolean(requestCert);
    this._rejectUnauthorized = Boolean(rejectUnauthorized);
    this._handle.setVerifyMode(this._requestCert, this._rejectUnauthorized);
  }
  try {
    this._handle.renegotiate();
  } catch (error) {
    if (callback) nextTick(callback, error);
    return false;
  }
  if (callback) this.once('secure', () => callback(null));
  return true;
};

TLSSocket.prototype.exportKeyingMaterial = function exportKeyingMaterial(length, label, context) {
  validateUint32(length, 'length', true);
  validateString(label, 'label');
  if (context !== undefined) validateBuffer(context, 'context');
  if (!this._secureEstablished) throw new ERR_TLS_INVALID_STATE();
  return this._handle.exportKeyingMaterial(length, label, context);
};

TLSSocket.prototype.setMaxSendFragment = function setMaxSendFragment(size) {
  validateInt32(size, 'size');
  return this._handle.setMaxSendFragment(size) === 1;
};

TLSSocket.prototype._handleTimeout = function _handleTimeout() {
  this._emitTLSError(new ERR_TLS_HANDSHAKE_TIMEOUT());
};

TLSSocket.prototype._emitTLSError = function _emitTLSError(error) {
  const emitted = this._tlsError(error);
  if (emitted) this.emit('error', emitted);
};

/** Before the handshake is done, errors of a server's connection belong to the server. */
TLSSocket.prototype._tlsError = function _tlsError(error) {
  this.emit('_tlsError', error);
  return this._controlReleased ? error : null;
};

TLSSocket.prototype._releaseControl = function _releaseControl() {
  if (this._controlReleased) return false;
  this._controlReleased = true;
  this.removeListener('error', this._tlsError);
  return true;
};

TLSSocket.prototype._finishInit = function _finishInit() {
  if (!this._handle) return;
  this.alpnProtocol = this._handle.getALPNNegotiatedProtocol();
  this.servername ??= this._handle.getServername() ?? false;
  this._secureEstablished = true;
  if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
  this.emit('secure');
};

TLSSocket.prototype._start = function _start() {
  if (this.connecting) {
    this.once('connect', this._start);
    return;
  }
  if (!this._handle) return;
  if (this._tlsOptions.requestOCSP) this._handle.requestOCSP();
  this._handle.start();
};

TLSSocket.prototype.setServername = function setServername(name) {
  validateString(name, 'name');
  if (this._tlsOptions.isServer) throw new ERR_TLS_SNI_FROM_SERVER();
  this._handle.setServername(name);
};

TLSSocket.prototype.setSession = function setSession(session) {
  const bytes = typeof session === 'string' ? require('buffer').Buffer.from(session, 'latin1') : session;
  this._handle.setSession(bytes);
};

TLSSocket.prototype.getPeerCertificate = function getPeerCertificate(detailed) {
  if (!this._handle) return null;
  return require('internal/tls/certificates').linkChain(this._handle.peerCertificates(Boolean(detailed)), detailed) ?? {};
};

TLSSocket.prototype.getCertificate = function getCertificate() {
  if (!this._handle) return null;
  const der = this._handle.ownCertificate();
  return der === undefined ? {} : require('internal/tls/certificates').toObject(der);
};

TLSSocket.prototype.getPeerX509Certificate = function getPeerX509Certificate() {
  if (!this._handle) return undefined;
  return require('internal/tls/certificates').linkX509(this._handle.peerCertificates(true));
};

TLSSocket.prototype.getX509Certificate = function getX509Certificate() {
  const der = this._handle?.ownCertificate();
  return der && require('internal/tls/certificates').toX509(der);
};

TLSSocket.prototype.setKeyCert = function setKeyCert(context) {
  if (!this._handle) return;
  const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
  this._handle.setKeyCert(secureContext.context.native);
};

TLSSocket.prototype.getEphemeralKeyInfo = function getEphemeralKeyInfo() {
  if (!this._handle) return null;
  return this._tlsOptions.isServer ? null : { ...this._handle.getEphemeralKeyInfo() };
};

for (const name of ['getCipher', 'getSharedSigalgs', 'getFinished', 'getPeerFinished', 'getSession', 'getTLSTicket', 'isSessionReused', 'enableTrace']) {
  TLSSocket.prototype[name] = { [name](...args) { return this._handle ? this._handle[name](...args) : null; } }[name];
}

TLSSocket.prototype.getProtocol = function getProtocol() {
  return this._handle ? this._handle.getProtocol() : null;
};

module.exports = { TLSSocket, kConnectOptions };
