// The callback functions of `node:fs`: validation as in sync.js, then one asynchronous call of the
// binding. In: arguments of a program, a callback as the last one. Out: nothing; an invalid
// argument throws synchronously. Absent: read and write (read_write.js).
'use strict';

const { nextTick } = internalBinding('queues');
const {
  binding, toContent, decodePath, getOptions, getValidMode, getValidatedFd, getValidatedPath, isFd, isUtf8, makeCallback, parseFileMode,
  pathOrFd, stringToFlags, toBuffer, toUnixTimestamp, validateBoolean, validateOwner,
} = require('internal/fs/utils');
const { getDirents, namesAreUtf8, decodeNames, setParentPaths, getStatFsFromBinding, getStatsFromBinding } = require('internal/fs/stats');
const {
  ACCESS_MAX, COPY_MAX, toAbsolutePath, getValidatedPrefix, kAppendFile, kNoBigInt, kReadFile, kStat, kWriteFile, parseMkdirOptions, validateLinkType,
  validateReaddir,
} = require('internal/fs/sync');
const { validateFunction, validateInteger } = require('internal/validators');

/** Wraps a callback: the result is passed through `convert`. */
function mapResult(callback, convert) {
  return (error, value) => {
    if (error) return callback(error);
    let mapResult;
    try {
      mapResult = convert(value);
    } catch (refusal) {
      return callback(refusal);
    }
    return callback(null, mapResult);
  };
}

function access(path, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = undefined;
  }
  path = getValidatedPath(path);
  mode = getValidMode(mode, 0, ACCESS_MAX, 0);
  binding.access(path, mode, makeCallback(callback));
}

function exists(path, callback) {
  validateFunction(callback, 'cb');
  callback = makeCallback(callback);
  try {
    path = getValidatedPath(path);
  } catch {
    callback(false);
    return;
  }
  binding.access(path, 0, (error) => callback(!error));
}

const customPromisify = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(exists, customPromisify, {
  __proto__: null,
  value: function exists(path) {
    return new Promise((resolve) => module.exports.exists(path, resolve));
  },
});

function open(path, flags, mode, callback) {
  path = getValidatedPath(path);
  if (arguments.length < 3) {
    callback = flags;
    flags = 'r';
    mode = 0o666;
  } else if (typeof mode === 'function') {
    callback = mode;
    mode = 0o666;
  } else {
    mode = parseFileMode(mode, 'mode', 0o666);
  }
  flags = stringToFlags(flags);
  binding.open(path, flags, mode, makeCallback(callback));
}

function reportClose(error) {
  if (error) throw error;
}

function close(fd, callback = reportClose) {
  fd = getValidatedFd(fd);
  binding.close(fd, callback === reportClose ? callback : makeCallback(callback));
}

// --- whole files

function abortError(signal) {
  const { AbortError } = require('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

function readFile(path, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, kReadFile);
  const { encoding, signal } = options;
  callback = makeCallback(callback);
  const file = pathOrFd(path);
  if (signal?.aborted) {
    nextTick(callback, abortError(signal));
    return;
  }
  const asString = isUtf8(encoding);
  let done = callback;
  if (!asString) done = mapResult(callback, (bytes) => decodeBytes(bytes, encoding));
  if (signal) done = checkAbortFirst(done, signal);
  binding.readFile(file, stringToFlags(options.flag), asString, done);
}

function decodeBytes(bytes, encoding) {
  const buffer = toBuffer(bytes);
  return encoding ? buffer.toString(encoding) : buffer;
}

/** Wraps a callback: if the signal is aborted by then, it gets an AbortError. */
function checkAbortFirst(callback, signal) {
  return (error, value) => {
    if (signal.aborted) callback(abortError(signal));
    else if (error) callback(error);
    else callback(null, value);
  };
}

function writeFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, kWriteFile);
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const content = toContent(data, options.encoding || 'utf8');
  const { signal } = options;
  callback = makeCallback(callback);
  if (signal?.aborted) {
    nextTick(callback, abortError(signal));
    return;
  }
  const file = pathOrFd(path);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  const done = signal ? checkAbortFirst(callback, signal) : callback;
  if (flush) writeAndFlush(file, content, stringToFlags(flag), mode, done);
  else binding.writeFile(file, content, stringToFlags(flag), mode, false, done);
}

