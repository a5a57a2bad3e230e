// The half of fs that calls back: the same checks as in sync.js, then one call whose end is told.
// In: arguments of a program, a callback as the last one. Out: nothing; what is wrong with an
// argument is thrown at once. Absent: read and write, which are in positions.js.
'use strict';

const { nextTick } = internalBinding('queues');
const {
  binding, contentOf, decodePath, getOptions, getValidMode, getValidatedFd, getValidatedPath, isFd, isText, makeCallback, parseFileMode,
  pathOrFd, stringToFlags, toBuffer, toUnixTimestamp, validateBoolean, validateOwner,
} = require('internal/fs/utils');
const { direntsOf, namesAreText, namesOf, placeDirents, statFsOfWords, statsOfWords } = require('internal/fs/stats');
const {
  ACCESS_MAX, COPY_MAX, absolute, getValidatedPrefix, kAppendFile, kNumbers, kReadFile, kStat, kWriteFile, mkdirOptions, validateLinkType,
  validateReaddir,
} = require('internal/fs/sync');
const { validateFunction, validateInteger } = require('internal/validators');

/** Hands on what `convert` makes of a result. */
function converted(callback, convert) {
  return (error, value) => {
    if (error) return callback(error);
    let converted;
    try {
      converted = convert(value);
    } catch (refusal) {
      return callback(refusal);
    }
    return callback(null, converted);
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

function aborted(signal) {
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
    nextTick(callback, aborted(signal));
    return;
  }
  const asText = isText(encoding);
  let done = callback;
  if (!asText) done = converted(callback, (bytes) => encodedBytes(bytes, encoding));
  if (signal) done = abortable(done, signal);
  binding.readFile(file, stringToFlags(options.flag), asText, done);
}

function encodedBytes(bytes, encoding) {
  const buffer = toBuffer(bytes);
  return encoding ? buffer.toString(encoding) : buffer;
}

/** The callback, told of the signal where that came before the end. */
function abortable(callback, signal) {
  return (error, value) => {
    if (signal.aborted) callback(aborted(signal));
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
  const content = contentOf(data, options.encoding || 'utf8');
  const { signal } = options;
  callback = makeCallback(callback);
  if (signal?.aborted) {
    nextTick(callback, aborted(signal));
    return;
  }
  const file = pathOrFd(path);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  const done = signal ? abortable(callback, signal) : callback;
  if (flush) writeAndFlush(file, content, stringToFlags(flag), mode, done);
  else binding.writeFile(file, content, stringToFlags(flag), mode, false, done);
}

/** By the name that programs know, so that they may look on. */
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

// --- what is kept of a file

function statsCallback(done, bigint) {
  return (error) => {
    if (error) done(error);
    else done(null, statsOfWords(bigint));
  };
}

/** Where nothing is there and that is no error, there are no stats. */
function missable(done, bigint) {
  return (error, isThere) => {
    if (error) done(error);
    else done(null, isThere ? statsOfWords(bigint) : undefined);
  };
}

function stat(path, options = kStat, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStat;
  }
  callback = makeCallback(callback);
  const done = missable(callback, options.bigint);
  binding.stat(getValidatedPath(path), false, options.bigint, options.throwIfNoEntry === false, done);
}

function lstat(path, options = kStat, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStat;
  }
  callback = makeCallback(callback);
  const done = missable(callback, options.bigint);
  binding.stat(getValidatedPath(path), true, options.bigint, options.throwIfNoEntry === false, done);
}

function fstat(fd, options = kNumbers, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kNumbers;
  }
  fd = getValidatedFd(fd);
  callback = makeCallback(callback);
  binding.fstat(fd, options.bigint, statsCallback(callback, options.bigint));
}

function statfs(path, options = kNumbers, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kNumbers;
  }
  validateFunction(callback, 'cb');
  path = getValidatedPath(path);
  const { bigint } = options;
  binding.statfs(path, bigint, converted(makeCallback(callback), () => statFsOfWords(bigint)));
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
  if (namesAreText(encoding)) binding.readlink(path, false, callback);
  else binding.readlink(path, true, converted(callback, (bytes) => decodePath(bytes, encoding)));
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
  const { mode, recursive } = mkdirOptions(options);
  callback = makeCallback(callback);
  binding.mkdir(getValidatedPath(path), mode, recursive, callback);
}

function mkdtemp(prefix, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  prefix = getValidatedPrefix(prefix);
  if (namesAreText(encoding)) binding.mkdtemp(prefix, false, callback);
  else binding.mkdtemp(prefix, true, converted(callback, (bytes) => decodePath(bytes, encoding)));
}

// --- directories

function readdir(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = validateReaddir(options);
  path = getValidatedPath(path);
  listFolder(path, options, true, callback);
}

/** In: what has been checked, and whether links are followed where all directories are wanted. */
function listFolder(path, { encoding, withFileTypes, recursive }, followsLinks, callback) {
  const withTypes = Boolean(withFileTypes);
  const asBytes = !namesAreText(encoding);
  if (!recursive) {
    binding.readdir(path, withTypes, asBytes, converted(callback, (raw) =>
      (withTypes ? direntsOf(raw, path, encoding) : namesOf(raw, encoding))));
    return;
  }
  binding.readdirRecursive(path, withTypes, asBytes, followsLinks, converted(callback, (raw) =>
    (withTypes ? placeDirents(direntsOf(raw, path, encoding), path) : namesOf(raw, encoding))));
}

function realpath(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  const { encoding } = getOptions(options);
  path = absolute(getValidatedPath(path));
  if (namesAreText(encoding)) binding.realpathStepwise(path, false, callback);
  else binding.realpathStepwise(path, true, converted(callback, (bytes) => decodePath(bytes, encoding)));
}

realpath.native = (path, options, callback) => {
  callback = makeCallback(callback || options);
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreText(encoding)) binding.realpath(path, false, callback);
  else binding.realpath(path, true, converted(callback, (bytes) => decodePath(bytes, encoding)));
};

module.exports = {
  access, appendFile, chmod, chown, close, copyFile, exists, fchmod, fchown, fdatasync, fstat, fsync, ftruncate, futimes, lchown, link,
  lstat, lutimes, mkdir, mkdtemp, open, readFile, readdir, readlink, realpath, rename, rmdir, stat, statfs, symlink, truncate,
  unlink, utimes, writeFile,
  encodedBytes, listFolder,
};
