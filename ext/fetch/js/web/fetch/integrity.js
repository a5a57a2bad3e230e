// What a body must be: Subresource Integrity. In: bytes, digests by name. Out: whether one of the
// strongest kind named fits.
'use strict';

const KINDS = ['sha256', 'sha384', 'sha512'];

function matches(bytes, integrity) {
  const known = integrity.trim().split(/\s+/).map((word) => /^(sha(?:256|384|512))-([A-Za-z0-9+/_-]+={0,2})(?:\?|$)/.exec(word))
    .filter((found) => found !== null);
  const strongest = Math.max(...known.map((found) => KINDS.indexOf(found[1])));
  const wanted = known.filter((found) => KINDS.indexOf(found[1]) === strongest);
  if (wanted.length === 0) return true;
  const digest = require('crypto').createHash(KINDS[strongest]).update(bytes).digest();
  return wanted.some((found) => Buffer.from(found[2], 'base64').equals(digest));
}

module.exports = { matches };
