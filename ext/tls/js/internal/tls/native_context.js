// `context.context` of a secure context, as Node's native SecureContext. In: settings and
// credentials, validated. Out: a native context. The store of trusted certificates is attached when
// a connection needs it, because parsing a system's certificates takes milliseconds.
'use strict';

const { codes: { ERR_TLS_INVALID_PROTOCOL_METHOD } } = require('internal/errors');

const binding = internalBinding('tls');

const TLS1 = 0x0301;
const TLS1_1 = 0x0302;
const TLS1_2 = 0x0303;
const SIDES = { __proto__: null, '': 0, client: 1, server: 2 };
/** Methods of OpenSSL by the versions that they allow; undefined: the default's. */
const METHODS = { __proto__: null, SSLv23: [undefined, TLS1_2], TLS: [0, 0], TLSv1: [TLS1, TLS1], TLSv1_1: [TLS1_1, TLS1_1], TLSv1_2: [TLS1_2, TLS1_2] };
/** Functions of the binding that take the context and have a method of the same name. */
const FUNCTIONS = [
  'setOptions', 'setMinProto', 'setMaxProto', 'getMinProto', 'getMaxProto', 'setCiphers', 'setCipherSuites', 'setECDHCurve', 'setSigalgs', 'setDHParam',
  'setSessionIdContext', 'setSessionTimeout', 'setTicketKeys', 'setCert', 'setKey',
];

/** `{ side, minVersion, maxVersion }` of a name like `TLSv1_2_server_method`. */
function parseMethod(method, minVersion, maxVersion) {
  if (!method) return { side: 0, minVersion, maxVersion };
  const [, family, side = ''] = /^(\w+?)(?:_(client|server))?_method$/.exec(method) ?? [];
  if (family === 'SSLv2' || family === 'SSLv3') throw new ERR_TLS_INVALID_PROTOCOL_METHOD(`${family} methods disabled`);
  const versions = METHODS[family];
  if (versions === undefined) throw new ERR_TLS_INVALID_PROTOCOL_METHOD(`Unknown method: ${method}`);
  return { side: SIDES[side], minVersion: versions[0] ?? minVersion, maxVersion: versions[1] };
}

class NativeContext {
  native = null;
  /** The default certificates are trusted, but the store is not attached yet. */
  #wantsRoots = false;
  #usesRoots = false;

  init(method, minVersion, maxVersion) {
    const parsed = parseMethod(method, minVersion, maxVersion);
    this.native = binding.context(parsed.side, parsed.minVersion, parsed.maxVersion);
    this.setTicketKeys(require('crypto').randomBytes(48));
  }

  addRootCerts() {
    this.#wantsRoots = true;
    // A file that cannot be read is reported at once.
    require('internal/tls/root_certificates').checkExtra();
  }

  /** Called before a peer is verified. */
  attachRoots() {
    if (!this.#wantsRoots) return;
    this.#wantsRoots = false;
    this.#usesRoots = true;
    binding.setTrustStore(this.native, require('internal/tls/root_certificates').defaultStore(), false);
  }

  /** Called before the store is changed, which other contexts must not see. */
  #ownRoots() {
    if (!this.#wantsRoots && !this.#usesRoots) return;
    this.#wantsRoots = this.#usesRoots = false;
    binding.setTrustStore(this.native, require('internal/tls/root_certificates').newStore(), true);
  }

  addCACert(pem) {
    this.#ownRoots();
    binding.addCACert(this.native, pem);
  }

  addCRL(pem) {
    this.#ownRoots();
    binding.addCRL(this.native, pem);
  }

  setAllowPartialTrustChain() {
    this.#ownRoots();
    binding.setAllowPartialTrustChain(this.native);
  }

  loadPKCS12(der, passphrase) {
    this.#ownRoots();
    binding.loadPKCS12(this.native, der, passphrase);
  }

  getTicketKeys() { return buffer(binding.getTicketKeys(this.native)); }
  getCertificate() { return buffer(binding.contextCertificate(this.native)) ?? null; }
  getIssuer() { return buffer(binding.contextIssuer(this.native)) ?? null; }
  close() { this.native = null; }

  /** Node's pointer to the native context; no use of it is supported. */
  get _external() { return NativeContext.#nativeOf(this); }

  static #nativeOf(self) {
    if (!(#wantsRoots in self)) throw new TypeError('Illegal invocation');
    return self.native;
  }

  static {
    for (const name of FUNCTIONS) {
      NativeContext.prototype[name] = function(...args) { return binding[name](NativeContext.#nativeOf(this), ...args); };
    }
  }
}

function buffer(bytes) {
  return bytes && require('buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

module.exports = { NativeContext };
