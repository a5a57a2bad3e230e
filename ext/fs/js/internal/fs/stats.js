// Result classes of `node:fs`: Stats, BigIntStats, StatFs, Dirent. In: the stat values that the
// binding wrote last, or the names it returned. Out: objects of Node's classes. Absent: system
// calls.
'use strict';

const { binding, constants, toBuffer } = require('internal/fs/utils');

const {
  S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK,
  UV_DIRENT_BLOCK, UV_DIRENT_CHAR, UV_DIRENT_DIR, UV_DIRENT_FIFO, UV_DIRENT_FILE, UV_DIRENT_LINK, UV_DIRENT_SOCKET,
} = constants;

// Two views of the same memory: the binding writes doubles, or integers for `{ bigint: true }`.
const statValues = new Float64Array(binding.statValues.buffer);
const bigintStatValues = new BigInt64Array(binding.statValues.buffer);

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}

const KINDS = {
  isDirectory: S_IFDIR, isFile: S_IFREG, isBlockDevice: S_IFBLK, isCharacterDevice: S_IFCHR, isSymbolicLink: S_IFLNK,
  isFIFO: S_IFIFO, isSocket: S_IFSOCK,
};

for (const name of Object.keys(KINDS)) {
  const kind = KINDS[name];
  const method = { [name]() { return this._checkModeProperty(kind); } }[name];
  StatsBase.prototype[name] = method;
}

StatsBase.prototype._checkModeProperty = function(property) {
  return (Number(this.mode) & S_IFMT) === property;
};

/** Defines date properties: created at the first access, and writable. */
function addDates(Class) {
  const properties = {};
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    const key = Symbol(name);
    properties[name] = {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get() { return this[key] ?? dateOf(this, key, this[`${name}Ms`]); },
      set(value) { defineHidden(this, key, value); },
    };
  }
  Object.defineProperties(Class.prototype, properties);
}

function defineHidden(target, key, value) {
  Object.defineProperty(target, key, { __proto__: null, value, writable: true, configurable: true });
}

function dateOf(stats, key, ms) {
  const date = new Date(Math.round(Number(ms)));
  defineHidden(stats, key, date);
  return date;
}

/** Repeats the fields of StatsBase: a call of it would double the cost of a Stats object. */
function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);
addDates(Stats);

function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeNs, mtimeNs, ctimeNs, birthtimeNs) {
  Reflect.apply(StatsBase, this, [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks]);
  this.atimeMs = atimeNs / 1000000n;
  this.mtimeMs = mtimeNs / 1000000n;
  this.ctimeMs = ctimeNs / 1000000n;
  this.birthtimeMs = birthtimeNs / 1000000n;
  this.atimeNs = atimeNs;
  this.mtimeNs = mtimeNs;
  this.ctimeNs = ctimeNs;
  this.birthtimeNs = birthtimeNs;
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);
addDates(BigIntStats);

BigIntStats.prototype._checkModeProperty = function(property) {
  return (Number(this.mode) & S_IFMT) === property;
};

function StatFs(type, bsize, blocks, bfree, bavail, files, ffree) {
  this.type = type;
  this.bsize = bsize;
  this.blocks = blocks;
  this.bfree = bfree;
  this.bavail = bavail;
  this.files = files;
  this.ffree = ffree;
}

const msOf = (offset) => statValues[offset] * 1000 + statValues[offset + 1] / 1e6;
const nsOf = (offset) => bigintStatValues[offset] * 1000000000n + bigintStatValues[offset + 1];

/** Stats of the values that the last `stat` or `fstat` wrote. */
function getStatsFromBinding(bigint) {
  if (bigint) {
    const [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks] = bigintStatValues;
    return new BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, nsOf(10), nsOf(12), nsOf(14), nsOf(16));
  }
  return new Stats(statValues[0], statValues[1], statValues[2], statValues[3], statValues[4], statValues[5], statValues[6], statValues[7], statValues[8],
                   statValues[9], msOf(10), msOf(12), msOf(14), msOf(16));
}

/** The stats of a missing file, for `fs.watchFile`. */
function emptyStats(bigint) {
  (bigint ? bigintStatValues.fill(0n) : statValues.fill(0));
  return getStatsFromBinding(bigint);
}

/** StatFs of the values that the last `statfs` wrote. */
function getStatFsFromBinding(bigint) {
  const [type, bsize, blocks, bfree, bavail, files, ffree] = bigint ? bigintStatValues : statValues;
  return new StatFs(type, bsize, blocks, bfree, bavail, files, ffree);
}

const kType = Symbol('type');

class Dirent {
  constructor(name, path, type) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }
  isDirectory() { return this[kType] === UV_DIRENT_DIR; }
  isFile() { return this[kType] === UV_DIRENT_FILE; }
  isBlockDevice() { return this[kType] === UV_DIRENT_BLOCK; }
  isCharacterDevice() { return this[kType] === UV_DIRENT_CHAR; }
  isSymbolicLink() { return this[kType] === UV_DIRENT_LINK; }
  isFIFO() { return this[kType] === UV_DIRENT_FIFO; }
  isSocket() { return this[kType] === UV_DIRENT_SOCKET; }
}

/** Splits bytes at nulls. */
function splitBytes(buffer) {
  const parts = [];
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(0, start);
    if (end === -1) break;
    parts.push(buffer.subarray(start, end));
    start = end + 1;
  }
  parts.push(buffer.subarray(start));
  return parts;
}

/** Whether the binding returns names as strings; in other encodings it returns bytes. */
function namesAreUtf8(encoding) {
  return encoding == null || encoding === 'utf8' || encoding === 'utf-8';
}

function decodeAll(names, encoding) {
  return encoding === 'buffer' ? names : names.map((name) => name.toString(encoding || 'utf8'));
}

/** The names that `readdir` returned. */
function decodeNames(raw, encoding) {
  if (typeof raw === 'string') return raw === '' ? [] : raw.split('\u0000');
  const buffer = toBuffer(raw);
  return buffer.length === 0 ? [] : decodeAll(splitBytes(buffer), encoding);
}

/** Dirents of what `readdir` returned with types: a digit for each, before the names. */
function getDirents(raw, path, encoding) {
  const dirents = [];
  if (typeof raw === 'string') {
    if (raw === '') return dirents;
    const names = raw.split('\u0000');
    const types = names[0];
    for (let i = 1; i < names.length; i++) dirents.push(new Dirent(names[i], path, types.charCodeAt(i - 1) - 48));
    return dirents;
  }
  const buffer = toBuffer(raw);
  if (buffer.length === 0) return dirents;
  const [types, ...names] = splitBytes(buffer);
  decodeAll(names, encoding).forEach((name, i) => dirents.push(new Dirent(name, path, types[i] - 48)));
  return dirents;
}

/** Splits names relative to `path` into a parent path and a name. */
function setParentPaths(dirents, path) {
  const { join } = require('path');
  for (const dirent of dirents) {
    if (typeof dirent.name !== 'string' || typeof path !== 'string') continue;
    const slash = dirent.name.lastIndexOf('/');
    if (slash === -1) continue;
    dirent.parentPath = join(path, dirent.name.slice(0, slash));
    dirent.name = dirent.name.slice(slash + 1);
  }
  return dirents;
}

module.exports = {
  BigIntStats, Dirent, StatFs, Stats, getDirents, emptyStats, kType, namesAreUtf8, decodeNames, setParentPaths, getStatFsFromBinding, getStatsFromBinding,
};
