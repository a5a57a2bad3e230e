// Secure contexts of clients, shared by connections with the same options: making one costs more
// than the client's part of a handshake. In: options of `tls.connect`. Out: a secure context. Keys
// and certificates of clients make a context that is not shared, so that no secret stays here.
'use strict';

const { Buffer } = require('buffer');
const { createSecureContext } = require('internal/tls/secure_context');

const CONTEXTS_MAX = 16;
/** Certificates of a larger size are not compared. */
const AUTHORITY_BYTES_MAX = 1024 * 1024;
/** Options that a context depends on, as far as they can be compared. */
const NAMES = [
  'allowPartialTrustChain', 'ciphers', 'dhparam', 'ecdhCurve', 'honorCipherOrder', 'maxVersion', 'minVersion', 'secureOptions', 'secureProtocol', 'sessionIdContext',
  'sessionTimeout', 'sigalgs',
];
const UNSHARED_NAMES = ['cert', 'clientCertEngine', 'crl', 'key', 'passphrase', 'pfx', 'privateKeyEngine', 'privateKeyIdentifier', 'ticketKeys'];

/** Contexts by what they are made of, the oldest first. */
const contexts = new Map();
/** The default certificates of those contexts. */
let authorities;

/** Certificates as text; undefined: they are not compared. */
function authorityText(ca) {
  if (!ca) return 'default';
  let text = '';
  for (const one of Array.isArray(ca) ? ca : [ca]) {
    if (typeof one !== 'string' && !(one instanceof Uint8Array)) return undefined;
    text += `${one.length}:${typeof one === 'string' ? one : Buffer.from(one.buffer, one.byteOffset, one.byteLength).latin1Slice()}`;
    if (text.length > AUTHORITY_BYTES_MAX) return undefined;
  }
  return text;
}

function keyOf(options, tls) {
  if (UNSHARED_NAMES.some((name) => options[name] !== undefined && options[name] !== null)) return undefined;
  const values = [tls.DEFAULT_CIPHERS, tls.DEFAULT_ECDH_CURVE, tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, ...NAMES.map((name) => options[name])];
  if (values.some((value) => typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')) return undefined;
  const text = authorityText(options.ca);
  return text && values.map((value) => `${typeof value} ${value}`).concat(text).join('\n');
}

function clientContext(options) {
  const tls = require('tls');
  const key = tls.createSecureContext === createSecureContext ? keyOf(options, tls) : undefined;
  if (key === undefined) return tls.createSecureContext(options);
  const chosen = require('internal/tls/root_certificates').chosenCertificates();
  if (chosen !== authorities) {
    contexts.clear();
    authorities = chosen;
  }
  let context = contexts.get(key);
  if (context === undefined) {
    context = createSecureContext(options);
    if (contexts.size === CONTEXTS_MAX) contexts.delete(contexts.keys().next().value);
    contexts.set(key, context);
  }
  return context;
}

module.exports = { clientContext };
