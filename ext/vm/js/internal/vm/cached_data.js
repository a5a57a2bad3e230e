// `cachedData` of scripts and modules: a hash of the source. In: a source text. Out: bytes; whether
// bytes belong to a source. Absent: code. The engine has no code cache for programs, so accepted
// data saves nothing; data of another source is rejected, as callers expect.
'use strict';

function createCachedData(source) {
  const { createHash } = require('crypto');
  return Buffer.from(createHash('sha256').update('rusk cached data\n').update(source).digest());
}

function matches(data, source) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.equals(createCachedData(source));
}

module.exports = { createCachedData, matches };
