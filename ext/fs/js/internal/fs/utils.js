// Argument validation of `node:fs`, as Node's lib/internal/fs/utils.js. In: arguments of a program.
// Out: paths, flags, modes and options for the binding, or Node's errors; `fs.constants`; the
// binding, with the function that creates its errors. Absent: result classes (stats.js).
'use strict';

const { codes, hideStackFrames } = require('internal/errors');
const {
  parseFileMode, validateAbortSignal, validateBoolean, validateFunction, validateInt32, validateInteger, validateObject,
  validateOneOf, validateUint32,
} = require('internal/validators');
const { bind } = require('internal/async_context');
const binding = internalBinding('fs');

const { COPYFILE_EXCL, COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE } = binding.copyfile;

const constants = Object.freeze({
  __proto__: null,
  UV_FS_SYMLINK_DIR: 1, UV_FS_SYMLINK_JUNCTION: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2,
  ...binding.dirent,
  S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o40000, S_IFCHR: 0o20000, S_IFBLK: 0o60000, S_IFIFO: 0o10000,
  S_IFLNK: 0o120000, S_IFSOCK: 0o140000,
  O_CREAT: 0o100, O_EXCL: 0o200, UV_FS_O_FILEMAP: 0, O_NOCTTY: 0o400, O_TRUNC: 0o1000, O_APPEND: 0o2000,
  O_DIRECTORY: 0o200000, O_NOATIME: 0o1000000, O_NOFOLLOW: 0o400000, O_SYNC: 0o4010000, O_DSYNC: 0o10000,
  O_DIRECT: 0o40000, O_NONBLOCK: 0o4000,
  S_IRWXU: 0o700, S_IRUSR: 0o400, S_IWUSR: 0o200, S_IXUSR: 0o100, S_IRWXG: 0o70, S_IRGRP: 0o40, S_IWGRP: 0o20, S_IXGRP: 0o10,
  S_IRWXO: 0o7, S_IROTH: 0o4, S_IWOTH: 0o2, S_IXOTH: 0o1,
  F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1,
  UV_FS_COPYFILE_EXCL: COPYFILE_EXCL, COPYFILE_EXCL, UV_FS_COPYFILE_FICLONE: COPYFILE_FICLONE, COPYFILE_FICLONE,
  UV_FS_COPYFILE_FICLONE_FORCE: COPYFILE_FICLONE_FORCE, COPYFILE_FICLONE_FORCE,
});

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_SYNC } = constants;

/** The largest read or write of one file, in bytes. */
const kIoMaxLength = 2 ** 31 - 1;

/**
 * Creates the error of a failed system call. The stack trace begins at the program's call; it is
 * empty for an asynchronous one.
 */
