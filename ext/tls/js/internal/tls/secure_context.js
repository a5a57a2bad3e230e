// `tls.SecureContext` and `createSecureContext`. In: options of a server or client. Out: a context
// with its versions, ciphers, certificates and keys. Order matters: the cipher list may change the
// security level, and a key must match a certificate that is set before.
'use strict';

const {
  codes: { ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_TLS_INVALID_PROTOCOL_VERSION, ERR_TLS_PROTOCOL_VERSION_CONFLICT },
} = require('internal/errors');
const { validateBuffer, validateInt32, validateInteger, validateObject, validateString } = require('internal/validators');
const { NativeContext } = require('internal/tls/native_context');

const VERSIONS = { __proto__: null, 'TLSv1': 0x0301, 'TLSv1.1': 0x0302, 'TLSv1.2': 0x0303, 'TLSv1.3': 0x0304 };
const SSL_OP_CIPHER_SERVER_PREFERENCE = 4194304;
const TICKET_KEY_BYTES = 48;
const BYTES_OR_TEXT = ['string', 'Buffer', 'TypedArray', 'DataView'];

const isSet = (value) => value !== undefined && value !== null;
const list = (value) => (Array.isArray(value) ? value : [value]);

function SecureContext(secureProtocol, secureOptions, minVersion, maxVersion) {
  if (!(this instanceof SecureContext)) return new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  if (secureProtocol) {
    for (const version of [minVersion, maxVersion]) {
      if (isSet(version)) throw new ERR_TLS_PROTOCOL_VERSION_CONFLICT(version, secureProtocol);
    }
  }
  const tls = require('tls');
  const minimum = versionNumber(minVersion ?? tls.DEFAULT_MIN_VERSION, 'minimum');
  const maximum = versionNumber(maxVersion ?? tls.DEFAULT_MAX_VERSION, 'maximum');
  this.context = new NativeContext();
  this.context.init(secureProtocol, minimum, maximum);
  if (secureOptions) {
    validateInteger(secureOptions, 'secureOptions');
    this.context.setOptions(secureOptions);
  }
}

function versionNumber(version, which) {
  const number = typeof version === 'string' ? VERSIONS[version] : undefined;
  if (number === undefined) throw new ERR_TLS_INVALID_PROTOCOL_VERSION(version, which);
  return number;
}

function createSecureContext(options) {
  options ||= {};
  let { secureOptions } = options;
  if (options.honorCipherOrder) secureOptions |= SSL_OP_CIPHER_SERVER_PREFERENCE;
  const secureContext = new SecureContext(options.secureProtocol, secureOptions, options.minVersion, options.maxVersion);
  configure(secureContext.context, options);
  return secureContext;
}

function configure(context, options, name = 'options') {
  validateObject(options, name);
  setCiphers(context, options.ciphers === undefined ? require('tls').DEFAULT_CIPHERS : options.ciphers, `${name}.ciphers`);
  if (options.ca) {
    for (const ca of list(options.ca)) {
      validateBytesOrText(ca, `${name}.ca`);
      context.addCACert(ca);
    }
  } else {
    context.addRootCerts();
  }
  if (options.allowPartialTrustChain) context.setAllowPartialTrustChain();
  if (options.cert) {
    for (const cert of list(options.cert)) {
      validateBytesOrText(cert, `${name}.cert`);
      context.setCert(cert);
    }
  }
  if (options.key) setKeys(context, options, name);
  setSigalgs(context, options.sigalgs, name);
  refuseEngines(options, name);
  setKeyExchange(context, options, name);
  if (isSet(options.crl)) {
    for (const crl of list(options.crl)) {
      validateBytesOrText(crl, `${name}.crl`);
      context.addCRL(crl);
    }
  }
  if (isSet(options.pfx)) for (const pfx of list(options.pfx)) setPfx(context, pfx, options.passphrase);
  setSessions(context, options, name);
}

function validateBytesOrText(value, name) {
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) throw new ERR_INVALID_ARG_TYPE(name, BYTES_OR_TEXT, value);
}

