// `Bun.password`: password hashes by Argon2 and bcrypt, over the binding of node:crypto. In:
// passwords, algorithms and costs. Out: hashes as text, whether a password matches, at once or from
// the thread pool.
'use strict';

const { toUint8Array } = require('internal/bun/bytes');
const { invalidArgType } = require('internal/bun/environment');
const binding = internalBinding('crypto');

const UINT32_MAX = 2 ** 32 - 1;
const DEFAULT = 'argon2id';
const ALGORITHMS = ['bcrypt', 'argon2id', 'argon2d', 'argon2i'];
const MEMORY_KIB = 65536;
const MEMORY_KIB_MIN = 8;
const PASSES = 2;
const [BCRYPT_COST, BCRYPT_COST_MIN, BCRYPT_COST_MAX] = [10, 4, 31];

/** Bun's error codes, by the binding's errors. */
const CODES = {
  __proto__: null,
  UnsupportedAlgorithm: 'PASSWORD_UNSUPPORTED_ALGORITHM',
  InvalidEncoding: 'PASSWORD_INVALID_ENCODING',
  WeakParameters: 'PASSWORD_WEAK_PARAMETERS',
  OutOfMemory: 'PASSWORD_OUT_OF_MEMORY',
};

const isAbsent = (value) => value === undefined || value === null;

function content(value, name) {
  const bytes = typeof value === 'string' ? value : toUint8Array(value);
  if (bytes === undefined) throw invalidArgType(`${name} must be a string, ArrayBuffer or ArrayBufferView`);
  return bytes;
}

function checkAlgorithm(algorithm, caller) {
  if (ALGORITHMS.includes(algorithm)) return algorithm;
  throw invalidArgType(`Expected algorithm to be a unknown algorithm, expected one of: "bcrypt", "argon2id", "argon2d", "argon2i" (default is "argon2id") for '${caller}'.`);
}

function cost(value, name) {
  if (typeof value !== 'number') throw invalidArgType(`Expected ${name} to be a number for 'hash'.`);
  return value;
}

function bcryptCost(value) {
  if (isAbsent(value)) return BCRYPT_COST;
  const rounds = cost(value, 'cost');
  if (Number.isInteger(rounds) && rounds >= BCRYPT_COST_MIN && rounds <= BCRYPT_COST_MAX) return rounds;
  throw invalidArgType(`Rounds must be an integer between ${BCRYPT_COST_MIN} and ${BCRYPT_COST_MAX}`);
}

function memoryCost(value) {
  if (isAbsent(value)) return MEMORY_KIB;
  const kib = cost(value, 'memoryCost');
  if (!(kib >= MEMORY_KIB_MIN)) throw invalidArgType(`Memory cost must be at least ${MEMORY_KIB_MIN}`);
  if (Number.isInteger(kib) && kib <= UINT32_MAX) return kib;
  throw invalidArgType(`Memory cost must be an integer between ${MEMORY_KIB_MIN} and ${UINT32_MAX}`);
}

function timeCost(value) {
  if (isAbsent(value)) return PASSES;
  const passes = cost(value, 'timeCost');
  if (!(passes > 0)) throw invalidArgType('Time cost must be greater than 0');
  if (Number.isInteger(passes) && passes <= UINT32_MAX) return passes;
  throw invalidArgType(`Time cost must be an integer between 1 and ${UINT32_MAX}`);
}

/** [algorithm, first cost, second cost] for the binding. */
function parseMethod(method) {
  let options = {};
  let algorithm = method ?? DEFAULT;
  if (typeof algorithm === 'object') {
    options = algorithm;
    ({ algorithm } = options);
    if (isAbsent(algorithm)) throw invalidArgType("Expected options.algorithm to be a string for 'hash'.");
    if (typeof algorithm !== 'string') throw invalidArgType('PasswordHashOptions.algorithm must be a string');
  } else if (typeof algorithm !== 'string') {
    throw invalidArgType('PasswordHashOptions must be an object');
  }
  if (checkAlgorithm(algorithm, 'hash') === 'bcrypt') return [algorithm, bcryptCost(options.cost), 0];
  return [algorithm, memoryCost(options.memoryCost), timeCost(options.timeCost)];
}

function hashArguments(password, method) {
  const bytes = content(password, 'password');
  const parsed = parseMethod(method);
  if (bytes.length === 0) throw invalidArgType('password must not be empty');
  return [bytes, ...parsed];
}

function verifyArguments(password, hash, algorithm) {
  const [bytes, text] = [content(password, 'password'), content(hash, 'hash')];
  if (isAbsent(algorithm)) return [bytes, text, undefined];
  if (typeof algorithm !== 'string') throw invalidArgType('algorithm must be a string');
  return [bytes, text, checkAlgorithm(algorithm, 'verify')];
}

function failure(job, name) {
  const error = new Error(`Password ${job} failed with error "${name}"`);
  error.code = CODES[name];
  return error;
}

function settled(job, [name, answer]) {
  if (name !== undefined) throw failure(job, name);
  return answer;
}

const later = (job, start) => new Promise((resolve, reject) => {
  start((name, answer) => (name === undefined ? resolve(answer) : reject(failure(job, name))));
});

/** Nothing is the hash of an empty password, and an empty hash is that of none. */
const isNeverEqual = ([password, hash]) => password.length === 0 || hash.length === 0;

// A wrong argument throws at once, as in Bun.
const password = {
  hash(password, algorithm) {
    const values = hashArguments(password, algorithm);
    return later('hashing', (done) => binding.passwordHash(...values, done));
  },
  hashSync(password, algorithm) {
    return settled('hashing', binding.passwordHash(...hashArguments(password, algorithm)));
  },
  verify(password, hash, algorithm = undefined) {
    const values = verifyArguments(password, hash, algorithm);
    if (isNeverEqual(values)) return Promise.resolve(false);
    return later('verification', (done) => binding.passwordVerify(...values, done));
  },
  verifySync(password, hash, algorithm = undefined) {
    const values = verifyArguments(password, hash, algorithm);
    return !isNeverEqual(values) && settled('verification', binding.passwordVerify(...values));
  },
};

module.exports = { password };
