// The synchronous functions of `node:fs`: validation, then one call of the binding. In: arguments
// of a program. Out: the result, or an exception. Absent: read and write (read_write.js); cp, rm
// and glob, which have their own files.
'use strict';

const {
  binding, constants, toContent, decodePath, getOptions, getValidMode, getValidatedFd, getValidatedPath, isUtf8, parseFileMode, pathOrFd,
  stringToFlags, toBuffer, toUnixTimestamp, validateBoolean, validateOwner, validateUint32,
} = require('internal/fs/utils');
const { getDirents, namesAreUtf8, decodeNames, setParentPaths, getStatFsFromBinding, getStatsFromBinding } = require('internal/fs/stats');
const { validateInteger } = require('internal/validators');

const { F_OK, O_RDONLY, R_OK, W_OK, X_OK, COPYFILE_EXCL, COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE } = constants;
const ACCESS_MAX = F_OK | R_OK | W_OK | X_OK;
const COPY_MAX = COPYFILE_EXCL | COPYFILE_FICLONE | COPYFILE_FICLONE_FORCE;

const kReadFile = Object.freeze({ __proto__: null, flag: 'r' });
const kWriteFile = Object.freeze({ __proto__: null, encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
const kAppendFile = Object.freeze({ __proto__: null, encoding: 'utf8', mode: 0o666, flag: 'a', flush: false });
const kStat = Object.freeze({ __proto__: null, bigint: false, throwIfNoEntry: true });
const kNoBigInt = Object.freeze({ __proto__: null, bigint: false });

function accessSync(path, mode) {
  path = getValidatedPath(path);
  binding.access(path, getValidMode(mode, 0, ACCESS_MAX, F_OK));
}

let hasShownExistsDeprecation = false;

function existsSync(path) {
  if (typeof path !== 'string' || path.includes('\u0000')) {
    try {
      path = getValidatedPath(path);
    } catch (error) {
      if (error.code === 'ERR_INVALID_ARG_TYPE' && !hasShownExistsDeprecation) {
        hasShownExistsDeprecation = true;
        const message = 'Passing invalid argument types to fs.existsSync is deprecated';
        require('process').emitWarning(message, 'DeprecationWarning', 'DEP0187');
      }
      return false;
    }
  }
  return binding.exists(path);
}

function openSync(path, flags, mode) {
  return binding.open(getValidatedPath(path), stringToFlags(flags), parseFileMode(mode, 'mode', 0o666));
}

function closeSync(fd) {
  binding.close(getValidatedFd(fd));
}

// --- whole files

/** An open descriptor may be a pipe, on which a read blocks: not a fast call. */
const readFunction = (file) => (typeof file === 'number' ? binding.readOpenFile : binding.readFile);

function readFileSync(path, options) {
  // Fast path: most calls.
  if (options === 'utf8' || options === 'utf-8') {
    const file = pathOrFd(path);
    return readFunction(file)(file, O_RDONLY, true);
  }
  options = getOptions(options, kReadFile);
  const { encoding } = options;
  const flags = stringToFlags(options.flag);
  const file = pathOrFd(path);
  const read = readFunction(file);
  if (isUtf8(encoding)) return read(file, flags, true);
  const buffer = toBuffer(read(file, flags, false));
  return encoding ? buffer.toString(encoding) : buffer;
}

function writeFileSync(path, data, options) {
  options = getOptions(options, kWriteFile);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const flags = stringToFlags(options.flag || 'w');
  const content = toContent(data, options.encoding);
  const mode = parseFileMode(options.mode, 'mode', 0o666);
  if (flush) writeAndFlush(pathOrFd(path), content, flags, mode);
  else writeContent(pathOrFd(path), content, flags, mode);
}

function writeContent(file, content, flags, mode) {
  if (typeof file === 'number') binding.writeOpenFile(file, content, flags, mode, false);
  else binding.writeFile(file, content, flags, mode, false);
}

/** Calls the public `fs.fsyncSync`, as Node does: programs may have replaced it. */
function writeAndFlush(file, content, flags, mode) {
  const fd = typeof file === 'number' ? file : binding.open(file, flags, mode);
  try {
    binding.writeOpenFile(fd, content, flags, mode, false);
    require('fs').fsyncSync(fd);
  } finally {
    if (fd !== file) binding.close(fd);
  }
}

function appendFileSync(path, data, options) {
  options = getOptions(options, kAppendFile);
  writeFileSync(path, data, { ...kAppendFile, ...options, flag: options.flag || 'a' });
}

function copyFileSync(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  binding.copyFile(src, dest, getValidMode(mode, 0, COPY_MAX, 0));
}

// --- metadata

function statSync(path, options = kStat) {
  path = getValidatedPath(path);
  if (!binding.stat(path, false, options.bigint, options.throwIfNoEntry === false)) return undefined;
  return getStatsFromBinding(options.bigint);
}

function lstatSync(path, options = kStat) {
  path = getValidatedPath(path);
  if (!binding.stat(path, true, options.bigint, options.throwIfNoEntry === false)) return undefined;
  return getStatsFromBinding(options.bigint);
}

function fstatSync(fd, options = kNoBigInt) {
  binding.fstat(getValidatedFd(fd), options.bigint);
  return getStatsFromBinding(options.bigint);
}

function statfsSync(path, options = kNoBigInt) {
  binding.statfs(getValidatedPath(path), options.bigint);
  return getStatFsFromBinding(options.bigint);
}

function chmodSync(path, mode) {
  binding.chmod(getValidatedPath(path), parseFileMode(mode, 'mode'));
}

function fchmodSync(fd, mode) {
  binding.fchmod(getValidatedFd(fd), parseFileMode(mode, 'mode'));
}

function chownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid, false);
}

