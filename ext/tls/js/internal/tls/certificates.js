// Certificates as `tls` returns them: legacy objects that are linked to their issuers. In: DER.
// Out: objects. What was parsed is kept for a while: a client sees the same few certificates again
// and again, and parsing one costs as much as the rest of a handshake.
'use strict';

const { Buffer } = require('buffer');

const KEPT_MAX = 32;
/** Parsed certificates by DER, the oldest first. */
const kept = new Map();

const toX509 = (der) => new (require('internal/crypto/x509').X509Certificate)(Buffer.from(der));

/** The first certificate, linked to its issuers; undefined if there is none. */
function linkX509(chain) {
  const certificates = chain.map(toX509);
  const { setIssuer } = require('internal/crypto/x509');
  certificates.forEach((certificate, index) => { if (index > 0) setIssuer(certificates[index - 1], certificate); });
  return certificates[0];
}

/** The certificate, parsed, and its legacy object. */
function parsed(der) {
  const key = Buffer.from(der.buffer, der.byteOffset, der.byteLength).latin1Slice();
  let found = kept.get(key);
  if (found === undefined) {
    const certificate = toX509(der);
    found = { certificate, object: certificate.toLegacyObject(), isSelfIssued: undefined };
    if (kept.size === KEPT_MAX) kept.delete(kept.keys().next().value);
    kept.set(key, found);
  }
  return found;
}

/** Each caller gets objects of its own. */
function copyMember(value) {
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (Array.isArray(value)) return value.slice();
  return typeof value === 'object' && value !== null ? { __proto__: Object.getPrototypeOf(value), ...value } : value;
}

function toObject(der) {
  const { object } = parsed(der);
  const copy = {};
  for (const name in object) copy[name] = copyMember(object[name]);
  return copy;
}

function isSelfIssued(der) {
  const found = parsed(der);
  return found.isSelfIssued ??= found.certificate.checkIssued(found.certificate);
}

/**
 * The first certificate; undefined if there is none. The last is its own issuer if it is a root.
 */
function linkChain(chain, isDetailed) {
  if (chain.length === 0) return undefined;
  const objects = chain.map(toObject);
  if (isDetailed) {
    objects.forEach((object, index) => { if (index + 1 < objects.length) object.issuerCertificate = objects[index + 1]; });
    if (isSelfIssued(chain.at(-1))) objects.at(-1).issuerCertificate = objects.at(-1);
  }
  return objects[0];
}

module.exports = { linkChain, linkX509, toObject, toX509 };
