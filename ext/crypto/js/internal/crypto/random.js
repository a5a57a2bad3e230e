// Random bytes, integers and UUIDs. In: a number, or a view to fill. Out: random values of the
// kernel. Integers and UUIDs are taken from pools of bytes; asynchronous requests run on the thread
// pool.

'use strict';

const { Buffer, kMaxLength } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateObject } = require('internal/validators');
const { bind } = require('internal/async_context');
const binding = internalBinding('crypto');

const LENGTH_MAX = Math.min(kMaxLength, 2 ** 31 - 1);
const nextTick = (...args) => require('process').nextTick(...args);

function checkOffset(offset, elementSize, length) {
  validateNumber(offset, 'offset');
  offset *= elementSize;
  const max = Math.min(length, LENGTH_MAX);
  if (Number.isNaN(offset) || offset > max || offset < 0) {
    throw new ERR_OUT_OF_RANGE('offset', `>= 0 && <= ${max}`, offset);
  }
  return offset >>> 0;
}

function checkSize(size, elementSize, offset, length) {
  validateNumber(size, 'size');
  size *= elementSize;
  if (Number.isNaN(size) || size > LENGTH_MAX || size < 0) {
    throw new ERR_OUT_OF_RANGE('size', `>= 0 && <= ${LENGTH_MAX}`, size);
  }
  if (size + offset > length) {
    throw new ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, size + offset);
  }
  return size >>> 0;
}

function randomBytes(size, callback) {
  size = checkSize(size, 1, 0, Infinity);
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
  }
  const buffer = Buffer.alloc(size);
  if (callback === undefined) {
    binding.random(buffer, 0, size);
    return buffer;
  }
  fillAsync(buffer, 0, size, bind(callback, 'RANDOMBYTESREQUEST'), buffer);
  return undefined;
}

/** Fills a view on the thread pool, then calls back. */
function fillAsync(view, offset, size, callback, result) {
  binding.randomAsync(size, (bytes) => {
    new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength).set(bytes, offset);
    callback(null, result);
  });
}

const isBuffer = (value) => value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

function checkView(buffer) {
  if (!isBuffer(buffer) && !ArrayBuffer.isView(buffer)) {
    throw new ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
  }
}

function range(buffer, offset, size) {
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  offset = checkOffset(offset, elementSize, buffer.byteLength);
  size = size === undefined ? buffer.byteLength - offset : checkSize(size, elementSize, offset, buffer.byteLength);
  return [offset, size];
}

function randomFillSync(buffer, offset = 0, size = undefined) {
  checkView(buffer);
  const [from, count] = range(buffer, offset, size);
  if (count !== 0) {
    binding.random(buffer, from, count);
  }
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  checkView(buffer);
  if (typeof offset === 'function') {
    callback = offset;
    offset = 0;
    size = undefined;
  } else if (typeof size === 'function') {
    callback = size;
    size = undefined;
  } else {
    validateFunction(callback, 'callback');
  }
  const [from, count] = range(buffer, offset, size);
  if (count === 0) {
    nextTick(bind(callback), null, buffer);
    return;
  }
  fillAsync(buffer, from, count, bind(callback, 'RANDOMBYTESREQUEST'), buffer);
}

// --- numbers

/** Largest range: six random bytes, 48 bits. */
const RANGE_MAX = 0xffff_ffff_ffff;
const pool = Buffer.alloc(6 * 1024);
let poolOffset = pool.length;

function next() {
  if (poolOffset === pool.length) {
    binding.random(pool, 0, pool.length);
    poolOffset = 0;
  }
  const number = pool.readUIntBE(poolOffset, 6);
  poolOffset += 6;
  return number;
}

/** `number % span` for integers below 2 ** 48; the engine's `%` is slow for more than 32 bits. */
function remainder(number, span) {
  const rest = number - Math.floor(number / span) * span;
  // The quotient may have been rounded up to an integer.
  return rest < 0 ? rest + span : rest;
}

function randomInt(min, max, callback) {
  const isMinAbsent = max === undefined || typeof max === 'function';
  if (isMinAbsent) {
    callback = max;
    max = min;
    min = 0;
  }
  const isSync = callback === undefined;
  if (!isSync) {
    validateFunction(callback, 'callback');
  }
  if (!Number.isSafeInteger(min)) {
    throw new ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  }
  if (!Number.isSafeInteger(max)) {
    throw new ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  }
  if (max <= min) {
    throw new ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  }
  const span = max - min;
  if (!(span <= RANGE_MAX)) {
    throw new ERR_OUT_OF_RANGE(isMinAbsent ? 'max' : 'max - min', `<= ${RANGE_MAX}`, span);
  }
  // Rejects numbers that would make the distribution uneven.
  const limit = RANGE_MAX - remainder(RANGE_MAX, span);
  let number = next();
  while (number >= limit) {
    number = next();
  }
  const result = remainder(number, span) + min;
  if (isSync) {
    return result;
  }
  nextTick(bind(callback), undefined, result);
  return undefined;
}

// --- UUIDs

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const uuidPool = Buffer.alloc(16 * 128);
let uuidOffset = uuidPool.length;

function randomUUID(options) {
  if (options !== undefined) {
    validateObject(options, 'options');
  }
  const { disableEntropyCache = false } = options ?? {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  let bytes = uuidPool;
  let at = 0;
  if (disableEntropyCache) {
    bytes = randomBytes(16);
  } else {
    if (uuidOffset === uuidPool.length) {
      binding.random(uuidPool, 0, uuidPool.length);
      uuidOffset = 0;
    }
    at = uuidOffset;
    uuidOffset += 16;
  }
  return render(bytes, at);
}

/** UUID version 4 (RFC 9562). Zeroes the bytes that it uses. */
function render(bytes, at) {
  bytes[at + 6] = (bytes[at + 6] & 0x0f) | 0x40;
  bytes[at + 8] = (bytes[at + 8] & 0x3f) | 0x80;
  let text = '';
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) {
      text += '-';
    }
    text += HEX[bytes[at + index]];
    bytes[at + index] = 0;
  }
  return text;
}

module.exports = { randomBytes, randomFill, randomFillSync, randomInt, randomUUID };
