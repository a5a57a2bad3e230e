// Copying of whole trees. In: two paths and options. Out: the tree at the second one. What is to be
// done is written once, as generators that ask for one step after the other; two drivers take the
// steps, at once or one after the other's end. Absent: copying of one file's bytes, which is a
// native.
'use strict';

const { nextTick } = internalBinding('queues');
const { codes } = require('internal/errors');
const { binding, constants, getValidatedPath, makeCallback } = require('internal/fs/utils');
const { statsOfWords } = require('internal/fs/stats');
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

function fail(name, code, message, path) {
  return new codes[name]({ message, path, syscall: 'cp', errno: ERRNO[code], code });
}

// --- what is to be done; each `yield` is a step, [name, ...arguments], that gives what the system
// says

function* copyTree(src, dest, options) {
  const checked = yield* checkPaths(src, dest, options);
  if (checked === null) return;
  yield* checkAbove(src, checked.source, dest);
  const parent = dirname(dest);
  if (!(yield ['find', parent])) yield ['mkdir', parent, 0o777, true];
  yield* copyAny(src, dest, checked, options);
}

/** What both are, or null where the filter leaves it out. */
function* checkPaths(src, dest, options) {
  if (options.filter && !(yield ['filter', options.filter, src, dest])) return null;
  const source = yield [options.dereference ? 'stat' : 'lstat', src];
  const target = yield [options.dereference ? 'find' : 'lfind', dest];
  if (target) {
    if (isSame(source, target)) throw fail('ERR_FS_CP_EINVAL', 'EINVAL', 'src and dest cannot be the same', dest);
    if (source.isDirectory() && !target.isDirectory()) {
      throw fail('ERR_FS_CP_DIR_TO_NON_DIR', 'EISDIR', `cannot overwrite non-directory ${dest} with directory ${src}`, dest);
    }
    if (!source.isDirectory() && target.isDirectory()) {
      throw fail('ERR_FS_CP_NON_DIR_TO_DIR', 'ENOTDIR', `cannot overwrite directory ${dest} with non-directory ${src}`, dest);
    }
  }
  if (source.isDirectory() && isBelow(src, dest)) throw intoItself(src, dest, dest);
  return { source, target };
}

function intoItself(src, dest, path) {
  return fail('ERR_FS_CP_EINVAL', 'EINVAL', `cannot copy ${src} to a subdirectory of self ${dest}`, path);
}

function isSame(one, other) {
  return other.ino !== undefined && other.ino === one.ino && other.dev === one.dev;
}

/** Whether `path` is `folder` or something in it, by their characters. */
function isBelow(folder, path) {
  const parts = (each) => resolve(each).split('/').filter(Boolean);
  const own = parts(path);
  return parts(folder).every((part, i) => own[i] === part);
}

/** No directory above the target may be the source, under whatever name. */
function* checkAbove(src, source, dest) {
  const own = resolve(dirname(src));
  for (let folder = resolve(dirname(dest)); folder !== own && folder !== parse(folder).root; folder = resolve(dirname(folder))) {
    const found = yield ['find', folder];
    if (found && isSame(source, found)) throw intoItself(src, dest, dest);
  }
}

function* copyAny(src, dest, { source, target }, options) {
  if (source.isDirectory()) {
    if (!options.recursive) throw fail('ERR_FS_EISDIR', 'EISDIR', `${src} is a directory (not copied)`, src);
    yield* copyFolder(src, dest, source, target, options);
  } else if (source.isFile() || source.isCharacterDevice() || source.isBlockDevice()) {
    yield* copyOne(src, dest, source, target, options);
  } else if (source.isSymbolicLink()) {
    yield* copyLink(src, dest, target, options);
  } else if (source.isSocket()) {
    throw fail('ERR_FS_CP_SOCKET', 'EINVAL', `cannot copy a socket file: ${dest}`, dest);
  } else if (source.isFIFO()) {
    throw fail('ERR_FS_CP_FIFO_PIPE', 'EINVAL', `cannot copy a FIFO pipe: ${dest}`, dest);
  } else {
    throw fail('ERR_FS_CP_UNKNOWN', 'EINVAL', `cannot copy an unknown file type: ${dest}`, dest);
  }
}

function* copyOne(src, dest, source, target, options) {
  if (target) {
    if (!options.force) {
      if (options.errorOnExist) throw fail('ERR_FS_CP_EEXIST', 'EEXIST', `${dest} already exists`, dest);
      return;
    }
    yield ['unlink', dest];
  }
  yield ['copyFile', src, dest, options.mode];
  if (options.preserveTimestamps) yield* setTimes(src, dest, source.mode);
  yield ['chmod', dest, source.mode & 0o7777];
}

