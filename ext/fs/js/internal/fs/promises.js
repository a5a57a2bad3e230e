// fs.promises. In: arguments of a program; what is wrong with them rejects. Out: promises of what
// the callbacks of fs would be told. Absent: FileHandle's methods, which are in file_handle.js;
// copying and matching of trees.
'use strict';

const {
  binding, constants, contentOf, decodePath, getOptions, getValidMode, getValidatedPath, isText, parseFileMode,
  stringToFlags, toUnixTimestamp, validateBoolean, validateOwner,
} = require('internal/fs/utils');
const { namesAreText, statFsOfWords, statsOfWords } = require('internal/fs/stats');
const {
  ACCESS_MAX, COPY_MAX, getValidatedPrefix, kAppendFile, kNumbers, kReadFile, kStat, kWriteFile, mkdirOptions, validateLinkType,
  validateReaddir,
} = require('internal/fs/sync');
const { encodedBytes, listFolder } = require('internal/fs/callbacks');
const { FileHandle, call, checkAborted, kFd, promised } = require('internal/fs/file_handle');
const { codes } = require('internal/errors');

/** Bytes that one write of many takes, at most: between them a signal is heard. */
const kWriteBytes = 512 * 1024;

async function access(path, mode) {
  path = getValidatedPath(path);
  mode = getValidMode(mode, 0, ACCESS_MAX, 0);
  return promised((done) => binding.access(path, mode, done));
}

async function copyFile(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  mode = getValidMode(mode, 0, COPY_MAX, 0);
  return promised((done) => binding.copyFile(src, dest, mode, done));
}

async function cp(src, dest, options) {
  return require('internal/fs/cp').cpAsync(src, dest, options);
}

async function* glob(pattern, options) {
  yield* require('internal/fs/glob').globAsync(pattern, options);
}

async function open(path, flags, mode) {
  path = getValidatedPath(path);
  const number = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return new FileHandle(await promised((done) => binding.open(path, number, mode, done)));
}

async function opendir(path, options) {
  return promised((done) => require('internal/fs/dir').opendir(path, options, done));
}

async function rename(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return promised((done) => binding.rename(oldPath, newPath, done));
}

async function truncate(path, len = 0) {
  const handle = await open(path, 'r+');
  return closing(handle, handle.truncate(len));
}

async function rm(path, options) {
  return promised((done) => require('internal/fs/rm').rm(path, options, done));
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  require('internal/fs/rm').validateRmdirOptions(options);
  return promised((done) => binding.rmdir(path, done));
}

async function mkdir(path, options) {
  const { mode, recursive } = mkdirOptions(options);
  path = getValidatedPath(path);
  return promised((done) => binding.mkdir(path, mode, recursive, done));
}

async function readdir(path, options) {
  options = validateReaddir(options);
  path = getValidatedPath(path);
  return promised((done) => listFolder(path, options, !options.withFileTypes, done));
}

async function readlink(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreText(encoding)) return promised((done) => binding.readlink(path, false, done));
  return decodePath(await promised((done) => binding.readlink(path, true, done)), encoding);
}

async function symlink(target, path, type) {
  validateLinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  return promised((done) => binding.symlink(target, path, done));
}

function stats(path, isLink, options) {
  const { bigint } = options;
  path = getValidatedPath(path);
  return new Promise((resolve, reject) => {
    binding.stat(path, isLink, bigint, options.throwIfNoEntry === false, (error, isThere) => {
      if (error) reject(error);
      else resolve(isThere ? statsOfWords(bigint) : undefined);
    });
  });
}

async function lstat(path, options = kStat) {
  return stats(path, true, options);
}

async function stat(path, options = kStat) {
  return stats(path, false, options);
}

async function statfs(path, options = kNumbers) {
  const { bigint } = options;
  path = getValidatedPath(path);
  return new Promise((resolve, reject) => binding.statfs(path, bigint, (error) => {
    if (error) reject(error);
    else resolve(statFsOfWords(bigint));
  }));
}

async function link(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return promised((done) => binding.link(existingPath, newPath, done));
}

async function unlink(path) {
  path = getValidatedPath(path);
  return promised((done) => binding.unlink(path, done));
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  return promised((done) => binding.chmod(path, mode, done));
}

async function lchmod(path, mode) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  return promised((done) => binding.chown(path, uid, gid, true, done));
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  return promised((done) => binding.chown(path, uid, gid, false, done));
}

async function utimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return setTimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), false);
}

async function lutimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return setTimes(path, toUnixTimestamp(atime), toUnixTimestamp(mtime), true);
}

function setTimes(path, atime, mtime, isLink) {
  return promised((done) => binding.utimes(path, atime, mtime, isLink, done));
}

