// Subresource Integrity. In: bytes, integrity metadata. Out: whether the bytes match one of the
// digests of the strongest algorithm.
'use strict';

const ALGORITHMS = ['sha256', 'sha384', 'sha512'];

function matches(bytes, integrity) {
  const metadata = integrity.trim().split(/\s+/).map((item) => /^(sha(?:256|384|512))-([A-Za-z0-9+/_-]+={0,2})(?:\?|$)/.exec(item))
    .filter((match) => match !== null);
  const strongest = Math.max(...metadata.map((match) => ALGORITHMS.indexOf(match[1])));
  const candidates = metadata.filter((match) => ALGORITHMS.indexOf(match[1]) === strongest);
  if (candidates.length === 0) return true;
  const digest = require('crypto').createHash(ALGORITHMS[strongest]).update(bytes).digest();
  return candidates.some((match) => Buffer.from(match[2], 'base64').equals(digest));
}

module.exports = { matches };
