// `fs.cp`: recursive copy, as Node's lib/internal/fs/cp. In: two paths and options. Out: the tree
// at the second path. The algorithm is written once, as generators that yield steps; two drivers
// execute the steps, synchronously or asynchronously. Absent: copying the contents of one file
// (`binding.copyFile`).
'use strict';

const { nextTick } = internalBinding('queues');
const { codes } = require('internal/errors');
const { binding, constants, getValidatedPath, makeCallback } = require('internal/fs/utils');
const { getStatsFromBinding } = require('internal/fs/stats');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');
const { dirname, isAbsolute, join, parse, resolve } = require('path');

const { COPYFILE_EXCL, COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE } = constants;

const DEFAULTS = Object.freeze({
  __proto__: null,
  dereference: false, errorOnExist: false, filter: undefined, force: true, preserveTimestamps: false, recursive: false,
  verbatimSymlinks: false, mode: 0,
});

const ERRNO = { EEXIST: 17, EINVAL: 22, EISDIR: 21, ENOTDIR: 20 };

function validateOptions(options) {
  if (options === undefined) return { ...DEFAULTS };
  validateObject(options, 'options');
  options = { ...DEFAULTS, ...options };
  for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks']) {
    validateBoolean(options[name], `options.${name}`);
  }
  if (options.mode == null) options.mode = 0;
  validateInteger(options.mode, 'mode', 0, COPYFILE_EXCL | COPYFILE_FICLONE | COPYFILE_FICLONE_FORCE);
  if (options.dereference === true && options.verbatimSymlinks === true) {
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
}

function cpError(name, code, message, path) {
  return new codes[name]({ message, path, syscall: 'cp', errno: ERRNO[code], code });
}

// --- The algorithm. Each `yield` is a step, [name, ...arguments], and evaluates to its result.

function* copyTree(src, dest, options) {
  const checked = yield* checkPaths(src, dest, options);
  if (checked === null) return;
  yield* checkParentPaths(src, checked.source, dest);
  const parent = dirname(dest);
  if (!(yield ['statIfExists', parent])) yield ['mkdir', parent, 0o777, true];
  yield* copyEntry(src, dest, checked, options);
}

/** The stats of both paths, or null if the filter excludes them. */
function* checkPaths(src, dest, options) {
  if (options.filter && !(yield ['filter', options.filter, src, dest])) return null;
  const source = yield [options.dereference ? 'stat' : 'lstat', src];
  const target = yield [options.dereference ? 'statIfExists' : 'lstatIfExists', dest];
  if (target) {
    if (areIdentical(source, target)) throw cpError('ERR_FS_CP_EINVAL', 'EINVAL', 'src and dest cannot be the same', dest);
    if (source.isDirectory() && !target.isDirectory()) {
      throw cpError('ERR_FS_CP_DIR_TO_NON_DIR', 'EISDIR', `cannot overwrite non-directory ${dest} with directory ${src}`, dest);
    }
    if (!source.isDirectory() && target.isDirectory()) {
      throw cpError('ERR_FS_CP_NON_DIR_TO_DIR', 'ENOTDIR', `cannot overwrite directory ${dest} with non-directory ${src}`, dest);
    }
  }
  if (source.isDirectory() && isSrcSubdir(src, dest)) throw subdirectoryError(src, dest, dest);
  return { source, target };
}

function subdirectoryError(src, dest, path) {
  return cpError('ERR_FS_CP_EINVAL', 'EINVAL', `cannot copy ${src} to a subdirectory of self ${dest}`, path);
}

function areIdentical(one, other) {
  return other.ino !== undefined && other.ino === one.ino && other.dev === one.dev;
}

/** Whether `path` is `directory` or inside it, compared lexically. */
function isSrcSubdir(directory, path) {
  const parts = (each) => resolve(each).split('/').filter(Boolean);
  const pathParts = parts(path);
  return parts(directory).every((part, i) => pathParts[i] === part);
}

/** No parent of the target may be the source, by device and inode. */
function* checkParentPaths(src, source, dest) {
  const srcParent = resolve(dirname(src));
  for (let directory = resolve(dirname(dest)); directory !== srcParent && directory !== parse(directory).root; directory = resolve(dirname(directory))) {
    const stats = yield ['statIfExists', directory];
    if (stats && areIdentical(source, stats)) throw subdirectoryError(src, dest, dest);
  }
}

function* copyEntry(src, dest, { source, target }, options) {
  if (source.isDirectory()) {
    if (!options.recursive) throw cpError('ERR_FS_EISDIR', 'EISDIR', `${src} is a directory (not copied)`, src);
    yield* onDir(src, dest, source, target, options);
  } else if (source.isFile() || source.isCharacterDevice() || source.isBlockDevice()) {
    yield* onFile(src, dest, source, target, options);
  } else if (source.isSymbolicLink()) {
    yield* onLink(src, dest, target, options);
  } else if (source.isSocket()) {
    throw cpError('ERR_FS_CP_SOCKET', 'EINVAL', `cannot copy a socket file: ${dest}`, dest);
  } else if (source.isFIFO()) {
    throw cpError('ERR_FS_CP_FIFO_PIPE', 'EINVAL', `cannot copy a FIFO pipe: ${dest}`, dest);
  } else {
    throw cpError('ERR_FS_CP_UNKNOWN', 'EINVAL', `cannot copy an unknown file type: ${dest}`, dest);
  }
}

