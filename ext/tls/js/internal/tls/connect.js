// `tls.connect`. In: a port, host, path or stream, and options. Out: a TLS socket whose
// 'secureConnect' is emitted once the server's certificate is verified.
'use strict';

const net = require('net');
const {
  ConnResetException, codes: { ERR_INVALID_ARG_VALUE, ERR_TLS_DH_PARAM_SIZE },
} = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const { clientContext } = require('internal/tls/client_contexts');
const { TLSSocket, kConnectOptions } = require('internal/tls/socket');
const { kIsVerified, kPendingSession } = require('internal/tls/symbols');

const DH_BITS_MIN = 1024;

let isWarned = false;

/** NODE_TLS_REJECT_UNAUTHORIZED=0 disables verification, with a warning. */
function allowsUnauthorized() {
  const process = require('process');
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return false;
  if (!isWarned) {
    isWarned = true;
    process.emitWarning('Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to \'0\' makes TLS connections and HTTPS requests insecure by disabling certificate verification.');
  }
  return true;
}

/** `(options)`, `(path, options)`, `(port, host, options)`, each with or without a callback. */
function normalizeArguments(args) {
  const [options, callback] = net._normalizeArgs(args);
  const more = args[1] !== null && typeof args[1] === 'object' ? args[1] : args[2];
  return [Object.assign(options, typeof more === 'function' ? undefined : more), callback];
}

function connect(...args) {
  const tls = require('tls');
  const [given, callback] = normalizeArguments(args);
  const options = {
    rejectUnauthorized: !allowsUnauthorized(), ciphers: tls.DEFAULT_CIPHERS, checkServerIdentity: tls.checkServerIdentity, minDHSize: DH_BITS_MIN, ...given,
  };
  if (!options.keepAlive) options.singleUse = true;
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const secureContext = options.secureContext || clientContext(options);
  if (options.servername && net.isIP(options.servername)) {
    throw new ERR_INVALID_ARG_VALUE('options.servername', options.servername, 'Setting the TLS ServerName to an IP address is not permitted.');
  }
  options.rejectUnauthorized = options.rejectUnauthorized !== false;
  const socket = new TLSSocket(options.socket, {
    allowHalfOpen: options.allowHalfOpen,
    pipe: Boolean(options.path),
    secureContext,
    isServer: false,
    requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized,
    session: options.session,
    ALPNProtocols: options.ALPNProtocols,
    requestOCSP: options.requestOCSP,
    enableTrace: options.enableTrace,
    pskCallback: options.pskCallback,
    highWaterMark: options.highWaterMark,
    onread: options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  if (!options.socket) {
    if (options.timeout) socket.setTimeout(options.timeout);
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (options.servername) socket.setServername(options.servername);
  if (options.socket) socket._start();
  socket.on('secure', onSecure);
  socket.prependListener('end', onEnd);
  return socket;
}

/** The handshake is done: verifies the server. */
function onSecure() {
  const options = this[kConnectOptions];
  const dhBits = this._handle.ephemeralDhBits();
  if (dhBits > 0 && dhBits < options.minDHSize) {
    this.emit('error', new ERR_TLS_DH_PARAM_SIZE(dhBits));
    this.destroy();
    return;
  }
  const verifyError = verifyServer(this, options);
  if (verifyError) {
    this.authorized = false;
    this.authorizationError = verifyError.code || verifyError.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(verifyError);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const session = this[kPendingSession];
  this[kPendingSession] = null;
  if (session) this.emit('session', session);
  this.removeListener('end', onEnd);
}

/** The server of a resumed session was verified before. */
function verifyServer(socket, options) {
  const error = socket._handle.verifyError();
  if (error || socket.isSessionReused()) return error;
  const host = options.servername || options.host || options.socket?._host || 'localhost';
  return options.checkServerIdentity(host, socket.getPeerCertificate(true));
}

/** The connection ended before the handshake. */
function onEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const { path, host, port, localAddress } = this[kConnectOptions];
  const error = new ConnResetException('Client network socket disconnected before secure TLS connection was established');
  this.destroy(Object.assign(error, { path, host, port, localAddress }));
}

module.exports = { connect };