function lchownSync(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  binding.chown(path, uid, gid, true);
}

function fchownSync(fd, uid, gid) {
  fd = getValidatedFd(fd);
  validateOwner(uid, gid);
  binding.fchown(fd, uid, gid);
}

function utimesSync(path, atime, mtime) {
  binding.utimes(getValidatedPath(path), toUnixTimestamp(atime), toUnixTimestamp(mtime), false);
}

function lutimesSync(path, atime, mtime) {
  binding.utimes(getValidatedPath(path), toUnixTimestamp(atime), toUnixTimestamp(mtime), true);
}

function futimesSync(fd, atime, mtime) {
  binding.futimes(getValidatedFd(fd), toUnixTimestamp(atime, 'atime'), toUnixTimestamp(mtime, 'mtime'));
}

function ftruncateSync(fd, len = 0) {
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  binding.ftruncate(fd, len);
}

function truncateSync(path, len) {
  if (len === undefined) len = 0;
  validateInteger(len, 'len');
  const fd = openSync(path, 'r+');
  try {
    binding.ftruncate(fd, len);
  } finally {
    binding.close(fd);
  }
}

function fsyncSync(fd) {
  binding.sync(getValidatedFd(fd), false);
}

function fdatasyncSync(fd) {
  binding.sync(getValidatedFd(fd), true);
}

// --- names

function renameSync(oldPath, newPath) {
  binding.rename(getValidatedPath(oldPath, 'oldPath'), getValidatedPath(newPath, 'newPath'));
}

function linkSync(existingPath, newPath) {
  binding.link(getValidatedPath(existingPath, 'existingPath'), getValidatedPath(newPath, 'newPath'));
}

const LINK_TYPES = ['dir', 'file', 'junction'];

function validateLinkType(type) {
  if (type == null) return;
  const { validateOneOf } = require('internal/validators');
  if (typeof type !== 'string' || !LINK_TYPES.includes(type)) validateOneOf(type, 'type', [...LINK_TYPES, null, undefined]);
}

function symlinkSync(target, path, type) {
  validateLinkType(type);
  binding.symlink(getValidatedPath(target, 'target'), getValidatedPath(path));
}

