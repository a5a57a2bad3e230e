// What stands for cached data of scripts: which text it is of. In: a text. Out: bytes; whether
// bytes are of a text. Absent: code; the engine gives none, so what is accepted saves nothing and
// what is refused is of another text, as callers expect.
'use strict';

function dataOf(source) {
  const { createHash } = require('crypto');
  return Buffer.from(createHash('sha256').update('rusk cached data\n').update(source).digest());
}

function isOf(data, source) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.equals(dataOf(source));
}

module.exports = { dataOf, isOf };