function* onFile(src, dest, source, target, options) {
  if (target) {
    if (!options.force) {
      if (options.errorOnExist) throw cpError('ERR_FS_CP_EEXIST', 'EEXIST', `${dest} already exists`, dest);
      return;
    }
    yield ['unlink', dest];
  }
  yield ['copyFile', src, dest, options.mode];
  if (options.preserveTimestamps) yield* setTimes(src, dest, source.mode);
  yield ['chmod', dest, source.mode & 0o7777];
}

/** A read-only file is made writable while its times are set. */
function* setTimes(src, dest, mode) {
  if ((mode & 0o200) === 0) yield ['chmod', dest, (mode & 0o7777) | 0o200];
  // Reading the source has changed its access time, so stat it again.
  const { atimeMs, mtimeMs } = yield ['stat', src];
  yield ['utimes', dest, atimeMs / 1000, mtimeMs / 1000, false];
}

function* onDir(src, dest, source, target, options) {
  if (target === undefined) yield ['mkdir', dest, 0o777, false];
  else if (options.errorOnExist && !options.force) throw cpError('ERR_FS_CP_EEXIST', 'EEXIST', `${dest} already exists`, dest);
  for (const name of yield ['readdir', src]) {
    const [from, to] = [join(src, name), join(dest, name)];
    const checked = yield* checkPaths(from, to, options);
    if (checked !== null) yield* copyEntry(from, to, checked, options);
  }
  if (target === undefined) yield ['chmod', dest, source.mode & 0o7777];
}

function* onLink(src, dest, target, options) {
  let resolvedSrc = yield ['readlink', src];
  if (!options.verbatimSymlinks && !isAbsolute(resolvedSrc)) resolvedSrc = resolve(dirname(src), resolvedSrc);
  if (target === undefined) {
    yield ['symlink', resolvedSrc, dest];
    return;
  }
  if (!target.isSymbolicLink()) {
    // Fails with EEXIST.
    yield ['symlink', resolvedSrc, dest];
    return;
  }
  let resolvedDest = yield ['readlink', dest];
  if (!isAbsolute(resolvedDest)) resolvedDest = resolve(dirname(dest), resolvedDest);
  const srcStat = yield ['statIfExists', src];
  if (srcStat?.isDirectory()) {
    if (isSrcSubdir(resolvedSrc, resolvedDest)) throw subdirectoryError(resolvedSrc, resolvedDest, dest);
    // Removing the link would remove what it points to from the source.
    if (isSrcSubdir(resolvedDest, resolvedSrc)) {
      throw cpError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'EINVAL', `cannot overwrite ${resolvedDest} with ${resolvedSrc}`, dest);
    }
  }
  yield ['unlink', dest];
  yield ['symlink', resolvedSrc, dest];
}

// --- drivers

/** [lstat instead of stat, whether the file may be missing] */
const STATS = { stat: [false, false], lstat: [true, false], statIfExists: [false, true], lstatIfExists: [true, true] };

const splitNames = (raw) => (raw === '' ? [] : raw.split('\u0000'));

function runStepSync([name, ...args]) {
  if (STATS[name] !== undefined) return binding.stat(args[0], STATS[name][0], false, STATS[name][1]) ? getStatsFromBinding(false) : undefined;
  switch (name) {
    case 'filter': return filterSync(...args);
    case 'readdir': return splitNames(binding.readdir(args[0], false, false));
    case 'readlink': return binding.readlink(args[0], false);
    default: return binding[name](...args);
  }
}

function filterSync(filter, src, dest) {
  const result = filter(src, dest);
  if (require('internal/util/types').isPromise(result)) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', result);
  return result;
}

async function runStep([name, ...args]) {
  const call = (name, ...parameters) => new Promise((done, refuse) => {
    binding[name](...parameters, (error, value) => (error ? refuse(error) : done(value)));
  });
  if (STATS[name] !== undefined) {
    const [isLink, mayBeMissing] = STATS[name];
    return new Promise((done, refuse) => binding.stat(args[0], isLink, false, mayBeMissing, (error, exists) => {
      if (error) refuse(error);
      else done(exists ? getStatsFromBinding(false) : undefined);
    }));
  }
  switch (name) {
    case 'filter': return args[0](args[1], args[2]);
    case 'readdir': return splitNames(await call('readdir', args[0], false, false));
    case 'readlink': return call('readlink', args[0], false);
    default: return call(name, ...args);
  }
}

const toPathString = (path) => (typeof path === 'string' ? path : require('buffer').Buffer.from(path).toString());

function validate(src, dest, options) {
  options = validateOptions(options);
  return [toPathString(getValidatedPath(src, 'src')), toPathString(getValidatedPath(dest, 'dest')), options];
}

function cpSync(src, dest, options) {
  const work = copyTree(...validate(src, dest, options));
  for (let step = work.next(); !step.done;) {
    let value;
    try {
      value = runStepSync(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(value);
  }
}

async function run(work) {
  for (let step = work.next(); !step.done;) step = work.next(await runStep(step.value));
}

async function cpAsync(src, dest, options) {
  return run(copyTree(...validate(src, dest, options)));
}

function cp(src, dest, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  const work = copyTree(...validate(src, dest, options));
  run(work).then(() => nextTick(callback, null), (error) => nextTick(callback, error));
}

module.exports = { cp, cpAsync, cpSync };
