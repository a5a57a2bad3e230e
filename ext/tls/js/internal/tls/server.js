// `tls.Server`: a `net.Server` whose connections are TLS sockets. In: options, certificates by
// name. Out: 'secureConnection' for each connection whose handshake is done, 'tlsClientError' for
// each that failed.
'use strict';

const net = require('net');
const {
  ConnResetException,
  codes: { ERR_INVALID_ARG_TYPE, ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS, ERR_TLS_REQUIRED_SERVER_NAME },
} = require('internal/errors');
const { validateBuffer, validateFunction, validateNumber, validateObject, validateString } = require('internal/validators');
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { convertALPNProtocols } = require('internal/tls/protocols');
const { TLSSocket } = require('internal/tls/socket');
const { kEnableTrace, kErrorEmitted, kHandshakeTimeout, kPskCallback, kPskIdentityHint, kSNICallback } = require('internal/tls/symbols');

const HANDSHAKE_TIMEOUT_MS = 120 * 1000;
const TICKET_KEY_BYTES = 48;
/** Options that are properties of the server, undefined if they are falsy. */
const CONTEXT_OPTIONS = [
  'pfx', 'key', 'passphrase', 'cert', 'clientCertEngine', 'ca', 'minVersion', 'maxVersion', 'secureProtocol', 'crl', 'ciphers', 'dhparam', 'secureOptions',
];
const PLAIN_OPTIONS = ['sigalgs', 'ecdhCurve', 'privateKeyIdentifier', 'privateKeyEngine', 'allowPartialTrustChain'];

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') {
    listener = options;
    options = {};
  } else if (options != null && typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  options ??= {};
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback && options.ALPNProtocols) throw new ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (options.ALPNProtocols) convertALPNProtocols(options.ALPNProtocols, this);
  this.setSecureContext(options);
  this[kHandshakeTimeout] = options.handshakeTimeout || HANDSHAKE_TIMEOUT_MS;
  this[kSNICallback] = options.SNICallback;
  this[kPskCallback] = options.pskCallback;
  this[kPskIdentityHint] = options.pskIdentityHint;
  validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (options.SNICallback) validateFunction(options.SNICallback, 'options.SNICallback');
  if (options.pskCallback) validateFunction(options.pskCallback, 'options.pskCallback');
  if (options.pskIdentityHint) validateString(options.pskIdentityHint, 'options.pskIdentityHint');
  Reflect.apply(net.Server, this, [options, onConnection]);
  if (listener) this.on('secureConnection', listener);
  this[kEnableTrace] = options.enableTrace;
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

function onConnection(rawSocket) {
  const socket = new TLSSocket(rawSocket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || selectContext,
    enableTrace: this[kEnableTrace],
    pauseOnConnect: this.pauseOnConnect,
    pskCallback: this[kPskCallback],
    pskIdentityHint: this[kPskIdentityHint],
  });
  socket.on('secure', onSecure);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', (line) => this.emit('keylog', line, socket));
  socket[kErrorEmitted] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', (error) => emitClientError(socket, error));
  socket.on('error', (error) => emitClientError(socket, error));
}

/** Making an error that is not used would cost as much as the rest of the end. */
function onClose(hadError) {
  if (!hadError && !this._controlReleased) emitClientError(this, new ConnResetException('socket hang up'));
}

/** Emits the first failure of a connection whose handshake is not done. */
function emitClientError(socket, error) {
  if (socket._controlReleased || socket[kErrorEmitted]) return;
  socket[kErrorEmitted] = true;
  socket._tlsOptions.server.emit('tlsClientError', error, socket);
}

function onSecure() {
  if (this._requestCert) {
    const verifyError = this._handle.verifyError();
    if (verifyError) {
      this.authorizationError = verifyError.code;
      if (this._rejectUnauthorized) this.destroy();
    } else {
      this.authorized = true;
    }
  }
  if (this.destroyed || !this._releaseControl()) return;
  this.secureConnecting = false;
  this._tlsOptions.server.emit('secureConnection', this);
}

Server.prototype.setSecureContext = function setSecureContext(options) {
  validateObject(options, 'options');
  for (const name of CONTEXT_OPTIONS) this[name] = options[name] || undefined;
  for (const name of PLAIN_OPTIONS) this[name] = options[name];
  this.honorCipherOrder = options.honorCipherOrder === undefined ? true : Boolean(options.honorCipherOrder);
  this.sessionIdContext = options.sessionIdContext || defaultSessionIdContext();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  const contextOptions = {};
  const names = [...CONTEXT_OPTIONS, ...PLAIN_OPTIONS, 'honorCipherOrder', 'sessionIdContext', 'sessionTimeout', 'ticketKeys'];
  for (const name of names) contextOptions[name] = this[name];
  if (contextOptions.allowPartialTrustChain === undefined) delete contextOptions.allowPartialTrustChain;
  this._sharedCreds = createSecureContext(contextOptions);
};

/** The same for all servers that a program starts with these arguments. */
function defaultSessionIdContext() {
  return require('crypto').createHash('sha1').update(require('process').argv.join(' ')).digest('hex').slice(0, 32);
}

/** For cluster: workers share the keys of tickets. */
Server.prototype._getServerData = function _getServerData() {
  return { ticketKeys: this.getTicketKeys().toString('hex') };
};

Server.prototype._setServerData = function _setServerData({ ticketKeys }) {
  this.setTicketKeys(require('buffer').Buffer.from(ticketKeys, 'hex'));
};

Server.prototype.getTicketKeys = function getTicketKeys() {
  return this._sharedCreds.context.getTicketKeys();
};

Server.prototype.setTicketKeys = function setTicketKeys(keys) {
  validateBuffer(keys);
  require('assert')(keys.byteLength === TICKET_KEY_BYTES, 'Session ticket keys must be a 48-byte buffer');
  this._sharedCreds.context.setTicketKeys(keys);
};

/** A context for a name, in which `*` stands for one label. */
Server.prototype.addContext = function addContext(servername, context) {
  if (!servername) throw new ERR_TLS_REQUIRED_SERVER_NAME();
  const pattern = servername.replace(/([.^$+?\-\\[\]{}])/g, '\\$1').replaceAll('*', '[^.]*');
  const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
  this._contexts.push([new RegExp(`^${pattern}$`), secureContext.context]);
};

/** The last context whose pattern matches. */
function selectContext(servername, callback) {
  const found = this.server._contexts.findLast(([pattern]) => pattern.test(servername));
  callback(null, found?.[1]);
}

Server.prototype[Symbol.for('nodejs.rejection')] = function captureRejection(error, event, socket) {
  if (event === 'secureConnection') socket.destroy(error);
  else Reflect.apply(net.Server.prototype[Symbol.for('nodejs.rejection')], this, [error, event, socket]);
};

module.exports = { Server, selectContext };
