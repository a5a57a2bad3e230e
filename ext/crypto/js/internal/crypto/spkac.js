// `Certificate`: signed public keys and challenges (SPKAC). In: base64 as text or bytes. Out:
// whether the signature is right, the key, the challenge.

'use strict';

const { Buffer } = require('buffer');
const { toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

function read(spkac, encoding, wanted) {
  const bytes = toBytes(spkac, 'spkac', encoding);
  if (bytes.byteLength > 2 ** 31 - 1) throw Object.assign(new RangeError('spkac is too large'), { code: 'ERR_OUT_OF_RANGE' });
  return binding.spkac(bytes, wanted);
}

function verifySpkac(spkac, encoding) {
  return read(spkac, encoding, 'verify') ?? false;
}

function exportPublicKey(spkac, encoding) {
  const key = read(spkac, encoding, 'key');
  return key === undefined ? '' : toBuffer(binding.exportPublic(key, 'spki', true));
}

function exportChallenge(spkac, encoding) {
  const challenge = read(spkac, encoding, 'challenge');
  return challenge === undefined ? '' : Buffer.from(toBuffer(challenge));
}

function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
Object.assign(Certificate.prototype, { verifySpkac, exportPublicKey, exportChallenge });
Object.assign(Certificate, { verifySpkac, exportPublicKey, exportChallenge });

module.exports = { Certificate };
