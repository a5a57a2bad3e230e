// Validators of arguments. In: a value and the argument's name. Out: nothing, or an error with
// Node's code and message, whose stack begins at the called builtin; a few return the converted
// value.
'use strict';

const { nodeError } = require('internal/errors');

function wrongType(above, name, expected, value) {
  return nodeError('ERR_INVALID_ARG_TYPE', above, name, expected, value);
}

function outOfRange(above, name, range, value) {
  return nodeError('ERR_OUT_OF_RANGE', above, name, range, value);
}

function isInt32(value) {
  return value === (value | 0);
}

function isUint32(value) {
  return value === (value >>> 0);
}

/** A file mode: a number, or an octal string. */
function parseFileMode(value, name, absent) {
  value ??= absent;
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value)) {
      throw nodeError('ERR_INVALID_ARG_VALUE', parseFileMode, name, value, 'must be a 32-bit unsigned integer or an octal string');
    }
    value = parseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

function validateInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== 'number') throw wrongType(validateInteger, name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(validateInteger, name, 'an integer', value);
  if (value < min || value > max) throw outOfRange(validateInteger, name, `>= ${min} && <= ${max}`, value);
}

function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  if (typeof value !== 'number') throw wrongType(validateInt32, name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(validateInt32, name, 'an integer', value);
  if (value < min || value > max) throw outOfRange(validateInt32, name, `>= ${min} && <= ${max}`, value);
}

function validateUint32(value, name, positive = false) {
  if (typeof value !== 'number') throw wrongType(validateUint32, name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(validateUint32, name, 'an integer', value);
  const min = positive ? 1 : 0;
  if (value < min || value > 4294967295) throw outOfRange(validateUint32, name, `>= ${min} && <= 4294967295`, value);
}

function validateNumber(value, name, min = undefined, max) {
  if (typeof value !== 'number') throw wrongType(validateNumber, name, 'number', value);
  if ((min != null && value < min) || (max != null && value > max) || ((min != null || max != null) && Number.isNaN(value))) {
    const range = `${min != null ? `>= ${min}` : ''}${min != null && max != null ? ' && ' : ''}${max != null ? `<= ${max}` : ''}`;
    throw outOfRange(validateNumber, name, range, value);
  }
}

/** Whether it is a finite number; false for undefined and NaN; throws for other values. */
function validateFiniteNumber(number, name) {
  if (number === undefined) return false;
  if (Number.isFinite(number)) return true;
  if (Number.isNaN(number)) return false;
  validateNumber(number, name);
  throw outOfRange(validateFiniteNumber, name, 'a finite number', number);
}

/** The number, or the default where it is undefined or NaN. */
function checkRangesOrGetDefault(number, name, lower, upper, absent) {
  if (!validateFiniteNumber(number, name)) return absent;
  if (number < lower || number > upper) throw outOfRange(checkRangesOrGetDefault, name, `>= ${lower} and <= ${upper}`, number);
  return number;
}

function validateString(value, name) {
  if (typeof value !== 'string') throw wrongType(validateString, name, 'string', value);
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throw wrongType(validateBoolean, name, 'boolean', value);
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throw wrongType(validateFunction, name, 'Function', value);
}

function validatePlainFunction(value, name) {
  if (typeof value !== 'function' || require('internal/util/types').isAsyncFunction(value)) {
    throw wrongType(validatePlainFunction, name, 'Function', value);
  }
}

function validateUndefined(value, name) {
  if (value !== undefined) throw wrongType(validateUndefined, name, 'undefined', value);
}

function validateOneOf(value, name, list) {
  if (list.includes(value)) return;
  const allowed = list.map((each) => typeof each === 'string' ? `'${each}'` : String(each)).join(', ');
  throw nodeError('ERR_INVALID_ARG_VALUE', validateOneOf, name, value, `must be one of: ${allowed}`);
}

function validateUnion(value, name, union) {
  if (!union.includes(value)) throw wrongType(validateUnion, name, `('${union.join('|')}')`, value);
}

const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1 << 0;
const kValidateObjectAllowArray = 1 << 1;
const kValidateObjectAllowFunction = 1 << 2;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull = kValidateObjectAllowObjects | kValidateObjectAllowNullable;

function validateObject(value, name, allowed = kValidateObjectNone) {
  if (value === null) {
    if ((allowed & kValidateObjectAllowNullable) === 0) throw wrongType(validateObject, name, 'Object', value);
  } else if (Array.isArray(value)) {
    if ((allowed & kValidateObjectAllowArray) === 0) throw wrongType(validateObject, name, 'Object', value);
  } else if (typeof value === 'function') {
    if ((allowed & kValidateObjectAllowFunction) === 0) throw wrongType(validateObject, name, 'Object', value);
  } else if (typeof value !== 'object') {
    throw wrongType(validateObject, name, 'Object', value);
  }
}

/** A dictionary of Web IDL. */
function validateDictionary(value, name) {
  if (value != null && typeof value !== 'object' && typeof value !== 'function') {
    throw wrongType(validateDictionary, name, 'a dictionary', value);
  }
}

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw wrongType(validateArray, name, 'Array', value);
  if (value.length < minLength) throw nodeError('ERR_INVALID_ARG_VALUE', validateArray, name, value, `must be longer than ${minLength}`);
}

function validateStringArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateString(value[i], `${name}[${i}]`);
}

function validateBooleanArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateBoolean(value[i], `${name}[${i}]`);
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
    throw wrongType(validateAbortSignal, name, 'AbortSignal', signal);
  }
}

function validateAbortSignalArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) {
    const each = `${name}[${i}]`;
    if (value[i] == null) throw wrongType(validateAbortSignalArray, each, 'AbortSignal', value[i]);
    validateAbortSignal(value[i], each);
  }
}

function validateBuffer(buffer, name = 'buffer') {
  if (!ArrayBuffer.isView(buffer)) throw wrongType(validateBuffer, name, ['Buffer', 'TypedArray', 'DataView'], buffer);
}

function validateEncoding(data, encoding) {
  const normal = require('internal/util').normalizeEncoding(encoding);
  if (normal === 'hex' && data.length % 2 !== 0) {
    throw nodeError('ERR_INVALID_ARG_VALUE', validateEncoding, 'encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

/** `ignore` of fs.watch: a glob pattern, a regular expression, a function, or a list of these. */
function validateIgnoreOption(value, name) {
  if (value == null) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) validateIgnored(value[i], `${name}[${i}]`);
  } else {
    validateIgnored(value, name);
  }
}

function validateIgnored(value, name) {
  if (typeof value === 'string') {
    if (value.length === 0) throw nodeError('ERR_INVALID_ARG_VALUE', validateIgnoreOption, name, value, 'must be a non-empty string');
  } else if (typeof value !== 'function' && !require('internal/util/types').isRegExp(value)) {
    throw wrongType(validateIgnoreOption, name, ['string', 'RegExp', 'Function'], value);
  }
}

/** The port as a number. */
function validatePort(port, name = 'Port', allowZero = true) {
  const text = typeof port === 'string';
  if ((typeof port !== 'number' && !text) || (text && port.trim().length === 0) ||
      +port !== (+port >>> 0) || port > 0xFFFF || (port === 0 && !allowZero)) {
    throw nodeError('ERR_SOCKET_BAD_PORT', validatePort, name, port, allowZero);
  }
  return port | 0;
}

function validateSignalName(signal, name = 'signal') {
  validateString(signal, name);
  const { signals } = require('os').constants;
  if (signals[signal] === undefined) {
    if (signals[signal.toUpperCase()] !== undefined) {
      throw nodeError('ERR_UNKNOWN_SIGNAL', validateSignalName, `${signal} (signals must use all capital letters)`);
    }
    throw nodeError('ERR_UNKNOWN_SIGNAL', validateSignalName, signal);
  }
}

const LINK = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;
const LINK_EXPECTED = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

/** The value of a `Link` header: one, or a list of them. */
function validateLinkHeaderValue(hints) {
  const list = Array.isArray(hints) ? hints : [hints];
  for (const hint of list) {
    if (typeof hint !== 'string' || !LINK.test(hint)) {
      throw nodeError('ERR_INVALID_ARG_VALUE', validateLinkHeaderValue, 'hints', Array.isArray(hints) ? hint : hints, LINK_EXPECTED);
    }
  }
  return list.join(', ');
}

/** Throws unless `object` has the internal field of the class. */
function validateThisInternalField(object, field, className) {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, field)) {
    throw nodeError('ERR_INVALID_THIS', validateThisInternalField, className);
  }
}

module.exports = {
  isInt32, isUint32, parseFileMode,
  checkRangesOrGetDefault, validateFiniteNumber, validateInt32, validateInteger, validateNumber, validatePort, validateUint32,
  validateBoolean, validateEncoding, validateLinkHeaderValue, validateOneOf, validateSignalName, validateString, validateUndefined, validateUnion,
  validateAbortSignal, validateAbortSignalArray, validateArray, validateBooleanArray, validateBuffer, validateDictionary, validateFunction,
  validateIgnoreOption, validateObject, validatePlainFunction, validateStringArray, validateThisInternalField,
  kValidateObjectNone, kValidateObjectAllowNullable, kValidateObjectAllowArray, kValidateObjectAllowFunction,
  kValidateObjectAllowObjects, kValidateObjectAllowObjectsAndNull,
};
