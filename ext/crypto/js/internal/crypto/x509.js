// `X509Certificate`. In: PEM or DER. Out: the fields of a certificate, checks of names, issuers and
// keys. Extensions are rendered by x509_extensions.js.

'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateObject, validateString } = require('internal/validators');
const { kClone, kSerialize, markHostObject } = require('internal/messaging/symbols');
const { inspect } = require('internal/util/inspect');
const { fromHandle, handleOf, isKeyObject } = require('internal/crypto/keys');
const { isBytes, toBuffer } = require('internal/crypto/util');
const extensions = require('internal/crypto/x509_extensions');
const binding = internalBinding('openssl');

/** `X509_CHECK_FLAG_*` of `x509v3.h`. */
const ALWAYS_CHECK_SUBJECT = 0x1;
const NO_WILDCARDS = 0x2;
const NO_PARTIAL_WILDCARDS = 0x4;
const MULTI_LABEL_WILDCARDS = 0x8;
const SINGLE_LABEL_SUBDOMAINS = 0x10;
const NEVER_CHECK_SUBJECT = 0x20;

function hostFlags(options = {}) {
  validateObject(options, 'options');
  const { subject = 'default', wildcards = true, partialWildcards = true, multiLabelWildcards = false, singleLabelSubdomains = false } = options;
  validateString(subject, 'options.subject');
  validateBoolean(wildcards, 'options.wildcards');
  validateBoolean(partialWildcards, 'options.partialWildcards');
  validateBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  validateBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  const subjects = { __proto__: null, default: 0, always: ALWAYS_CHECK_SUBJECT, never: NEVER_CHECK_SUBJECT };
  if (subjects[subject] === undefined) throw new ERR_INVALID_ARG_VALUE('options.subject', subject);
  return subjects[subject] | (wildcards ? 0 : NO_WILDCARDS) | (partialWildcards ? 0 : NO_PARTIAL_WILDCARDS) |
    (multiLabelWildcards ? MULTI_LABEL_WILDCARDS : 0) | (singleLabelSubdomains ? SINGLE_LABEL_SUBDOMAINS : 0);
}

const hex = (bytes) => toBuffer(bytes).toString('hex').toUpperCase();
const colons = (bytes) => hex(bytes).match(/../g).join(':');

let isX509Certificate;
let certificateHandle;
let setIssuer;

class X509Certificate {
  #handle;
  #fields = new Map();
  #issuer;

  constructor(buffer) {
    if (typeof buffer === 'string') buffer = Buffer.from(buffer);
    if (!isBytes(buffer)) throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = binding.certificate(buffer);
  }