/** Suites of TLS 1.3 have names of their own and are set apart from older ciphers. */
function setCiphers(context, ciphers, name) {
  if (isSet(ciphers)) validateString(ciphers, name);
  const all = (ciphers || require('tls').DEFAULT_CIPHERS).split(':');
  const isSuite = (cipher) => cipher.startsWith('TLS_') || cipher.startsWith('!TLS_');
  const suites = all.filter(isSuite).join(':');
  const older = all.filter((cipher) => cipher !== '' && !isSuite(cipher)).join(':');
  if (suites === '' && older === '') throw new ERR_INVALID_ARG_VALUE(name, all);
  if (suites !== '') context.setCipherSuites(suites);
  context.setCiphers(older);
  const [tls12, tls13] = [VERSIONS['TLSv1.2'], VERSIONS['TLSv1.3']];
  if (older === '' && context.getMinProto() < tls13 && context.getMaxProto() > tls12) context.setMinProto(tls13);
}

function setKeys(context, { key, passphrase }, name) {
  for (const one of list(key)) {
    const isPair = Array.isArray(key);
    const pem = isPair && one?.pem !== undefined ? one.pem : one;
    const phrase = isPair && one?.passphrase !== undefined ? one.passphrase : passphrase;
    validateBytesOrText(pem, `${name}.key`);
    if (isSet(phrase)) validateString(phrase, `${name}.passphrase`);
    // Without a passphrase, an encrypted key is tried with an empty one.
    context.setKey(pem, phrase ?? '');
  }
}

function setSigalgs(context, sigalgs, name) {
  if (!isSet(sigalgs)) return;
  validateString(sigalgs, `${name}.sigalgs`);
  if (sigalgs === '') throw new ERR_INVALID_ARG_VALUE(`${name}.sigalgs`, sigalgs);
  context.setSigalgs(sigalgs);
}

/** Engines of OpenSSL are refused, after the checks of their arguments. */
function refuseEngines({ key, privateKeyIdentifier: identifier, privateKeyEngine: engine, clientCertEngine }, name) {
  if (isSet(identifier)) {
    if (!isSet(engine)) throw new ERR_INVALID_ARG_VALUE(`${name}.privateKeyEngine`, engine);
    if (key) throw new ERR_INVALID_ARG_VALUE(`${name}.privateKeyIdentifier`, identifier);
    if (typeof identifier !== 'string') throw new ERR_INVALID_ARG_TYPE(`${name}.privateKeyIdentifier`, ['string', 'null', 'undefined'], identifier);
    if (typeof engine !== 'string') throw new ERR_INVALID_ARG_TYPE(`${name}.privateKeyEngine`, ['string', 'null', 'undefined'], engine);
    throw new ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  }
  if (!isSet(clientCertEngine)) return;
  if (typeof clientCertEngine === 'string') throw new ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  throw new ERR_INVALID_ARG_TYPE(`${name}.clientCertEngine`, ['string', 'null', 'undefined'], clientCertEngine);
}

function setKeyExchange(context, { ecdhCurve = require('tls').DEFAULT_ECDH_CURVE || 'auto', dhparam }, name) {
  validateString(ecdhCurve, `${name}.ecdhCurve`);
  context.setECDHCurve(ecdhCurve);
  if (!isSet(dhparam)) return;
  validateBytesOrText(dhparam, `${name}.dhparam`);
  const warning = context.setDHParam(dhparam === 'auto' || dhparam);
  if (warning) require('process').emitWarning(warning, 'SecurityWarning');
}

function setPfx(context, pfx, commonPassphrase) {
  const isPair = !ArrayBuffer.isView(pfx) && typeof pfx !== 'string';
  const phrase = (isPair && pfx.passphrase) || commonPassphrase;
  context.loadPKCS12((isPair && pfx.buf) || pfx, phrase || undefined);
}

function setSessions(context, { sessionIdContext, ticketKeys, sessionTimeout }, name) {
  if (isSet(sessionIdContext)) {
    validateString(sessionIdContext, `${name}.sessionIdContext`);
    context.setSessionIdContext(sessionIdContext);
  }
  if (isSet(ticketKeys)) {
    validateBuffer(ticketKeys, `${name}.ticketKeys`);
    if (ticketKeys.byteLength !== TICKET_KEY_BYTES) throw new ERR_INVALID_ARG_VALUE(`${name}.ticketKeys`, ticketKeys.byteLength, 'must be exactly 48 bytes');
    context.setTicketKeys(ticketKeys);
  }
  if (isSet(sessionTimeout)) {
    validateInt32(sessionTimeout, `${name}.sessionTimeout`, 0);
    context.setSessionTimeout(sessionTimeout);
  }
}

module.exports = { SecureContext, createSecureContext };