/** Times of a file that nobody may write are set while somebody may. */
function* setTimes(src, dest, mode) {
  if ((mode & 0o200) === 0) yield ['chmod', dest, (mode & 0o7777) | 0o200];
  // Reading it has changed when it was read last.
  const { atimeMs, mtimeMs } = yield ['stat', src];
  yield ['utimes', dest, atimeMs / 1000, mtimeMs / 1000, false];
}

function* copyFolder(src, dest, source, target, options) {
  if (target === undefined) yield ['mkdir', dest, 0o777, false];
  else if (options.errorOnExist && !options.force) throw fail('ERR_FS_CP_EEXIST', 'EEXIST', `${dest} already exists`, dest);
  for (const name of yield ['readdir', src]) {
    const [from, to] = [join(src, name), join(dest, name)];
    const checked = yield* checkPaths(from, to, options);
    if (checked !== null) yield* copyAny(from, to, checked, options);
  }
  if (target === undefined) yield ['chmod', dest, source.mode & 0o7777];
}

function* copyLink(src, dest, target, options) {
  let says = yield ['readlink', src];
  if (!options.verbatimSymlinks && !isAbsolute(says)) says = resolve(dirname(src), says);
  if (target === undefined) {
    yield ['symlink', says, dest];
    return;
  }
  if (!target.isSymbolicLink()) {
    // It says that something is there.
    yield ['symlink', says, dest];
    return;
  }
  let there = yield ['readlink', dest];
  if (!isAbsolute(there)) there = resolve(dirname(dest), there);
  const leadsTo = yield ['find', src];
  if (leadsTo?.isDirectory()) {
    if (isBelow(says, there)) throw intoItself(says, there, dest);
    // Taking the link away would take what it leads to away from the source.
    if (isBelow(there, says)) {
      throw fail('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'EINVAL', `cannot overwrite ${there} with ${says}`, dest);
    }
  }
  yield ['unlink', dest];
  yield ['symlink', says, dest];
}

// --- who takes the steps

/** [native, whether it follows links, whether nothing there is fine] */
const STATS = { stat: [false, false], lstat: [true, false], find: [false, true], lfind: [true, true] };

const namesOf = (raw) => (raw === '' ? [] : raw.split('\u0000'));

function takeStep([name, ...args]) {
  if (STATS[name] !== undefined) return binding.stat(args[0], STATS[name][0], false, STATS[name][1]) ? statsOfWords(false) : undefined;
  switch (name) {
    case 'filter': return filterNow(...args);
    case 'readdir': return namesOf(binding.readdir(args[0], false, false));
    case 'readlink': return binding.readlink(args[0], false);
    default: return binding[name](...args);
  }
}

function filterNow(filter, src, dest) {
  const isWanted = filter(src, dest);
  if (require('internal/util/types').isPromise(isWanted)) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', isWanted);
  return isWanted;
}

async function beginStep([name, ...args]) {
  const call = (native, ...own) => new Promise((done, refuse) => {
    binding[native](...own, (error, value) => (error ? refuse(error) : done(value)));
  });
  if (STATS[name] !== undefined) {
    const [isLink, mayMiss] = STATS[name];
    return new Promise((done, refuse) => binding.stat(args[0], isLink, false, mayMiss, (error, isThere) => {
      if (error) refuse(error);
      else done(isThere ? statsOfWords(false) : undefined);
    }));
  }
  switch (name) {
    case 'filter': return args[0](args[1], args[2]);
    case 'readdir': return namesOf(await call('readdir', args[0], false, false));
    case 'readlink': return call('readlink', args[0], false);
    default: return call(name, ...args);
  }
}

const text = (path) => (typeof path === 'string' ? path : require('buffer').Buffer.from(path).toString());

function prepare(src, dest, options) {
  options = validateOptions(options);
  return [text(getValidatedPath(src, 'src')), text(getValidatedPath(dest, 'dest')), options];
}

function cpSync(src, dest, options) {
  const work = copyTree(...prepare(src, dest, options));
  for (let step = work.next(); !step.done;) {
    let value;
    try {
      value = takeStep(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(value);
  }
}

async function run(work) {
  for (let step = work.next(); !step.done;) step = work.next(await beginStep(step.value));
}

async function cpAsync(src, dest, options) {
  return run(copyTree(...prepare(src, dest, options)));
}

function cp(src, dest, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  const work = copyTree(...prepare(src, dest, options));
  run(work).then(() => nextTick(callback, null), (error) => nextTick(callback, error));
}

module.exports = { cp, cpAsync, cpSync };