async function realpath(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreText(encoding)) return promised((done) => binding.realpath(path, false, done));
  return decodePath(await promised((done) => binding.realpath(path, true, done)), encoding);
}

async function mkdtemp(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPrefix(prefix);
  if (namesAreText(encoding)) return promised((done) => binding.mkdtemp(prefix, false, done));
  return decodePath(await promised((done) => binding.mkdtemp(prefix, true, done)), encoding);
}

async function mkdtempDisposable(prefix, options) {
  return require('internal/fs/disposable').mkdtempDisposable(prefix, options);
}

// --- whole files

async function readFile(path, options) {
  options = getOptions(options, kReadFile);
  if (path instanceof FileHandle) return path.readFile(options);
  const { encoding, signal } = options;
  checkAborted(signal);
  const flags = stringToFlags(options.flag || 'r');
  path = getValidatedPath(path);
  const asText = isText(encoding);
  const content = await promised((done) => binding.readFile(path, flags, asText, done));
  if (signal !== undefined) checkAborted(signal);
  return asText ? content : encodedBytes(content, encoding);
}

const isIterable = (data) => typeof data === 'object' && data !== null && !ArrayBuffer.isView(data) &&
  (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');

async function writeFile(path, data, options) {
  options = getOptions(options, kWriteFile);
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const content = isIterable(data) ? data : contentOf(data, options.encoding || 'utf8');
  const { signal } = options;
  if (path instanceof FileHandle) return call(writeAll, path, content, options);
  checkAborted(signal);
  if (!isIterable(content)) {
    path = getValidatedPath(path);
    const mode = parseFileMode(options.mode, 'mode', 0o666);
    const flags = stringToFlags(flag);
    await promised((done) => binding.writeFile(path, content, flags, mode, flush, done));
    checkAborted(signal);
    return undefined;
  }
  const handle = await open(path, flag, options.mode);
  const written = writeAll(handle, content, options);
  return closing(handle, flush ? written.then(() => handle.sync()) : written);
}

async function writeToHandle(handle, data, options) {
  options = getOptions(options, kWriteFile);
  validateBoolean(options.flush ?? false, 'options.flush');
  return writeAll(handle, isIterable(data) ? data : contentOf(data, options.encoding || 'utf8'), options);
}

/** Writes all where the file is, piece by piece. */
async function writeAll(handle, data, { signal, encoding }) {
  checkAborted(signal);
  if (isIterable(data)) {
    for await (const chunk of data) {
      checkAborted(signal);
      const bytes = ArrayBuffer.isView(chunk) ? chunk : require('buffer').Buffer.from(chunk, encoding || 'utf8');
      await writeBytes(handle, bytes, signal);
      checkAborted(signal);
    }
    return;
  }
  await writeBytes(handle, typeof data === 'string' ? require('buffer').Buffer.from(data) : data, signal);
}
Object.defineProperty(writeAll, 'name', { __proto__: null, value: 'writeFile', configurable: true });

async function writeBytes(handle, bytes, signal) {
  let offset = 0;
  while (offset < bytes.byteLength) {
    checkAborted(signal);
    const length = Math.min(kWriteBytes, bytes.byteLength - offset);
    offset += await promised((done) => binding.write(handle[kFd], bytes, offset, length, null, done));
  }
}

/** Closes a file after its work, whatever came of that. */
async function closing(handle, work) {
  let failed;
  let result;
  try {
    result = await work;
  } catch (error) {
    failed = error;
  }
  try {
    await handle.close();
  } catch (error) {
    throw failed === undefined ? error : require('internal/errors').aggregateTwoErrors(error, failed);
  }
  if (failed !== undefined) throw failed;
  return result;
}

async function appendFile(path, data, options) {
  options = getOptions(options, kAppendFile);
  return writeFile(path, data, { ...kAppendFile, ...options, flag: options.flag || 'a' });
}

function watch(filename, options) {
  return require('internal/fs/watch_iterator').watch(filename, options);
}

const exports_ = {
  access, copyFile, cp, glob, open, opendir, rename, truncate, rm, rmdir, mkdir, readdir, readlink, symlink, lstat, stat, statfs, link,
  unlink, chmod, lchmod, lchown, chown, utimes, lutimes, realpath, mkdtemp, mkdtempDisposable, writeFile, appendFile, readFile,
  watch, constants,
};
for (const [name, length] of [['stat', 1], ['lstat', 1], ['statfs', 1], ['truncate', 1], ['watch', 1]]) {
  Object.defineProperty(exports_[name], 'length', { __proto__: null, value: length, configurable: true });
}

module.exports = { exports: exports_, FileHandle, writeToHandle };
