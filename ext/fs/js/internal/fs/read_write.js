// `fs.read`, `write`, `readv` and `writev`, with their synchronous forms and all argument lists.
// In: a file descriptor, buffers, a position. Out: byte counts. Absent: readFile and writeFile,
// streams.
'use strict';

const { nextTick } = internalBinding('queues');
const { codes } = require('internal/errors');
const {
  binding, getValidatedFd, isUtf8, makeCallback, validateBufferArray, validateObject, validateOffsetLengthRead, validateOffsetLengthWrite,
  validatePosition, validateStringAfterArrayBufferView,
} = require('internal/fs/utils');
const { validateBuffer, validateInteger, validateEncoding } = require('internal/validators');
const { customPromisifyArgs } = require('internal/util');

const kDefaultRead = Object.freeze({ __proto__: null });

/** Validates the range of a read: { offset, length, position }. */
function readRange(buffer, offset, length, position) {
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  if (length === 0) return { offset, length, position: null };
  if (buffer.byteLength === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  if (position == null) position = -1;
  validatePosition(position, 'position', length);
  return { offset, length, position };
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  let params = null;
  if (arguments.length <= 4) {
    if (arguments.length === 4) {
      // fs.read(fd, buffer, options, callback)
      validateObject(offsetOrOptions, 'options', 1);
      callback = length;
      params = offsetOrOptions;
    } else if (arguments.length === 3) {
      // fs.read(fd, bufferOrParams, callback)
      if (!ArrayBuffer.isView(buffer)) {
        params = buffer;
        validateObject(params, 'options', 1);
        ({ buffer = require('buffer').Buffer.alloc(16384) } = params ?? kDefaultRead);
      }
      callback = offsetOrOptions;
    } else {
      // fs.read(fd, callback)
      callback = buffer;
      buffer = require('buffer').Buffer.alloc(16384);
    }
    if (params !== undefined) validateObject(params, 'options', 1);
    ({ offset = 0, length = buffer?.byteLength - offset, position = null } = params ?? kDefaultRead);
  }
  validateBuffer(buffer);
  callback = makeCallback(callback);
  const range = readRange(buffer, offset, length, position);
  if (range.length === 0) {
    nextTick(() => callback(null, 0, buffer));
    return;
  }
  binding.read(fd, buffer, range.offset, range.length, range.position, (error, count) => callback(error, count || 0, buffer));
}
Object.defineProperty(read, customPromisifyArgs, { __proto__: null, value: ['bytesRead', 'buffer'], enumerable: false });

function readSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  validateBuffer(buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || (typeof offsetOrOptions === 'object' && offsetOrOptions !== null)) {
    if (offsetOrOptions !== undefined) validateObject(offsetOrOptions, 'options', 1);
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kDefaultRead);
  }
  const range = readRange(buffer, offset, length, position);
  if (range.length === 0) return 0;
  return binding.read(fd, buffer, range.offset, range.length, range.position);
}

/** Validates the range of a write: [offset, length]. */
function writeRange(buffer, offset, length) {
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = buffer.byteLength - offset;
  validateOffsetLengthWrite(offset, length, buffer.byteLength);
  return [offset, length];
}

const normalizePosition = (position) => (typeof position === 'number' || typeof position === 'bigint' ? position : null);

/** A string for the binding; its bytes, if the encoding is not UTF-8. */
function encodeString(string, encoding) {
  validateEncoding(string, encoding);
  return encoding == null || isUtf8(encoding) ? string : require('buffer').Buffer.from(string, encoding);
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  if (ArrayBuffer.isView(buffer)) {
    const done = makeCallback(callback || position || length || offset);
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kDefaultRead);
    }
    if (typeof offset === 'function') offset = undefined;
    [offset, length] = writeRange(buffer, offset, length);
    binding.write(fd, buffer, offset, length, normalizePosition(position), (error, count) => done(error, count || 0, buffer));
    return;
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  // fs.write(fd, string[, position[, encoding]], callback)
  let encoding = length;
  if (typeof position !== 'function') {
    if (typeof offset === 'function') {
      position = offset;
      offset = null;
      encoding = 'utf8';
    } else {
      position = length;
      encoding = 'utf8';
    }
    if (typeof position !== 'function') position = callback ?? position;
  }
  const done = makeCallback(position);
  binding.write(fd, encodeContent(buffer, encoding), 0, encodedLength(buffer, encoding), normalizePosition(offset),
                (error, count) => done(error, count || 0, buffer));
}
Object.defineProperty(write, customPromisifyArgs, { __proto__: null, value: ['bytesWritten', 'buffer'], enumerable: false });

function encodeContent(string, encoding) {
  return encodeString(string, typeof encoding === 'string' ? encoding : undefined);
}

/** The byte length, which the binding needs only for bytes. */
function encodedLength(string, encoding) {
  return typeof encoding === 'string' && !isUtf8(encoding) ? require('buffer').Buffer.byteLength(string, encoding) : 0;
}

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  if (ArrayBuffer.isView(buffer)) {
    if (position === undefined) position = null;
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kDefaultRead);
    }
    [offset, length] = writeRange(buffer, offset, length);
    return binding.write(fd, buffer, offset, length, normalizePosition(position));
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  return binding.write(fd, encodeContent(buffer, length), 0, encodedLength(buffer, length), normalizePosition(offset));
}

// --- vectored

function readv(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  const done = makeCallback(callback || position);
  binding.readv(fd, buffers, normalizePosition(position), (error, count) => done(error, count || 0, buffers));
}
Object.defineProperty(readv, customPromisifyArgs, { __proto__: null, value: ['bytesRead', 'buffers'], enumerable: false });

function readvSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  return binding.readv(fd, buffers, normalizePosition(position));
}

function writev(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  const done = makeCallback(callback || position);
  if (buffers.length === 0) {
    nextTick(done, null, 0, buffers);
    return;
  }
  binding.writev(fd, buffers, normalizePosition(position), (error, count) => done(error, count || 0, buffers));
}
Object.defineProperty(writev, customPromisifyArgs, { __proto__: null, value: ['bytesWritten', 'buffers'], enumerable: false });

function writevSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  return buffers.length === 0 ? 0 : binding.writev(fd, buffers, normalizePosition(position));
}

module.exports = {
  encodeString, normalizePosition, read, readRange, readSync, readv, readvSync, write, writeRange, writeSync, writev, writevSync,
};
