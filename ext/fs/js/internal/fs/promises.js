// `fs.promises`, as Node's lib/internal/fs/promises.js. In: arguments of a program; an invalid one
// rejects. Out: promises of the results. Absent: FileHandle (file_handle.js), cp and glob.
'use strict';

const {
  binding, constants, toContent, decodePath, getOptions, getValidMode, getValidatedPath, isUtf8, parseFileMode,
  stringToFlags, toUnixTimestamp, validateBoolean, validateOwner,
} = require('internal/fs/utils');
const { namesAreUtf8, getStatFsFromBinding, getStatsFromBinding } = require('internal/fs/stats');
const {
  ACCESS_MAX, COPY_MAX, getValidatedPrefix, kAppendFile, kNoBigInt, kReadFile, kStat, kWriteFile, parseMkdirOptions, validateLinkType,
  validateReaddir,
} = require('internal/fs/sync');
const { decodeBytes, readdirWithOptions } = require('internal/fs/callbacks');
const { FileHandle, fsCall, checkAborted, kFd, callAsync } = require('internal/fs/file_handle');
const { codes } = require('internal/errors');

/** The largest single write; the abort signal is checked between writes. */
const kWriteBytes = 512 * 1024;

async function access(path, mode) {
  path = getValidatedPath(path);
  mode = getValidMode(mode, 0, ACCESS_MAX, 0);
  return callAsync((done) => binding.access(path, mode, done));
}

async function copyFile(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  mode = getValidMode(mode, 0, COPY_MAX, 0);
  return callAsync((done) => binding.copyFile(src, dest, mode, done));
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
  return new FileHandle(await callAsync((done) => binding.open(path, number, mode, done)));
}

async function opendir(path, options) {
  return callAsync((done) => require('internal/fs/dir').opendir(path, options, done));
}

async function rename(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return callAsync((done) => binding.rename(oldPath, newPath, done));
}

async function truncate(path, len = 0) {
  const handle = await open(path, 'r+');
  return handleFdClose(handle, handle.truncate(len));
}

async function rm(path, options) {
  return callAsync((done) => require('internal/fs/rm').rm(path, options, done));
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  require('internal/fs/rm').validateRmdirOptions(options);
  return callAsync((done) => binding.rmdir(path, done));
}

async function mkdir(path, options) {
  const { mode, recursive } = parseMkdirOptions(options);
  path = getValidatedPath(path);
  return callAsync((done) => binding.mkdir(path, mode, recursive, done));
}

async function readdir(path, options) {
  options = validateReaddir(options);
  path = getValidatedPath(path);
  return callAsync((done) => readdirWithOptions(path, options, !options.withFileTypes, done));
}

async function readlink(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreUtf8(encoding)) return callAsync((done) => binding.readlink(path, false, done));
  return decodePath(await callAsync((done) => binding.readlink(path, true, done)), encoding);
}

async function symlink(target, path, type) {
  validateLinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  return callAsync((done) => binding.symlink(target, path, done));
}

function stats(path, isLink, options) {
  const { bigint } = options;
  path = getValidatedPath(path);
  return new Promise((resolve, reject) => {
    binding.stat(path, isLink, bigint, options.throwIfNoEntry === false, (error, exists) => {
      if (error) reject(error);
      else resolve(exists ? getStatsFromBinding(bigint) : undefined);
    });
  });
}

async function lstat(path, options = kStat) {
  return stats(path, true, options);
}

async function stat(path, options = kStat) {
  return stats(path, false, options);
}

async function statfs(path, options = kNoBigInt) {
  const { bigint } = options;
  path = getValidatedPath(path);
  return new Promise((resolve, reject) => binding.statfs(path, bigint, (error) => {
    if (error) reject(error);
    else resolve(getStatFsFromBinding(bigint));
  }));
}

async function link(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return callAsync((done) => binding.link(existingPath, newPath, done));
}

async function unlink(path) {
  path = getValidatedPath(path);
  return callAsync((done) => binding.unlink(path, done));
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  return callAsync((done) => binding.chmod(path, mode, done));
}

async function lchmod(path, mode) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  return callAsync((done) => binding.chown(path, uid, gid, true, done));
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  return callAsync((done) => binding.chown(path, uid, gid, false, done));
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
  return callAsync((done) => binding.utimes(path, atime, mtime, isLink, done));
}

async function realpath(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  if (namesAreUtf8(encoding)) return callAsync((done) => binding.realpath(path, false, done));
  return decodePath(await callAsync((done) => binding.realpath(path, true, done)), encoding);
}

async function mkdtemp(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPrefix(prefix);
  if (namesAreUtf8(encoding)) return callAsync((done) => binding.mkdtemp(prefix, false, done));
  return decodePath(await callAsync((done) => binding.mkdtemp(prefix, true, done)), encoding);
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
  const asString = isUtf8(encoding);
  const content = await callAsync((done) => binding.readFile(path, flags, asString, done));
  if (signal !== undefined) checkAborted(signal);
  return asString ? content : decodeBytes(content, encoding);
}

const isIterable = (data) => typeof data === 'object' && data !== null && !ArrayBuffer.isView(data) &&
  (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');

async function writeFile(path, data, options) {
  options = getOptions(options, kWriteFile);
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const content = isIterable(data) ? data : toContent(data, options.encoding || 'utf8');
  const { signal } = options;
  if (path instanceof FileHandle) return fsCall(writeFileHandle, path, content, options);
  checkAborted(signal);
  if (!isIterable(content)) {
    path = getValidatedPath(path);
    const mode = parseFileMode(options.mode, 'mode', 0o666);
    const flags = stringToFlags(flag);
    await callAsync((done) => binding.writeFile(path, content, flags, mode, flush, done));
    checkAborted(signal);
    return undefined;
  }
  const handle = await open(path, flag, options.mode);
  const written = writeFileHandle(handle, content, options);
  return handleFdClose(handle, flush ? written.then(() => handle.sync()) : written);
}

async function writeToHandle(handle, data, options) {
  options = getOptions(options, kWriteFile);
  validateBoolean(options.flush ?? false, 'options.flush');
  return writeFileHandle(handle, isIterable(data) ? data : toContent(data, options.encoding || 'utf8'), options);
}

/** Writes data at the current offset, chunk by chunk. */
async function writeFileHandle(handle, data, { signal, encoding }) {
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
Object.defineProperty(writeFileHandle, 'name', { __proto__: null, value: 'writeFile', configurable: true });

async function writeBytes(handle, bytes, signal) {
  let offset = 0;
  while (offset < bytes.byteLength) {
    checkAborted(signal);
    const length = Math.min(kWriteBytes, bytes.byteLength - offset);
    offset += await callAsync((done) => binding.write(handle[kFd], bytes, offset, length, null, done));
  }
}

/** Closes the handle when `work` has settled. */
async function handleFdClose(handle, work) {
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