binding.setUVException(function uvException(errno, syscall, path, dest) {
  if (syscall === 'size') return new codes.ERR_FS_FILE_TOO_LARGE(path);
  if (syscall === 'string') return plainError(Error, 'Cannot create a string longer than 0x1fffffe8 characters', 'ERR_STRING_TOO_LONG');
  const [code, text] = require('internal/errors').uvErrmapGet(errno) ?? ['UNKNOWN', 'unknown error'];
  let message = `${code}: ${text}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const error = new Error(message);
  Error.captureStackTrace(error, uvException);
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
});

// --- paths

function isURL(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

const kNullBytesMessage = 'must be a string, Uint8Array, or URL without null bytes';

const nullCheck = (path, name) => {
  const has = typeof path === 'string' ? path.includes('\u0000') : path.includes(0);
  if (has) throw new codes.ERR_INVALID_ARG_VALUE(name, path, kNullBytesMessage);
};

function isUint8Array(value) {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** A path for the binding: a string or bytes. */
function getValidatedPath(value, name = 'path') {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw new codes.ERR_INVALID_ARG_VALUE(name, value, kNullBytesMessage);
    return value;
  }
  return getValidatedPathSlow(value, name);
}

const getValidatedPathSlow = hideStackFrames((value, name) => {
  let path = value;
  if (value !== null && typeof value === 'object' && isURL(value)) path = require('url').fileURLToPath(value);
  if (typeof path !== 'string' && !isUint8Array(path)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path);
  }
  nullCheck(path, name);
  return path;
});

/** A validated path, or a file descriptor. */
function pathOrFd(value) {
  return isFd(value) ? value : getValidatedPath(value);
}

function isFd(value) {
  return typeof value === 'number' && value === (value >>> 0);
}

function getValidatedFd(fd, name = 'fd') {
  if (Object.is(fd, -0)) return 0;
  validateInt32(fd, name, 0);
  return fd;
}

// --- options

function assertEncoding(encoding) {
  if (encoding && !require('buffer').Buffer.isEncoding(encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

const kEmptyOptions = Object.freeze({ __proto__: null });

/** Options merged with defaults; a string is the encoding. */
function getOptions(options, defaults = kEmptyOptions) {
  if (options == null || typeof options === 'function') return defaults;
  if (typeof options === 'string') {
    if (options !== 'utf8' && options !== 'buffer') assertEncoding(options);
    return { ...defaults, encoding: options };
  }
  if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  if (options.encoding !== 'buffer') assertEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

/** A shallow copy that includes inherited properties, as in Node. */
function copyObject(source) {
  const target = {};
  for (const key in source) target[key] = source[key];
  return target;
}

function isUtf8(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8' || encoding === 'UTF8' || encoding === 'UTF-8';
}

const FLAGS = {
  '__proto__': null,
  'r': O_RDONLY, 'rs': O_RDONLY | O_SYNC, 'sr': O_RDONLY | O_SYNC,
  'r+': O_RDWR, 'rs+': O_RDWR | O_SYNC, 'sr+': O_RDWR | O_SYNC,
  'w': O_TRUNC | O_CREAT | O_WRONLY, 'wx': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL, 'xw': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR, 'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL, 'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'a': O_APPEND | O_CREAT | O_WRONLY, 'ax': O_APPEND | O_CREAT | O_WRONLY | O_EXCL, 'xa': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'as': O_APPEND | O_CREAT | O_WRONLY | O_SYNC, 'sa': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR, 'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL, 'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC, 'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

function stringToFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags == null) return O_RDONLY;
  const number = typeof flags === 'string' ? FLAGS[flags] : undefined;
  if (number === undefined) throw new codes.ERR_INVALID_ARG_VALUE(name, flags);
  return number;
}

/** Validates the mode of `access` and `copyFile`, with the messages of Node's binding. */
function getValidMode(mode, min, max, absent) {
  if (mode == null) return absent;
  if (mode !== (mode | 0)) throw plainError(TypeError, 'mode must be int32 or null/undefined', 'ERR_INVALID_ARG_TYPE');
  if (mode < min || mode > max) throw plainError(RangeError, `mode is out of range: >= ${min} && <= ${max}`, 'ERR_OUT_OF_RANGE');
  return mode;
}

function plainError(Class, message, code) {
  const error = new Class(message);
  error.code = code;
  return error;
}

function toUnixTimestamp(time, name = 'time') {
  if (typeof time === 'string' && +time == time) return +time; // eslint-disable-line eqeqeq
  if (Number.isFinite(time)) return time;
  if (Object.prototype.toString.call(time) === '[object Date]') return time.getTime() / 1000;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

function validateOwner(user, group) {
  validateInteger(user, 'uid', -1, 2 ** 32 - 1);
  validateInteger(group, 'gid', -1, 2 ** 32 - 1);
}

// --- bytes

function validateOffsetLengthRead(offset, length, bufferLength) {
  if (offset < 0) throw new codes.ERR_OUT_OF_RANGE('offset', '>= 0', offset);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > bufferLength) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${bufferLength - offset}`, length);
}

function validateOffsetLengthWrite(offset, length, byteLength) {
  if (offset > byteLength) throw new codes.ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

function validatePosition(position, name, length) {
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    const max = 2n ** 63n - 1n - BigInt(length);
    if (position < -1n || position > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= -1 && <= ${max}`, position);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
}

function validateBufferArray(buffers, name = 'buffers') {
  if (!Array.isArray(buffers)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  for (let i = 0; i < buffers.length; i++) {
    if (!ArrayBuffer.isView(buffers[i])) throw new codes.ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  }
  return buffers;
}

function validateStringAfterArrayBufferView(buffer, name) {
  if (typeof buffer !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
  }
}

/**
 * Data for the binding: bytes, a string to be written as UTF-8, or the bytes of another encoding.
 */
function toContent(data, encoding, name = 'data') {
  if (ArrayBuffer.isView(data)) return data;
  validateStringAfterArrayBufferView(data, name);
  return encoding == null || isUtf8(encoding) ? data : require('buffer').Buffer.from(data, encoding);
}

function toBuffer(bytes) {
  return require('buffer').Buffer.from(bytes);
}

/** Decodes a path that the binding returned as bytes. The default is UTF-8. */
function decodePath(bytes, encoding) {
  const buffer = toBuffer(bytes);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding || 'utf8');
}

// --- callbacks

/** Wraps a program's callback: called in its async context, without `this`. */
function makeCallback(callback) {
  validateFunction(callback, 'cb');
  const bound = bind(callback, 'FSREQCALLBACK');
  return (...args) => bound(...args);
}

module.exports = {
  assertEncoding, binding, constants, toContent, copyObject, decodePath, getOptions, getValidMode, getValidatedFd, getValidatedPath, isFd,
  isUtf8, isURL, kIoMaxLength, makeCallback, parseFileMode, pathOrFd, stringToFlags, toBuffer, toUnixTimestamp, validateBoolean,
  validateBufferArray, validateObject, validateOffsetLengthRead, validateOffsetLengthWrite, validateOneOf, validateOwner,
  validatePosition, validateStringAfterArrayBufferView, validateUint32,
};
