// `publicEncrypt`, `privateDecrypt`, `privateEncrypt`, `publicDecrypt`: RSA. In: a key, padding,
// digest and label, bytes. Out: bytes.

'use strict';

const { validateString } = require('internal/validators');
const { readPrivateKey, readPublicKey } = require('internal/crypto/key_input');
const { typeOf } = require('internal/crypto/key_details');
const { digestName, hasDigest, toBuffer, toBytes } = require('internal/crypto/util');
const binding = internalBinding('openssl');

const PKCS1 = 1;
const OAEP = 4;

function encryption(operation, read, defaultPadding) {
  return (options, buffer) => {
    const isObject = typeof options === 'object' && options !== null;
    const { oaepHash, encoding, padding = defaultPadding } = isObject ? options : {};
    let { oaepLabel } = isObject ? options : {};
    if (oaepHash !== undefined) validateString(oaepHash, 'key.oaepHash');
    if (oaepLabel !== undefined) oaepLabel = toBytes(oaepLabel, 'key.oaepLabel', encoding);
    const input = toBytes(buffer, 'buffer', encoding);
    const params = ['pad-mode', 'i', padding];
    if (oaepHash !== undefined) params.push(...oaepParams(oaepHash));
    if (oaepLabel !== undefined) params.push('oaep-label', 'b', oaepLabel);
    const handle = read(options);
    checkType(handle);
    const isImplicit = operation === 'decrypt' && padding === PKCS1;
    return toBuffer(binding.run(operation, handle, params, input, isImplicit));
  };
}

/** An unknown digest is an error of the library: `EVP_R_INVALID_DIGEST`. */
function oaepParams(hash) {
  if (!hasDigest(hash)) binding.throwReason(6, 152);
  const name = digestName(hash);
  return ['digest', 's', name, 'mgf1-digest', 's', name];
}

/** Only RSA encrypts: `EVP_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE`. */
function checkType(handle) {
  const type = typeOf(handle);
  if (type !== 'rsa' && type !== 'rsa-pss') binding.throwReason(6, 150);
}

module.exports = {
  privateDecrypt: encryption('decrypt', readPrivateKey, OAEP),
  privateEncrypt: encryption('sign', readPrivateKey, PKCS1),
  publicDecrypt: encryption('recover', readPublicKey, PKCS1),
  publicEncrypt: encryption('encrypt', readPublicKey, OAEP),
};