function readlinkSync(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  return namesAreUtf8(encoding) ? binding.readlink(path, false) : decodePath(binding.readlink(path, true), encoding);
}

function unlinkSync(path) {
  binding.unlink(getValidatedPath(path));
}

function rmdirSync(path, options) {
  path = getValidatedPath(path);
  require('internal/fs/rm').validateRmdirOptions(options);
  binding.rmdir(path);
}

function parseMkdirOptions(options) {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === 'number' || typeof options === 'string') {
    mode = parseFileMode(options, 'mode');
  } else if (options) {
    if (options.recursive !== undefined) {
      recursive = options.recursive;
      validateBoolean(recursive, 'options.recursive');
    }
    if (options.mode !== undefined) mode = parseFileMode(options.mode, 'options.mode');
  }
  return { mode, recursive };
}

function mkdirSync(path, options) {
  const { mode, recursive } = parseMkdirOptions(options);
  return binding.mkdir(getValidatedPath(path), mode, recursive);
}

let warnedAboutTrailingX = false;

/** Warns of a trailing X: some platforms replace each of them. */
function getValidatedPrefix(prefix) {
  prefix = getValidatedPath(prefix, 'prefix');
  const last = typeof prefix === 'string' ? prefix.charCodeAt(prefix.length - 1) : prefix[prefix.length - 1];
  if (last === 0x58 && !warnedAboutTrailingX) {
    warnedAboutTrailingX = true;
    require('process').emitWarning('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html');
  }
  return prefix;
}

function mkdtempSync(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPrefix(prefix);
  return namesAreUtf8(encoding) ? binding.mkdtemp(prefix, false) : decodePath(binding.mkdtemp(prefix, true), encoding);
}

// --- directories

function validateReaddir(options) {
  options = getOptions(options);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  return options;
}

function readdirSync(path, options) {
  options = validateReaddir(options);
  path = getValidatedPath(path);
  const { encoding } = options;
  const withTypes = Boolean(options.withFileTypes);
  const asBytes = !namesAreUtf8(encoding);
  if (options.recursive) {
    const raw = binding.readdirRecursive(path, withTypes, asBytes, true);
    return withTypes ? setParentPaths(getDirents(raw, path, encoding), path) : decodeNames(raw, encoding);
  }
  const raw = binding.readdir(path, withTypes, asBytes);
  return withTypes ? getDirents(raw, path, encoding) : decodeNames(raw, encoding);
}

/** The path made absolute lexically; bytes are decoded as UTF-8. */
function toAbsolutePath(path) {
  return require('path').resolve(typeof path === 'string' ? path : toBuffer(path).toString());
}

function realpathSync(path, options) {
  const { encoding } = getOptions(options);
  path = toAbsolutePath(getValidatedPath(path));
  return namesAreUtf8(encoding) ? binding.realpathStepwise(path, false) : decodePath(binding.realpathStepwise(path, true), encoding);
}

realpathSync.native = (path, options) => {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  return namesAreUtf8(encoding) ? binding.realpath(path, false) : decodePath(binding.realpath(path, true), encoding);
};

module.exports = {
  accessSync, appendFileSync, chmodSync, chownSync, closeSync, copyFileSync, existsSync, fchmodSync, fchownSync, fdatasyncSync,
  fstatSync, fsyncSync, ftruncateSync, futimesSync, lchownSync, linkSync, lstatSync, lutimesSync, mkdirSync, mkdtempSync, openSync,
  readFileSync, readdirSync, readlinkSync, realpathSync, renameSync, rmdirSync, statSync, statfsSync, symlinkSync, truncateSync,
  unlinkSync, utimesSync, writeFileSync,
  ACCESS_MAX, COPY_MAX, toAbsolutePath, getValidatedPrefix, kAppendFile, kNoBigInt, kReadFile, kStat, kWriteFile, parseMkdirOptions, validateLinkType, validateReaddir,
  validateUint32,
};
