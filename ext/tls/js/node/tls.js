// `node:tls`: TLS servers and clients (internal/tls).
'use strict';

const defaults = require('internal/tls/defaults');

let ciphers;

function getCiphers() {
  return [...(ciphers ??= cipherNames())];
}

function cipherNames() {
  const names = internalBinding('tls').cipherNames().map((name) => name.toLowerCase());
  // Not among the library's defaults.
  const more = ['tls_aes_128_ccm_8_sha256', 'tls_aes_128_ccm_sha256'];
  return [...new Set([...names, ...more])].sort();
}

function createServer(options, listener) {
  return new exports.Server(options, listener);
}

Object.assign(exports, defaults, {
  getCiphers,
  createServer,
  getCACertificates: (type) => require('internal/tls/root_certificates').getCACertificates(type),
  setDefaultCACertificates: (certs) => require('internal/tls/root_certificates').setDefaultCACertificates(certs),
  convertALPNProtocols: (protocols, out) => require('internal/tls/protocols').convertALPNProtocols(protocols, out),
  checkServerIdentity: require('internal/tls/server_identity').checkServerIdentity,
});
Object.defineProperty(exports, 'rootCertificates', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get: () => require('internal/tls/root_certificates').bundledCertificates(),
});
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { TLSSocket } = require('internal/tls/socket');
Object.assign(exports, {
  createSecureContext,
  SecureContext,
  TLSSocket,
  Server: require('internal/tls/server').Server,
  connect: require('internal/tls/connect').connect,
});
