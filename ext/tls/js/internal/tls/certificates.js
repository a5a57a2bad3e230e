// Certificates as `tls` returns them: legacy objects that are linked to their issuers. In: DER.
// Out: objects.
'use strict';

const { Buffer } = require('buffer');

const toX509 = (der) => new (require('internal/crypto/x509').X509Certificate)(Buffer.from(der));

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

module.exports = { linkChain, toObject, toX509 };
