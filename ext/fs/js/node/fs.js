// `node:fs`, as Node's lib/fs.js: collects the functions and classes of internal/fs. Files that are
// rarely used are loaded at the first call or access. Absent: lchmod, which Linux does not have.
'use strict';

const { constants, toUnixTimestamp } = require('internal/fs/utils');
const sync = require('internal/fs/sync');
const callbacks = require('internal/fs/callbacks');
const positions = require('internal/fs/read_write');
const { Dirent, Stats } = require('internal/fs/stats');

// --- Functions of lazily loaded files. They are declarations because some programs call them with
// `new`.

function cp(src, dest, options, callback) {
  return require('internal/fs/cp').cp(src, dest, options, callback);
}

function cpSync(src, dest, options) {
  return require('internal/fs/cp').cpSync(src, dest, options);
}

function createReadStream(path, options) {
  return new (require('internal/fs/streams').ReadStream)(path, options);
}

function createWriteStream(path, options) {
  return new (require('internal/fs/streams').WriteStream)(path, options);
}

function glob(pattern, options, callback) {
  return require('internal/fs/glob').glob(pattern, options, callback);
}

function globSync(pattern, options) {
  return require('internal/fs/glob').globSync(pattern, options);
}

function mkdtempDisposableSync(prefix, options) {
  return require('internal/fs/disposable').mkdtempDisposableSync(prefix, options);
}

function openAsBlob(path, options = undefined) {
  const { getValidatedPath, validateObject } = require('internal/fs/utils');
  if (options !== undefined) validateObject(options, 'options');
  const type = options?.type || '';
  require('internal/validators').validateString(type, 'options.type');
  return Promise.resolve(require('internal/blob').openAsBlob(getValidatedPath(path), type));
}
Object.defineProperty(openAsBlob, 'length', { __proto__: null, value: 1, configurable: true });

function opendir(path, options, callback) {
  return require('internal/fs/dir').opendir(path, options, callback);
}

function opendirSync(path, options) {
  return require('internal/fs/dir').opendirSync(path, options);
}

function rm(path, options, callback) {
  return require('internal/fs/rm').rm(path, options, callback);
}

function rmSync(path, options) {
  return require('internal/fs/rm').rmSync(path, options);
}

function unwatchFile(filename, listener) {
  return require('internal/fs/stat_watcher').unwatchFile(filename, listener);
}

function watch(filename, options, listener) {
  return require('internal/fs/watchers').watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return require('internal/fs/stat_watcher').watchFile(filename, options, listener);
}

const { deprecate } = require('internal/util');

// In Node's order.
const fs = {
  appendFile: callbacks.appendFile, appendFileSync: sync.appendFileSync,
  access: callbacks.access, accessSync: sync.accessSync,
  chown: callbacks.chown, chownSync: sync.chownSync,
  chmod: callbacks.chmod, chmodSync: sync.chmodSync,
  close: callbacks.close, closeSync: sync.closeSync,
  copyFile: callbacks.copyFile, copyFileSync: sync.copyFileSync,
  cp, cpSync,
  createReadStream, createWriteStream,
  exists: callbacks.exists, existsSync: sync.existsSync,
  fchown: callbacks.fchown, fchownSync: sync.fchownSync,
  fchmod: callbacks.fchmod, fchmodSync: sync.fchmodSync,
  fdatasync: callbacks.fdatasync, fdatasyncSync: sync.fdatasyncSync,
  fstat: callbacks.fstat, fstatSync: sync.fstatSync,
  fsync: callbacks.fsync, fsyncSync: sync.fsyncSync,
  ftruncate: callbacks.ftruncate, ftruncateSync: sync.ftruncateSync,
  futimes: callbacks.futimes, futimesSync: sync.futimesSync,
  glob, globSync,
  lchown: callbacks.lchown, lchownSync: sync.lchownSync,
  lchmod: undefined, lchmodSync: undefined,
  link: callbacks.link, linkSync: sync.linkSync,
  lstat: callbacks.lstat, lstatSync: sync.lstatSync,
  lutimes: callbacks.lutimes, lutimesSync: sync.lutimesSync,
  mkdir: callbacks.mkdir, mkdirSync: sync.mkdirSync,
  mkdtemp: callbacks.mkdtemp, mkdtempSync: sync.mkdtempSync, mkdtempDisposableSync,
  open: callbacks.open, openSync: sync.openSync, openAsBlob,
  readdir: callbacks.readdir, readdirSync: sync.readdirSync,
  read: positions.read, readSync: positions.readSync, readv: positions.readv, readvSync: positions.readvSync,
  readFile: callbacks.readFile, readFileSync: sync.readFileSync,
  readlink: callbacks.readlink, readlinkSync: sync.readlinkSync,
  realpath: callbacks.realpath, realpathSync: sync.realpathSync,
  rename: callbacks.rename, renameSync: sync.renameSync,
  rm, rmSync,
  rmdir: callbacks.rmdir, rmdirSync: sync.rmdirSync,
  stat: callbacks.stat, statfs: callbacks.statfs, statSync: sync.statSync, statfsSync: sync.statfsSync,
  symlink: callbacks.symlink, symlinkSync: sync.symlinkSync,
  truncate: callbacks.truncate, truncateSync: sync.truncateSync,
  unwatchFile,
  unlink: callbacks.unlink, unlinkSync: sync.unlinkSync,
  utimes: callbacks.utimes, utimesSync: sync.utimesSync,
  watch, watchFile,
  writeFile: callbacks.writeFile, writeFileSync: sync.writeFileSync,
  write: positions.write, writeSync: positions.writeSync, writev: positions.writev, writevSync: positions.writevSync,
  Dirent,
  Stats: deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180'),
};

/** Defines a property that loads another file when it is read, and that programs may replace. */
function addLazy(name, id, key = name, isReplaceable = true) {
  let replaced;
  let isReplaced = false;
  const property = { __proto__: null, enumerable: true, configurable: true, get: () => (isReplaced ? replaced : require(id)[key]) };
  Object.defineProperty(property.get, 'name', { __proto__: null, value: `get ${name}`, configurable: true });
  if (isReplaceable) {
    property.set = (value) => {
      replaced = value;
      isReplaced = true;
    };
  }
  Object.defineProperty(fs, name, property);
}

addLazy('ReadStream', 'internal/fs/streams');
addLazy('WriteStream', 'internal/fs/streams');
addLazy('FileReadStream', 'internal/fs/streams', 'ReadStream');
addLazy('FileWriteStream', 'internal/fs/streams', 'WriteStream');
addLazy('Utf8Stream', 'internal/fs/utf8_stream', 'Utf8Stream', false);
fs._toUnixTimestamp = toUnixTimestamp;
addLazy('Dir', 'internal/fs/dir');
fs.opendir = opendir;
fs.opendirSync = opendirSync;
Object.defineProperty(fs, 'constants', { __proto__: null, value: constants, enumerable: true, configurable: false, writable: false });
addLazy('promises', 'internal/fs/promises', 'exports', false);

module.exports = fs;