/** Calls the public `fs.fsync`, as Node does: programs may have replaced it. */
function writeAndFlush(file, content, flags, mode, done) {
  const work = (fd, end) => binding.writeFile(fd, content, flags, mode, false, (error) => {
    if (error) end(error);
    else require('fs').fsync(fd, end);
  });
  if (typeof file === 'number') {
    work(file, done);
    return;
  }
  binding.open(file, flags, mode, (error, fd) => {
    if (error) return done(error);
    return work(fd, (failed) => {
      binding.close(fd, (other) => done(require('internal/errors').aggregateTwoErrors(other, failed) ?? null));
    });
  });
}

function appendFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, kAppendFile);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  if (!isFd(path)) path = getValidatedPath(path);
  writeFile(path, data, { ...kAppendFile, ...options, flag: options.flag || 'a' }, callback);
}

function copyFile(src, dest, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = 0;
  }
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  callback = makeCallback(callback);
  binding.copyFile(src, dest, getValidMode(mode, 0, COPY_MAX, 0), callback);
}

// --- metadata

function statsCallback(done, bigint) {
  return (error) => {
    if (error) done(error);
    else done(null, getStatsFromBinding(bigint));
  };
}

/** The stats are undefined if the file does not exist and `throwIfNoEntry` is false. */
function optionalStatsCallback(done, bigint) {
  return (error, fileExists) => {
    if (error) done(error);
    else done(null, fileExists ? getStatsFromBinding(bigint) : undefined);
  };
}

function stat(path, options = kStat, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStat;
  }
  callback = makeCallback(callback);
  const done = optionalStatsCallback(callback, options.bigint);
  binding.stat(getValidatedPath(path), false, options.bigint, options.throwIfNoEntry === false, done);
}

function lstat(path, options = kStat, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStat;
  }
  callback = makeCallback(callback);
  const done = optionalStatsCallback(callback, options.bigint);
  binding.stat(getValidatedPath(path), true, options.bigint, options.throwIfNoEntry === false, done);
}

function fstat(fd, options = kNoBigInt, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kNoBigInt;
  }
  fd = getValidatedFd(fd);
  callback = makeCallback(callback);
  binding.fstat(fd, options.bigint, statsCallback(callback, options.bigint));
}

function statfs(path, options = kNoBigInt, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kNoBigInt;
  }
  validateFunction(callback, 'cb');
  path = getValidatedPath(path);
  const { bigint } = options;
  binding.statfs(path, bigint, mapResult(makeCallback(callback), () => getStatFsFromBinding(bigint)));
}

function chmod(path, mode, callback) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  binding.chmod(path, mode, makeCallback(callback));
}

function fchmod(fd, mode, callback) {
  fd = getValidatedFd(fd);
  mode = parseFileMode(mode, 'mode');
  binding.fchmod(fd, mode, makeCallback(callback));
}

function chown(path, uid, gid, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid, false, callback);
}

function lchown(path, uid, gid, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid, true, callback);
}

function fchown(fd, uid, gid, callback) {
  fd = getValidatedFd(fd);
  validateOwner(uid, gid);
  binding.fchown(fd, uid, gid, makeCallback(callback));
}

function utimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), false, callback);
}

function lutimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  binding.utimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), true, callback);
}

function futimes(fd, atime, mtime, callback) {
  fd = getValidatedFd(fd);
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  binding.futimes(fd, atime, mtime, makeCallback(callback));
}

function ftruncate(fd, len = 0, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  }
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  len = Math.max(0, len);
  binding.ftruncate(fd, len, makeCallback(callback));
}

function truncate(path, len, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  } else if (len === undefined) {
    len = 0;
  }
  validateInteger(len, 'len');
  len = Math.max(0, len);
  validateFunction(callback, 'cb');
  callback = makeCallback(callback);
  open(path, 'r+', (error, fd) => {
    if (error) return callback(error);
    binding.ftruncate(fd, len, (failed) => {
      binding.close(fd, (other) => callback(require('internal/errors').aggregateTwoErrors(other, failed)));
    });
  });
}

