// Certificates as `tls` returns them: legacy objects that are linked to their issuers. In: DER.
// Out: objects.
'use strict';

const { Buffer } = require('buffer');

const toX509 = (der) => new (require('internal/crypto/x509').X509Certificate)(Buffer.from(der));

/** The first certificate, linked to its issuers; undefined if there is none. */
function linkX509(chain) {
  const certificates = chain.map(toX509);
  const { setIssuer } = require('internal/crypto/x509');
  certificates.forEach((certificate, index) => { if (index > 0) setIssuer(certificates[index - 1], certificate); });
  return certificates[0];
}

function toObject(der) {
  const object = toX509(der).toLegacyObject();
  // Each caller gets objects of its own.
  return { ...object };
}

/**
 * The first certificate; undefined if there is none. The last is its own issuer if it is a root.
 */
function linkChain(chain, isDetailed) {
  if (chain.length === 0) return undefined;
  const objects = chain.map(toObject);
  if (isDetailed) {
    objects.forEach((object, index) => { if (index + 1 < objects.length) object.issuerCertificate = objects[index + 1]; });
    const last = toX509(chain.at(-1));
    if (last.checkIssued(last)) objects.at(-1).issuerCertificate = objects.at(-1);
  }
  return objects[0];
}

module.exports = { linkChain, linkX509, toObject, toX509 };
