// What fs says of files: Stats, BigIntStats, StatFs, Dirent. In: the words that a native wrote just
// now, or the names it gave. Out: objects of Node's classes. Absent: asking; the natives do that.
'use strict';

const { binding, constants, toBuffer } = require('internal/fs/utils');

const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK } = constants;

// The same memory, read as numbers or as integers, whichever was asked for.
const numbers = new Float64Array(binding.words.buffer);
const integers = new BigInt64Array(binding.words.buffer);

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

/** Dates are made of the times when they are first asked for, and may be replaced. */
function addDates(Class) {
  const properties = {};
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    const key = Symbol(name);
    properties[name] = {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get() { return this[key] ?? dateOf(this, key, this[`${name}Ms`]); },
      set(value) { hide(this, key, value); },
    };
  }
  Object.defineProperties(Class.prototype, properties);
}

function hide(target, key, value) {
  Object.defineProperty(target, key, { __proto__: null, value, writable: true, configurable: true });
}

function dateOf(stats, key, ms) {
  const date = new Date(Math.round(Number(ms)));
  hide(stats, key, date);
  return date;
}

/**
 * The fields once more: programs ask for many of these, and a call of the class above costs as much
 * as the rest.
 */
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

const msOf = (at) => numbers[at] * 1000 + numbers[at + 1] / 1e6;
const nsOf = (at) => integers[at] * 1000000000n + integers[at + 1];

/** What the last `stat` or `fstat` wrote. */
function statsOfWords(bigint) {
  if (bigint) {
    const [dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks] = integers;
    return new BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, nsOf(10), nsOf(12), nsOf(14), nsOf(16));
  }
  return new Stats(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8],
                   numbers[9], msOf(10), msOf(12), msOf(14), msOf(16));
}

/** What a file is that is not there, for those that watch it. */
function emptyStats(bigint) {
  (bigint ? integers.fill(0n) : numbers.fill(0));
  return statsOfWords(bigint);
}

/** What the last `statfs` wrote. */
function statFsOfWords(bigint) {
  const [type, bsize, blocks, bfree, bavail, files, ffree] = bigint ? integers : numbers;
  return new StatFs(type, bsize, blocks, bfree, bavail, files, ffree);
}

const kType = Symbol('type');

class Dirent {
  constructor(name, path, type) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }
  isDirectory() { return this[kType] === 2; }
  isFile() { return this[kType] === 1; }
  isBlockDevice() { return this[kType] === 7; }
  isCharacterDevice() { return this[kType] === 6; }
  isSymbolicLink() { return this[kType] === 3; }
  isFIFO() { return this[kType] === 4; }
  isSocket() { return this[kType] === 5; }
}

/** The pieces of bytes between nulls. */
function splitBytes(buffer) {
  const pieces = [];
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(0, start);
    if (end === -1) break;
    pieces.push(buffer.subarray(start, end));
    start = end + 1;
  }
  pieces.push(buffer.subarray(start));
  return pieces;
}

/** Whether names come as strings; the others come as bytes and are decoded here. */
function namesAreText(encoding) {
  return encoding == null || encoding === 'utf8' || encoding === 'utf-8';
}

function decode(names, encoding) {
  return encoding === 'buffer' ? names : names.map((name) => name.toString(encoding || 'utf8'));
}

/** The names that a native gave. */
function namesOf(raw, encoding) {
  if (typeof raw === 'string') return raw === '' ? [] : raw.split('\u0000');
  const buffer = toBuffer(raw);
  return buffer.length === 0 ? [] : decode(splitBytes(buffer), encoding);
}

/** The same with kinds, which stand in front. */
function direntsOf(raw, path, encoding) {
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
  decode(names, encoding).forEach((name, i) => dirents.push(new Dirent(name, path, types[i] - 48)));
  return dirents;
}

/** Names relative to a directory become names in the directory each is in. */
function placeDirents(dirents, path) {
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
  BigIntStats, Dirent, StatFs, Stats, direntsOf, emptyStats, kType, namesAreText, namesOf, placeDirents, statFsOfWords, statsOfWords,
};