function fsync(fd, callback) {
  fd = getValidatedFd(fd);
  binding.sync(fd, false, makeCallback(callback));
}

function fdatasync(fd, callback) {
  fd = getValidatedFd(fd);
  binding.sync(fd, true, makeCallback(callback));
}

// --- names

function rename(oldPath, newPath, callback) {
  callback = makeCallback(callback);
  oldPath = getValidatedPath(oldPath, 'oldPath');
  binding.rename(oldPath, getValidatedPath(newPath, 'newPath'), callback);
}

function link(existingPath, newPath, callback) {
  callback = makeCallback(callback);
  existingPath = getValidatedPath(existingPath, 'existingPath');
  binding.link(existingPath, getValidatedPath(newPath, 'newPath'), callback);
}

function symlink(target, path, type, callback) {
  if (callback === undefined) {
    callback = makeCallback(type);
    type = undefined;
  } else {
    validateLinkType(type);
    callback = makeCallback(callback);
  }
  target = getValidatedPath(target, 'target');
  binding.symlink(target, getValidatedPath(path), callback);
}

function readlink(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreUtf8(encoding)) binding.readlink(path, false, callback);
  else binding.readlink(path, true, mapResult(callback, (bytes) => decodePath(bytes, encoding)));
}

function unlink(path, callback) {
  callback = makeCallback(callback);
  binding.unlink(getValidatedPath(path), callback);
}

function rmdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  path = getValidatedPath(path);
  require('internal/fs/rm').validateRmdirOptions(options);
  binding.rmdir(path, makeCallback(callback));
}

function mkdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const { mode, recursive } = parseMkdirOptions(options);
  callback = makeCallback(callback);
  binding.mkdir(getValidatedPath(path), mode, recursive, callback);
}

function mkdtemp(prefix, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  prefix = getValidatedPrefix(prefix);
  if (namesAreUtf8(encoding)) binding.mkdtemp(prefix, false, callback);
  else binding.mkdtemp(prefix, true, mapResult(callback, (bytes) => decodePath(bytes, encoding)));
}

// --- directories

function readdir(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = validateReaddir(options);
  path = getValidatedPath(path);
  readdirWithOptions(path, options, true, callback);
}

/** `options` are validated; `followsLinks` matters only if they are recursive. */
function readdirWithOptions(path, { encoding, withFileTypes, recursive }, followsLinks, callback) {
  const withTypes = Boolean(withFileTypes);
  const asBytes = !namesAreUtf8(encoding);
  if (!recursive) {
    binding.readdir(path, withTypes, asBytes, mapResult(callback, (raw) =>
      (withTypes ? getDirents(raw, path, encoding) : decodeNames(raw, encoding))));
    return;
  }
  binding.readdirRecursive(path, withTypes, asBytes, followsLinks, mapResult(callback, (raw) =>
    (withTypes ? setParentPaths(getDirents(raw, path, encoding), path) : decodeNames(raw, encoding))));
}

function realpath(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  path = toAbsolutePath(getValidatedPath(path));
  if (namesAreUtf8(encoding)) binding.realpathStepwise(path, false, callback);
  else binding.realpathStepwise(path, true, mapResult(callback, (bytes) => decodePath(bytes, encoding)));
}

realpath.native = (path, options, callback) => {
  callback = makeCallback(callback || options);
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreUtf8(encoding)) binding.realpath(path, false, callback);
  else binding.realpath(path, true, mapResult(callback, (bytes) => decodePath(bytes, encoding)));
};

module.exports = {
  access, appendFile, chmod, chown, close, copyFile, exists, fchmod, fchown, fdatasync, fstat, fsync, ftruncate, futimes, lchown, link,
  lstat, lutimes, mkdir, mkdtemp, open, readFile, readdir, readlink, realpath, rename, rmdir, stat, statfs, symlink, truncate,
  unlink, utimes, writeFile,
  decodeBytes, readdirWithOptions,
};
