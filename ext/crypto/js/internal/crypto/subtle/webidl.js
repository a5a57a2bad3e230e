// Conversions of Web IDL for `crypto.subtle`. In: any values. Out: values of a type, or Node's
// errors with the name of the method and of the argument. Absent: which algorithms exist
// (registry.js).

'use strict';

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS, ERR_MISSING_OPTION, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { isAnyArrayBuffer, isSharedArrayBuffer } = require('internal/util/types');

const ORDINALS = ['0th', '1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th'];

/** Where a value comes from: the start of a message, and the argument. */
const place = (method, index) => ({ prefix: `Failed to execute '${method}' on 'SubtleCrypto'`, context: `${ORDINALS[index]} argument` });

function fail(Code, at, text) {
  const error = new Code('value', 'type', undefined);
  error.message = `${at.prefix}: ${at.context} ${text}`;
  return error;
}

function requireArguments(method, count, needed) {
  if (count >= needed) return;
  const error = new ERR_MISSING_ARGS('argument');
  error.message = `Failed to execute '${method}' on 'SubtleCrypto': ${needed} argument${needed === 1 ? '' : 's'} required, but only ${count} present.`;
  throw error;
}

function toText(value, at) {
  if (typeof value === 'symbol') throw fail(ERR_INVALID_ARG_TYPE, at, 'is a Symbol and cannot be converted to a string.');
  return `${value}`;
}

/** An integer of [EnforceRange]. */
function toInteger(bits) {
  const max = 2 ** bits - 1;
  return (value, at) => {
    if (typeof value === 'bigint') throw fail(ERR_INVALID_ARG_TYPE, at, 'is a BigInt and cannot be converted to a number.');
    if (typeof value === 'symbol') throw fail(ERR_INVALID_ARG_TYPE, at, 'is a Symbol and cannot be converted to a number.');
    const number = Math.trunc(Number(value));
    if (!Number.isFinite(number)) throw fail(ERR_INVALID_ARG_TYPE, at, 'is not a finite number.');
    if (number < 0 || number > max) throw fail(ERR_OUT_OF_RANGE, at, `is outside the expected range of 0 to ${max}.`);
    return number + 0;
  };
}

const isView = ArrayBuffer.isView;

/** The bytes themselves, for what uses them at once. */
function toView(value, at) {
  const isShared = isView(value) ? isSharedArrayBuffer(value.buffer) : isSharedArrayBuffer(value);
  if (isShared && isView(value)) throw fail(ERR_INVALID_ARG_TYPE, at, 'is a view on a SharedArrayBuffer, which is not allowed.');
  if (isShared || !(isView(value) || isAnyArrayBuffer(value))) {
    throw fail(ERR_INVALID_ARG_TYPE, at, 'is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
  }
  return isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/** A copy of the bytes, so that the caller cannot change them meanwhile. */
const toBytes = (value, at) => new Uint8Array(toView(value, at));

function toBigInteger(value, at) {
  if (!(isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]')) throw fail(ERR_INVALID_ARG_TYPE, at, 'is not an Uint8Array object.');
  return new Uint8Array(value);
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** One of some strings. */
function toEnum(type, values) {
  return (value, at) => {
    const text = toText(value, at);
    if (!values.includes(text)) throw fail(ERR_INVALID_ARG_VALUE, at, `value '${text}' is not a valid enum value of type ${type}.`);
    return text;
  };
}

function toSequence(convert) {
  return (value, at) => {
    if (!isObject(value) || typeof value[Symbol.iterator] !== 'function') throw fail(ERR_INVALID_ARG_TYPE, at, 'can not be converted to sequence.');
    return Array.from(value, (element, index) => convert(element, { prefix: at.prefix, context: `${at.context}, index ${index}` }));
  };
}

function toCryptoKey(value, at) {
  if (!require('internal/crypto/crypto_key').isCryptoKey(value)) throw fail(ERR_INVALID_ARG_TYPE, at, 'is not of type CryptoKey.');
  return value;
}

/**
 * A dictionary. `members`: [name, convert, isRequired, validate] each; `validate` gets the value
 * and the members before it.
 */
function toDictionary(type, members, value, at) {
  if (value !== undefined && value !== null && !isObject(value)) throw fail(ERR_INVALID_ARG_TYPE, at, 'can not be converted to a dictionary.');
  const result = {};
  for (const [name, convert, isRequired, validate] of members) {
    const member = value?.[name];
    if (member === undefined) {
      if (!isRequired) continue;
      throw fail(ERR_MISSING_OPTION, at, `can not be converted to '${type}' because '${name}' is required in '${type}'.`);
    }
    result[name] = convert(member, { prefix: at.prefix, context: `'${name}' of '${type}' (${at.context})` });
    validate?.(result[name], result);
  }
  return result;
}

const FORMATS = ['raw', 'pkcs8', 'spki', 'jwk', 'raw-public', 'raw-secret', 'raw-seed'];
const USAGES = [
  'encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey',
  'encapsulateBits', 'encapsulateKey', 'decapsulateBits', 'decapsulateKey',
];

/** Members of JsonWebKey; others are ignored. */
const JWK_MEMBERS = [
  'alg', 'crv', 'd', 'dp', 'dq', 'e', 'k', 'kty', 'n', 'p', 'q', 'qi', 'use', 'x', 'y', 'pub', 'priv',
].map((name) => [name, toText, false]).concat([
  ['ext', Boolean, false],
  ['key_ops', (value, at) => toSequence(toText)(value, at), false],
]);

/** Null is an empty dictionary. */
function toJwk(value, at) {
  if (value !== undefined && value !== null && !isObject(value)) throw fail(ERR_INVALID_ARG_TYPE, at, 'can not be converted to a dictionary.');
  return toDictionary('JsonWebKey', JWK_MEMBERS, value, at);
}

module.exports = {
  fail, isObject, place, requireArguments, toBigInteger, toBytes, toCryptoKey, toDictionary,
  toFormat: toEnum('KeyFormat', FORMATS), toJwk, toOctet: toInteger(8), toText, toUint16: toInteger(16), toUint32: toInteger(32),
  toUsages: toSequence(toEnum('KeyUsage', USAGES)), toView,
};