  static {
    isX509Certificate = (value) => typeof value === 'object' && value !== null && #handle in value;
    certificateHandle = (certificate) => certificate.#handle;
    setIssuer = (certificate, issuer) => { certificate.#issuer = issuer; };
  }

  /** A field, computed once. */
  #field(name, compute) {
    if (!this.#fields.has(name)) this.#fields.set(name, compute(this.#handle));
    return this.#fields.get(name);
  }

  #text(name) { return this.#field(name, (handle) => binding.certificateText(handle, name)); }
  #digest(name) { return this.#field(name, () => colons(require('crypto').createHash(name).update(this.raw).digest())); }

  get subject() { return this.#text('subject'); }
  get subjectAltName() { return this.#field('subjectAltName', extensions.subjectAltName); }
  get issuer() { return this.#text('issuer'); }
  get issuerCertificate() { return this.#issuer; }
  get infoAccess() { return this.#field('infoAccess', extensions.infoAccess); }
  get validFrom() { return this.#text('validFrom'); }
  get validTo() { return this.#text('validTo'); }
  get validFromDate() { return this.#field('validFromDate', () => new Date(this.validFrom)); }
  get validToDate() { return this.#field('validToDate', () => new Date(this.validTo)); }
  get fingerprint() { return this.#digest('sha1'); }
  get fingerprint256() { return this.#digest('sha256'); }
  get fingerprint512() { return this.#digest('sha512'); }
  get keyUsage() { return this.#field('keyUsage', extensions.extendedKeyUsage); }
  get serialNumber() { return this.#field('serialNumber', (handle) => hex(binding.certificateBytes(handle, 'serial')) || '00'); }
  get signatureAlgorithm() { return this.#text('signatureAlgorithm'); }
  get signatureAlgorithmOid() { return this.#text('signatureAlgorithmOid'); }
  get raw() { return this.#field('raw', (handle) => toBuffer(binding.certificateBytes(handle, 'der'))); }
  get publicKey() { return this.#field('publicKey', (handle) => fromHandle(binding.certificateKey(handle))); }
  get ca() { return this.#field('ca', binding.certificateIsCa); }
  toString() { return this.#field('pem', (handle) => toBuffer(binding.certificateBytes(handle, 'pem')).toString()); }
  toJSON() { return this.toString(); }

  checkHost(name, options) {
    validateString(name, 'name');
    return checkName(this.#handle, 'host', name, hostFlags(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return checkName(this.#handle, 'email', email, hostFlags(options));
  }

  checkIP(ip) {
    validateString(ip, 'ip');
    if (require('internal/net').isIP(ip) === 0) throw new ERR_INVALID_ARG_VALUE('ip', ip);
    return checkName(this.#handle, 'ip', ip, 0);
  }

  checkIssued(otherCert) {
    if (!isX509Certificate(otherCert)) throw new ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return binding.certificateIsIssued(this.#handle, otherCert.#handle);
  }

  checkPrivateKey(pkey) {
    if (!isKeyObject(pkey)) throw new ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'private') throw new ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding.certificateHasKey(this.#handle, handleOf(pkey));
  }

  verify(pkey) {
    if (!isKeyObject(pkey)) throw new ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'public') throw new ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding.certificateVerify(this.#handle, handleOf(pkey));
  }

  toLegacyObject() { return this.#field('legacy', () => legacyObject(this)); }

  [kClone]() { return new X509Certificate(this.raw); }
  [kSerialize]() { return { type: 'X509Certificate', data: this.raw }; }

  [inspect.custom](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    const { subject, subjectAltName, issuer, infoAccess, validFrom, validTo, validFromDate, validToDate, fingerprint, fingerprint256, fingerprint512, keyUsage, serialNumber } = this;
    const { signatureAlgorithm, signatureAlgorithmOid } = this;
    return `X509Certificate ${inspect({
      subject, subjectAltName, issuer, infoAccess, validFrom, validTo, validFromDate, validToDate, fingerprint, fingerprint256, fingerprint512,
      keyUsage, serialNumber, signatureAlgorithm, signatureAlgorithmOid,
    }, inner)}`;
  }
}
markHostObject(X509Certificate);
for (const key of [kClone, kSerialize, inspect.custom]) Object.defineProperty(X509Certificate.prototype, key, { enumerable: false });

function checkName(handle, kind, name, flags) {
  if (name.includes('\0')) throw new ERR_INVALID_ARG_VALUE('name', name);
  return binding.certificateCheck(handle, kind, name, flags);
}

/** Attributes by name; one that occurs twice is an array. */
function nameObject(handle, isIssuer) {
  const flat = binding.certificateName(handle, isIssuer);
  const object = { __proto__: null };
  for (let index = 0; index < flat.length; index += 2) {
    const [name, value] = [flat[index], flat[index + 1]];
    if (object[name] === undefined) object[name] = value;
    else object[name] = [object[name], value].flat();
  }
  return object;
}

/** What `tls` returns of a peer's certificate. */
function legacyObject(certificate) {
  const handle = certificateHandle(certificate);
  const object = {
    __proto__: null,
    subject: nameObject(handle, false),
    issuer: nameObject(handle, true),
    subjectaltname: certificate.subjectAltName,
    infoAccess: extensions.infoAccessObject(handle),
    ca: certificate.ca,
  };
  Object.assign(object, keyMembers(handle));
  const { validFrom, validTo, fingerprint, fingerprint256, fingerprint512, keyUsage, serialNumber, raw } = certificate;
  Object.assign(object, { valid_from: validFrom, valid_to: validTo, fingerprint, fingerprint256, fingerprint512, ext_key_usage: keyUsage, serialNumber, raw });
  for (const name of Object.keys(object)) if (object[name] === undefined) delete object[name];
  return Object.setPrototypeOf(object, Object.prototype);
}

/** Numbers of an RSA key; curve and point of an EC key. */
function keyMembers(handle) {
  let key;
  try {
    key = binding.certificateKey(handle);
  } catch {
    return {};
  }
  const { typeOf } = require('internal/crypto/key_details');
  switch (typeOf(key)) {
    case 'rsa':
      return {
        modulus: hex(binding.keyNumber(key, 'n')),
        bits: binding.keyBits(key),
        exponent: `0x${hex(binding.keyNumber(key, 'e')).replace(/^0+/, '').toLowerCase()}`,
        pubkey: toBuffer(binding.exportPublic(key, 'spki', false)),
      };
    case 'ec': {
      const curve = binding.keyText(key, 'group');
      const nist = { __proto__: null, prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521', secp224r1: 'P-224', prime192v1: 'P-192' };
      return { bits: binding.keyBits(key), pubkey: toBuffer(binding.keyOctets(key, 'pub')), asn1Curve: curve, nistCurve: nist[curve] };
    }
    default: return {};
  }
}

const fromMessage = (raw) => new X509Certificate(raw);

module.exports = { X509Certificate, fromMessage, isX509Certificate, setIssuer };
