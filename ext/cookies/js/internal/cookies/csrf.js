// `Bun.CSRF`: signed tokens against cross-site request forgery. In: a secret, options. Out: a token
// (8 bytes of time of issue in ms, 16 random bytes, 8 bytes of lifetime in ms, all big-endian, then
// an HMAC of them and of the session), or whether a token is valid.
'use strict';

const { randomBytes, timingSafeEqual } = require('crypto');
const { validateInteger } = require('internal/validators');

const ENCODINGS = ['base64', 'base64url', 'hex'];
const ALGORITHMS = {
  '__proto__': null, 'blake2b256': 'blake2b256', 'blake2b512': 'blake2b512', 'sha256': 'sha256', 'sha-256': 'sha256', 'sha384': 'sha384',
  'sha-384': 'sha384', 'sha512': 'sha512', 'sha-512': 'sha512', 'sha512-256': 'sha512-256', 'sha-512/256': 'sha512-256',
};
const DAY_MS = 24 * 60 * 60 * 1000;
const NONCE_BYTES = 16;
const LIFETIME_OFFSET = 8 + NONCE_BYTES;
const PAYLOAD_BYTES = LIFETIME_OFFSET + 8;
const SECRET_BYTES = 32;

/** The secret of tokens that name none: one for each thread. */
let defaultSecret;

function generate(secret = undefined, options = undefined) {
  const key = secretKey(secret, 'secret');
  const checked = parseOptions(options, 'CSRFGenerateOptions', 'expiresIn');
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.writeBigUInt64BE(BigInt(Date.now()), 0);
  randomBytes(NONCE_BYTES).copy(payload, 8);
  payload.writeBigUInt64BE(BigInt(checked.durationMs), LIFETIME_OFFSET);
  return Buffer.concat([payload, sign(key, payload, checked)]).toString(checked.encoding);
}

function verify(token, options = undefined) {
  if (typeof token !== 'string') throw invalidType('token must be a string');
  if (token === '') throw invalidType('Token must be a non-empty string');
  const checked = parseOptions(options, 'CSRFVerifyOptions', 'maxAge');
  const key = secretKey(options?.secret, 'CSRFVerifyOptions.secret');
  const bytes = Buffer.from(token, checked.encoding);
  const payload = bytes.subarray(0, PAYLOAD_BYTES);
  const signature = sign(key, payload, checked);
  // The length of a signature is no secret.
  if (bytes.length !== PAYLOAD_BYTES + signature.length) return false;
  if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), signature)) return false;
  const age = Date.now() - Number(payload.readBigUInt64BE(0));
  const lifetime = Number(payload.readBigUInt64BE(LIFETIME_OFFSET));
  // 0: without an end.
  return (lifetime === 0 || age <= lifetime) && (checked.durationMs === 0 || age <= checked.durationMs);
}

function sign(key, payload, { algorithm, sessionId }) {
  const hmac = new (require('internal/bun/crypto_hasher').CryptoHasher)(algorithm, key).update(payload);
  if (sessionId !== undefined) hmac.update(sessionId);
  return hmac.digest();
}

function secretKey(secret, name) {
  if (secret === undefined) return defaultSecret ??= randomBytes(SECRET_BYTES);
  if (typeof secret !== 'string') throw invalidType(`${name} must be a string`);
  if (secret === '') throw invalidType('Secret must be a non-empty string');
  return secret;
}

function parseOptions(options, where, durationName) {
  const { encoding = 'base64url', algorithm = 'sha256', sessionId, [durationName]: durationMs = DAY_MS } = options ?? {};
  validateInteger(durationMs, `${where}.${durationName}`, 0, Number.MAX_SAFE_INTEGER);
  if (!ENCODINGS.includes(encoding)) throw invalidType("Invalid format: must be 'base64', 'base64url', or 'hex'");
  if (typeof algorithm !== 'string') throw invalidType(`${where}.algorithm must be a string`);
  const name = ALGORITHMS[algorithm.toLowerCase()];
  if (name === undefined) throw invalidType('Algorithm not supported');
  if (sessionId !== undefined && typeof sessionId !== 'string') throw invalidType(`${where}.sessionId must be a string`);
  if (sessionId === '') throw invalidType('sessionId must be a non-empty string');
  return { encoding, algorithm: name, sessionId, durationMs };
}

function invalidType(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

module.exports = { CSRF: { generate, verify } };
